import { eq, inArray } from 'drizzle-orm';
import { feedbackRow, type FeedbackRow } from '../../api/feedback/contract.ts';
import { feedbackFilters } from '../../api/feedback/filters.ts';
import { createPresenter } from './rows.ts';
import { personOf, requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { formatTime } from '../platform/core/wording.ts';
import { replyTexts } from './mail-texts.ts';
import {
  readBin,
  readHistory,
  readLastState,
  readLastVersion,
  readRecordedState,
  readVersions,
} from '../platform/records/history.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import { readMatchingRows } from '../platform/records/matching.ts';
import { buildBilingualMail } from '../platform/content/bilingual-mail.ts';
import { queueMail, requireMail } from '../platform/content/mail.ts';
import { parsePictureId } from '../platform/content/pictures.ts';
import { createFilter } from '../platform/records/filter.ts';
import { lockRow, lockRows, nextVersionColumns, type ItemVersion } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
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

const listHandlersOf = createListHandlers({
  table,
  sorts: { createdAt: table.createdAt },
  filter,
  present: async (context, rows) => rows.map(await createPresenter(context, context.db, toIds(rows))),
});

export const feedback = {
  list: guardedApi.feedback.list.handler(listHandlersOf.list),

  matching: guardedApi.feedback.matching.handler(async ({ input, context }) =>
    readMatchingRows(context, input, table, await filter.where(context, input.filter)),
  ),

  values: guardedApi.feedback.values.handler(listHandlersOf.values),

  many: guardedApi.feedback.many.handler(listHandlersOf.many),

  bin: guardedApi.feedback.bin.handler(({ input, context }) => readBin(context, 'feedback', input)),

  history: guardedApi.feedback.history.handler(({ input, context }) => readHistory(context, 'feedback', input)),

  versions: guardedApi.feedback.versions.handler(({ input, context }) =>
    readVersions(context, 'feedback', input.ids, (ids) => readFeedback(context, ids)),
  ),

  process: guardedApi.feedback.process.handler(({ input, context }) => setProcessed(context, input.items, true)),

  reopen: guardedApi.feedback.reopen.handler(({ input, context }) => setProcessed(context, input.items, false)),

  reply: guardedApi.feedback.reply.handler(({ input, context }) => {
    requireMail(context.services);
    return writeOnce(context, input, async (tx, recordAudit) => {
      const { id, version, content, processed } = input;
      const row = await lockRow(tx, table, { id, version }, await createPresenter(context, tx, [id]));
      const previousRow = (await createPresenter(context, tx, [id]))(row);
      const repliedAt = new Date(context.services.now());
      await tx
        .insert(feedbackReplies)
        .values({ id: newId(), feedbackId: id, content, administratorEmail: requirePerson(context).email, createdAt: repliedAt });
      const [updatedRecord] = await tx
        .update(table)
        .set({ ...(processed && !row.processed ? processedFields(context) : {}), ...nextVersionColumns(context, table) })
        .where(eq(table.id, id))
        .returning();
      if (!updatedRecord) throw createAppError('NOT_FOUND');
      await queueMail(tx, repliedAt, createReplyMail(row, content, context.services.config.timeZone));
      const updatedRow = (await createPresenter(context, tx, [id]))(updatedRecord);
      recordAudit({ entity: 'feedback', id, before: previousRow, after: updatedRow });
      return updatedRow;
    });
  }),

  remove: guardedApi.feedback.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { rows, failed, present } = await lockFeedback(context, tx, input.items);
      await tx.delete(table).where(inArray(table.id, toIds(rows)));
      const deletedItems = rows.map((row) => ({
        id: row.id,
        entry: recordAudit({ entity: 'feedback', id: row.id, before: present(row) }),
      }));
      return { done: deletedItems, failed };
    }),
  ),

  restore: guardedApi.feedback.restore.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { id } = await readRecordedState(tx, 'feedback', input);
      // Always the state at deletion, because later replies were mailed.
      const record = await readLastState(tx, 'feedback', id);
      const recordedRow = feedbackRow.safeParse(record);
      if (!recordedRow.success) throw createAppError('INCOMPLETE', { fields: Object.keys(record) });
      const restoredRow = await restoreDeleted(context, tx, recordedRow.data);
      recordAudit({ entity: 'feedback', id, after: restoredRow });
      return restoredRow;
    }),
  ),
};

