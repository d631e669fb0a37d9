import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { exportInput } from '../../api/base.ts';
import { teamFilters } from '../../api/statistics/filters.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { weiPerToken } from '../../api/money.ts';
import { teamColumns, teamFilter, teamSorts, type TeamFilter, type TeamRow } from '../../api/statistics/contract.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import { buildConditions, createFilter, createSearchCondition, type FilterConditions } from '../platform/records/filter.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders, exportUnits } from '../platform/exports/columns.ts';
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
import { teams as table } from './tables.ts';

export const teams = {
  list: guardedApi.teams.list.handler(async ({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.id,
      sorts: sortColumns,
      where: await filters.where(context, input.filter),
      present: presentTeam,
    }),
  ),

  values: guardedApi.teams.values.handler((call) => filters.values(call)),

  many: guardedApi.teams.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(and(inArray(table.id, toUuidRanges(input.ids)), table.current));
    return sortByRequestedIds(input.ids, rows.map(presentTeam));
  }),

  totals: guardedApi.teams.totals.handler(async ({ input: { filter: filterInput }, context }) =>
    readTotals(context, {
      sums: { yuMinted: table.yuMinted, size: table.size },
      from,
      where: await filters.where(context, filterInput),
    }),
  ),

  series: guardedApi.teams.series.handler(({ input, context }) =>
    readSeries(context, input, ['teams', 'yuMinted', 'size'], (range) => teamCells(context, input.filter, range)),
  ),

  top: guardedApi.teams.top.handler(async ({ input: { filter: filterInput, metric, limit }, context }) =>
    readTopValues(context, {
      limit,
      key: sql`c.captain`,
      metric,
      cells: teamCells(context, filterInput, timeRangeOfFilter(filterInput)),
    }),
  ),

  bars: guardedApi.teams.bars.handler(async ({ input: { filter: filterInput, of }, context }) =>
    readBars(context, { edges: barEdges[of], of: table[of], from, where: await filters.where(context, filterInput) }),
  ),

  export: guardedApi.teams.export.handler(({ input, context }) => teamsExportRoutes.start(context, input)),
};

const from = sql`${table}`;
const sortColumns = { yuMinted: table.yuMinted, size: table.size, updatedAt: table.updatedAt };
const barEdges = {
  size: [2n, 5n, 10n, 20n, 50n, 100n, 200n, 500n],
  yuMinted: powersOfTen(100n * weiPerToken, 10_000_000n * weiPerToken),
};

const presentTeam = (row: typeof table.$inferSelect): TeamRow => ({
  id: row.id,
  captain: row.captain,
  yuMinted: row.yuMinted.toString(),
  size: row.size,
  updatedAt: row.updatedAt.toISOString(),
  importId: row.importId,
});

const isCurrent = eq(table.current, true);
const filterConditions: FilterConditions<typeof teamFilters> = {
  address: createSearchCondition((text) => addressPrefixCondition(table.captain, text)),
  time: table.updatedAt,
  yuMinted: table.yuMinted,
  size: table.size,
};
const filters = createFilter({ table, fields: teamFilters, filterConditions, only: isCurrent });

function matchesFilter(context: RequestContext, filter: TeamFilter): SQL {
  const { time: _, ...rest } = filter;
  return and(isCurrent, buildConditions(teamFilters, filterConditions, rest, context)) ?? sql`true`;
}

const teamCells = (context: RequestContext, filter: TeamFilter, range: TimeRange): SQL =>
  sql`select ${table.updatedAt} as t, ${table.captain} as captain, 1::bigint as "teams", ${table.yuMinted} as "yuMinted", ${table.size} as "size"
    from ${table} where ${isWithinRange(table.updatedAt, range)} and ${matchesFilter(context, filter)}`;

const teamsExportRoutes = createExportHandler({
  name: 'teams',
  path: '/api/statistics/datacaptain/export/:id',
  permission: 'teams.export',
  menu: '/statistics/datacaptain',
  table,
  input: exportInput(teamSorts, teamFilter),
  plan: async (context, { sort, direction, filter: filterInput, ...wording }) => {
    const { text, count, amount, time, arrange } = createColumnBuilders<typeof table.$inferSelect>(wording);
    return {
      where: await filters.where(context, filterInput),
      order: [sortColumns[sort], table.id],
      ascending: direction === 'asc',
      columns: arrange(
        text(teamColumns.captain, ({ captain }) => captain),
        amount({ zh: '团队 YU 总铸造量', en: 'Team total YU minted' }, exportUnits.yuWei, ({ yuMinted }) => yuMinted),
        count(teamColumns.size, ({ size }) => size),
        time({ zh: '更新时间', en: 'Updated' }, ({ updatedAt }) => updatedAt),
      ),
    };
  },
});
