import * as z from 'zod/mini';
import { id, idsInput, route, text, version } from '../base.ts';

const kind = () => z.enum(['menu', 'function'], { error: 'required' });

/** A route's path (menu) or a command's id (function): one word. */
const identifier = () => text(200).check(z.refine((value) => /^[^\s\p{C}]+$/u.test(value), { error: 'invalid' }));

/** What a person fills in of a node. The command's form and the route validate with these schemas. */
export const nodeFields = z.strictObject({ identifier: identifier(), zh: text(100), en: text(100) });
export type NodeFields = z.infer<typeof nodeFields>;

/** A menu is called by its path, a function by its command's id: the word says which it is. */
export const kindOfNode = (word: string): 'menu' | 'function' => (word.startsWith('/') ? 'menu' : 'function');

/** Where a node goes: into the menu named, or before or after the node named. */
export const places = ['under', 'before', 'after'] as const;
export type NodePlace = (typeof places)[number];
const place = () => z.enum(places, { error: 'required' });

export const addFields = z.strictObject({ place: place(), identifier: identifier(), zh: text(100), en: text(100) });
export const moveFields = z.strictObject({ to: id(), place: place() });

const nodeRow = z.object({
  id: id(),
  version: version(),
  parentId: z.nullable(id()),
  kind: kind(),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  /** False: no screen and no command has this identifier. */
  hasEffect: z.boolean(),
  /** The roles it is granted by. */
  roles: z.array(z.object({ id: id(), name: z.string() })),
});
export type NodeRow = z.infer<typeof nodeRow>;

/** One thing that going back to the built-in tree will do. `roles`: who loses it. */
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
  /** The whole tree in its order, parents before their children. */
  tree: route.meta({ menu }).route({ method: 'POST', path: '/permissions/tree' }).output(z.array(nodeRow)),
  many: route.meta({ menu }).route({ method: 'POST', path: '/permissions/many' }).input(idsInput(id())).output(z.array(nodeRow)),
  /** What `reset` would change now. */
  changes: route.meta({ menu }).route({ method: 'POST', path: '/permissions/changes' }).output(changed),
  /** `to` is the node it is put under, before or after. */
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
  /** Answers where it was, in the words of this very route: what takes it back. */
  move: route
    .meta({ permission: 'permissions.move', fresh: true })
    .route({ method: 'POST', path: '/permissions/move' })
    .input(z.extend(moveFields, { id: id(), version: version() }))
    .output(z.object({ row: nodeRow, was: moveFields })),
  /** The node and all below it; roles lose what goes. */
  remove: route
    .meta({ permission: 'permissions.delete', fresh: true })
    .route({ method: 'POST', path: '/permissions/delete' })
    .input(item())
    .output(z.object({ removed: z.array(id()) })),
  /** Names, places and nodes as they came with the panel. Grants of what still exists stay; what comes back starts with none. */
  reset: route
    .meta({ permission: 'permissions.reset', fresh: true })
    .route({ method: 'POST', path: '/permissions/reset' })
    .output(changed),
};
