import { isNotNull, sql } from 'drizzle-orm';
import { vaultFilters } from '../../api/statistics/filters.ts';
import { exportInput } from '../../api/base.ts';
import { vaultFilter, vaultSorts, type VaultRow } from '../../api/statistics/contract.ts';
import type { Services } from '../platform/services/context.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { timeRangeOfFilter, readTopValues } from './charts.ts';
import { createPositionHandlers, createPositionExportColumns, presentPositionStat } from './positions.ts';
import { troves as table } from '../crsm/tables.ts';

const presentVault = (services: Services, row: typeof table.$inferSelect): VaultRow => ({
  ...presentPositionStat(services, row),
  vaultId: row.troveId.toString(),
  owner: row.owner,
});

const isRead = isNotNull(table.readAt);
const positionHandlers = createPositionHandlers({ table, fields: vaultFilters, own: {}, only: isRead, present: presentVault });

export const vaults = {
  list: guardedApi.vaults.list.handler(positionHandlers.list),
  values: guardedApi.vaults.values.handler(positionHandlers.values),
  many: guardedApi.vaults.many.handler(positionHandlers.many),
  totals: guardedApi.vaults.totals.handler(positionHandlers.totals),
  series: guardedApi.vaults.series.handler(positionHandlers.series),
  top: guardedApi.vaults.top.handler(({ input: { filter, metric, limit }, context }) =>
    readTopValues(context, {
      limit,
      key: sql`c.owner`,
      metric,
      cells: positionHandlers.cells(context, filter)(timeRangeOfFilter(filter)),
    }),
  ),
  bars: guardedApi.vaults.bars.handler(positionHandlers.bars),
  export: guardedApi.vaults.export.handler(({ input, context }) => vaultsExportRoutes.start(context, input)),
  follower: guardedApi.vaults.follower.handler(positionHandlers.follower),
};

const vaultsExportRoutes = createExportHandler({
  name: 'vaults',
  path: '/api/statistics/dataVault/export/:id',
  permission: 'vaults.export',
  menu: '/statistics/dataVault',
  table,
  input: exportInput(vaultSorts, vaultFilter),
  plan: async (context, { sort, direction, filter, ...wording }) => {
    const exportColumns = createColumnBuilders<typeof table.$inferSelect>(wording);
    const { id, chainId, owner, collateral, debt, icr, createdAt } = createPositionExportColumns(context.services, exportColumns);
    return {
      where: await positionHandlers.where(context, filter),
      order: [positionHandlers.sorts[sort], table.id],
      ascending: direction === 'asc',
      columns: exportColumns.arrange(id, chainId, owner, collateral, debt, icr, createdAt),
    };
  },
});
