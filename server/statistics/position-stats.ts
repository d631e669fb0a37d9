import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { exportInput } from '../../api/base.ts';
import {
  positionStatFilter,
  positionStatSorts,
  type PositionStatFilter,
  type PositionStatRow,
} from '../../api/statistics/contract.ts';
import { followerOf } from '../crsm/shared/watch.ts';
import type { Services } from '../platform/core/context.ts';
import { exportOf, inLocale } from '../platform/records/export.ts';
import { on } from '../platform/http/router.ts';
import { inAskedOrder, listRows } from '../platform/records/list.ts';
import { barsOf, rangeOf, seriesOf, topOf, totalsOf } from './charts.ts';
import * as shared from './positions.ts';
import { positions as table } from './tables.ts';

export const positionStats = {
  list: on.positionStats.list.handler(({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.id,
      sorts,
      where: matches(context.services, input.filter),
      present: present(context.services),
    }),
  ),

  many: on.positionStats.many.handler(async ({ input, context }) => {
    const rows = await context.db.select().from(table).where(inArray(table.id, input.ids));
    return inAskedOrder(input.ids, rows.map(present(context.services)));
  }),

  totals: on.positionStats.totals.handler(({ input: { filter }, context }) =>
    totalsOf(context, {
      sums: { collateral: table.collateral, debt: table.totalDebt },
      from,
      where: matches(context.services, filter),
    }),
  ),

  series: on.positionStats.series.handler(({ input, context }) =>
    seriesOf(context, input, shared.positionMetrics, (range) =>
      shared.positionCells(table, range, isOf(context.services, input.filter)),
    ),
  ),

  top: on.positionStats.top.handler(({ input: { filter, by, metric, limit }, context }) => {
    const cells = shared.positionCells(table, rangeOf(filter), isOf(context.services, filter));
    return topOf(context, { limit, key: by === 'owner' ? sql`c.owner` : sql`c.status`, metric, cells });
  }),

  bars: on.positionStats.bars.handler(({ input: { filter, of }, context }) => {
    const where = matches(context.services, filter);
    return barsOf(context, { edges: shared.positionEdges[of], of: shared.barOf(table, of), from, where });
  }),

  export: on.positionStats.export.handler(({ input, context }) => exported.start(context, input)),

  follower: on.positionStats.follower.handler(async ({ context }) => {
    const { state, at } = await followerOf(context.services);
    return { state, asOf: at };
  }),
};

const from = sql`${table}`;
const sorts = shared.positionSortsOf(table);

const present =
  (services: Services) =>
  (row: typeof table.$inferSelect): PositionStatRow => ({
    ...shared.presentPosition(services, row),
    positionId: row.troveId.toString(),
    address: row.owner,
    liquidationPrice: row.totalDebt === 0n ? null : row.liquidationPrice.toString(),
    status: row.status,
  });

const hasStatus = ({ status }: PositionStatFilter) => (status ? eq(table.status, status) : undefined);
const isOf = (services: Services, filter: PositionStatFilter): SQL | undefined =>
  and(hasStatus(filter), shared.isPosition(services, table, filter));
const matches = (services: Services, filter: PositionStatFilter): SQL | undefined =>
  and(hasStatus(filter), shared.matchesPosition(services, table, filter));

const statuses = { open: { zh: '开启', en: 'Open' }, closed: { zh: '已关闭', en: 'Closed' } };

const exported = exportOf({
  name: 'positions',
  path: '/api/statistics/dataCdp/export/:id',
  permission: 'positionStats.export',
  table,
  asked: exportInput(positionStatSorts, positionStatFilter),
  plan: ({ services }, { sort, direction, filter, locale }) => {
    const { id, chainId, owner, collateral, debt, icr, liquidationPrice, status, createdAt } = shared.positionHead;
    return {
      where: matches(services, filter),
      order: [sorts[sort], table.id],
      ascending: direction === 'asc',
      head: [id, owner, chainId, collateral, debt, icr, liquidationPrice, status, createdAt].map((name) =>
        inLocale(name, locale),
      ),
      line: (row) => {
        const shown = present(services)(row);
        return [
          shown.positionId,
          shown.address,
          shown.chainId,
          row.collateral,
          row.totalDebt,
          shown.icr,
          shown.liquidationPrice,
          inLocale(statuses[row.status], locale),
          shown.createdAt,
        ];
      },
    };
  },
});
export const positionStatsExportRoute = exported.route;
