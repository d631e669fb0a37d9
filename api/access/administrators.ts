import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { accountOrigins, grantSources } from './identity-values.ts';
import { administratorFilters } from './filters.ts';
import { bulkOutput, idSchema, itemsInput, route, textSchema, timeSchema, versionSchema } from '../base.ts';
import { linkOrigins } from './sign-in-values.ts';
import { factorGaps } from './factor-gap.ts';
import { viewedAccess } from './session.ts';
import { listRoutes } from '../list.ts';

/** ASCII without quotes or brackets, so that a mailbox has one spelling. */
const mailboxPattern = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;
const emailSchema = () => textSchema(254).check(z.refine(isMailbox, { error: 'email' }));

export const isMailbox = (value: string): boolean => value.length <= 254 && mailboxPattern.test(value.normalize('NFKC'));

const roleIdsSchema = () =>
  z.array(idSchema(), { error: 'required' }).check(z.minLength(1, { error: 'required' }), z.maxLength(50, { error: 'tooLong' }));

export const newAdministratorFields = z.strictObject({
  email: emailSchema(),
  password: z.string({ error: 'required' }).check(
    z.minLength(1, { error: 'required' }),
    z.maxLength(128, { error: 'tooLong' }),
    z.refine((value) => [...value.normalize('NFKC')].length >= 15, { error: 'tooShort' }),
  ),
  roles: roleIdsSchema(),
  description: textSchema(500),
});

export const administratorFields = z.strictObject({ email: emailSchema(), roles: roleIdsSchema(), description: textSchema(500) });
export type AdministratorFields = z.infer<typeof administratorFields>;

export const walletFields = z.strictObject({ address: textSchema(100) });

const administratorRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  email: z.string(),
  roles: z.array(z.object({ id: idSchema(), name: z.string(), givenBy: z._default(z.enum(grantSources), 'panel') })),
  enabled: z.boolean(),
  /** Null while enabled, and for a change before version 1.1. */
  disabledBy: z._default(z.nullable(z.enum(grantSources)), null),
  /** The provider creates, disables and enables the account. */
  managed: z._default(z.boolean(), false),
  description: z.string(),
  walletAddress: z.nullable(z.string()),
  factor: z.enum(['none', 'totp', 'passkey']),
  /** The person of the identity provider. */
  sso: z.nullable(
    z.object({
      email: z.nullable(z.string()),
      origin: z.enum(linkOrigins),
      linkedAt: z.string(),
      lastUsedAt: z.nullable(z.string()),
    }),
  ),
  /** Null: the account needs no enrollment code. */
  factorGap: z._default(z.nullable(z.enum(factorGaps)), null),
  lastSeenAt: z.nullable(z.string()),
  createdAt: z.string(),
  reach: z.enum(['own', 'beyond', 'within']),
});
export type AdministratorRow = z.infer<typeof administratorRow>;

export const administratorSorts = ['createdAt', 'email'] as const;

export type AdministratorFilter = FilterOf<typeof administratorFilters>;

const roleChoice = z.object({
  id: idSchema(),
  name: z.string(),
  description: z.string(),
  beyond: z.boolean(),
});

const effectiveRight = z.object({
  id: idSchema(),
  parentId: z.nullable(idSchema()),
  kind: z.enum(['menu', 'function']),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  roles: z.array(z.string()),
});
export type EffectiveRight = z.infer<typeof effectiveRight>;

/** What the provider says about an account that it manages. */
const providerDetails = z.object({
  userName: z.string(),
  externalId: z.nullable(z.string()),
  displayName: z.string(),
  active: z.boolean(),
  /** Differs from the account's until an administrator accepts it. */
  email: z.string(),
  groups: z.array(z.string()),
  /** Null: the provider made the account. */
  handedOverBy: z.nullable(z.string()),
  since: z.string(),
  deletedAt: z.nullable(z.string()),
});

const linkDetails = z.object({
  issuer: z.string(),
  subject: z.string(),
  /** Last one from the provider. */
  email: z.nullable(z.string()),
  origin: z.enum(linkOrigins),
  /** Who sent the link, or the person. Null: the provider. */
  linkedBy: z.nullable(z.string()),
  linkedAt: timeSchema(),
  lastUsedAt: z.nullable(timeSchema()),
  /** Of another provider than the configured one, so it opens nothing. */
  isFormer: z.boolean(),
});
export type LinkDetails = z.infer<typeof linkDetails>;

const accountIdentity = z.object({
  providerName: z.string(),
  /** SCIM is on. */
  isProvisioned: z.boolean(),
  origin: z.object({ kind: z.enum(accountOrigins), by: z.nullable(z.string()) }),
  links: z.array(linkDetails),
  /** Of the second factor. Null: no factor, or no one vouched for it. `by` null: set up with the password. */
  vouched: z.nullable(z.object({ at: timeSchema(), by: z.nullable(z.string()) })),
  roles: z.array(z.object({ id: idSchema(), name: z.string(), sources: z.array(z.enum(grantSources)) })),
});
export type AccountIdentity = z.infer<typeof accountIdentity>;

const administratorDetails = z.object({
  row: administratorRow,
  identity: accountIdentity,
  provider: z.nullable(providerDetails),
  rights: z.array(effectiveRight),
  sessions: z.array(
    z.object({ id: idSchema(), createdAt: z.string(), lastSeenAt: z.string(), ip: z.string(), userAgent: z.string() }),
  ),
});
export type AdministratorDetails = z.infer<typeof administratorDetails>;

