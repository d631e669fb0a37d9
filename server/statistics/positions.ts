import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { noDebtRatio } from '../../api/crsm/values.ts';
import { weiPerToken } from '../../api/money.ts';
import type { FilterOf } from '../../api/filter.ts';
import type { vaultFilters } from '../../api/statistics/filters.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import type { RequestContext, Services } from '../platform/services/context.ts';
import {
  buildConditions,
  combineValues,
  createFilter,
  createSearchCondition,
  type FilterConditions,
} from '../platform/records/filter.ts';
import type { troves } from '../crsm/tables.ts';
import type { positions } from './tables.ts';
import { readFollower } from '../crsm/shared/watch.ts';
import type { CrudCall } from '../platform/records/crud.ts';
import { exportUnits, type createColumnBuilders } from '../platform/exports/columns.ts';
import { sortByRequestedIds, listRows, type ListInput } from '../platform/records/list.ts';
import { readBars, powersOfTen, readSeries, readTotals, isWithinRange, type TimeRange, type SeriesInput } from './charts.ts';

// Vaults are open troves, positions also include closed ones.

type PositionTable = typeof troves | typeof positions;

interface PositionListOptions<T extends PositionTable, F extends typeof vaultFilters, Row> {
  table: T;
  fields: F;
  own: Omit<FilterConditions<F>, keyof typeof vaultFilters>;
  only: SQL | undefined;
  present: (services: Services, record: T['$inferSelect']) => Row;
}

export function createPositionHandlers<T extends PositionTable, const F extends typeof vaultFilters, Row extends { id: string }>({
  table,
  fields,
  own,
  only,
  present,
}: PositionListOptions<T, F, Row>) {
  type Filter = FilterOf<F>;
  const sortColumns = sortColumnsOf(table);
  const from = sql`${table}`;
  const filterConditions = { ...filterConditionsOf(table), ...own } as FilterConditions<F>;
  const { where, values } = createFilter({ table, fields, filterConditions, only, few: { of: ['address'], in: table } });
  const cells = (context: RequestContext, filter: Filter) => {
    const { time: _, ...otherFilters } = filter;
    const restCondition = and(only, buildConditions(fields, filterConditions, otherFilters as Filter, context));
    return (range: TimeRange) => positionCells(table, range, restCondition);
  };
  return {
    sorts: sortColumns,
    where,
    values,
    cells,

    list: async ({ input, context }: CrudCall<ListInput<keyof typeof sortColumns> & { filter: Filter }>) =>
      listRows(context, input, {
        table,
        id: table.id,
        sorts: sortColumns,
        where: await where(context, input.filter),
        present: (row) => present(context.services, row),
      }),

    many: async ({ input: { ids }, context }: CrudCall<{ ids: readonly string[] }>) => {
      const rows = await context.db
        .select()
        .from(table as PgTable)
        .where(and(inArray(table.id, [...ids]), only));
      return sortByRequestedIds(
        ids,
        (rows as T['$inferSelect'][]).map((row) => present(context.services, row)),
      );
    },

    totals: async ({ input: { filter }, context }: CrudCall<{ filter: Filter }>) =>
      readTotals(context, {
        sums: { collateral: table.collateral, debt: table.totalDebt },
        from,
        where: await where(context, filter),
      }),

    series: ({ input, context }: CrudCall<SeriesInput & { filter: Filter }>) =>
      readSeries(context, input, metrics, cells(context, input.filter)),

    bars: async ({ input: { filter, of }, context }: CrudCall<{ filter: Filter; of: keyof typeof barEdges }>) =>
      readBars(context, { edges: barEdges[of], of: barColumnOf(table, of), from, where: await where(context, filter) }),

    follower: async ({ context }: Pick<CrudCall<never>, 'context'>) => {
      const { state, at } = await readFollower(context.services);
      return { state: state === 'noPrice' ? ('unreachable' as const) : state, asOf: at };
    },
  };
}

