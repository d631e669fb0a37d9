import { inArray, sql, type SQL } from 'drizzle-orm';
import { exportInput } from '../../api/base.ts';
import { walletConnectionFilters } from '../../api/statistics/filters.ts';
import { placeName } from '../../api/statistics/place-name.ts';
import type { RequestContext } from '../platform/services/context.ts';
import {
  walletConnectionFilter,
  walletConnectionMetrics,
  walletConnectionSorts,
  type WalletConnectionFilter,
  type WalletConnectionRow,
} from '../../api/statistics/contract.ts';
import { addressStarts } from '../platform/evm/address.ts';
import { conditionsFrom, createFilter, searchCondition, type FilterConditions } from '../platform/records/filter.ts';
import { exportOf } from '../platform/exports/source.ts';
import { exportColumnsFor } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { inRequestedOrder, listRows } from '../platform/records/list.ts';
import { barsOf, timeRange, seriesOf, topValues, totalsOf, isWithin, type TimeRange } from './charts.ts';
import { uuidsOf } from './ingest.ts';
import { walletConnections as table } from './tables.ts';

export const walletConnections = {
  list: guardedApi.walletConnections.list.handler(async ({ input, context }) =>
    listRows(context, input, { table, id: table.id, sorts, where: await filters.where(context, input.filter), present }),
  ),

  values: guardedApi.walletConnections.values.handler((call) => filters.values(call)),

  many: guardedApi.walletConnections.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(inArray(table.id, uuidsOf(input.ids)));
    return inRequestedOrder(input.ids, rows.map(present));
  }),

  totals: guardedApi.walletConnections.totals.handler(async ({ input: { filter: filterInput }, context }) =>
    totalsOf(context, { sums: { times: table.times }, from, where: await filters.where(context, filterInput) }),
  ),

  series: guardedApi.walletConnections.series.handler(({ input, context }) =>
    seriesOf(context, input, walletConnectionMetrics, (range) => cellsOf(context, input.filter, range)),
  ),

  top: guardedApi.walletConnections.top.handler(async ({ input: { filter: filterInput, by, metric, limit }, context }) =>
    topValues(context, { limit, key: keys[by], metric, cells: cellsOf(context, filterInput, timeRange(filterInput)) }),
  ),

  bars: guardedApi.walletConnections.bars.handler(async ({ input: { filter: filterInput }, context }) =>
    barsOf(context, {
      edges: [2n, 3n, 5n, 10n, 20n, 50n, 100n],
      of: table.times,
      from,
      where: await filters.where(context, filterInput),
    }),
  ),

  export: guardedApi.walletConnections.export.handler(({ input, context }) => exported.start(context, input)),
};

const from = sql`${table}`;
const sorts = { lastAt: table.lastAt, firstAt: table.firstAt, times: table.times };
const keys = { country: sql`c.country`, wallet: sql`c.wallet`, chain: sql`nullif(c.chain_id, 0)::text` };

const present = (row: typeof table.$inferSelect): WalletConnectionRow => ({
  id: row.id,
  address: row.address,
  wallet: row.wallet,
  chainId: row.chainId || null,
  country: row.country,
  firstAt: row.firstAt.toISOString(),
  lastAt: row.lastAt.toISOString(),
  times: row.times,
});

const filterConditions: FilterConditions<typeof walletConnectionFilters> = {
  address: searchCondition((text) => addressStarts(table.address, text)),
  country: table.country,
  time: table.lastAt,
  chainId: { of: table.chainId, none: '0' },
  wallet: table.wallet,
  times: table.times,
};
const filters = createFilter({ table, fields: walletConnectionFilters, filterConditions });

function isOf(context: RequestContext, filter: WalletConnectionFilter): SQL {
  const { time: _, ...rest } = filter;
  return conditionsFrom(walletConnectionFilters, filterConditions, rest, context) ?? sql`true`;
}

/** Two cells per row: the last and the first connection. */
function cellsOf(context: RequestContext, filter: WalletConnectionFilter, range: TimeRange): SQL {
  const of = isOf(context, filter);
  const half = (column: typeof table.lastAt | typeof table.firstAt, isLast: boolean) =>
    sql`select ${column} as t, ${table.country} as country, ${table.wallet} as wallet, ${table.chainId} as chain_id,
      ${sql.raw(isLast ? '1' : '0')}::bigint as "wallets", ${sql.raw(isLast ? '0' : '1')}::bigint as "new" from ${table} where ${isWithin(column, range)} and ${of}`;
  return sql`${half(table.lastAt, true)} union all ${half(table.firstAt, false)}`;
}

const exported = exportOf({
  name: 'wallet-connections',
  path: '/api/statistics/dataWallet/export/:id',
  permission: 'walletConnections.export',
  menu: '/statistics/dataWallet',
  table,
  input: exportInput(walletConnectionSorts, walletConnectionFilter),
  plan: async (context, { sort, direction, filter: filterInput, ...wording }) => {
    const { text, count, named, time, arrange } = exportColumnsFor<typeof table.$inferSelect>(wording);
    return {
      where: await filters.where(context, filterInput),
      order: [sorts[sort], table.id],
      ascending: direction === 'asc',
      columns: arrange(
        text({ zh: '地址', en: 'Address' }, ({ address }) => address),
        text({ zh: '钱包', en: 'Wallet' }, ({ wallet }) => wallet),
        count({ zh: '链 ID', en: 'Chain ID' }, ({ chainId }) => chainId || null),
        named(
          { zh: 'IP 国家/地区', en: 'IP country' },
          { zh: '国家/地区代码', en: 'Country code' },
          ({ country }) => country,
          (code) => placeName(code, wording.locale),
        ),
        time({ zh: '首次连接', en: 'First connected' }, ({ firstAt }) => firstAt),
        time({ zh: '最近连接', en: 'Last connected' }, ({ lastAt }) => lastAt),
        count({ zh: '连接次数', en: 'Connections' }, ({ times }) => times),
      ),
    };
  },
});
