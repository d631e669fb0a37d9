import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import {
  airdropColumns,
  airdropRow,
  airdropsExport,
  type AirdropFields,
  type AirdropFilter,
  type AirdropRow,
} from '../../api/rewards/airdrops.ts';
import { wholeCount } from '../../api/integer-fields.ts';
import { insertAirdrops, type Airdrop } from './shared/airdrop-rows.ts';
import { addressStarts } from '../platform/evm/address.ts';
import type { RequestContext } from '../platform/core/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { failure } from '../platform/core/errors.ts';
import { exportOf, inLocale } from '../platform/records/export.ts';
import { historyOf, lastVersionOf, recordedState, versionsOf } from '../platform/records/history.ts';
import { on } from '../platform/http/router.ts';
import { listRows } from '../platform/records/list.ts';
import { matchingRows } from '../platform/records/matching.ts';
import { lockRow, lockRows, type Item } from '../platform/records/versions.ts';
import { unchanged, write, type Note } from '../platform/records/write.ts';
import { airdrops as table } from './tables.ts';

export const airdrops = {
  list: on.airdrops.list.handler(({ input, context }) =>
    listRows(context, input, { table, id: table.id, sorts, where: matches(input.filter), present }),
  ),

  matching: on.airdrops.matching.handler(({ input, context }) => matchingRows(context, input, table, matches(input.filter))),

  many: on.airdrops.many.handler(async ({ input, context }) => {
    const byId = new Map((await readMany(context.db, input.ids)).map((row) => [row.id, row]));
    return input.ids.flatMap((id) => byId.get(id) ?? []);
  }),

  history: on.airdrops.history.handler(({ input, context }) => historyOf(context, 'airdrop', input)),

  versions: on.airdrops.versions.handler(({ input, context }) =>
    versionsOf(context, 'airdrop', input.ids, (ids) => readMany(context.db, ids)),
  ),

  add: on.airdrops.add.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const [row] = await insertAirdrops(tx, [{ ...input, createdAt: new Date(context.services.now()) }]);
      if (!row) throw new Error('the inserted row did not come back');
      note({ entity: 'airdrop', id: row.id, after: present(row) });
      return present(row);
    }),
  ),

  edit: on.airdrops.edit.handler(({ input, context }) =>
    write(context, input, (tx, note) => {
      const { id, version, ...fields } = input;
      return change(context, tx, note, { id, version }, fields);
    }),
  ),

  setLevel: on.airdrops.setLevel.handler(({ input, context }) => setOnMany(context, 'nftLevel', input)),

  setStage: on.airdrops.setStage.handler(({ input, context }) => setOnMany(context, 'stage', input)),

  remove: on.airdrops.remove.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { rows, failed } = await lockRows(tx, table, input.items, present);
      await tx.delete(table).where(inArray(table.id, idsOf(rows)));
      for (const row of rows) note({ entity: 'airdrop', id: row.id, before: present(row) });
      return { done: rows.map(({ id }) => ({ id })), failed };
    }),
  ),

  restore: on.airdrops.restore.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { id, record } = await recordedState(tx, 'airdrop', input);
      const recorded = airdropRow.safeParse(record);
      if (!recorded.success) throw failure('INCOMPLETE', { fields: Object.keys(record) });
      if (input.version === null) return undelete(context, tx, note, recorded.data);
      return change(context, tx, note, { id, version: input.version }, fieldsOf(recorded.data));
    }),
  ),

  export: on.airdrops.export.handler(({ input, context }) => exported.start(context, input)),
};

const sorts = { createdAt: table.createdAt, berries: table.berries };

