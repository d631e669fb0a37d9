import { eq, inArray } from 'drizzle-orm';
import { feedbackRow, type FeedbackRow } from '../../api/feedback/contract.ts';
import { feedbackFilters } from '../../api/feedback/filters.ts';
import { presenter } from './rows.ts';
import { personOf, requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { appError } from '../platform/core/errors.ts';
import { formatTime } from '../platform/core/wording.ts';
import { replyTexts } from './mail-texts.ts';
import { binOf, historyOf, lastStateOf, lastVersionOf, readRecordedState, versionsOf } from '../platform/records/history.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { listHandlers } from '../platform/records/list-handlers.ts';
import { matchingRows } from '../platform/records/matching.ts';
import { bilingualMail } from '../platform/content/bilingual-mail.ts';
import { queueMail, requireMail } from '../platform/content/mail.ts';
import { pictureIdOf } from '../platform/content/pictures.ts';
import { createFilter } from '../platform/records/filter.ts';
import { lockRow, lockRows, nextVersion, type ItemVersion } from '../platform/records/versions.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { feedbackPictures, feedbackReplies, feedback as table } from './tables.ts';
import { pictures } from '../platform/content/tables.ts';

const filter = createFilter({
  table,
  fields: feedbackFilters,
  filterConditions: {
    q: { part: table.content, in: table },
    processed: table.processed,
    email: { part: table.email, in: table },
    createdAt: table.createdAt,
  },
});

const reads = listHandlers({
  table,
  sorts: { createdAt: table.createdAt },
  filter,
  present: async (context, rows) => rows.map(await presenter(context, context.db, idsOf(rows))),
});

export const feedback = {
  list: guardedApi.feedback.list.handler(reads.list),

  matching: guardedApi.feedback.matching.handler(async ({ input, context }) =>
    matchingRows(context, input, table, await filter.where(context, input.filter)),
  ),

  values: guardedApi.feedback.values.handler(reads.values),

  many: guardedApi.feedback.many.handler(reads.many),

  bin: guardedApi.feedback.bin.handler(({ input, context }) => binOf(context, 'feedback', input)),

  history: guardedApi.feedback.history.handler(({ input, context }) => historyOf(context, 'feedback', input)),

  versions: guardedApi.feedback.versions.handler(({ input, context }) =>
    versionsOf(context, 'feedback', input.ids, (ids) => readMany(context, ids)),
  ),

  process: guardedApi.feedback.process.handler(({ input, context }) => setProcessed(context, input.items, true)),

  reopen: guardedApi.feedback.reopen.handler(({ input, context }) => setProcessed(context, input.items, false)),

  reply: guardedApi.feedback.reply.handler(({ input, context }) => {
    requireMail(context.services);
    return writeOnce(context, input, async (tx, note) => {
      const { id, version, content, processed } = input;
      const row = await lockRow(tx, table, { id, version }, await presenter(context, tx, [id]));
      const before = (await presenter(context, tx, [id]))(row);
      const at = new Date(context.services.now());
      await tx
        .insert(feedbackReplies)
        .values({ id: newId(), feedbackId: id, content, administratorEmail: requirePerson(context).email, createdAt: at });
      const [changed] = await tx
        .update(table)
        .set({ ...(processed && !row.processed ? processedFields(context) : {}), ...nextVersion(context, table) })
        .where(eq(table.id, id))
        .returning();
      if (!changed) throw appError('NOT_FOUND');
      await queueMail(tx, at, replyMail(row, content, context.services.config.timeZone));
      const after = (await presenter(context, tx, [id]))(changed);
      note({ entity: 'feedback', id, before, after });
      return after;
    });
  }),

  remove: guardedApi.feedback.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { rows, failed, present } = await lockMany(context, tx, input.items);
      await tx.delete(table).where(inArray(table.id, idsOf(rows)));
      const done = rows.map((row) => ({ id: row.id, entry: note({ entity: 'feedback', id: row.id, before: present(row) }) }));
      return { done, failed };
    }),
  ),

  restore: guardedApi.feedback.restore.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { id } = await readRecordedState(tx, 'feedback', input);
      // Always the state at deletion, because later replies were mailed.
      const record = await lastStateOf(tx, 'feedback', id);
      const recorded = feedbackRow.safeParse(record);
      if (!recorded.success) throw appError('INCOMPLETE', { fields: Object.keys(record) });
      const after = await undelete(context, tx, recorded.data);
      note({ entity: 'feedback', id, after });
      return after;
    }),
  ),
};

