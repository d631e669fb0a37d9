import * as z from 'zod/mini';
import { idSchema, idsInput, route, textSchema, versionSchema } from '../base.ts';

const kind = () => z.enum(['menu', 'function'], { error: 'required' });

const identifier = () => textSchema(200).check(z.refine((value) => /^[^\s\p{C}]+$/u.test(value), { error: 'invalid' }));

const menuPath = () => identifier().check(z.refine((value) => value.startsWith('/'), { error: 'invalid' }));

export const nodeFields = z.strictObject({ identifier: identifier(), zh: textSchema(100), en: textSchema(100) });
export type NodeFields = z.infer<typeof nodeFields>;

export const kindOfNode = (word: string): 'menu' | 'function' => (word.startsWith('/') ? 'menu' : 'function');

export const nodePlaces = ['under', 'before', 'after'] as const;
export type NodePlace = (typeof nodePlaces)[number];
const nodePlace = () => z.enum(nodePlaces, { error: 'required' });

export const addFields = z.strictObject({
  place: nodePlace(),
  identifier: identifier(),
  zh: textSchema(100),
  en: textSchema(100),
});
/** A menu at the end of the top level, or of another menu. */
export const menuFields = z.strictObject({ identifier: menuPath(), zh: textSchema(100), en: textSchema(100) });
export const moveFields = z.strictObject({ to: idSchema(), place: nodePlace() });

const nodeRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  parentId: z.nullable(idSchema()),
  kind: kind(),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  /** False: no screen or command has this identifier. */
  hasEffect: z.boolean(),
  roles: z.array(z.object({ id: idSchema(), name: z.string() })),
});
export type NodeRow = z.infer<typeof nodeRow>;

const change = z.object({
  what: z.enum(['added', 'renamed', 'moved', 'removed']),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  roles: z.array(z.string()),
});
export type TreeChange = z.infer<typeof change>;

const menu = '/permissions/permission';
const item = () => z.strictObject({ id: idSchema(), version: versionSchema() });
const changed = z.object({ changes: z.array(change) });

export const permissions = {
  tree: route.meta({ menu }).route({ method: 'POST', path: '/permissions/tree' }).output(z.array(nodeRow)),
  many: route
    .meta({ menu })
    .route({ method: 'POST', path: '/permissions/many' })
    .input(idsInput(idSchema()))
    .output(z.array(nodeRow)),
  changes: route.meta({ menu }).route({ method: 'POST', path: '/permissions/changes' }).output(changed),
  add: route
    .meta({ permission: 'permissions.add', fresh: true })
    .route({ method: 'POST', path: '/permissions' })
    .input(z.extend(addFields, { to: idSchema() }))
    .output(nodeRow),
  edit: route
    .meta({ permission: 'permissions.edit', fresh: true })
    .route({ method: 'PUT', path: '/permissions' })
    .input(z.extend(nodeFields, { id: idSchema(), version: versionSchema() }))
    .output(nodeRow),
  move: route
    .meta({ permission: 'permissions.move', fresh: true })
    .route({ method: 'POST', path: '/permissions/move' })
    .input(z.extend(moveFields, { id: idSchema(), version: versionSchema() }))
    .output(z.object({ row: nodeRow, was: moveFields })),
  remove: route
    .meta({ permission: 'permissions.delete', fresh: true })
    .route({ method: 'POST', path: '/permissions/delete' })
    .input(item())
    .output(z.object({ removed: z.array(idSchema()) })),
  reset: route
    .meta({ permission: 'permissions.reset', fresh: true })
    .route({ method: 'POST', path: '/permissions/reset' })
    .output(changed),
};
