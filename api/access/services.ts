import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { bulkOutput, idSchema, itemsInput, textSchema, timeSchema, versionSchema } from '../base.ts';
import { route } from '../route.ts';
import { listRoutes } from '../list.ts';
import { serviceFilters } from './filters.ts';
import { gracePeriods, serviceMoneyRights } from './service-values.ts';
import { anyToken, newToken, newTokenShape, revocationFields } from './tokens.ts';

/** Appears in the audit log as `service:<name>`. */
const accountName = () => textSchema(40).check(z.regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'slug' }));

const ownerIds = () =>
  z.array(idSchema(), { error: 'required' }).check(z.minLength(1, { error: 'required' }), z.maxLength(5, { error: 'tooLong' }));

export const serviceFields = z.strictObject({ name: accountName(), description: textSchema(500), owners: ownerIds() });
export type ServiceFields = z.infer<typeof serviceFields>;

/** By ID or identifier, as in a role. */
const scopes = () => z.array(z.string({ error: 'invalid' }).check(z.minLength(1), z.maxLength(200))).check(z.maxLength(2000));

export const tokenFields = z.strictObject({
  ...newTokenShape,
  scopes: scopes(),
  /** Money holders are notified. */
  moneyScopes: z.optional(z.array(z.enum(serviceMoneyRights), { error: 'invalid' })),
});
export type TokenFields = z.infer<typeof tokenFields>;

export const rotationFields = z.strictObject({
  token: idSchema(),
  /** How long the old token keeps working. */
  grace: z.enum(gracePeriods, { error: 'required' }),
});

const serviceRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  name: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  owners: z.array(z.object({ id: idSchema(), email: z.string(), enabled: z.boolean() })),
  /** That work. */
  tokens: z.int(),
  /** The earliest of them. */
  expiresAt: z.nullable(timeSchema()),
  lastUsedAt: z.nullable(timeSchema()),
  createdAt: timeSchema(),
});
export type ServiceRow = z.infer<typeof serviceRow>;

const tokenRow = z.extend(anyToken, { scopes: z.array(idSchema()) });
export type TokenRow = z.infer<typeof tokenRow>;

const scopeNode = z.object({
  id: idSchema(),
  parentId: z.nullable(idSchema()),
  kind: z.enum(['menu', 'function']),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  blocked: z.nullable(z.enum(['guarded', 'money', 'notHeld'])),
});
export type ScopeNode = z.infer<typeof scopeNode>;

const details = z.object({ row: serviceRow, tokens: z.array(tokenRow), nodes: z.array(scopeNode) });
export type ServiceDetails = z.infer<typeof details>;

export const serviceSorts = ['createdAt', 'name'] as const;
export type ServiceFilter = FilterOf<typeof serviceFilters>;

const screen = '/permissions/service';
const path = '/services';
const itemFields = { id: idSchema(), version: versionSchema() };
const manyItems = z.strictObject({ items: itemsInput() });
const ofAccount = { id: idSchema() };

export const services = {
  ...listRoutes(path, {
    menu: screen,
    id: idSchema(),
    row: serviceRow,
    sorts: serviceSorts,
    filters: serviceFilters,
  }),
  details: route
    .meta({ menu: screen })
    .route({ method: 'POST', path: `${path}/details` })
    .input(z.strictObject(ofAccount))
    .output(details),
  tree: route
    .meta({ menu: screen })
    .route({ method: 'POST', path: `${path}/tree` })
    .output(z.array(scopeNode)),
  choices: route
    .meta({ menu: screen })
    .route({ method: 'GET', path: `${path}/choices` })
    .output(z.array(z.object({ id: idSchema(), email: z.string() }))),
  add: route
    .meta({ permission: 'services.add', fresh: true })
    .route({ method: 'POST', path })
    .input(serviceFields)
    .output(serviceRow),
  edit: route
    .meta({ permission: 'services.edit', fresh: true })
    .route({ method: 'PUT', path })
    .input(z.extend(serviceFields, itemFields))
    .output(serviceRow),
  enable: route
    .meta({ permission: 'services.enable', fresh: true })
    .route({ method: 'POST', path: `${path}/enable` })
    .input(manyItems)
    .output(bulkOutput(serviceRow)),
  /** Not fresh: who sees a leak ends it immediately. */
  disable: route
    .meta({ permission: 'services.disable' })
    .route({ method: 'POST', path: `${path}/disable` })
    .input(manyItems)
    .output(bulkOutput(serviceRow)),
  remove: route
    .meta({ permission: 'services.delete', fresh: true })
    .route({ method: 'POST', path: `${path}/delete` })
    .input(manyItems)
    .output(bulkOutput(z.object({ id: idSchema() }))),
  addToken: route
    .meta({ permission: 'services.addToken', fresh: true })
    .route({ method: 'POST', path: `${path}/tokens` })
    .input(z.extend(tokenFields, ofAccount))
    .output(newToken),
  rotateToken: route
    .meta({ permission: 'services.rotateToken', fresh: true })
    .route({ method: 'POST', path: `${path}/tokens/rotate` })
    .input(z.extend(rotationFields, ofAccount))
    .output(newToken),
  /** Not fresh, as `disable`. */
  revokeToken: route
    .meta({ permission: 'services.revokeToken' })
    .route({ method: 'POST', path: `${path}/tokens/revoke` })
    .input(z.extend(revocationFields, ofAccount))
    .output(serviceRow),
};
