import { inArray } from 'drizzle-orm';
import { airdropColumns, airdropFields, airdropRow, airdropsExport } from '../../api/rewards/airdrops.ts';
import type { Airdrop } from './shared/airdrop-rows.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders } from '../platform/exports/columns.ts';
import { createSearchCondition } from '../platform/records/filter.ts';
import { airdropFilters } from '../../api/rewards/filters.ts';
import { createCrud } from '../platform/records/crud.ts';
import { createColumnWriter, createPresenter } from '../platform/records/named-columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { lockRows, nextVersionColumns, type ItemVersion } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { airdrops as table } from './tables.ts';

const presentAirdrop = createPresenter(airdropRow);

const records = createCrud({
  table,
  entity: 'airdrop',
  sorts: { createdAt: table.createdAt, berries: table.berries },
  filters: airdropFilters,
  filterConditions: { address: createSearchCondition((text) => addressPrefixCondition(table.address, text)) },
  present: presentAirdrop,
  schema: airdropRow,
  columnsOf: createColumnWriter(table, airdropFields),
  // A restored airdrop keeps its import.
  createdFields: (_, recordedRow) => (recordedRow ? { importId: recordedRow.importId, importLine: recordedRow.importLine } : {}),
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
  setLevel: guardedApi.airdrops.setLevel.handler(({ input, context }) => setColumnOnMany(context, 'nftLevel', input)),

  setStage: guardedApi.airdrops.setStage.handler(({ input, context }) => setColumnOnMany(context, 'stage', input)),

  remove: guardedApi.airdrops.remove.handler(records.remove),
  restore: guardedApi.airdrops.restore.handler(records.restore),
  export: guardedApi.airdrops.export.handler(({ input, context }) => airdropExportRoutes.start(context, input)),
};

/** In one transaction. Unchanged rows count as done. */
function setColumnOnMany<Column extends 'nftLevel' | 'stage'>(
  context: RequestContext,
  column: Column,
  {
    items,
    each: valuesById = {},
    ...values
  }: { items: readonly ItemVersion[]; each?: Readonly<Record<string, Airdrop[Column]>> | undefined } & Readonly<
    Record<Column, Airdrop[Column]>
  >,
) {
  const wantedValueOf = (row: Airdrop) => valuesById[row.id] ?? values[column];
  return writeOnce(context, { items, each: valuesById, ...values }, async (tx, recordAudit) => {
    const { rows, failed } = await lockRows(tx, table, items, presentAirdrop);
    const changingRows = rows.filter((row) => row[column] !== wantedValueOf(row));
    const updatedById = new Map<string, Airdrop>();
    for (const requestedValue of new Set(changingRows.map(wantedValueOf))) {
      const updatedRows = await tx
        .update(table)
        .set({ [column]: requestedValue, ...nextVersionColumns(context, table) })
        .where(inArray(table.id, toIds(changingRows.filter((row) => wantedValueOf(row) === requestedValue))))
        .returning();
      for (const row of updatedRows) updatedById.set(row.id, row);
    }
    for (const row of changingRows)
      recordAudit({
        entity: 'airdrop',
        id: row.id,
        before: presentAirdrop(row),
        after: presentAirdrop(updatedById.get(row.id) ?? row),
      });
    const result = { done: rows.map((row) => presentAirdrop(updatedById.get(row.id) ?? row)), failed };
    return changingRows.length > 0 ? result : asUnmodified(result);
  });
}

const toIds = (rows: readonly Airdrop[]) => rows.map(({ id }) => id);

// ── Export ─────────────────────────────────────────────────────────────────

const airdropExportRoutes = createExportHandler({
  name: 'airdrops',
  path: '/api/NFTAirdrop/export/:id',
  permission: 'airdrops.export',
  menu: '/NFTAirdrop',
  table,
  input: airdropsExport,
  plan: async (context, { sort, direction, filter, ...wording }) => {
    const { text, exactText, count, time, arrange } = createColumnBuilders<Airdrop>(wording);
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
