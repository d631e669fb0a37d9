import * as z from 'zod/mini';
import { idSchema, route, versionSchema } from './base.ts';
import type { MenuPath } from './menu.ts';

const recordedRow = z.record(z.string(), z.unknown());
export type RecordedRow = z.infer<typeof recordedRow>;

const historyEntry = z.object({
  id: idSchema(),
  seq: z.number(),
  at: z.string(),
  actorEmail: z.string(),
  command: z.nullable(z.string()),
  route: z.string(),
  action: z.string(),
  before: z.nullable(recordedRow),
  after: z.nullable(recordedRow),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const recordedState = z.enum(['before', 'after']);
export type RecordedState = z.infer<typeof recordedState>;

const recordedVersion = z.object({
  /** `<audit entry>:<before|after>` */
  id: z.string(),
  entity: z.string(),
  recordId: z.string(),
  at: z.string(),
  actorEmail: z.string(),
  record: recordedRow,
  current: z.nullable(recordedRow),
});
export type RecordedVersion = z.infer<typeof recordedVersion>;

export const versionIds = z
  .array(z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:(before|after)$/)))
  .check(z.maxLength(50));

export const historyRoutes = (menu: MenuPath, key: z.ZodMiniType<string, string> = idSchema()) => ({
  history: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/history` })
    .input(z.strictObject({ id: key, from: z.optional(z.int()) }))
    .output(z.object({ entries: z.array(historyEntry), next: z.nullable(z.number()) })),
  versions: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/versions` })
    .input(z.strictObject({ ids: versionIds }))
    .output(z.array(recordedVersion)),
});

/** The last deleted first. */
export const binRoute = (menu: MenuPath) =>
  route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/bin` })
    .input(z.strictObject({ from: z.optional(z.int()) }))
    .output(z.object({ versions: z.array(recordedVersion), next: z.nullable(z.number()) }));

/** `version` null: a deleted record. */
export const restoreInput = z.strictObject({ entry: idSchema(), state: recordedState, version: z.nullable(versionSchema()) });