const sortColumnsOf = <T extends PositionTable>(table: T) => ({
  createdAt: table.openedAt,
  collateral: table.collateral,
  debt: table.totalDebt,
  icr: table.icr,
});

const metrics = ['opened', 'collateral', 'debt'] as const;

const toPercentWad = (value: bigint) => (value * weiPerToken) / 100n;

const barEdges = {
  icr: [110n, 120n, 130n, 150n, 175n, 200n, 250n, 300n, 500n].map(toPercentWad),
  collateral: powersOfTen(weiPerToken / 100n, 1_000n * weiPerToken),
  debt: powersOfTen(100n * weiPerToken, 10_000_000n * weiPerToken),
};

const barColumnOf = (table: PositionTable, measure: keyof typeof barEdges): SQL =>
  measure === 'icr'
    ? sql`nullif(${table.icr}, ${noDebtRatio.toString()}::numeric)`
    : measure === 'collateral'
      ? sql`${table.collateral}`
      : sql`${table.totalDebt}`;

export const presentPositionStat = (services: Services, row: typeof troves.$inferSelect | typeof positions.$inferSelect) => ({
  id: row.id,
  chainId: chainIdOf(services) ?? 0,
  collateral: row.collateral.toString(),
  debt: row.totalDebt.toString(),
  icr: row.icr === noDebtRatio ? null : row.icr.toString(),
  createdAt: row.openedAt.toISOString(),
});

const chainIdOf = ({ config }: Services): number | null => config.evm?.chainId ?? null;

const filterConditionsOf = (table: PositionTable): FilterConditions<typeof vaultFilters> => ({
  // A whole ID is numeric, unlike the prefix of an address.
  address: createSearchCondition((text) =>
    /^\d{1,78}$/.test(text) ? sql`${table.troveId} = ${text}::numeric` : addressPrefixCondition(table.owner, text),
  ),
  time: table.openedAt,
  chainId: {
    known: ({ services }) => [`${chainIdOf(services) ?? 0}`],
    where: (requestedTexts, { services }) =>
      combineValues(requestedTexts, (chain) => (chain === `${chainIdOf(services) ?? 0}` ? sql`true` : sql`false`)),
  },
  collateral: table.collateral,
  debt: table.totalDebt,
  icr: table.icr,
});

const positionCells = (table: PositionTable, range: TimeRange, where: SQL | undefined): SQL =>
  sql`select ${table.openedAt} as t, ${table.owner} as owner, ${'status' in table ? table.status : sql`'open'`} as status, 1::bigint as "opened",
    ${table.collateral} as "collateral", ${table.totalDebt} as "debt" from ${table} where ${isWithinRange(table.openedAt, range)} and ${where ?? sql`true`}`;

const idName = { zh: '仓位 ID', en: 'Position ID' };
const chainIdName = { zh: '链 ID', en: 'Chain ID' };

export const createPositionExportColumns = <Row extends typeof troves.$inferSelect | typeof positions.$inferSelect>(
  services: Services,
  { text, count, amount, time }: ReturnType<typeof createColumnBuilders<Row>>,
) => ({
  id: text(idName, ({ troveId }) => troveId.toString()),
  chainId: count(chainIdName, () => chainIdOf(services)),
  owner: text({ zh: '地址', en: 'Address' }, ({ owner }) => owner),
  collateral: amount({ zh: '抵押品', en: 'Collateral' }, exportUnits.btcWei, ({ collateral }) => collateral),
  debt: amount({ zh: '债务', en: 'Debt' }, exportUnits.yuWei, ({ totalDebt }) => totalDebt),
  icr: amount({ zh: '抵押率', en: 'ICR' }, exportUnits.ratio, ({ icr }) => (icr === noDebtRatio ? null : icr)),
  createdAt: time({ zh: '创建时间', en: 'Created' }, ({ openedAt }) => openedAt),
});
