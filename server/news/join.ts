import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { newsRow, type NewsRow } from '../../api/news/contract.ts';
import { newsJoinChoices, type JoinRefusal, type NewsJoin, type NewsJoinChoices } from '../../api/news/join.ts';
import { otherLanguage, pairOf } from '../../api/news/pair.ts';
import type { Permission } from '../../api/names.ts';
import { administrators } from '../platform/auth/tables.ts';
import { requireStillAllowed } from '../platform/auth/rights/still-allowed.ts';
import { requireFreshFactor } from '../platform/auth/step-up.ts';
import { createAppError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import type { CrudCall } from '../platform/records/crud.ts';
import { readLastEntry, readLastVersion, parseRecordedRow } from '../platform/records/history.ts';
import { createColumnWriter } from '../platform/records/named-columns.ts';
import { lockRow, nextVersionColumns, requireRow, type ItemVersion } from '../platform/records/versions.ts';
import { writeOnce } from '../platform/records/write.ts';
import { requireActor, type RequestContext } from '../platform/services/context.ts';
import { news as table } from './tables.ts';

type Stored = typeof table.$inferSelect;
type Present = (row: Stored) => NewsRow;

const entity = 'news';
const countChanges = countPublicChange('news');

/** One item gets the text of the other as its translation, and the other is deleted. */
export const joinNews =
  (present: Present) =>
  ({ input, context }: CrudCall<NewsJoin>): Promise<NewsRow> =>
    writeOnce(context, input, async (tx, note) => {
      requireGranted(context, 'news.delete');
      const { items, ...choices } = input;
      const pair = await lockPair(tx, items);
      const kept = pair[choices.kept];
      const other = pair[otherLanguage(choices.kept)];
      const { image } = pair[choices.image];
      if (kept.shown && image === null) throw createAppError('INCOMPLETE', { fields: ['image'] });
      if (kept.shown) await requireFreshFactor({ ...context, db: tx });
      const { startsAt, endsAt } = pair[choices.period];
      const rows = await tx
        .update(table)
        .set({
          language: choices.kept,
          translatedTitle: other.title,
          translatedDescription: other.description,
          translatedLink: choices.links === 'both' && other.link !== kept.link ? other.link : null,
          image,
          startsAt,
          endsAt,
          ...nextVersionColumns(context, table),
        })
        .where(eq(table.id, kept.id))
        .returning();
      const joined = requireRow(rows);
      await tx.delete(table).where(eq(table.id, other.id));
      note({
        entity,
        id: kept.id,
        before: present(kept),
        after: { ...present(joined), joined: { id: other.id, title: other.title, ...choices } },
      });
      const { createdBy, feedItemId, importedLink } = other;
      note({
        entity,
        id: other.id,
        before: { ...present(other), joinedInto: kept.id, createdBy, feedItemId, importedLink },
      });
      await countChanges(tx, [
        { before: kept, after: joined },
        { before: other, after: null },
      ]);
      await requireStillAllowed(tx, context, 'news.delete');
      return present(joined);
    });

/** Both items as they were. Throws JOIN_REFUSED or CONFLICT if one has changed since. */
export const undoNewsJoin =
  (present: Present) =>
  ({ input, context }: CrudCall<ItemVersion>) =>
    writeOnce(context, input, async (tx, note) => {
      requireGranted(context, 'news.restore');
      const joined = await lockRow(tx, table, input, present);
      const { before, choices, deleted, origin } = await readJoin(tx, joined);
      if (deleted.shown) requireGranted(context, 'news.show');
      if (joined.shown || deleted.shown) await requireFreshFactor({ ...context, db: tx });
      const rows = await tx
        .update(table)
        .set({ ...columnsOf(before), ...nextVersionColumns(context, table) })
        .where(eq(table.id, joined.id))
        .returning();
      const row = requireRow(rows);
      const restored = await insertAgain(context, tx, deleted, origin);
      note({ entity, id: row.id, before: present(joined), after: present(row) });
      note({ entity, id: restored.id, after: present(restored) });
      await countChanges(tx, [
        { before: joined, after: row },
        { before: null, after: restored },
      ]);
      await requireStillAllowed(tx, context, 'news.restore');
      if (deleted.shown) await requireStillAllowed(tx, context, 'news.show');
      return { row: present(row), restored: present(restored), choices };
    });

const refuse = (reason: JoinRefusal) => createAppError('JOIN_REFUSED', { reason });

function requireGranted(context: RequestContext, permission: Permission): void {
  if (!requireActor(context).granted.has(permission)) throw createAppError('FORBIDDEN');
}

async function lockPair(tx: Tx, items: readonly ItemVersion[]) {
  // By id, which avoids deadlocks. No current row in the error: a form must not send the choices again for other texts.
  const inOrder = items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rows: Stored[] = [];
  for (const { id, version } of inOrder) {
    const [row] = await tx.select().from(table).where(eq(table.id, id)).for('update');
    if (!row) throw createAppError('NOT_FOUND');
    if (row.version !== version) throw createAppError('CONFLICT');
    rows.push(row);
  }
  const [one, other] = rows;
  if (!one || !other) throw new Error(`two items were expected, not ${rows.length}`);
  const pair = pairOf(one, other);
  if (typeof pair === 'string') throw refuse(pair);
  return pair;
}

const joinedRow = z.extend(newsRow, { joined: z.extend(newsJoinChoices, { id: z.string(), title: z.string() }) });
const originOf = z.object({
  createdBy: z.nullable(z.string()),
  feedItemId: z.nullable(z.string()),
  importedLink: z.nullable(z.string()),
});
const deletedRow = z.extend(newsRow, { ...originOf.shape, joinedInto: z.string() });

interface RecordedJoin {
  before: NewsRow;
  choices: NewsJoinChoices;
  deleted: NewsRow;
  origin: z.infer<typeof originOf>;
}

/** From the audit. The join must be the last change of both items. */
async function readJoin(tx: Tx, { id, version }: Stored): Promise<RecordedJoin> {
  const entry = await readLastEntry(tx, entity, id);
  const after = joinedRow.safeParse(parseRecordedRow(entry?.after ?? null));
  const before = newsRow.safeParse(parseRecordedRow(entry?.before ?? null));
  if (!after.success || !before.success || after.data.version !== version) throw refuse('notJoined');
  const { id: deletedId, title: _title, ...choices } = after.data.joined;
  const deletion = await readLastEntry(tx, entity, deletedId);
  const deleted = deletedRow.safeParse(parseRecordedRow(deletion?.after === null ? deletion.before : null));
  if (!deleted.success || deleted.data.joinedInto !== id) throw refuse('notJoined');
  return { before: before.data, choices, deleted: deleted.data, origin: deleted.data };
}

const columnsOf = createColumnWriter(
  table,
  z.omit(newsRow, { id: true, version: true, shown: true, createdAt: true, updatedAt: true }),
);

/** Shown or not, as before. */
async function insertAgain(
  context: RequestContext,
  tx: Tx,
  deleted: NewsRow,
  { createdBy, feedItemId, importedLink }: RecordedJoin['origin'],
): Promise<Stored> {
  const creators = createdBy
    ? await tx.select({ id: administrators.id }).from(administrators).where(eq(administrators.id, createdBy))
    : [];
  const values = {
    ...columnsOf(deleted),
    id: deleted.id,
    version: (await readLastVersion(tx, entity, deleted.id)) + 1, // a stale form has an older version
    shown: deleted.shown,
    createdAt: new Date(deleted.createdAt),
    updatedAt: new Date(context.services.now()),
    createdBy: creators[0]?.id ?? null,
    feedItemId,
    importedLink,
  } as typeof table.$inferInsert;
  const [row] = await tx.insert(table).values(values).onConflictDoNothing().returning();
  if (!row) throw refuse('importedAgain');
  return row;
}
