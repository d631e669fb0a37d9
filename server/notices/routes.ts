import { and, eq, gt, inArray, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { Phase } from '../../api/notices/values.ts';
import { noticeRow, type NoticeFields, type NoticeFilter, type NoticeRow } from '../../api/notices/contract.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
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
import { notices as table } from './tables.ts';

export const notices = {
  list: on.notices.list.handler(async ({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.id,
      sorts: { createdAt: table.createdAt, updatedAt: table.updatedAt },
      where: await matches(context, input.filter),
      present,
    }),
  ),

  matching: on.notices.matching.handler(async ({ input, context }) =>
    matchingRows(context, input, table, await matches(context, input.filter)),
  ),

  many: on.notices.many.handler(async ({ input, context }) => {
    const byId = new Map((await readMany(context, input.ids)).map((row) => [row.id, row]));
    return input.ids.flatMap((id) => byId.get(id) ?? []);
  }),

  history: on.notices.history.handler(({ input, context }) => historyOf(context, 'notice', input)),

  versions: on.notices.versions.handler(({ input, context }) =>
    versionsOf(context, 'notice', input.ids, (ids) => readMany(context, ids)),
  ),

  add: on.notices.add.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const now = new Date(context.services.now());
      const { id: createdBy, email: creatorEmail } = actorOf(context);
      const [row] = await tx
        .insert(table)
        .values({ ...columnsOf(input), id: newId(), createdBy, creatorEmail, createdAt: now, updatedAt: now })
        .returning();
      if (!row) throw new Error('the inserted row did not come back');
      note({ entity: 'notice', id: row.id, after: present(row) });
      return present(row);
    }),
  ),

  edit: on.notices.edit.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { id, version, ...fields } = input;
      return change(context, tx, note, await lockRow(tx, table, { id, version }, present), fields);
    }),
  ),

  show: on.notices.show.handler(({ input, context }) => setShown(context, input.items, true)),

  hide: on.notices.hide.handler(({ input, context }) => setShown(context, input.items, false)),

  remove: on.notices.remove.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { rows, failed } = await lockRows(tx, table, input.items, present);
      await tx.delete(table).where(inArray(table.id, idsOf(rows)));
      for (const row of rows) note({ entity: 'notice', id: row.id, before: present(row) });
      await countFirst(
        tx,
        rows.filter(({ shown }) => shown),
      );
      return { done: rows.map(({ id }) => ({ id })), failed };
    }),
  ),

  restore: on.notices.restore.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { id, record } = await recordedState(tx, 'notice', input);
      const recorded = noticeRow.safeParse(record);
      if (!recorded.success) throw failure('INCOMPLETE', { fields: Object.keys(record) });
      if (input.version === null) return undelete(context, tx, note, recorded.data);
      return change(context, tx, note, await lockRow(tx, table, { id, version: input.version }, present), recorded.data);
    }),
  ),
};

type Row = typeof table.$inferSelect;

/** The fields of a notice that leave the server. */
function present(row: Row): NoticeRow {
  return {
    id: row.id,
    version: row.version,
    content: row.content,
    link: row.link,
    platform: row.platform,
    shown: row.shown,
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    creatorEmail: row.creatorEmail,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The five values a person fills in, as they are stored. */
const columnsOf = ({ content, link, platform, startsAt, endsAt }: NoticeFields) => ({
  content,
  link,
  platform,
  startsAt: startsAt === null ? null : new Date(startsAt),
  endsAt: endsAt === null ? null : new Date(endsAt),
});

const readMany = async ({ db }: RequestContext, ids: readonly string[]): Promise<NoticeRow[]> =>
  (
    await db
      .select()
      .from(table)
      .where(inArray(table.id, [...ids]))
  ).map(present);

async function matches({ db, services }: RequestContext, { q, shown, platform, phase }: NoticeFilter): Promise<SQL | undefined> {
  const part = q?.trim();
  return and(
    part ? await whereHas(db, table, table.content, part) : undefined,
    shown === undefined ? undefined : eq(table.shown, shown),
    platform === undefined ? undefined : eq(table.platform, platform),
    phase === undefined ? undefined : isIn(phase, new Date(services.now())),
  );
}

function isIn(phase: Phase, now: Date): SQL | undefined {
  if (phase === 'over') return lte(table.endsAt, now);
  const isOpen = or(isNull(table.endsAt), gt(table.endsAt, now));
  return phase === 'scheduled'
    ? and(isOpen, gt(table.startsAt, now))
    : and(isOpen, or(isNull(table.startsAt), lte(table.startsAt, now)));
}

async function change(context: RequestContext, tx: Tx, note: Note, before: Row, fields: NoticeFields): Promise<NoticeRow> {
  const [after] = await tx
    .update(table)
    .set({ ...columnsOf(fields), ...nextVersion(context) })
    .where(eq(table.id, before.id))
    .returning();
  if (!after) throw failure('NOT_FOUND');
  note({ entity: 'notice', id: after.id, before: present(before), after: present(after) });
  if (after.shown) await countFirst(tx, [after]);
  return present(after);
}

/** Shows or hides rows in one transaction. Rows that are so already count as done. */
function setShown(context: RequestContext, items: readonly Item[], shown: boolean) {
  return write(context, items, async (tx, note) => {
    const { rows, failed } = await lockRows(tx, table, items, present);
    const changing = new Map(rows.filter((row) => row.shown !== shown).map((row) => [row.id, row]));
    const changed = await tx
      .update(table)
      .set({ shown, ...nextVersion(context) })
      .where(inArray(table.id, [...changing.keys()]))
      .returning();
    for (const row of changed)
      note({ entity: 'notice', id: row.id, before: present(changing.get(row.id) ?? row), after: present(row) });
    await countFirst(tx, changed);
    const after = new Map(changed.map((row) => [row.id, row]));
    const result = { done: rows.map((row) => present(after.get(row.id) ?? row)), failed };
    return changed.length > 0 ? result : unchanged(result);
  });
}

/** A deleted notice again under its id, not shown: whether the public sees it is decided anew. */
async function undelete(context: RequestContext, tx: Tx, note: Note, recorded: NoticeRow): Promise<NoticeRow> {
  const { id, creatorEmail, createdAt } = recorded;
  const [row] = await tx
    .insert(table)
    .values({
      ...columnsOf(recorded),
      id,
      shown: false,
      version: (await lastVersionOf(tx, 'notice', id)) + 1, // whoever still holds the deleted one has an older version
      createdBy: null,
      creatorEmail,
      createdAt: new Date(createdAt),
      updatedAt: new Date(context.services.now()),
    })
    .onConflictDoNothing()
    .returning();
  if (!row) {
    const [current] = await tx.select().from(table).where(eq(table.id, id));
    throw current ? failure('CONFLICT', { current: present(current) }) : failure('NOT_FOUND');
  }
  note({ entity: 'notice', id, after: present(row) });
  return present(row);
}

const nextVersion = (context: RequestContext) => ({
  version: sql`${table.version} + 1`,
  updatedAt: new Date(context.services.now()),
});

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

/** One change of the public's notices, however many rows it had. */
async function countFirst(tx: Tx, [first]: readonly Row[]) {
  if (first) await countPublicChange(tx, 'notices', first.id);
}
