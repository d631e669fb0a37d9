import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { exportInput } from '../../api/base.ts';
import { wad } from '../../api/money.ts';
import { teamColumns, teamFilter, teamSorts, type TeamFilter, type TeamRow } from '../../api/statistics/contract.ts';
import { addressStarts } from '../platform/evm/address.ts';
import { exportOf, inLocale } from '../platform/records/export.ts';
import { on } from '../platform/http/router.ts';
import { inAskedOrder, listRows } from '../platform/records/list.ts';
import { barsOf, powersOfTen, rangeOf, seriesOf, topOf, totalsOf, within, type Range } from './charts.ts';
import { uuidsOf } from './ingest.ts';
import { teams as table } from './tables.ts';

export const teams = {
  list: on.teams.list.handler(({ input, context }) =>
    listRows(context, input, { table, id: table.id, sorts, where: matches(input.filter), present }),
  ),

  many: on.teams.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(and(inArray(table.id, uuidsOf(input.ids)), table.current));
    return inAskedOrder(input.ids, rows.map(present));
  }),

  totals: on.teams.totals.handler(({ input: { filter }, context }) =>
    totalsOf(context, { sums: { yuMinted: table.yuMinted, size: table.size }, from, where: matches(filter) }),
  ),

  series: on.teams.series.handler(({ input, context }) =>
    seriesOf(context, input, ['teams', 'yuMinted', 'size'], (range) => cellsOf(input.filter, range)),
  ),

  top: on.teams.top.handler(({ input: { filter, metric, limit }, context }) =>
    topOf(context, { limit, key: sql`c.captain`, metric, cells: cellsOf(filter, rangeOf(filter)) }),
  ),

  bars: on.teams.bars.handler(({ input: { filter, of }, context }) =>
    barsOf(context, { edges: edges[of], of: table[of], from, where: matches(filter) }),
  ),

  export: on.teams.export.handler(({ input, context }) => exported.start(context, input)),
};

const from = sql`${table}`;
const sorts = { yuMinted: table.yuMinted, size: table.size, updatedAt: table.updatedAt };
const edges = { size: [2n, 5n, 10n, 20n, 50n, 100n, 200n, 500n], yuMinted: powersOfTen(100n * wad, 10_000_000n * wad) };

const present = (row: typeof table.$inferSelect): TeamRow => ({
  id: row.id,
  captain: row.captain,
  yuMinted: row.yuMinted.toString(),
  size: row.size,
  updatedAt: row.updatedAt.toISOString(),
  importId: row.importId,
});

const matches = (filter: TeamFilter): SQL | undefined => and(within(table.updatedAt, rangeOf(filter)), isOf(filter));
const isOf = ({ address }: TeamFilter): SQL => and(eq(table.current, true), addressStarts(table.captain, address)) ?? sql`true`;

const cellsOf = (filter: TeamFilter, range: Range): SQL =>
  sql`select ${table.updatedAt} as t, ${table.captain} as captain, 1::bigint as "teams", ${table.yuMinted} as "yuMinted", ${table.size} as "size"
    from ${table} where ${within(table.updatedAt, range)} and ${isOf(filter)}`;

const exported = exportOf({
  name: 'teams',
  path: '/api/statistics/datacaptain/export/:id',
  permission: 'teams.export',
  table,
  asked: exportInput(teamSorts, teamFilter),
  plan: (_, { sort, direction, filter, locale }) => ({
    where: matches(filter),
    order: [sorts[sort], table.id],
    ascending: direction === 'asc',
    head: [...Object.values(teamColumns), { zh: '更新时间', en: 'Updated' }].map((name) => inLocale(name, locale)),
    line: (row) => [row.captain, row.yuMinted, row.size, row.updatedAt.toISOString()],
  }),
});
export const teamsExportRoute = exported.route;
