import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type pg from 'pg';
import { exportInput } from '../../api/base.ts';
import { visitFilters } from '../../api/statistics/filters.ts';
import { formatRegionName } from '../../api/statistics/region-name.ts';
import type { RowCount } from '../platform/db/count.ts';
import type { Queries, StatisticsDatabase } from '../platform/db/db.ts';
import type { RequestContext, Services } from '../platform/services/context.ts';
import { visitFilter, visitMetrics, visitSorts, type VisitFilter, type VisitRow } from '../../api/statistics/contract.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import { buildConditions, createFilter, createSearchCondition, type FilterConditions } from '../platform/records/filter.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders, exportUnits, type ExportWording } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { sortByRequestedIds, listRows } from '../platform/records/list.ts';
import { withUnavailable } from './availability.ts';
import {
  withReadTime,
  timeRangeOfFilter,
  readSeries,
  toTimestamptz,
  readTopValues,
  isWithinRange,
  type GroupKey,
  type CellSource,
  type TimeRange,
} from './charts.ts';
import { countCells, countVisitRows, readOldestMonth, readCellValues } from './distributed.ts';
import { streamDays } from './export-days.ts';
import { parseRowTime, toUuidRanges } from './ingest.ts';
import { dayOf, readSlots } from './slots.ts';
import { visits as table } from './tables.ts';

export const visits = {
  list: guardedApi.visits.list.handler(({ input, context }) =>
    withUnavailable(context, async () => {
      const where = await filter.where(context, input.filter);
      const from = statisticsDatabaseOf(context);
      const count = (await from.isDistributed()) ? () => countDistributed(context, input.filter, where) : undefined;
      return listRows(context, input, { table, id: table.id, sorts: sortColumns, where, present: presentVisit, from, count });
    }),
  ),

  values: guardedApi.visits.values.handler((call) =>
    withUnavailable(call.context, async () => {
      const from = statisticsDatabaseOf(call.context);
      const filterValues = (await from.isDistributed()) ? await readDistributedValues(call) : await filter.values(call);
      // No values may be an outage, which is an error here.
      if (from.isSeparate && filterValues.values.length === 0) await from.pool.query('select 1');
      return filterValues;
    }),
  ),

  many: guardedApi.visits.many.handler(({ input, context }) =>
    withUnavailable(context, async () => {
      // The id contains the time, which identifies the partition.
      const ids = toUuidRanges(input.ids).filter((id) => parseRowTime(id).getUTCFullYear() < 9999);
      if (ids.length === 0) return [];
      const rowTimes = ids.map((id) => parseRowTime(id));
      const from = statisticsDatabaseOf(context);
      const slots = from.isSeparate ? inArray(table.slot, await readSlots(from, rowTimes.map(dayOf))) : undefined;
      const rows = await from.db
        .select()
        .from(table)
        .where(and(slots, inArray(table.at, rowTimes), inArray(table.id, ids)));
      return sortByRequestedIds(input.ids, rows.map(presentVisit));
    }),
  ),

  totals: guardedApi.visits.totals.handler(({ input: { filter: filterInput }, context }) =>
    readFigures(context, async (db) => {
      const { rows } = await db.execute<{ rows: string; btc: string; yu: string }>(sql`
      select coalesce(sum(c.visits), 0)::text as rows, coalesce(sum(c."btcDeposited"), 0)::text as btc, coalesce(sum(c."yuMinted"), 0)::text as yu
      from (${visitCells(context, filterInput, 'day')(timeRangeOfFilter(filterInput))}) c`);
      const { rows: rowCount = '0', btc = '0', yu = '0' } = rows[0] ?? {};
      return { rows: rowCount, sums: { btcDeposited: btc, yuMinted: yu } };
    }),
  ),

  series: guardedApi.visits.series.handler(({ input, context }) =>
    withUnavailable(context, () => {
      const cells: GroupKey = (range, zone) => {
        const cellGrain = chooseGrain(zone, range, context.services.now());
        return visitCells(context, input.filter, input.unit === 'hour' && cellGrain === 'day' ? 'hour' : cellGrain, true)(range);
      };
      return readSeries(context, input, visitMetrics, cells, cellSourceOf(context));
    }),
  ),

  top: guardedApi.visits.top.handler(({ input: { filter: filterInput, by, metric, limit }, context }) =>
    withUnavailable(context, () =>
      readTopValues(context, {
        limit,
        key: keys[by],
        metric,
        cells: visitCells(context, filterInput, 'day')(timeRangeOfFilter(filterInput)),
        of: cellSourceOf(context)?.of,
      }),
    ),
  ),

  bars: guardedApi.visits.bars.handler(({ input: { filter: filterInput, zone }, context }) =>
    readFigures(context, async (db) => {
      const range = timeRangeOfFilter(filterInput);
      const cellGrain = chooseGrain(zone, range, context.services.now()) === 'raw' ? 'raw' : 'hour';
      const { rows } = await db.execute<{ hour: number; rows: string }>(sql`
      select extract(hour from c.t at time zone ${zone}::text)::int as hour, sum(c.visits)::text as rows
      from (${visitCells(context, filterInput, cellGrain)(range)}) c group by 1`);
      const countsByHour = new Map(rows.map(({ hour, rows: count }) => [hour, count]));
      const bars = Array.from({ length: 24 }, (_, hour) => ({
        from: String(hour),
        to: String(hour + 1),
        rows: countsByHour.get(hour) ?? '0',
      }));
      return { bars };
    }),
  ),

  export: guardedApi.visits.export.handler(({ input, context }) =>
    withUnavailable(context, () => visitsExportRoutes.start(context, input)),
  ),
};

