import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { newsRow, type NewsFields, type NewsFilter, type NewsRow } from '../../api/news/contract.ts';
import { importFeedItems, readFeedItems } from './feeds.ts';
import type { RequestContext } from '../platform/core/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { failure } from '../platform/core/errors.ts';
import { historyOf, lastVersionOf, recordedState, versionsOf } from '../platform/records/history.ts';
import { newId } from '../platform/core/ids.ts';
import { on } from '../platform/http/router.ts';
import { listRows } from '../platform/records/list.ts';
import { matchingRows } from '../platform/records/matching.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import { whereHas } from '../platform/db/search.ts';
import { lockRow, lockRows, type Item } from '../platform/records/versions.ts';
import { unchanged, write, type Note } from '../platform/records/write.ts';
import { news as table } from './tables.ts';

export const news = {
  list: on.news.list.handler(async ({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.id,
      sorts: { time: table.time, createdAt: table.createdAt },
      where: await matches(context, input.filter),
      present,
    }),
  ),

  matching: on.news.matching.handler(async ({ input, context }) =>
    matchingRows(context, input, table, await matches(context, input.filter)),
  ),

  many: on.news.many.handler(async ({ input, context }) => {
    const byId = new Map((await readMany(context, input.ids)).map((row) => [row.id, row]));
    return input.ids.flatMap((id) => byId.get(id) ?? []);
  }),

  history: on.news.history.handler(({ input, context }) => historyOf(context, 'news', input)),

  versions: on.news.versions.handler(({ input, context }) =>
    versionsOf(context, 'news', input.ids, (ids) => readMany(context, ids)),
  ),

  add: on.news.add.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const row = await insertNews(context, tx, input);
      note({ entity: 'news', id: row.id, after: present(row) });
      return present(row);
    }),
  ),

  edit: on.news.edit.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { id, version, ...fields } = input;
      const before = await lockRow(tx, table, { id, version }, present);
      const [after] = await tx
        .update(table)
        .set({ ...fields, time: new Date(fields.time), ...nextVersion(context) })
        .where(eq(table.id, id))
        .returning();
      if (!after) throw failure('NOT_FOUND');
      note({ entity: 'news', id, before: present(before), after: present(after) });
      if (after.shown) await countPublicChange(tx, 'news', id);
      return present(after);
    }),
  ),

  show: on.news.show.handler(({ input, context }) => setShown(context, input.items, true)),

  hide: on.news.hide.handler(({ input, context }) => setShown(context, input.items, false)),

  remove: on.news.remove.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { rows, failed } = await lockRows(tx, table, input.items, present);
      await tx.delete(table).where(inArray(table.id, idsOf(rows)));
      for (const row of rows) note({ entity: 'news', id: row.id, before: present(row) });
      await countFirst(
        tx,
        rows.filter(({ shown }) => shown),
      );
      return { done: rows.map(({ id }) => ({ id })), failed };
    }),
  ),

  restore: on.news.restore.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { id, record } = await recordedState(tx, 'news', input);
      const recorded = newsRow.safeParse(record);
      if (!recorded.success) throw failure('INCOMPLETE', { fields: Object.keys(record) });
      if (input.version === null) return undelete(context, tx, note, recorded.data);

      const before = await lockRow(tx, table, { id, version: input.version }, present);
      const { title, description, image, time, link } = recorded.data;
      if (before.shown && image === null) throw failure('INCOMPLETE', { fields: ['image'] });
      const [after] = await tx
        .update(table)
        .set({ title, description, image, time: new Date(time), link, ...nextVersion(context) })
        .where(eq(table.id, id))
        .returning();
      if (!after) throw failure('NOT_FOUND');
      note({ entity: 'news', id, before: present(before), after: present(after) });
      if (after.shown) await countPublicChange(tx, 'news', id);
      return present(after);
    }),
  ),

  feed: on.news.feed.handler(({ context }) => readFeedItems(context)),

  import: on.news.import.handler(({ input, context }) => importFeedItems(context, input.ids, present)),
};