type FeedbackRecord = typeof table.$inferSelect;
async function readFeedback(context: RequestContext, ids: readonly string[]): Promise<FeedbackRow[]> {
  const present = await createPresenter(context, context.db, ids);
  const rows = await context.db
    .select()
    .from(table)
    .where(inArray(table.id, [...ids]));
  return rows.map(present);
}

/** Locks unchanged rows. */
async function lockFeedback(context: RequestContext, tx: Tx, items: readonly ItemVersion[]) {
  const presentForConflict = await createPresenter(
    context,
    tx,
    items.map(({ id }) => id),
  );
  const { rows, failed } = await lockRows(tx, table, items, presentForConflict);
  // Read again under the lock, because a colleague may have replied.
  return { rows, failed, present: await createPresenter(context, tx, toIds(rows)) };
}

/** In one transaction. Unchanged rows count as done. */
function setProcessed(context: RequestContext, items: readonly ItemVersion[], processed: boolean) {
  return writeOnce(context, items, async (tx, recordAudit) => {
    const { rows, failed, present } = await lockFeedback(context, tx, items);
    const changingRows = new Map(rows.filter((row) => row.processed !== processed).map((row) => [row.id, row]));
    const updatedRecords = await tx
      .update(table)
      .set({ ...(processed ? processedFields(context) : unprocessedFields), ...nextVersionColumns(context, table) })
      .where(inArray(table.id, [...changingRows.keys()]))
      .returning();
    for (const row of updatedRecords)
      recordAudit({ entity: 'feedback', id: row.id, before: present(changingRows.get(row.id) ?? row), after: present(row) });
    const updatedById = new Map(updatedRecords.map((row) => [row.id, row]));
    const result = { done: rows.map((row) => present(updatedById.get(row.id) ?? row)), failed };
    return updatedRecords.length > 0 ? result : asUnmodified(result);
  });
}

/** Under its id. Deleted pictures stay deleted. */
async function restoreDeleted(context: RequestContext, tx: Tx, recorded: FeedbackRow): Promise<FeedbackRow> {
  const { id, email, content, processed, processedAt, createdAt } = recorded;
  const [row] = await tx
    .insert(table)
    .values({
      id,
      email,
      content,
      processed,
      processedAt: processedAt === null ? null : new Date(processedAt),
      version: (await readLastVersion(tx, 'feedback', id)) + 1, // above any version that an open form has
      createdAt: new Date(createdAt),
      updatedAt: new Date(context.services.now()),
    })
    .onConflictDoNothing()
    .returning();
  if (!row) {
    const [existingRow] = await tx.select().from(table).where(eq(table.id, id));
    throw existingRow
      ? createAppError('CONFLICT', { current: (await createPresenter(context, tx, [id]))(existingRow) })
      : createAppError('NOT_FOUND');
  }
  const pictureIds = recorded.pictures.flatMap((url) => parsePictureId(url) ?? []);
  const existingPictures = new Set(
    (await tx.select({ id: pictures.id }).from(pictures).where(inArray(pictures.id, pictureIds))).map((picture) => picture.id),
  );
  const existingIds = pictureIds.filter((pictureId) => existingPictures.has(pictureId));
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
  return (await createPresenter(context, tx, [id]))(row);
}

/** Without the visitor's text: anyone can enter any mailbox, and our mail must not carry their text. */
function createReplyMail({ email, createdAt }: FeedbackRecord, content: string, zone: string | null) {
  const { subject, body } = buildBilingualMail(replyTexts, (language) => ({ time: formatTime(createdAt, language, zone) }));
  return { to: email, subject, body: `${content}\n\n———\n\n${body}` };
}

const processedFields = (context: RequestContext) => ({
  processed: true,
  processedAt: new Date(context.services.now()),
  processedBy: personOf(context)?.id ?? null,
});

const unprocessedFields = { processed: false, processedAt: null, processedBy: null };

const toIds = (rows: readonly FeedbackRecord[]) => rows.map(({ id }) => id);
