import { inArray, sql, type SQL } from 'drizzle-orm';
import { exportInput } from '../../api/base.ts';
import { drawFilters } from '../../api/statistics/filters.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { drawColumns, drawFilter, drawSorts, type DrawFilter, type DrawRow } from '../../api/statistics/contract.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import { buildConditions, createFilter, createSearchCondition, type FilterConditions } from '../platform/records/filter.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { sortByRequestedIds, listRows } from '../platform/records/list.ts';
import {
  readBars,
  powersOfTen,
  timeRangeOfFilter,
  readSeries,
  readTopValues,
  readTotals,
  isWithinRange,
  type TimeRange,
} from './charts.ts';
import { toUuidRanges } from './ingest.ts';
import { draws as table } from './tables.ts';

export const draws = {
  list: guardedApi.draws.list.handler(async ({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.id,
      sorts: sortColumns,
      where: await filters.where(context, input.filter),
      present: presentDraw,
    }),
  ),

  values: guardedApi.draws.values.handler((call) => filters.values(call)),

  many: guardedApi.draws.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(inArray(table.id, toUuidRanges(input.ids)));
    return sortByRequestedIds(input.ids, rows.map(presentDraw));
  }),

  totals: guardedApi.draws.totals.handler(async ({ input: { filter: filterInput }, context }) =>
    readTotals(context, {
      sums: { members: table.members, captainBerries: table.captainBerries, totalBerries: table.totalBerries },
      from,
      where: await filters.where(context, filterInput),
    }),
  ),

  series: guardedApi.draws.series.handler(({ input, context }) =>
    readSeries(context, input, ['draws', 'captainBerries', 'totalBerries'], (range) => drawCells(context, input.filter, range)),
  ),

  top: guardedApi.draws.top.handler(async ({ input: { filter: filterInput, metric, limit }, context }) =>
    readTopValues(context, {
      limit,
      key: sql`c.captain`,
      metric,
      cells: drawCells(context, filterInput, timeRangeOfFilter(filterInput)),
    }),
  ),

  bars: guardedApi.draws.bars.handler(async ({ input: { filter: filterInput, of }, context }) =>
    readBars(context, { edges: barEdges[of], of: table[of], from, where: await filters.where(context, filterInput) }),
  ),

  export: guardedApi.draws.export.handler(({ input, context }) => drawsExportRoutes.start(context, input)),
};

const from = sql`${table}`;
const sortColumns = {
  time: table.time,
  totalBerries: table.totalBerries,
  captainBerries: table.captainBerries,
  members: table.members,
};
const barEdges = { members: [1n, 2n, 5n, 10n, 20n, 50n, 100n], totalBerries: powersOfTen(100n, 10_000_000n) };

const presentDraw = (row: typeof table.$inferSelect): DrawRow => ({
  id: row.id,
  time: row.time.toISOString(),
  captain: row.captain,
  members: row.members,
  captainBerries: row.captainBerries.toString(),
  totalBerries: row.totalBerries.toString(),
  importId: row.importId,
});

const filterConditions: FilterConditions<typeof drawFilters> = {
  address: createSearchCondition((text) => addressPrefixCondition(table.captain, text)),
  time: table.time,
  members: table.members,
  captainBerries: table.captainBerries,
  totalBerries: table.totalBerries,
};
const filters = createFilter({ table, fields: drawFilters, filterConditions });

function matchesFilter(context: RequestContext, filter: DrawFilter): SQL {
  const { time: _, ...rest } = filter;
  return buildConditions(drawFilters, filterConditions, rest, context) ?? sql`true`;
}

const drawCells = (context: RequestContext, filter: DrawFilter, range: TimeRange): SQL =>
  sql`select ${table.time} as t, ${table.captain} as captain, 1::bigint as "draws", ${table.captainBerries} as "captainBerries",
    ${table.totalBerries} as "totalBerries" from ${table} where ${isWithinRange(table.time, range)} and ${matchesFilter(context, filter)}`;

const drawsExportRoutes = createExportHandler({
  name: 'draws',
  path: '/api/statistics/data0penBox/export/:id',
  permission: 'draws.export',
  menu: '/statistics/data0penBox',
  table,
  input: exportInput(drawSorts, drawFilter),
  plan: async (context, { sort, direction, filter: filterInput, ...wording }) => {
    const { text, count, time, arrange } = createColumnBuilders<typeof table.$inferSelect>(wording);
    return {
      where: await filters.where(context, filterInput),
      order: [sortColumns[sort], table.id],
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
