import * as z from 'zod/mini';
import { idSchema, idsInput, route, textSchema, versionSchema } from '../base.ts';

const nodeKindSchema = () => z.enum(['menu', 'function'], { error: 'required' });

const identifierSchema = () => textSchema(200).check(z.refine((value) => /^[^\s\p{C}]+$/u.test(value), { error: 'invalid' }));

const menuPathSchema = () => identifierSchema().check(z.refine((value) => value.startsWith('/'), { error: 'invalid' }));

export const nodeFields = z.strictObject({ identifier: identifierSchema(), zh: textSchema(100), en: textSchema(100) });
export type NodeFields = z.infer<typeof nodeFields>;

export const nodeKindOf = (nodeIdentifier: string): 'menu' | 'function' => (nodeIdentifier.startsWith('/') ? 'menu' : 'function');

export const nodePositions = ['under', 'before', 'after'] as const;
export type NodePosition = (typeof nodePositions)[number];
const nodePositionSchema = () => z.enum(nodePositions, { error: 'required' });

export const addNodeFields = z.strictObject({
  place: nodePositionSchema(),
  identifier: identifierSchema(),
  zh: textSchema(100),
  en: textSchema(100),
});
/** A menu at the end of the top level, or of another menu. */
export const menuNodeFields = z.strictObject({ identifier: menuPathSchema(), zh: textSchema(100), en: textSchema(100) });
export const moveNodeFields = z.strictObject({ to: idSchema(), place: nodePositionSchema() });

const nodeRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  parentId: z.nullable(idSchema()),
  kind: nodeKindSchema(),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  /** False: no screen or command has this identifier. */
  hasEffect: z.boolean(),
  roles: z.array(z.object({ id: idSchema(), name: z.string() })),
});
export type NodeRow = z.infer<typeof nodeRow>;

const treeChange = z.object({
  what: z.enum(['added', 'renamed', 'moved', 'removed']),
  identifier: z.string(),
  zh: z.string(),
  en: z.string(),
  roles: z.array(z.string()),
});
export type TreeChange = z.infer<typeof treeChange>;

const menu = '/permissions/permission';
const itemInputSchema = () => z.strictObject({ id: idSchema(), version: versionSchema() });
const changesOutput = z.object({ changes: z.array(treeChange) });

export const permissions = {
  tree: route.meta({ menu }).route({ method: 'POST', path: '/permissions/tree' }).output(z.array(nodeRow)),
  many: route
    .meta({ menu })
    .route({ method: 'POST', path: '/permissions/many' })
    .input(idsInput(idSchema()))
    .output(z.array(nodeRow)),
  changes: route.meta({ menu }).route({ method: 'POST', path: '/permissions/changes' }).output(changesOutput),
  add: route
    .meta({ permission: 'permissions.add', fresh: true })
    .route({ method: 'POST', path: '/permissions' })
    .input(z.extend(addNodeFields, { to: idSchema() }))
    .output(nodeRow),
  edit: route
    .meta({ permission: 'permissions.edit', fresh: true })
    .route({ method: 'PUT', path: '/permissions' })
    .input(z.extend(nodeFields, { id: idSchema(), version: versionSchema() }))
    .output(nodeRow),
  move: route
    .meta({ permission: 'permissions.move', fresh: true })
    .route({ method: 'POST', path: '/permissions/move' })
    .input(z.extend(moveNodeFields, { id: idSchema(), version: versionSchema() }))
    .output(z.object({ row: nodeRow, was: moveNodeFields })),
  remove: route
    .meta({ permission: 'permissions.delete', fresh: true })
    .route({ method: 'POST', path: '/permissions/delete' })
    .input(itemInputSchema())
    .output(z.object({ removed: z.array(idSchema()) })),
  reset: route
    .meta({ permission: 'permissions.reset', fresh: true })
    .route({ method: 'POST', path: '/permissions/reset' })
    .output(changesOutput),
};
