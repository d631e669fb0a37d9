import { sql } from 'drizzle-orm';
import { positionStatFilters } from '../../api/statistics/filters.ts';
import { exportInput } from '../../api/base.ts';
import { positionStatFilter, positionStatSorts, type PositionStatRow } from '../../api/statistics/contract.ts';
import type { Services } from '../platform/services/context.ts';
import { exportOf, localizedColumns } from '../platform/records/export.ts';
import { guardedApi } from '../platform/http/router.ts';
import { timeRange, topValues } from './charts.ts';
import { positionAnswers, positionHead, presentPositionStat } from './positions.ts';
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
  table,
  input: exportInput(positionStatSorts, positionStatFilter),
  plan: async (context, { sort, direction, filter, locale }) => {
    const { id, chainId, owner, collateral, debt, icr, liquidationPrice, status, createdAt } = positionHead;
    return {
      where: await answers.where(context, filter),
      order: [answers.sorts[sort], table.id],
      ascending: direction === 'asc',
      head: [id, owner, chainId, collateral, debt, icr, liquidationPrice, status, createdAt].map((name) =>
        localizedColumns(name, locale),
      ),
      line: (row) => {
        const shown = present(context.services, row);
        return [
          shown.positionId,
          shown.address,
          shown.chainId,
          row.collateral,
          row.totalDebt,
          shown.icr,
          shown.liquidationPrice,
          localizedColumns(statuses[row.status], locale),
          shown.createdAt,
        ];
      },
    };
  },
});
export const positionStatsExportRoute = exported.route;
