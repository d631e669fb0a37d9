import * as z from 'zod/mini';
import { idSchema, route } from '../base.ts';

/** Kept for each person. */
export const historyLimit = { entries: 200, days: 90 };

const shortTextSchema = () => z.string().check(z.minLength(1), z.maxLength(300));

const invocation = z.strictObject({
  id: shortTextSchema(),
  targets: z.optional(
    z.array(z.union([shortTextSchema(), z.strictObject({ id: shortTextSchema(), version: z.int() })])).check(z.maxLength(1000)),
  ),
  params: z.optional(z.record(z.string(), z.unknown())),
  asks: z.optional(z.array(shortTextSchema()).check(z.maxLength(50))),
  confirm: z.optional(z.literal(true)),
});

/** One command that a person ran. Secrets are left out before it is sent. */
const historyEntry = z
  .strictObject({
    id: idSchema(),
    /** Milliseconds since 1970, by the browser's clock. */
    at: z.int().check(z.nonnegative()),
    invocation,
    names: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(20))),
    made: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200))),
    undo: z.optional(invocation),
    instead: z.optional(invocation),
    undone: z.optional(z.literal(true)),
  })
  .check(z.refine((value) => JSON.stringify(value).length <= 100_000, { error: 'tooLong' }));
export type HistoryRow = z.infer<typeof historyEntry>;

/** Private to each person. */
export const history = {
  /** Newest first. */
  own: route.meta({ signedIn: true }).route({ method: 'GET', path: '/history' }).output(z.array(historyEntry)),
  /** Adds entries, or replaces the person's own ones of the same ID. */
  keep: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/history' })
    .input(z.strictObject({ entries: z.array(historyEntry).check(z.minLength(1), z.maxLength(50)) }))
    .output(z.object({})),
};
