import * as z from 'zod/mini';
import { roleFilters } from './filters.ts';
import { isShownName } from '../shown-text.ts';
import { filterInput, id, idsInput, instant, items, listInput, listOutput, route, text, version } from '../base.ts';

/** Nodes of the permission tree, by id or by identifier. The server keeps ids: a deleted and made again identifier is another node. */
const grants = () => z.array(z.string({ error: 'invalid' }).check(z.minLength(1), z.maxLength(200))).check(z.maxLength(2000));

/** Rules that are signed name roles: what is shown of one is what it is. */
const roleName = () => text(100).check(z.refine(isShownName, { error: 'unseen' }));

/** What a person fills in. The command's form and the route validate with this one schema. */
export const roleFields = z.strictObject({
  name: roleName(),
  description: text(500),
  needsFactor: z.boolean({ error: 'invalid' }),
  grants: grants(),
});
export type RoleFields = z.infer<typeof roleFields>;

/** What a copy of a role is called. */
export const roleCopyFields = z.strictObject({ name: roleName() });

const roleRow = z.object({
  id: id(),
  version: version(),
  name: z.string(),
  description: z.string(),
  /** Whoever holds it must have a second factor. */
  needsFactor: z.boolean(),
  /** Ids of the nodes it grants, in the tree's order. */
  grants: z.array(id()),
  /** How many administrators hold it. */
  administrators: z.int(),
  createdAt: instant(),
  updatedAt: instant(),
});
export type RoleRow = z.infer<typeof roleRow>;

export const roleSorts = ['name', 'createdAt'] as const;
export type RoleSort = (typeof roleSorts)[number];

export const roleFilter = filterInput(roleFilters);

const grantNode = z.object({
  id: id(),
  parentId: z.nullable(id()),
  kind: z.enum(['menu', 'function']),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  /** Whether whoever asks may put it on a role. */
  grantable: z.boolean(),
  /** False: no screen and no command has this identifier. */
  hasEffect: z.boolean(),
});
export type GrantNode = z.infer<typeof grantNode>;

const menu = '/permissions/role';

export const roles = {
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: '/roles/list' })
    .input(listInput(roleSorts, roleFilter))
    .output(listOutput(roleRow)),
  /** Those of the asked rows that exist, in the asked order. */
  many: route.meta({ menu }).route({ method: 'POST', path: '/roles/many' }).input(idsInput(id())).output(z.array(roleRow)),
  /** The permission tree as roles are granted from it, in its order, parents before their children. */
  tree: route.meta({ menu }).route({ method: 'POST', path: '/roles/tree' }).output(z.array(grantNode)),
  /** Who holds a role; at most 200, in the order of their emails. */
  holders: route
    .meta({ menu })
    .route({ method: 'POST', path: '/roles/holders' })
    .input(z.strictObject({ id: id() }))
    .output(z.array(z.object({ id: id(), email: z.string(), enabled: z.boolean() }))),
  add: route
    .meta({ permission: 'roles.add', fresh: true })
    .route({ method: 'POST', path: '/roles' })
    .input(roleFields)
    .output(roleRow),
  edit: route
    .meta({ permission: 'roles.edit', fresh: true })
    .route({ method: 'PUT', path: '/roles' })
    .input(z.extend(roleFields, { id: id(), version: version() }))
    .output(roleRow),
  copy: route
    .meta({ permission: 'roles.copy', fresh: true })
    .route({ method: 'POST', path: '/roles/copy' })
    .input(z.extend(roleCopyFields, { id: id(), version: version() }))
    .output(roleRow),
  /** All or none: IN_USE with `data.by`, the emails of who holds one of them. */
  remove: route
    .meta({ permission: 'roles.delete', fresh: true })
    .route({ method: 'POST', path: '/roles/delete' })
    .input(z.strictObject({ items: items() }))
    .output(z.object({ done: z.array(z.object({ id: id() })) })),
};
