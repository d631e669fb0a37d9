import * as z from 'zod/mini';
import { roleFilters } from './filters.ts';
import { viewedAccess } from './session.ts';
import { optionalCountSchema } from '../integer-fields.ts';
import { isVisibleName } from '../visible-text.ts';
import {
  filterInput,
  idSchema,
  idsInput,
  timeSchema,
  itemsInput,
  listInput,
  listOutput,
  optionalTextSchema,
  route,
  textSchema,
  versionSchema,
} from '../base.ts';

/** By id or identifier, because an identifier that is recreated names another node. */
const grantIdentifiersSchema = () =>
  z.array(z.string({ error: 'invalid' }).check(z.minLength(1), z.maxLength(200))).check(z.maxLength(2000));

const roleIdsSchema = () => z.array(idSchema(), { error: 'invalid' }).check(z.maxLength(200, { error: 'tooLong' }));

/** Signed rules name roles, so the name must be visible exactly as stored. */
const roleNameSchema = () => textSchema(100).check(z.refine(isVisibleName, { error: 'unseen' }));

export const roleFields = z.strictObject({
  name: roleNameSchema(),
  description: textSchema(500),
  needsFactor: z.boolean({ error: 'invalid' }),
  grants: grantIdentifiersSchema(),
  /** Roles that holders may give to people. Unchanged if missing. */
  mayGrant: z.optional(roleIdsSchema()),
  /** CIDR, separated by commas or lines. Empty: from everywhere. These three are unchanged if missing. */
  networks: z.optional(optionalTextSchema(3000)),
  /** Empty: as on the server. */
  idleMinutes: z.optional(optionalCountSchema(1n, 720n)),
  sessionHours: z.optional(optionalCountSchema(1n, 72n)),
});
export type RoleFields = z.infer<typeof roleFields>;

export const roleCopyFields = z.strictObject({ name: roleNameSchema() });

const roleRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  name: z.string(),
  description: z.string(),
  needsFactor: z.boolean(),
  grants: z.array(idSchema()),
  mayGrant: z.array(z.object({ id: idSchema(), name: z.string() })),
  networks: z._default(z.array(z.string()), []),
  idleMinutes: z._default(z.nullable(z.int()), null),
  sessionHours: z._default(z.nullable(z.int()), null),
  administrators: z.int(),
  createdAt: timeSchema(),
  updatedAt: timeSchema(),
});
export type RoleRow = z.infer<typeof roleRow>;

export const roleSorts = ['name', 'createdAt'] as const;

export const roleFilter = filterInput(roleFilters);

const grantNode = z.object({
  id: idSchema(),
  parentId: z.nullable(idSchema()),
  kind: z.enum(['menu', 'function']),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  grantable: z.boolean(),
  hasEffect: z.boolean(),
});
export type GrantNode = z.infer<typeof grantNode>;

const roleChoice = z.object({
  id: idSchema(),
  name: z.string(),
  description: z.string(),
  /** Why the role can't be put on a list: it has guarded permissions, or the caller may not give it. */
  blocked: z.nullable(z.enum(['guarded', 'beyond'])),
});

const rolePolicy = z.object({
  /** Of the caller, as the server sees it. Null: unknown. */
  address: z.nullable(z.string()),
  /** Every visitor may have this address, because the server doesn't know its proxy. */
  isProxyLikely: z.boolean(),
  /** False while ROLE_NETWORKS is off. */
  isEnforced: z.boolean(),
  /** Of the server, for roles without a limit of their own. */
  idleMinutes: z.int(),
  sessionHours: z.int(),
});
export type RolePolicy = z.infer<typeof rolePolicy>;

const menu = '/permissions/role';

export const roles = {
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: '/roles/list' })
    .input(listInput(roleSorts, roleFilter))
    .output(listOutput(roleRow)),
  many: route.meta({ menu }).route({ method: 'POST', path: '/roles/many' }).input(idsInput(idSchema())).output(z.array(roleRow)),
  tree: route.meta({ menu }).route({ method: 'POST', path: '/roles/tree' }).output(z.array(grantNode)),
  choices: route.meta({ menu }).route({ method: 'GET', path: '/roles/choices' }).output(z.array(roleChoice)),
  /** What the form says about networks and session limits. */
  policy: route.meta({ menu }).route({ method: 'GET', path: '/roles/policy' }).output(rolePolicy),
  holders: route
    .meta({ menu })
    .route({ method: 'POST', path: '/roles/holders' })
    .input(z.strictObject({ id: idSchema() }))
    .output(z.array(z.object({ id: idSchema(), email: z.string(), enabled: z.boolean() }))),
  viewAs: route
    .meta({ menu })
    .route({ method: 'POST', path: '/roles/view-as' })
    .input(z.strictObject({ id: idSchema() }))
    .output(viewedAccess),
  add: route
    .meta({ permission: 'roles.add', fresh: true })
    .route({ method: 'POST', path: '/roles' })
    .input(roleFields)
    .output(roleRow),
  edit: route
    .meta({ permission: 'roles.edit', fresh: true })
    .route({ method: 'PUT', path: '/roles' })
    .input(z.extend(roleFields, { id: idSchema(), version: versionSchema() }))
    .output(roleRow),
  copy: route
    .meta({ permission: 'roles.copy', fresh: true })
    .route({ method: 'POST', path: '/roles/copy' })
    .input(z.extend(roleCopyFields, { id: idSchema(), version: versionSchema() }))
    .output(roleRow),
  /** IN_USE: data.by holds emails. */
  remove: route
    .meta({ permission: 'roles.delete', fresh: true })
    .route({ method: 'POST', path: '/roles/delete' })
    .input(z.strictObject({ items: itemsInput() }))
    .output(z.object({ done: z.array(z.object({ id: idSchema() })) })),
};
