import * as z from 'zod/mini';
import { id, idsInput, route, textField, version } from '../base.ts';

const kind = () => z.enum(['menu', 'function'], { error: 'required' });

const identifier = () => textField(200).check(z.refine((value) => /^[^\s\p{C}]+$/u.test(value), { error: 'invalid' }));

const menuPath = () => identifier().check(z.refine((value) => value.startsWith('/'), { error: 'invalid' }));

export const nodeFields = z.strictObject({ identifier: identifier(), zh: textField(100), en: textField(100) });
export type NodeFields = z.infer<typeof nodeFields>;

export const kindOfNode = (word: string): 'menu' | 'function' => (word.startsWith('/') ? 'menu' : 'function');

export const nodePlaces = ['under', 'before', 'after'] as const;
export type NodePlace = (typeof nodePlaces)[number];
const nodePlace = () => z.enum(nodePlaces, { error: 'required' });

export const addFields = z.strictObject({ place: nodePlace(), identifier: identifier(), zh: textField(100), en: textField(100) });
/** A menu at the end of the top level, or of another menu. */
export const menuFields = z.strictObject({ identifier: menuPath(), zh: textField(100), en: textField(100) });
export const moveFields = z.strictObject({ to: id(), place: nodePlace() });

const nodeRow = z.object({
  id: id(),
  version: version(),
  parentId: z.nullable(id()),
  kind: kind(),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  /** False: no screen or command has this identifier. */
  hasEffect: z.boolean(),
  roles: z.array(z.object({ id: id(), name: z.string() })),
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
const item = () => z.strictObject({ id: id(), version: version() });
const changed = z.object({ changes: z.array(change) });

export const permissions = {
  tree: route.meta({ menu }).route({ method: 'POST', path: '/permissions/tree' }).output(z.array(nodeRow)),
  many: route.meta({ menu }).route({ method: 'POST', path: '/permissions/many' }).input(idsInput(id())).output(z.array(nodeRow)),
  changes: route.meta({ menu }).route({ method: 'POST', path: '/permissions/changes' }).output(changed),
  add: route
    .meta({ permission: 'permissions.add', fresh: true })
    .route({ method: 'POST', path: '/permissions' })
    .input(z.extend(addFields, { to: id() }))
    .output(nodeRow),
  edit: route
    .meta({ permission: 'permissions.edit', fresh: true })
    .route({ method: 'PUT', path: '/permissions' })
    .input(z.extend(nodeFields, { id: id(), version: version() }))
    .output(nodeRow),
  move: route
    .meta({ permission: 'permissions.move', fresh: true })
    .route({ method: 'POST', path: '/permissions/move' })
    .input(z.extend(moveFields, { id: id(), version: version() }))
    .output(z.object({ row: nodeRow, was: moveFields })),
  remove: route
    .meta({ permission: 'permissions.delete', fresh: true })
    .route({ method: 'POST', path: '/permissions/delete' })
    .input(item())
    .output(z.object({ removed: z.array(id()) })),
  reset: route
    .meta({ permission: 'permissions.reset', fresh: true })
    .route({ method: 'POST', path: '/permissions/reset' })
    .output(changed),
};
