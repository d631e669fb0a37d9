import { inArray } from 'drizzle-orm';
import { airdropColumns, airdropFields, airdropRow, airdropsExport } from '../../api/rewards/airdrops.ts';
import type { Airdrop } from './shared/airdrop-rows.ts';
import { addressStarts } from '../platform/evm/address.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { exportOf } from '../platform/exports/source.ts';
import { exportColumnsFor } from '../platform/exports/columns.ts';
import { searchCondition } from '../platform/records/filter.ts';
import { airdropFilters } from '../../api/rewards/filters.ts';
import { crud } from '../platform/records/crud.ts';
import { columnsFrom, presentAs } from '../platform/records/named-columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { lockRows, nextVersion, type ItemVersion } from '../platform/records/versions.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { airdrops as table } from './tables.ts';

const present = presentAs(airdropRow);

const records = crud({
  table,
  entity: 'airdrop',
  sorts: { createdAt: table.createdAt, berries: table.berries },
  filters: airdropFilters,
  filterConditions: { address: searchCondition((text) => addressStarts(table.address, text)) },
  present,
  schema: airdropRow,
  columnsOf: columnsFrom(table, airdropFields),
  // A restored airdrop keeps its import.
  createdFields: (_, recorded) => (recorded ? { importId: recorded.importId, importLine: recorded.importLine } : {}),
});

export const airdrops = {
  list: guardedApi.airdrops.list.handler(records.list),
  values: guardedApi.airdrops.values.handler(records.values),
  matching: guardedApi.airdrops.matching.handler(records.matching),
  many: guardedApi.airdrops.many.handler(records.many),
  history: guardedApi.airdrops.history.handler(records.history),
  versions: guardedApi.airdrops.versions.handler(records.versions),
  add: guardedApi.airdrops.add.handler(records.add),
  edit: guardedApi.airdrops.edit.handler(records.edit),
  setLevel: guardedApi.airdrops.setLevel.handler(({ input, context }) => setOnMany(context, 'nftLevel', input)),

  setStage: guardedApi.airdrops.setStage.handler(({ input, context }) => setOnMany(context, 'stage', input)),

  remove: guardedApi.airdrops.remove.handler(records.remove),
  restore: guardedApi.airdrops.restore.handler(records.restore),
  export: guardedApi.airdrops.export.handler(({ input, context }) => exported.start(context, input)),
};

/** In one transaction. Unchanged rows count as done. */
function setOnMany<Column extends 'nftLevel' | 'stage'>(
  context: RequestContext,
  column: Column,
  {
    items,
    each = {},
    ...values
  }: { items: readonly ItemVersion[]; each?: Readonly<Record<string, Airdrop[Column]>> | undefined } & Readonly<
    Record<Column, Airdrop[Column]>
  >,
) {
  const wantedOf = (row: Airdrop) => each[row.id] ?? values[column];
  return writeOnce(context, { items, each, ...values }, async (tx, note) => {
    const { rows, failed } = await lockRows(tx, table, items, present);
    const changing = rows.filter((row) => row[column] !== wantedOf(row));
    const after = new Map<string, Airdrop>();
    for (const requested of new Set(changing.map(wantedOf))) {
      const changed = await tx
        .update(table)
        .set({ [column]: requested, ...nextVersion(context, table) })
        .where(inArray(table.id, idsOf(changing.filter((row) => wantedOf(row) === requested))))
        .returning();
      for (const row of changed) after.set(row.id, row);
    }
    for (const row of changing)
      note({ entity: 'airdrop', id: row.id, before: present(row), after: present(after.get(row.id) ?? row) });
    const result = { done: rows.map((row) => present(after.get(row.id) ?? row)), failed };
    return changing.length > 0 ? result : unmodified(result);
  });
}

const idsOf = (rows: readonly Airdrop[]) => rows.map(({ id }) => id);

// ── Export ─────────────────────────────────────────────────────────────────

const exported = exportOf({
  name: 'airdrops',
  path: '/api/NFTAirdrop/export/:id',
  permission: 'airdrops.export',
  menu: '/NFTAirdrop',
  table,
  input: airdropsExport,
  plan: async (context, { sort, direction, filter, ...wording }) => {
    const { text, exactText, count, time, arrange } = exportColumnsFor<Airdrop>(wording);
    return {
      where: await records.where(context, filter),
      order: [records.resource.sorts[sort], table.id],
      ascending: direction === 'asc',
      columns: arrange(
        text(airdropColumns.address, ({ address }) => address),
        count(airdropColumns.berries, ({ berries }) => berries),
        count(airdropColumns.nftNumber, ({ nftNumber }) => nftNumber),
        count(airdropColumns.nftLevel, ({ nftLevel }) => nftLevel),
        text(airdropColumns.stage, ({ stage }) => stage),
        time({ zh: '创建时间', en: 'Created' }, ({ createdAt }) => createdAt),
        time({ zh: '更新时间', en: 'Updated' }, ({ updatedAt }) => updatedAt),
        exactText({ zh: 'ID', en: 'ID' }, ({ id }) => id),
      ),
    };
  },
});
