import { inArray, sql, type SQL } from 'drizzle-orm';
import { exportInput } from '../../api/base.ts';
import { walletConnectionFilters } from '../../api/statistics/filters.ts';
import { formatRegionName } from '../../api/statistics/region-name.ts';
import type { RequestContext } from '../platform/services/context.ts';
import {
  walletConnectionFilter,
  walletConnectionMetrics,
  walletConnectionSorts,
  type WalletConnectionFilter,
  type WalletConnectionRow,
} from '../../api/statistics/contract.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import { buildConditions, createFilter, createSearchCondition, type FilterConditions } from '../platform/records/filter.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { sortByRequestedIds, listRows } from '../platform/records/list.ts';
import { readBars, timeRangeOfFilter, readSeries, readTopValues, readTotals, isWithinRange, type TimeRange } from './charts.ts';
import { toUuidRanges } from './ingest.ts';
import { walletConnections as table } from './tables.ts';

export const walletConnections = {
  list: guardedApi.walletConnections.list.handler(async ({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.id,
      sorts: sortColumns,
      where: await filters.where(context, input.filter),
      present: presentConnection,
    }),
  ),

  values: guardedApi.walletConnections.values.handler((call) => filters.values(call)),

  many: guardedApi.walletConnections.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(inArray(table.id, toUuidRanges(input.ids)));
    return sortByRequestedIds(input.ids, rows.map(presentConnection));
  }),

  totals: guardedApi.walletConnections.totals.handler(async ({ input: { filter: filterInput }, context }) =>
    readTotals(context, { sums: { times: table.times }, from, where: await filters.where(context, filterInput) }),
  ),

  series: guardedApi.walletConnections.series.handler(({ input, context }) =>
    readSeries(context, input, walletConnectionMetrics, (range) => connectionCells(context, input.filter, range)),
  ),

  top: guardedApi.walletConnections.top.handler(async ({ input: { filter: filterInput, by, metric, limit }, context }) =>
    readTopValues(context, {
      limit,
      key: keys[by],
      metric,
      cells: connectionCells(context, filterInput, timeRangeOfFilter(filterInput)),
    }),
  ),

  bars: guardedApi.walletConnections.bars.handler(async ({ input: { filter: filterInput }, context }) =>
    readBars(context, {
      edges: [2n, 3n, 5n, 10n, 20n, 50n, 100n],
      of: table.times,
      from,
      where: await filters.where(context, filterInput),
    }),
  ),

  export: guardedApi.walletConnections.export.handler(({ input, context }) => connectionsExportRoutes.start(context, input)),
};

const from = sql`${table}`;
const sortColumns = { lastAt: table.lastAt, firstAt: table.firstAt, times: table.times };
const keys = { country: sql`c.country`, wallet: sql`c.wallet`, chain: sql`nullif(c.chain_id, 0)::text` };

const presentConnection = (row: typeof table.$inferSelect): WalletConnectionRow => ({
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
  address: createSearchCondition((text) => addressPrefixCondition(table.address, text)),
  country: table.country,
  time: table.lastAt,
  chainId: { of: table.chainId, none: '0' },
  wallet: table.wallet,
  times: table.times,
};
const filters = createFilter({ table, fields: walletConnectionFilters, filterConditions });

function matchesFilter(context: RequestContext, filter: WalletConnectionFilter): SQL {
  const { time: _, ...rest } = filter;
  return buildConditions(walletConnectionFilters, filterConditions, rest, context) ?? sql`true`;
}

/** Two cells per row: the last and the first connection. */
function connectionCells(context: RequestContext, filter: WalletConnectionFilter, range: TimeRange): SQL {
  const filterCondition = matchesFilter(context, filter);
  const halfOfRange = (column: typeof table.lastAt | typeof table.firstAt, isLast: boolean) =>
    sql`select ${column} as t, ${table.country} as country, ${table.wallet} as wallet, ${table.chainId} as chain_id,
      ${sql.raw(isLast ? '1' : '0')}::bigint as "wallets", ${sql.raw(isLast ? '0' : '1')}::bigint as "new" from ${table} where ${isWithinRange(column, range)} and ${filterCondition}`;
  return sql`${halfOfRange(table.lastAt, true)} union all ${halfOfRange(table.firstAt, false)}`;
}

const connectionsExportRoutes = createExportHandler({
  name: 'wallet-connections',
  path: '/api/statistics/dataWallet/export/:id',
  permission: 'walletConnections.export',
  menu: '/statistics/dataWallet',
  table,
  input: exportInput(walletConnectionSorts, walletConnectionFilter),
  plan: async (context, { sort, direction, filter: filterInput, ...wording }) => {
    const { text, count, named, time, arrange } = createColumnBuilders<typeof table.$inferSelect>(wording);
    return {
      where: await filters.where(context, filterInput),
      order: [sortColumns[sort], table.id],
      ascending: direction === 'asc',
      columns: arrange(
        text({ zh: '地址', en: 'Address' }, ({ address }) => address),
        text({ zh: '钱包', en: 'Wallet' }, ({ wallet }) => wallet),
        count({ zh: '链 ID', en: 'Chain ID' }, ({ chainId }) => chainId || null),
        named(
          { zh: 'IP 国家/地区', en: 'IP country' },
          { zh: '国家/地区代码', en: 'Country code' },
          ({ country }) => country,
          (code) => formatRegionName(code, wording.locale),
        ),
        time({ zh: '首次连接', en: 'First connected' }, ({ firstAt }) => firstAt),
        time({ zh: '最近连接', en: 'Last connected' }, ({ lastAt }) => lastAt),
        count({ zh: '连接次数', en: 'Connections' }, ({ times }) => times),
      ),
    };
  },
});