type Row = typeof table.$inferSelect;

/** The fields of a news item that leave the server. */
function present(row: Row): NewsRow {
  return {
    id: row.id,
    version: row.version,
    title: row.title,
    description: row.description,
    image: row.image,
    time: row.time.toISOString(),
    link: row.link,
    shown: row.shown,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const readMany = async ({ db }: RequestContext, ids: readonly string[]): Promise<NewsRow[]> =>
  (
    await db
      .select()
      .from(table)
      .where(inArray(table.id, [...ids]))
  ).map(present);

/** A deleted item again under its id, not shown: whether the public sees it is decided anew. */
async function undelete(context: RequestContext, tx: Tx, note: Note, recorded: NewsRow): Promise<NewsRow> {
  const { id, title, description, image, time, link, createdAt } = recorded;
  const [row] = await tx
    .insert(table)
    .values({
      id,
      title,
      description,
      image,
      link,
      shown: false,
      version: (await lastVersionOf(tx, 'news', id)) + 1, // whoever still holds the deleted one has an older version
      time: new Date(time),
      createdAt: new Date(createdAt),
      updatedAt: new Date(context.services.now()),
      createdBy: context.actor?.id ?? null,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) {
    const [current] = await tx.select().from(table).where(eq(table.id, id));
    throw current ? failure('CONFLICT', { current: present(current) }) : failure('NOT_FOUND');
  }
  note({ entity: 'news', id, after: present(row) });
  return present(row);
}

async function matches({ db }: RequestContext, { q, shown }: NewsFilter): Promise<SQL | undefined> {
  const part = q?.trim();
  return and(
    part ? await whereHas(db, table, table.title, part) : undefined,
    shown === undefined ? undefined : eq(table.shown, shown),
  );
}

/** Shows or hides rows in one transaction. Rows that are so already count as done; those without an image cannot be shown. */
function setShown(context: RequestContext, items: readonly Item[], shown: boolean) {
  return write(context, items, async (tx, note) => {
    const { rows, failed } = await lockRows(tx, table, items, present);
    const able = rows.filter(({ image }) => !shown || image !== null);
    if (able.length === 0) throw failure('INCOMPLETE', { fields: ['image'] });

    const changing = new Map(able.filter((row) => row.shown !== shown).map((row) => [row.id, row]));
    const changed = await tx
      .update(table)
      .set({ shown, ...nextVersion(context) })
      .where(inArray(table.id, [...changing.keys()]))
      .returning();
    for (const row of changed)
      note({ entity: 'news', id: row.id, before: present(changing.get(row.id) ?? row), after: present(row) });
    await countFirst(tx, changed);

    const after = new Map(changed.map((row) => [row.id, row]));
    const incomplete = rows.filter((row) => !able.includes(row)).map(({ id }) => ({ id, code: 'INCOMPLETE' as const }));
    const result = { done: able.map((row) => present(after.get(row.id) ?? row)), failed: [...failed, ...incomplete] };
    return changed.length > 0 ? result : unchanged(result);
  });
}

async function insertNews(context: RequestContext, tx: Tx, fields: NewsFields): Promise<Row> {
  const now = new Date(context.services.now());
  const [row] = await tx
    .insert(table)
    .values({
      ...fields,
      id: newId(),
      time: new Date(fields.time),
      createdAt: now,
      updatedAt: now,
      createdBy: context.actor?.id ?? null,
    })
    .returning();
  if (!row) throw new Error('the inserted row did not come back');
  return row;
}

const nextVersion = (context: RequestContext) => ({
  version: sql`${table.version} + 1`,
  updatedAt: new Date(context.services.now()),
});

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

/** One change of the public's news, however many rows it had. */
async function countFirst(tx: Tx, [first]: readonly Row[]) {
  if (first) await countPublicChange(tx, 'news', first.id);
}
