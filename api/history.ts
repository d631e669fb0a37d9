import * as z from 'zod/mini';
import { id, route, version } from './base.ts';
import type { MenuPath } from './menu.ts';

/** A record as the audit holds it: the fields its API showed then. */
const record = z.record(z.string(), z.unknown());
export type RecordedRow = z.infer<typeof record>;

const historyEntry = z.object({
  id: id(),
  seq: z.number(),
  at: z.string(),
  actorEmail: z.string(),
  command: z.nullable(z.string()),
  route: z.string(),
  action: z.string(),
  before: z.nullable(record),
  after: z.nullable(record),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/** A state of a record that an audit entry holds: as it was before the entry, or after it. */
export const recordedState = z.enum(['before', 'after']);
export type RecordedState = z.infer<typeof recordedState>;

const recordedVersion = z.object({
  /** `<audit entry>:<before|after>` */
  id: z.string(),
  entity: z.string(),
  recordId: z.string(),
  at: z.string(),
  actorEmail: z.string(),
  record,
  /** As the record is now; null when it is deleted. */
  current: z.nullable(record),
});
export type RecordedVersion = z.infer<typeof recordedVersion>;

export const versionIds = z
  .array(z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:(before|after)$/)))
  .check(z.maxLength(50));

/** The history of a resource's records: whoever may open its screen may see it. */
export const historyRoutes = (menu: MenuPath, key: z.ZodMiniType<string, string> = id()) => ({
  /** Newest first; `from` is the `next` of the page before. */
  history: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/history` })
    .input(z.strictObject({ id: key, from: z.optional(z.int()) }))
    .output(z.object({ entries: z.array(historyEntry), next: z.nullable(z.number()) })),
  /** Those of the asked states that the audit holds, each beside the record as it is now. */
  versions: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/versions` })
    .input(z.strictObject({ ids: versionIds }))
    .output(z.array(recordedVersion)),
});

/** Brings a recorded state back. `version` is the record's as it was seen, null when it was seen to be deleted. */
export const restoreInput = z.strictObject({ entry: id(), state: recordedState, version: z.nullable(version()) });
