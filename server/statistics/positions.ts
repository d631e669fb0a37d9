import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { noDebtRatio } from '../../api/crsm/values.ts';
import { weiPerToken } from '../../api/money.ts';
import type { FilterOf } from '../../api/filter.ts';
import type { vaultFilters } from '../../api/statistics/filters.ts';
import { addressStarts } from '../platform/evm/address.ts';
import type { RequestContext, Services } from '../platform/services/context.ts';
import {
  conditionsFrom,
  combineValues,
  createFilter,
  searchCondition,
  type FilterConditions,
} from '../platform/records/filter.ts';
import type { troves } from '../crsm/tables.ts';
import type { positions } from './tables.ts';
import { followerOf } from '../crsm/shared/watch.ts';
import type { CrudCall } from '../platform/records/crud.ts';
import { exportUnits, type exportColumnsFor } from '../platform/exports/columns.ts';
import { inRequestedOrder, listRows, type ListInput } from '../platform/records/list.ts';
import { barsOf, powersOfTen, seriesOf, totalsOf, isWithin, type TimeRange, type SeriesInput } from './charts.ts';

// Vaults are open troves, positions also include closed ones.

type Table = typeof troves | typeof positions;

interface Positions<T extends Table, F extends typeof vaultFilters, Row> {
  table: T;
  fields: F;
  own: Omit<FilterConditions<F>, keyof typeof vaultFilters>;
  only: SQL | undefined;
  present: (services: Services, stored: T['$inferSelect']) => Row;
}

export function positionAnswers<T extends Table, const F extends typeof vaultFilters, Row extends { id: string }>({
  table,
  fields,
  own,
  only,
  present,
}: Positions<T, F, Row>) {
  type Filter = FilterOf<F>;
  const sorts = sortsOf(table);
  const from = sql`${table}`;
  const filterConditions = { ...meaningsOf(table), ...own } as FilterConditions<F>;
  const { where, values } = createFilter({ table, fields, filterConditions, only, few: { of: ['address'], in: table } });
  const cells = (context: RequestContext, filter: Filter) => {
    const { time: _, ...others } = filter;
    const rest = and(only, conditionsFrom(fields, filterConditions, others as Filter, context));
    return (range: TimeRange) => cellsOf(table, range, rest);
  };
  return {
    sorts,
    where,
    values,
    cells,

    list: async ({ input, context }: CrudCall<ListInput<keyof typeof sorts> & { filter: Filter }>) =>
      listRows(context, input, {
        table,
        id: table.id,
        sorts,
        where: await where(context, input.filter),
        present: (row) => present(context.services, row),
      }),

    many: async ({ input: { ids }, context }: CrudCall<{ ids: readonly string[] }>) => {
      const rows = await context.db
        .select()
        .from(table as PgTable)
        .where(and(inArray(table.id, [...ids]), only));
      return inRequestedOrder(
        ids,
        (rows as T['$inferSelect'][]).map((row) => present(context.services, row)),
      );
    },

    totals: async ({ input: { filter }, context }: CrudCall<{ filter: Filter }>) =>
      totalsOf(context, {
        sums: { collateral: table.collateral, debt: table.totalDebt },
        from,
        where: await where(context, filter),
      }),

    series: ({ input, context }: CrudCall<SeriesInput & { filter: Filter }>) =>
      seriesOf(context, input, metrics, cells(context, input.filter)),

    bars: async ({ input: { filter, of }, context }: CrudCall<{ filter: Filter; of: keyof typeof edges }>) =>
      barsOf(context, { edges: edges[of], of: barOf(table, of), from, where: await where(context, filter) }),

    follower: async ({ context }: Pick<CrudCall<never>, 'context'>) => {
      const { state, at } = await followerOf(context.services);
      return { state: state === 'noPrice' ? ('unreachable' as const) : state, asOf: at };
    },
  };
}

const sortsOf = <T extends Table>(table: T) => ({
  createdAt: table.openedAt,
  collateral: table.collateral,
  debt: table.totalDebt,
  icr: table.icr,
});

const metrics = ['opened', 'collateral', 'debt'] as const;

const percent = (value: bigint) => (value * weiPerToken) / 100n;

const edges = {
  icr: [110n, 120n, 130n, 150n, 175n, 200n, 250n, 300n, 500n].map(percent),
  collateral: powersOfTen(weiPerToken / 100n, 1_000n * weiPerToken),
  debt: powersOfTen(100n * weiPerToken, 10_000_000n * weiPerToken),
};

const barOf = (table: Table, of: keyof typeof edges): SQL =>
  of === 'icr'
    ? sql`nullif(${table.icr}, ${noDebtRatio.toString()}::numeric)`
    : of === 'collateral'
      ? sql`${table.collateral}`
      : sql`${table.totalDebt}`;

export const presentPositionStat = (services: Services, row: typeof troves.$inferSelect | typeof positions.$inferSelect) => ({
  id: row.id,
  chainId: chainOf(services) ?? 0,
  collateral: row.collateral.toString(),
  debt: row.totalDebt.toString(),
  icr: row.icr === noDebtRatio ? null : row.icr.toString(),
  createdAt: row.openedAt.toISOString(),
});

const chainOf = ({ config }: Services): number | null => config.evm?.chainId ?? null;

const meaningsOf = (table: Table): FilterConditions<typeof vaultFilters> => ({
  // A whole ID is numeric, unlike the prefix of an address.
  address: searchCondition((text) =>
    /^\d{1,78}$/.test(text) ? sql`${table.troveId} = ${text}::numeric` : addressStarts(table.owner, text),
  ),
  time: table.openedAt,
  chainId: {
    known: ({ services }) => [`${chainOf(services) ?? 0}`],
    where: (requested, { services }) =>
      combineValues(requested, (chain) => (chain === `${chainOf(services) ?? 0}` ? sql`true` : sql`false`)),
  },
  collateral: table.collateral,
  debt: table.totalDebt,
  icr: table.icr,
});

const cellsOf = (table: Table, range: TimeRange, where: SQL | undefined): SQL =>
  sql`select ${table.openedAt} as t, ${table.owner} as owner, ${'status' in table ? table.status : sql`'open'`} as status, 1::bigint as "opened",
    ${table.collateral} as "collateral", ${table.totalDebt} as "debt" from ${table} where ${isWithin(table.openedAt, range)} and ${where ?? sql`true`}`;

const idName = { zh: '仓位 ID', en: 'Position ID' };
const chainIdName = { zh: '链 ID', en: 'Chain ID' };

export const positionExportColumns = <Row extends typeof troves.$inferSelect | typeof positions.$inferSelect>(
  services: Services,
  { text, count, amount, time }: ReturnType<typeof exportColumnsFor<Row>>,
) => ({
  id: text(idName, ({ troveId }) => troveId.toString()),
  chainId: count(chainIdName, () => chainOf(services)),
  owner: text({ zh: '地址', en: 'Address' }, ({ owner }) => owner),
  collateral: amount({ zh: '抵押品', en: 'Collateral' }, exportUnits.btcWei, ({ collateral }) => collateral),
  debt: amount({ zh: '债务', en: 'Debt' }, exportUnits.yuWei, ({ totalDebt }) => totalDebt),
  icr: amount({ zh: '抵押率', en: 'ICR' }, exportUnits.ratio, ({ icr }) => (icr === noDebtRatio ? null : icr)),
  createdAt: time({ zh: '创建时间', en: 'Created' }, ({ openedAt }) => openedAt),
});
