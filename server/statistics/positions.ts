import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { noDebtRatio } from '../../api/crsm/values.ts';
import type { PositionStatFilter } from '../../api/statistics/contract.ts';
import { addressStarts } from '../platform/evm/address.ts';
import type { Services } from '../platform/core/context.ts';
import type { troves } from '../crsm/tables.ts';
import type { positions } from './tables.ts';
import { followerOf } from '../crsm/shared/watch.ts';
import type { Call } from '../platform/records/crud.ts';
import { inAskedOrder, listRows, type ListInput } from '../platform/records/list.ts';
import { barsOf, powersOfTen, rangeOf, seriesOf, totalsOf, within, type Range, type SeriesInput } from './charts.ts';

// Vaults are the troves that are open; positions are those and the closed ones. The rest of both screens is the same.

type Table = typeof troves | typeof positions;

interface Positions<T extends Table, Filter, Row> {
  table: T;
  /** Which rows there are at all, and what the screen's own filters leave of them. */
  only: (filter: Partial<Filter>) => SQL | undefined;
  present: (services: Services, stored: T['$inferSelect']) => Row;
}

/** What both screens answer, but for their tops and exports: `on.vaults.list.handler(answers.list)`. */
export function positionAnswers<T extends Table, Filter extends PositionFilter, Row extends { id: string }>({
  table,
  only,
  present,
}: Positions<T, Filter, Row>) {
  const sorts = sortsOf(table);
  const from = sql`${table}`;
  const matches = (services: Services, filter: Filter) => and(only(filter), matchesPosition(services, table, filter));
  const cells = (services: Services, filter: Filter) => (range: Range) =>
    cellsOf(table, range, and(only(filter), isPosition(services, table, filter)));
  return {
    sorts,
    matches,
    cells,

    list: ({ input, context }: Call<ListInput<keyof typeof sorts> & { filter: Filter }>) =>
      listRows(context, input, {
        table,
        id: table.id,
        sorts,
        where: matches(context.services, input.filter),
        present: (row) => present(context.services, row),
      }),

    many: async ({ input: { ids }, context }: Call<{ ids: readonly string[] }>) => {
      const rows = await context.db
        .select()
        .from(table as PgTable)
        .where(and(inArray(table.id, [...ids]), only({})));
      return inAskedOrder(
        ids,
        (rows as T['$inferSelect'][]).map((row) => present(context.services, row)),
      );
    },

    totals: ({ input: { filter }, context }: Call<{ filter: Filter }>) =>
      totalsOf(context, {
        sums: { collateral: table.collateral, debt: table.totalDebt },
        from,
        where: matches(context.services, filter),
      }),

    series: ({ input, context }: Call<SeriesInput & { filter: Filter }>) =>
      seriesOf(context, input, metrics, cells(context.services, input.filter)),

    bars: ({ input: { filter, of }, context }: Call<{ filter: Filter; of: keyof typeof edges }>) =>
      barsOf(context, { edges: edges[of], of: barOf(table, of), from, where: matches(context.services, filter) }),

    follower: async ({ context }: Pick<Call<never>, 'context'>) => {
      const { state, at } = await followerOf(context.services);
      return { state, asOf: at };
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

const unit = 10n ** 18n;
const percent = (value: bigint) => (value * unit) / 100n;

/** Where bars begin and end: ratios as people speak of them, amounts at powers of ten. */
const edges = {
  icr: [110n, 120n, 130n, 150n, 175n, 200n, 250n, 300n, 500n].map(percent),
  collateral: powersOfTen(unit / 100n, 1_000n * unit),
  debt: powersOfTen(100n * unit, 10_000_000n * unit),
};

const barOf = (table: Table, of: keyof typeof edges): SQL =>
  of === 'icr'
    ? sql`nullif(${table.icr}, ${noDebtRatio.toString()}::numeric)`
    : of === 'collateral'
      ? sql`${table.collateral}`
      : sql`${table.totalDebt}`;

/** What both rows have; the chain is the one that is configured. */
export const presentPosition = (services: Services, row: typeof troves.$inferSelect | typeof positions.$inferSelect) => ({
  id: row.id,
  chainId: chainOf(services) ?? 0,
  collateral: row.collateral.toString(),
  debt: row.totalDebt.toString(),
  icr: row.icr === noDebtRatio ? null : row.icr.toString(),
  createdAt: row.openedAt.toISOString(),
});

const chainOf = ({ config }: Services): number | null => config.evm?.chainId ?? null;

export type PositionFilter = Omit<PositionStatFilter, 'status'>;

const matchesPosition = (services: Services, table: Table, filter: PositionFilter): SQL | undefined =>
  and(within(table.openedAt, rangeOf(filter)), isPosition(services, table, filter));

const isPosition = (services: Services, table: Table, { chainId, address }: PositionFilter): SQL | undefined =>
  and(
    chainId === undefined || chainId === chainOf(services) ? undefined : sql`false`,
    // A whole ID is a number, and no address begins like one.
    address !== undefined && /^\d{1,78}$/.test(address.trim())
      ? sql`${table.troveId} = ${address.trim()}::numeric`
      : addressStarts(table.owner, address),
  );

/** By the day they were opened. */
const cellsOf = (table: Table, range: Range, where: SQL | undefined): SQL =>
  sql`select ${table.openedAt} as t, ${table.owner} as owner, ${'status' in table ? table.status : sql`'open'`} as status, 1::bigint as "opened",
    ${table.collateral} as "collateral", ${table.totalDebt} as "debt" from ${table} where ${within(table.openedAt, range)} and ${where ?? sql`true`}`;

/** What both exports have in common. */
export const positionHead = {
  id: { zh: '仓位ID', en: 'Position ID' },
  chainId: { zh: '链ID', en: 'Chain ID' },
  owner: { zh: '地址', en: 'Address' },
  collateral: { zh: 'BTC抵押量（wei）', en: 'BTC collateral (wei)' },
  debt: { zh: 'YU债务（wei）', en: 'YU debt (wei)' },
  icr: { zh: '抵押率ICR（1e18 = 100%）', en: 'ICR (1e18 = 100 %)' },
  liquidationPrice: { zh: '清算价格（1e18）', en: 'Liquidation price (1e18)' },
  status: { zh: '状态', en: 'Status' },
  createdAt: { zh: '创建时间', en: 'Created' },
};