/** The fields of an airdrop that leave the server. */
const present = (row: Airdrop): AirdropRow => ({
  id: row.id,
  version: row.version,
  address: row.address,
  berries: row.berries.toString(),
  nftNumber: row.nftNumber,
  nftLevel: row.nftLevel,
  stage: row.stage,
  importId: row.importId,
  importLine: row.importLine,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const fieldsOf = ({ address, berries, nftNumber, nftLevel, stage }: AirdropRow): AirdropFields => ({
  address,
  berries,
  nftNumber,
  nftLevel,
  stage,
});

const readMany = async (queries: Queries, ids: readonly string[]): Promise<AirdropRow[]> =>
  (
    await queries
      .select()
      .from(table)
      .where(inArray(table.id, [...ids]))
  ).map(present);

async function change(context: RequestContext, tx: Tx, note: Note, item: Item, fields: AirdropFields): Promise<AirdropRow> {
  const before = await lockRow(tx, table, item, present);
  const [after] = await tx
    .update(table)
    .set({ ...fields, berries: BigInt(fields.berries), ...nextVersion(context) })
    .where(eq(table.id, item.id))
    .returning();
  if (!after) throw failure('NOT_FOUND');
  note({ entity: 'airdrop', id: item.id, before: present(before), after: present(after) });
  return present(after);
}

/** Sets one column of rows in one transaction. Rows that have it already count as done. */
function setOnMany<Column extends 'nftLevel' | 'stage'>(
  context: RequestContext,
  column: Column,
  {
    items,
    each = {},
    ...values
  }: { items: readonly Item[]; each?: Readonly<Record<string, Airdrop[Column]>> | undefined } & Readonly<
    Record<Column, Airdrop[Column]>
  >,
) {
  const wantedOf = (row: Airdrop) => each[row.id] ?? values[column];
  return write(context, { items, each, ...values }, async (tx, note) => {
    const { rows, failed } = await lockRows(tx, table, items, present);
    const changing = rows.filter((row) => row[column] !== wantedOf(row));
    const after = new Map<string, Airdrop>();
    for (const wanted of new Set(changing.map(wantedOf))) {
      const changed = await tx
        .update(table)
        .set({ [column]: wanted, ...nextVersion(context) })
        .where(inArray(table.id, idsOf(changing.filter((row) => wantedOf(row) === wanted))))
        .returning();
      for (const row of changed) after.set(row.id, row);
    }
    for (const row of changing)
      note({ entity: 'airdrop', id: row.id, before: present(row), after: present(after.get(row.id) ?? row) });
    const result = { done: rows.map((row) => present(after.get(row.id) ?? row)), failed };
    return changing.length > 0 ? result : unchanged(result);
  });
}

/** A deleted airdrop again under its id. Its import is named again too: it came from there. */
async function undelete(context: RequestContext, tx: Tx, note: Note, recorded: AirdropRow): Promise<AirdropRow> {
  const { id, importId, importLine, createdAt } = recorded;
  const [row] = await tx
    .insert(table)
    .values({
      ...fieldsOf(recorded),
      id,
      berries: BigInt(recorded.berries),
      importId,
      importLine,
      version: (await lastVersionOf(tx, 'airdrop', id)) + 1, // whoever still holds the deleted one has an older version
      createdAt: new Date(createdAt),
      updatedAt: new Date(context.services.now()),
    })
    .onConflictDoNothing()
    .returning();
  if (!row) {
    const [current] = await readMany(tx, [id]);
    throw current ? failure('CONFLICT', { current }) : failure('NOT_FOUND');
  }
  note({ entity: 'airdrop', id, after: present(row) });
  return present(row);
}

const nextVersion = (context: RequestContext) => ({
  version: sql`${table.version} + 1`,
  updatedAt: new Date(context.services.now()),
});

const idsOf = (rows: readonly Airdrop[]) => rows.map(({ id }) => id);

const matches = ({ address, stage, nftLevel }: AirdropFilter): SQL | undefined =>
  and(
    addressStarts(table.address, address),
    stage?.trim() ? eq(table.stage, stage.trim()) : undefined,
    nftLevel?.trim() ? isLevel(nftLevel) : undefined,
  );

/** What is no level is none's. */
function isLevel(typed: string): SQL {
  const level = wholeCount().safeParse(typed);
  return level.success ? eq(table.nftLevel, level.data) : sql`false`;
}

// ── Export ─────────────────────────────────────────────────────────────────

const exported = exportOf({
  name: 'airdrops',
  path: '/api/NFTAirdrop/export/:id',
  permission: 'airdrops.export',
  table,
  asked: airdropsExport,
  plan: (_, { sort, direction, filter, locale }) => ({
    where: matches(filter),
    order: [sorts[sort], table.id],
    ascending: direction === 'asc',
    head: [
      ...Object.values(airdropColumns),
      { zh: '创建时间', en: 'Created' },
      { zh: '更新时间', en: 'Updated' },
      { zh: '编号', en: 'ID' },
    ].map((name) => inLocale(name, locale)),
    line: (row) => [
      row.address,
      row.berries,
      row.nftNumber,
      row.nftLevel,
      row.stage,
      row.createdAt.toISOString(),
      row.updatedAt.toISOString(),
      row.id,
    ],
  }),
});
export const airdropsExportRoute = exported.route;
