import { sql } from 'drizzle-orm';
import { positionStatFilters } from '../../api/statistics/filters.ts';
import { exportInput } from '../../api/base.ts';
import { positionStatFilter, positionStatSorts, type PositionStatRow } from '../../api/statistics/contract.ts';
import type { Services } from '../platform/services/context.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders, exportUnits, pickLanguage } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { timeRangeOfFilter, readTopValues } from './charts.ts';
import { createPositionHandlers, createPositionExportColumns, presentPositionStat } from './positions.ts';
import { positions as table } from './tables.ts';

const presentRow = (services: Services, row: typeof table.$inferSelect): PositionStatRow => ({
  ...presentPositionStat(services, row),
  positionId: row.troveId.toString(),
  address: row.owner,
  liquidationPrice: row.totalDebt === 0n ? null : row.liquidationPrice.toString(),
  status: row.status,
});

const positionHandlers = createPositionHandlers({
  table,
  fields: positionStatFilters,
  own: { status: table.status },
  only: undefined,
  present: presentRow,
});

export const positionStats = {
  list: guardedApi.positionStats.list.handler(positionHandlers.list),
  values: guardedApi.positionStats.values.handler(positionHandlers.values),
  many: guardedApi.positionStats.many.handler(positionHandlers.many),
  totals: guardedApi.positionStats.totals.handler(positionHandlers.totals),
  series: guardedApi.positionStats.series.handler(positionHandlers.series),
  top: guardedApi.positionStats.top.handler(({ input: { filter, by, metric, limit }, context }) => {
    const cells = positionHandlers.cells(context, filter)(timeRangeOfFilter(filter));
    return readTopValues(context, { limit, key: by === 'owner' ? sql`c.owner` : sql`c.status`, metric, cells });
  }),
  bars: guardedApi.positionStats.bars.handler(positionHandlers.bars),
  export: guardedApi.positionStats.export.handler(({ input, context }) => positionStatsExportRoutes.start(context, input)),
  follower: guardedApi.positionStats.follower.handler(positionHandlers.follower),
};

const statusNames = { open: { zh: '未关闭', en: 'Open' }, closed: { zh: '已关闭', en: 'Closed' } };

const positionStatsExportRoutes = createExportHandler({
  name: 'positions',
  path: '/api/statistics/dataCdp/export/:id',
  permission: 'positionStats.export',
  menu: '/statistics/dataCdp',
  table,
  input: exportInput(positionStatSorts, positionStatFilter),
  plan: async (context, { sort, direction, filter, ...wording }) => {
    const exportColumns = createColumnBuilders<typeof table.$inferSelect>(wording);
    const { id, owner, chainId, collateral, debt, icr, createdAt } = createPositionExportColumns(context.services, exportColumns);
    const liquidationPrice = exportColumns.amount(
      { zh: '清算价格', en: 'Liquidation price' },
      exportUnits.price,
      ({ totalDebt, liquidationPrice: price }) => (totalDebt === 0n ? null : price),
    );
    const status = exportColumns.named(
      { zh: '状态', en: 'Status' },
      { zh: '状态（代码）', en: 'Status (code)' },
      ({ status: code }) => code,
      (code) => pickLanguage(statusNames[code], wording.locale),
    );
    return {
      where: await positionHandlers.where(context, filter),
      order: [positionHandlers.sorts[sort], table.id],
      ascending: direction === 'asc',
      columns: exportColumns.arrange(id, owner, chainId, collateral, debt, icr, liquidationPrice, status, createdAt),
    };
  },
});