const enrollmentCode = z.object({ code: z.string(), expiresAt: z.string() });
export type EnrollmentCode = z.infer<typeof enrollmentCode>;

const menuPath = '/permissions/administrator';
const itemInput = z.strictObject({ id: idSchema(), version: versionSchema() });
const itemListInput = z.strictObject({ items: itemsInput() });

export const administrators = {
  ...listRoutes('/administrators', {
    menu: menuPath,
    id: idSchema(),
    row: administratorRow,
    sorts: administratorSorts,
    filters: administratorFilters,
  }),
  details: route
    .meta({ menu: menuPath })
    .route({ method: 'POST', path: '/administrators/details' })
    .input(z.strictObject({ id: idSchema() }))
    .output(administratorDetails),
  roles: route.meta({ menu: menuPath }).route({ method: 'GET', path: '/administrators/roles' }).output(z.array(roleChoice)),
  viewAs: route
    .meta({ menu: menuPath })
    .route({ method: 'POST', path: '/administrators/view-as' })
    .input(z.strictObject({ id: idSchema() }))
    .output(viewedAccess),
  add: route
    .meta({ permission: 'administrators.add', fresh: true })
    .route({ method: 'POST', path: '/administrators' })
    .input(newAdministratorFields)
    .output(administratorRow),
  /** Creates an account without a password, and emails a link to single sign-on. Throws SSO_OFF and MAIL_OFF. */
  invite: route
    .meta({ permission: 'administrators.invite', fresh: true })
    .route({ method: 'POST', path: '/administrators/invite' })
    .input(administratorFields)
    .output(administratorRow),
  sendSsoLink: route
    .meta({ permission: 'administrators.sendSsoLink', fresh: true })
    .route({ method: 'POST', path: '/administrators/send-sso-link' })
    .input(itemInput)
    .output(z.object({ expiresAt: z.string() })),
  unlinkSso: route
    .meta({ permission: 'administrators.unlinkSso', fresh: true })
    .route({ method: 'POST', path: '/administrators/unlink-sso' })
    .input(itemInput)
    .output(administratorRow),
  letIdpManage: route
    .meta({ permission: 'administrators.letIdpManage', fresh: true })
    .route({ method: 'POST', path: '/administrators/let-idp-manage' })
    .input(itemListInput)
    .output(bulkOutput(administratorRow)),
  stopIdpManaging: route
    .meta({ permission: 'administrators.stopIdpManaging', fresh: true })
    .route({ method: 'POST', path: '/administrators/stop-idp-managing' })
    .input(itemListInput)
    .output(bulkOutput(administratorRow)),
  acceptIdpEmail: route
    .meta({ permission: 'administrators.acceptIdpEmail', fresh: true })
    .route({ method: 'POST', path: '/administrators/accept-idp-email' })
    .input(itemInput)
    .output(administratorRow),
  edit: route
    .meta({ permission: 'administrators.edit', fresh: true })
    .route({ method: 'PUT', path: '/administrators' })
    .input(z.extend(administratorFields, { id: idSchema(), version: versionSchema() }))
    .output(administratorRow),
  enable: route
    .meta({ permission: 'administrators.enable', fresh: true })
    .route({ method: 'POST', path: '/administrators/enable' })
    .input(itemListInput)
    .output(bulkOutput(administratorRow)),
  disable: route
    .meta({ permission: 'administrators.disable', fresh: true })
    .route({ method: 'POST', path: '/administrators/disable' })
    .input(itemListInput)
    .output(bulkOutput(administratorRow)),
  resetPassword: route
    .meta({ permission: 'administrators.resetPassword', fresh: true })
    .route({ method: 'POST', path: '/administrators/reset-password' })
    .input(itemInput)
    .output(z.object({ expiresAt: z.string() })),
  resetFactor: route
    .meta({ permission: 'administrators.resetFactor', fresh: true })
    .route({ method: 'POST', path: '/administrators/reset-factor' })
    .input(itemInput)
    .output(administratorRow),
  giveEnrollmentCode: route
    .meta({ permission: 'administrators.giveEnrollmentCode', fresh: true })
    .route({ method: 'POST', path: '/administrators/enrollment-code' })
    .input(itemInput)
    .output(enrollmentCode),
  bindWallet: route
    .meta({ permission: 'administrators.bindWallet', fresh: true })
    .route({ method: 'POST', path: '/administrators/bind-wallet' })
    .input(z.extend(walletFields, { id: idSchema(), version: versionSchema() }))
    .output(administratorRow),
  unbindWallet: route
    .meta({ permission: 'administrators.unbindWallet', fresh: true })
    .route({ method: 'POST', path: '/administrators/unbind-wallet' })
    .input(itemInput)
    .output(administratorRow),
  endSessions: route
    .meta({ permission: 'administrators.endSessions' })
    .route({ method: 'POST', path: '/administrators/end-sessions' })
    .input(itemListInput)
    .output(bulkOutput(administratorRow)),
  remove: route
    .meta({ permission: 'administrators.delete', fresh: true })
    .route({ method: 'POST', path: '/administrators/delete' })
    .input(itemListInput)
    .output(bulkOutput(z.object({ id: idSchema() }))),
};
