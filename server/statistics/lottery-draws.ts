import { inArray, sql, type SQL } from 'drizzle-orm';
import { exportInput } from '../../api/base.ts';
import { drawFilters } from '../../api/statistics/filters.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { drawColumns, drawFilter, drawSorts, type DrawFilter, type DrawRow } from '../../api/statistics/contract.ts';
import { addressStarts } from '../platform/evm/address.ts';
import { conditionsFrom, createFilter, searchCondition, type FilterConditions } from '../platform/records/filter.ts';
import { exportOf } from '../platform/exports/source.ts';
import { exportColumnsFor } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { inRequestedOrder, listRows } from '../platform/records/list.ts';
import { barsOf, powersOfTen, timeRange, seriesOf, topValues, totalsOf, isWithin, type TimeRange } from './charts.ts';
import { uuidsOf } from './ingest.ts';
import { draws as table } from './tables.ts';

export const draws = {
  list: guardedApi.draws.list.handler(async ({ input, context }) =>
    listRows(context, input, { table, id: table.id, sorts, where: await filters.where(context, input.filter), present }),
  ),

  values: guardedApi.draws.values.handler((call) => filters.values(call)),

  many: guardedApi.draws.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(inArray(table.id, uuidsOf(input.ids)));
    return inRequestedOrder(input.ids, rows.map(present));
  }),

  totals: guardedApi.draws.totals.handler(async ({ input: { filter: filterInput }, context }) =>
    totalsOf(context, {
      sums: { members: table.members, captainBerries: table.captainBerries, totalBerries: table.totalBerries },
      from,
      where: await filters.where(context, filterInput),
    }),
  ),

  series: guardedApi.draws.series.handler(({ input, context }) =>
    seriesOf(context, input, ['draws', 'captainBerries', 'totalBerries'], (range) => cellsOf(context, input.filter, range)),
  ),

  top: guardedApi.draws.top.handler(async ({ input: { filter: filterInput, metric, limit }, context }) =>
    topValues(context, { limit, key: sql`c.captain`, metric, cells: cellsOf(context, filterInput, timeRange(filterInput)) }),
  ),

  bars: guardedApi.draws.bars.handler(async ({ input: { filter: filterInput, of }, context }) =>
    barsOf(context, { edges: edges[of], of: table[of], from, where: await filters.where(context, filterInput) }),
  ),

  export: guardedApi.draws.export.handler(({ input, context }) => exported.start(context, input)),
};

const from = sql`${table}`;
const sorts = {
  time: table.time,
  totalBerries: table.totalBerries,
  captainBerries: table.captainBerries,
  members: table.members,
};
const edges = { members: [1n, 2n, 5n, 10n, 20n, 50n, 100n], totalBerries: powersOfTen(100n, 10_000_000n) };

const present = (row: typeof table.$inferSelect): DrawRow => ({
  id: row.id,
  time: row.time.toISOString(),
  captain: row.captain,
  members: row.members,
  captainBerries: row.captainBerries.toString(),
  totalBerries: row.totalBerries.toString(),
  importId: row.importId,
});

const filterConditions: FilterConditions<typeof drawFilters> = {
  address: searchCondition((text) => addressStarts(table.captain, text)),
  time: table.time,
  members: table.members,
  captainBerries: table.captainBerries,
  totalBerries: table.totalBerries,
};
const filters = createFilter({ table, fields: drawFilters, filterConditions });

function isOf(context: RequestContext, filter: DrawFilter): SQL {
  const { time: _, ...rest } = filter;
  return conditionsFrom(drawFilters, filterConditions, rest, context) ?? sql`true`;
}

const cellsOf = (context: RequestContext, filter: DrawFilter, range: TimeRange): SQL =>
  sql`select ${table.time} as t, ${table.captain} as captain, 1::bigint as "draws", ${table.captainBerries} as "captainBerries",
    ${table.totalBerries} as "totalBerries" from ${table} where ${isWithin(table.time, range)} and ${isOf(context, filter)}`;

const exported = exportOf({
  name: 'draws',
  path: '/api/statistics/data0penBox/export/:id',
  permission: 'draws.export',
  menu: '/statistics/data0penBox',
  table,
  input: exportInput(drawSorts, drawFilter),
  plan: async (context, { sort, direction, filter: filterInput, ...wording }) => {
    const { text, count, time, arrange } = exportColumnsFor<typeof table.$inferSelect>(wording);
    return {
      where: await filters.where(context, filterInput),
      order: [sorts[sort], table.id],
      ascending: direction === 'asc',
      columns: arrange(
        time(drawColumns.time, ({ time: drawnAt }) => drawnAt),
        text(drawColumns.captain, ({ captain }) => captain),
        count(drawColumns.members, ({ members }) => members),
        count(drawColumns.captainBerries, ({ captainBerries }) => captainBerries),
        count(drawColumns.totalBerries, ({ totalBerries }) => totalBerries),
      ),
    };
  },
});