const statisticsDatabaseOf = ({ services }: RequestContext): StatisticsDatabase => services.database.statistics;

function cellSourceOf(context: RequestContext): CellSource | undefined {
  const statisticsDatabase = statisticsDatabaseOf(context);
  return statisticsDatabase.isSeparate ? { of: statisticsDatabase, slot: 'slot' } : undefined;
}

const readFigures = <T extends object>(context: RequestContext, read: (from: Queries) => Promise<T>) =>
  withUnavailable(context, () => withReadTime(context, read, cellSourceOf(context)?.of));

const sortColumns = { at: table.at };

const presentVisit = (row: typeof table.$inferSelect): VisitRow => ({
  id: row.id,
  at: row.at.toISOString(),
  page: row.page,
  country: row.country,
  chainId: row.chainId,
  btcDeposited: row.btcDeposited.toString(),
  yuMinted: row.yuMinted.toString(),
  address: row.address,
  vaultId: row.vaultId,
});

const filterConditions: FilterConditions<typeof visitFilters> = {
  address: createSearchCondition((text) => addressPrefixCondition(table.address, text)),
  country: table.country,
  time: table.at,
  chainId: table.chainId,
  page: table.page,
  vaultId: table.vaultId,
};
const filter = createFilter({ table, fields: visitFilters, filterConditions, from: statisticsDatabaseOf });

type CellGrain = 'day' | 'hour' | 'raw';