type Row = typeof table.$inferSelect;
async function readMany(context: RequestContext, ids: readonly string[]): Promise<FeedbackRow[]> {
  const present = await presenter(context, context.db, ids);
  const rows = await context.db
    .select()
    .from(table)
    .where(inArray(table.id, [...ids]));
  return rows.map(present);
}

/** Locks unchanged rows. */
async function lockMany(context: RequestContext, tx: Tx, items: readonly ItemVersion[]) {
  const seen = await presenter(
    context,
    tx,
    items.map(({ id }) => id),
  );
  const { rows, failed } = await lockRows(tx, table, items, seen);
  // Read again under the lock, because a colleague may have replied.
  return { rows, failed, present: await presenter(context, tx, idsOf(rows)) };
}

/** In one transaction. Unchanged rows count as done. */
function setProcessed(context: RequestContext, items: readonly ItemVersion[], processed: boolean) {
  return writeOnce(context, items, async (tx, note) => {
    const { rows, failed, present } = await lockMany(context, tx, items);
    const changing = new Map(rows.filter((row) => row.processed !== processed).map((row) => [row.id, row]));
    const changed = await tx
      .update(table)
      .set({ ...(processed ? processedFields(context) : unprocessedFields), ...nextVersion(context, table) })
      .where(inArray(table.id, [...changing.keys()]))
      .returning();
    for (const row of changed)
      note({ entity: 'feedback', id: row.id, before: present(changing.get(row.id) ?? row), after: present(row) });
    const after = new Map(changed.map((row) => [row.id, row]));
    const result = { done: rows.map((row) => present(after.get(row.id) ?? row)), failed };
    return changed.length > 0 ? result : unmodified(result);
  });
}

/** Under its id. Deleted pictures stay deleted. */
async function undelete(context: RequestContext, tx: Tx, recorded: FeedbackRow): Promise<FeedbackRow> {
  const { id, email, content, processed, processedAt, createdAt } = recorded;
  const [row] = await tx
    .insert(table)
    .values({
      id,
      email,
      content,
      processed,
      processedAt: processedAt === null ? null : new Date(processedAt),
      version: (await lastVersionOf(tx, 'feedback', id)) + 1, // above any version that an open form has
      createdAt: new Date(createdAt),
      updatedAt: new Date(context.services.now()),
    })
    .onConflictDoNothing()
    .returning();
  if (!row) {
    const [current] = await tx.select().from(table).where(eq(table.id, id));
    throw current ? appError('CONFLICT', { current: (await presenter(context, tx, [id]))(current) }) : appError('NOT_FOUND');
  }
  const pictureIds = recorded.pictures.flatMap((url) => pictureIdOf(url) ?? []);
  const there = new Set(
    (await tx.select({ id: pictures.id }).from(pictures).where(inArray(pictures.id, pictureIds))).map((one) => one.id),
  );
  const existingIds = pictureIds.filter((pictureId) => there.has(pictureId));
  if (existingIds.length > 0)
    await tx.insert(feedbackPictures).values(existingIds.map((pictureId, position) => ({ feedbackId: id, position, pictureId })));
  if (recorded.replies.length > 0)
    await tx.insert(feedbackReplies).values(
      recorded.replies.map((reply) => ({
        id: reply.id,
        feedbackId: id,
        content: reply.content,
        administratorEmail: reply.by,
        createdAt: new Date(reply.at),
      })),
    );
  return (await presenter(context, tx, [id]))(row);
}

/** Without the visitor's text: anyone can enter any mailbox, and our mail must not carry their text. */
function replyMail({ email, createdAt }: Row, content: string, zone: string | null) {
  const { subject, body } = bilingualMail(replyTexts, (language) => ({ time: formatTime(createdAt, language, zone) }));
  return { to: email, subject, body: `${content}\n\n———\n\n${body}` };
}

const processedFields = (context: RequestContext) => ({
  processed: true,
  processedAt: new Date(context.services.now()),
  processedBy: personOf(context)?.id ?? null,
});

const unprocessedFields = { processed: false, processedAt: null, processedBy: null };

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);
