import { sql } from 'drizzle-orm';
import { positionStatFilters } from '../../api/statistics/filters.ts';
import { exportInput } from '../../api/base.ts';
import { positionStatFilter, positionStatSorts, type PositionStatRow } from '../../api/statistics/contract.ts';
import type { Services } from '../platform/services/context.ts';
import { exportOf } from '../platform/exports/source.ts';
import { exportColumnsFor, exportUnits, inLanguage } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { timeRange, topValues } from './charts.ts';
import { positionAnswers, positionExportColumns, presentPositionStat } from './positions.ts';
import { positions as table } from './tables.ts';

const present = (services: Services, row: typeof table.$inferSelect): PositionStatRow => ({
  ...presentPositionStat(services, row),
  positionId: row.troveId.toString(),
  address: row.owner,
  liquidationPrice: row.totalDebt === 0n ? null : row.liquidationPrice.toString(),
  status: row.status,
});

const answers = positionAnswers({ table, fields: positionStatFilters, own: { status: table.status }, only: undefined, present });

export const positionStats = {
  list: guardedApi.positionStats.list.handler(answers.list),
  values: guardedApi.positionStats.values.handler(answers.values),
  many: guardedApi.positionStats.many.handler(answers.many),
  totals: guardedApi.positionStats.totals.handler(answers.totals),
  series: guardedApi.positionStats.series.handler(answers.series),
  top: guardedApi.positionStats.top.handler(({ input: { filter, by, metric, limit }, context }) => {
    const cells = answers.cells(context, filter)(timeRange(filter));
    return topValues(context, { limit, key: by === 'owner' ? sql`c.owner` : sql`c.status`, metric, cells });
  }),
  bars: guardedApi.positionStats.bars.handler(answers.bars),
  export: guardedApi.positionStats.export.handler(({ input, context }) => exported.start(context, input)),
  follower: guardedApi.positionStats.follower.handler(answers.follower),
};

const statuses = { open: { zh: '未关闭', en: 'Open' }, closed: { zh: '已关闭', en: 'Closed' } };

const exported = exportOf({
  name: 'positions',
  path: '/api/statistics/dataCdp/export/:id',
  permission: 'positionStats.export',
  menu: '/statistics/dataCdp',
  table,
  input: exportInput(positionStatSorts, positionStatFilter),
  plan: async (context, { sort, direction, filter, ...wording }) => {
    const columnsOf = exportColumnsFor<typeof table.$inferSelect>(wording);
    const { id, owner, chainId, collateral, debt, icr, createdAt } = positionExportColumns(context.services, columnsOf);
    const liquidationPrice = columnsOf.amount(
      { zh: '清算价格', en: 'Liquidation price' },
      exportUnits.price,
      ({ totalDebt, liquidationPrice: price }) => (totalDebt === 0n ? null : price),
    );
    const status = columnsOf.named(
      { zh: '状态', en: 'Status' },
      { zh: '状态（代码）', en: 'Status (code)' },
      ({ status: code }) => code,
      (code) => inLanguage(statuses[code], wording.locale),
    );
    return {
      where: await answers.where(context, filter),
      order: [answers.sorts[sort], table.id],
      ascending: direction === 'asc',
      columns: columnsOf.arrange(id, owner, chainId, collateral, debt, icr, liquidationPrice, status, createdAt),
    };
  },
});