const keys = {
  country: sql`nullif(c.country, '')`,
  page: sql`c.page`,
  chain: sql`nullif(c.chain_id, 0)::text`,
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Coarsest usable roll-up: days for UTC, hours, or none for zones with half hours. */
function chooseGrain(zone: string, { from, to }: TimeRange, now: number): CellGrain {
  // Limits open ranges: 20 years back, and not beyond now.
  const firstTime = Math.max(from?.getTime() ?? 0, now - 20 * 365 * dayMs);
  const lastTime = Math.min(to?.getTime() ?? now, now + 365 * dayMs);
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const zoneOffsets = new Set<string>();
  // Samples fortnightly, because clock changes last longer.
  for (let sampleTime = firstTime; sampleTime < lastTime + 14 * dayMs && zoneOffsets.size < 10; sampleTime += 14 * dayMs) {
    zoneOffsets.add(
      format.formatToParts(Math.min(sampleTime, lastTime)).find(({ type }) => type === 'timeZoneName')?.value ?? '',
    );
  }
  const hasWholeHourOffsets = [...zoneOffsets].every((offset) => /^GMT([+-]\d\d:00)?$/.test(offset));
  if (!hasWholeHourOffsets) return 'raw';
  return [...zoneOffsets].every((offset) => /^GMT([+-]00:00)?$/.test(offset)) ? 'day' : 'hour';
}

/**
 * Whole days and hours from roll-ups and pending deltas, cut hours from visits. Filters on address or vault always read visits.
 */
const visitCells =
  (context: RequestContext, requestedFilter: VisitFilter, grain: CellGrain, isSeries = false) =>
  ({ from, to }: TimeRange): SQL => {
    const { time: _, ...rest } = requestedFilter;
    const rawCells = (range: TimeRange) => rawCellsSql(buildConditions(visitFilters, filterConditions, rest, context), range);
    if (grain === 'raw' || rest.address?.trim() || rest.vaultId !== undefined) return rawCells({ from, to });
    const rolledCells = (name: 'visit_deltas' | 'visit_hours' | 'visit_days', range: TimeRange) =>
      rolledUpSql(context, name, rest, range);
    const hourRange = { from: from && roundUp(from, hourMs), to: to && roundDown(to, hourMs) };
    if (hourRange.from && hourRange.to && hourRange.from >= hourRange.to) return rawCells({ from, to });
    // A series without filters needs only hourly sums.
    const isUnfiltered = isSeries && Object.values(rest).every((value) => value === undefined || value === '');
    const cellParts = [rolledCells('visit_deltas', hourRange)];
    const days = { from: hourRange.from && roundUp(hourRange.from, dayMs), to: hourRange.to && roundDown(hourRange.to, dayMs) };
    if (isUnfiltered) cellParts.push(summedHoursSql(hourRange));
    else if (grain === 'hour' || (days.from && days.to && days.from >= days.to))
      cellParts.push(rolledCells('visit_hours', hourRange));
    else {
      cellParts.push(rolledCells('visit_days', days));
      if (hourRange.from && days.from && hourRange.from < days.from)
        cellParts.push(rolledCells('visit_hours', { from: hourRange.from, to: days.from }));
      if (hourRange.to && days.to && days.to < hourRange.to)
        cellParts.push(rolledCells('visit_hours', { from: days.to, to: hourRange.to }));
    }
    if (from && hourRange.from && from < hourRange.from) cellParts.push(rawCells({ from, to: hourRange.from }));
    if (to && hourRange.to && hourRange.to < to) cellParts.push(rawCells({ from: hourRange.to, to }));
    return sql.join(cellParts, sql` union all `);
  };

const rawCellsSql = (condition: SQL | undefined, range: TimeRange): SQL =>
  sql`select ${table.slot} as slot, ${table.at} as t, ${table.page} as page, coalesce(${table.country}, '') as country, coalesce(${table.chainId}, 0) as chain_id,
    1::bigint as visits, ${table.btcDeposited}::numeric as "btcDeposited", ${table.yuMinted} as "yuMinted"
    from ${table} where ${isWithinRange(table.at, range)}${condition ? sql` and ${condition}` : sql``}`;

const rolledConditions = {
  country: { of: sql`r.country`, none: '' },
  chainId: { of: sql`r.chain_id`, none: '0' },
  page: { of: sql`r.page` },
} as const;

function rolledUpSql(
  context: RequestContext,
  name: 'visit_deltas' | 'visit_hours' | 'visit_days',
  requestedFilter: Omit<VisitFilter, 'time'>,
  { from, to }: TimeRange,
): SQL {
  const time = sql.identifier(name === 'visit_days' ? 'day' : 'hour');
  const conditions = [
    from ? sql`r.${time} >= ${toTimestamptz(from)}` : undefined,
    to ? sql`r.${time} < ${toTimestamptz(to)}` : undefined,
    buildConditions(visitFilters, rolledConditions, requestedFilter, context),
  ];
  return sql`select r.slot, r.${time} as t, r.page, r.country, r.chain_id, r.visits, r.btc_deposited as "btcDeposited", r.yu_minted as "yuMinted"
    from ${sql.identifier(name)} r where ${and(sql`true`, ...conditions)}`;
}

const summedHoursSql = ({ from, to }: TimeRange): SQL =>
  sql`select r.slot, r.hour as t, '' as page, '' as country, 0 as chain_id, r.visits, r.btc_deposited as "btcDeposited", r.yu_minted as "yuMinted"
    from visit_hour_sums r where ${and(sql`true`, from ? sql`r.hour >= ${toTimestamptz(from)}` : undefined, to ? sql`r.hour < ${toTimestamptz(to)}` : undefined)}`;

const roundUp = (time: Date, ms: number) => new Date(Math.ceil(time.getTime() / ms) * ms);
const roundDown = (time: Date, ms: number) => new Date(Math.floor(time.getTime() / ms) * ms);

const maxValues = 200;

/** From roll-ups, if they know the filter. Detached months are in roll-ups, but not in the list. */
async function countDistributed(
  context: RequestContext,
  requestedFilter: VisitFilter,
  where: SQL | undefined,
): Promise<RowCount> {
  const statistics = statisticsDatabaseOf(context);
  const cells = await attachedCells(context, requestedFilter);
  return cells ? countCells(statistics, cells) : countVisitRows(statistics, where);
}

async function attachedCells(context: RequestContext, requestedFilter: VisitFilter): Promise<SQL | null> {
  if (requestedFilter.address?.trim() || requestedFilter.vaultId !== undefined) return null;
  const oldest = await readOldestMonth(statisticsDatabaseOf(context));
  const { from, to } = timeRangeOfFilter(requestedFilter);
  return visitCells(context, requestedFilter, 'day')({ from: oldest && (!from || from < oldest) ? oldest : from, to });
}

async function readDistributedValues(call: Parameters<typeof filter.values>[0]): ReturnType<typeof filter.values> {
  const { field, filter: filterInput, part } = call.input;
  const key = { country: keys.country, page: keys.page, chainId: keys.chain, vaultId: null, address: null, time: null }[field];
  const { [field]: _, ...others } = filterInput;
  const cells = key ? await attachedCells(call.context, others) : null;
  if (!key || !cells) return filter.values(call);
  const values = await readCellValues(statisticsDatabaseOf(call.context), { key, cells, part: part?.trim(), limit: maxValues });
  return { values };
}

function exportColumns(wording: ExportWording) {
  const { text, exactText, count, named, amount, time, arrange } = createColumnBuilders<typeof table.$inferSelect>(wording);
  return arrange(
    text({ zh: '页面位置', en: 'Page location' }, ({ page }) => page),
    time({ zh: '日期', en: 'Date' }, ({ at }) => at),
    named(
      { zh: 'IP 国家/地区', en: 'IP country' },
      { zh: '国家/地区代码', en: 'Country code' },
      ({ country }) => country,
      (code) => formatRegionName(code, wording.locale),
    ),
    count({ zh: '链 ID', en: 'Chain ID' }, ({ chainId }) => chainId),
    amount({ zh: 'BTC 存入量', en: 'BTC deposited' }, exportUnits.satoshi, ({ btcDeposited }) => btcDeposited),
    amount({ zh: 'YU 铸造量', en: 'YU minted' }, exportUnits.yuWei, ({ yuMinted }) => yuMinted),
    text({ zh: '创建地址', en: 'Created address' }, ({ address }) => address),
    text({ zh: '金库 ID', en: 'Vault ID' }, ({ vaultId }) => vaultId),
    exactText({ zh: 'ID', en: 'ID' }, ({ id }) => id),
  );
}

const createDayPages = ({ database }: Services, rowsWanted: { where: SQL | undefined; ascending: boolean }) => ({
  ...rowsWanted,
  order: [table.at, table.id],
  pages: (client: pg.Client, batch: number) => streamDays(client, database.statistics, rowsWanted, batch),
});

const visitsExportRoutes = createExportHandler({
  name: 'visits',
  path: '/api/statistics/dataView/export/:id',
  permission: 'visits.export',
  menu: '/statistics/dataView',
  table,
  from: ({ database }) => database.statistics,
  input: exportInput(visitSorts, visitFilter),
  plan: async (context, { direction, filter: filterInput, ...wording }) => ({
    ...createDayPages(context.services, { where: await filter.where(context, filterInput), ascending: direction === 'asc' }),
    columns: exportColumns(wording),
  }),
});
