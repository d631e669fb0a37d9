import * as z from 'zod/mini';
import { bulkOutput, idSchema, itemsInput, route, textSchema, timeSchema, versionSchema } from '../base.ts';
import { groupSources, provisioningConflictReasons } from './identity-values.ts';
import { providerProblems, ssoEmailModes, ssoJoinModes } from './sign-in-values.ts';
import { anyToken, newToken, newTokenShape, revocationFields } from './tokens.ts';

export const mappingFields = z.strictObject({
  source: z.enum(groupSources, { error: 'required' }),
  /** The text of a claim, or the ID of a provisioned group. */
  value: textSchema(254),
  role: idSchema(),
});
export type MappingFields = z.infer<typeof mappingFields>;

export const mappingRoleFields = z.strictObject({ role: idSchema() });

export const provisioningTokenFields = z.strictObject(newTokenShape);

const mappingRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  source: z.enum(groupSources),
  value: z.string(),
  /** Name of the group. */
  group: z.string(),
  role: z.object({ id: idSchema(), name: z.string() }),
  /** Who has the role from the provider. */
  holders: z.int(),
  /** Guarded permissions of the role, which then isn't given. Normally empty. */
  guarded: z.array(z.string()),
});
export type MappingRow = z.infer<typeof mappingRow>;

const signInStatus = z.object({
  issuer: z.string(),
  clientId: z.string(),
  hasSecret: z.boolean(),
  scopes: z.string(),
  subjectClaim: z.string(),
  join: z.enum(ssoJoinModes),
  scimClaim: z.string(),
  email: z.enum(ssoEmailModes),
  emailDomains: z.nullable(z.array(z.string())),
  groupsClaim: z.nullable(z.string()),
  required: z.boolean(),
  logout: z.boolean(),
  sessionHours: z.number(),
  /** To enter at the provider. */
  redirectUrl: z.string(),
  logoutUrl: z.string(),
});

const conflictRow = z.object({
  id: idSchema(),
  administratorId: idSchema(),
  /** Of the account. */
  email: z.string(),
  /** Of the refused user. */
  userName: z.string(),
  wantedEmail: z.string(),
  reason: z.enum(provisioningConflictReasons),
  lastAt: timeSchema(),
});

const status = z.object({
  /** Of the provider. */
  name: z.string(),
  /** Null: single sign-on is off. Never contains the secret. */
  signIn: z.nullable(signInStatus),
  provisioning: z.object({
    isOn: z.boolean(),
    address: z.string(),
    lastRequestAt: z.nullable(timeSchema()),
    tokens: z.array(anyToken),
    enabledAccounts: z.int(),
    disabledAccounts: z.int(),
    groups: z.array(z.object({ id: idSchema(), name: z.string(), members: z.int() })),
    conflicts: z.array(conflictRow),
  }),
});
export type IdentityStatus = z.infer<typeof status>;

const providerHealth = z.object({
  /** Null: it answers. */
  problem: z.nullable(z.enum(providerProblems)),
  /** Of an answer with an error. */
  status: z.nullable(z.int()),
  checkedAt: timeSchema(),
  lastAnswerAt: z.nullable(timeSchema()),
  /** Positive: the provider's clock is ahead. Null: it sent no time. */
  clockSeconds: z.nullable(z.int()),
  /** So far that sign-ins are refused. */
  isClockOff: z.boolean(),
});
export type ProviderHealth = z.infer<typeof providerHealth>;

const refusedSignIn = z.object({
  id: idSchema(),
  at: timeSchema(),
  /** An SsoFailure, or another error code. */
  reason: z.string(),
  /** How far the clocks differed. */
  seconds: z.nullable(z.number()),
  /** What the provider says about the person, if it was asked. Of no account here. */
  email: z.nullable(z.string()),
  ip: z.string(),
  /** Refused shortly before, and not listed. */
  more: z.int(),
});
export type RefusedSignIn = z.infer<typeof refusedSignIn>;

const signIns = z.object({
  last: z.nullable(z.object({ email: z.string(), at: timeSchema(), ip: z.string() })),
  /** Newest first, of the last 30 days. */
  refused: z.array(refusedSignIn),
});
export type SsoSignIns = z.infer<typeof signIns>;

const screen = '/permissions/identity';
const path = '/identity';

export const identity = {
  status: route.meta({ menu: screen }).route({ method: 'GET', path }).output(status),
  /** Asks the provider. Null: single sign-on is off. */
  health: route
    .meta({ menu: screen })
    .route({ method: 'GET', path: `${path}/health` })
    .output(z.nullable(providerHealth)),
  signIns: route
    .meta({ menu: screen })
    .route({ method: 'GET', path: `${path}/sign-ins` })
    .output(signIns),
  mappings: route
    .meta({ menu: screen })
    .route({ method: 'GET', path: `${path}/mappings` })
    .output(z.array(mappingRow)),
  addMapping: route
    .meta({ permission: 'identity.addMapping', fresh: true })
    .route({ method: 'POST', path: `${path}/mappings` })
    .input(mappingFields)
    .output(mappingRow),
  editMapping: route
    .meta({ permission: 'identity.editMapping', fresh: true })
    .route({ method: 'PUT', path: `${path}/mappings` })
    .input(z.extend(mappingRoleFields, { id: idSchema(), version: versionSchema() }))
    .output(mappingRow),
  deleteMapping: route
    .meta({ permission: 'identity.deleteMapping', fresh: true })
    .route({ method: 'POST', path: `${path}/mappings/delete` })
    .input(z.strictObject({ items: itemsInput() }))
    .output(bulkOutput(z.object({ id: idSchema() }))),
  addScimToken: route
    .meta({ permission: 'identity.addScimToken', fresh: true })
    .route({ method: 'POST', path: `${path}/tokens` })
    .input(provisioningTokenFields)
    .output(newToken),
  /** Needs no fresh second factor, so that a leaked token can be revoked immediately. */
  revokeScimToken: route
    .meta({ permission: 'identity.revokeScimToken' })
    .route({ method: 'POST', path: `${path}/tokens/revoke` })
    .input(revocationFields)
    .output(anyToken),
};
