import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type pg from 'pg';
import { exportInput } from '../../api/base.ts';
import { visitFilters } from '../../api/statistics/filters.ts';
import { placeName } from '../../api/statistics/place-name.ts';
import type { RowCount } from '../platform/db/count.ts';
import type { Queries, StatisticsDatabase } from '../platform/db/db.ts';
import type { RequestContext, Services } from '../platform/services/context.ts';
import { visitFilter, visitMetrics, visitSorts, type VisitFilter, type VisitRow } from '../../api/statistics/contract.ts';
import { addressStarts } from '../platform/evm/address.ts';
import { conditionsFrom, createFilter, searchCondition, type FilterConditions } from '../platform/records/filter.ts';
import { exportOf } from '../platform/exports/source.ts';
import { exportColumnsFor, exportUnits, type ExportWording } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { inRequestedOrder, listRows } from '../platform/records/list.ts';
import { orUnavailable } from './availability.ts';
import {
  withReadTime,
  timeRange,
  seriesOf,
  timestamptzOf,
  topValues,
  isWithin,
  type GroupKey,
  type CellSource,
  type TimeRange,
} from './charts.ts';
import { countCells, countVisits, oldestVisits, valuesOfCells } from './distributed.ts';
import { streamDays } from './export-days.ts';
import { timeOfRow, uuidsOf } from './ingest.ts';
import { dayOf, slotsOf } from './slots.ts';
import { visits as table } from './tables.ts';

export const visits = {
  list: guardedApi.visits.list.handler(({ input, context }) =>
    orUnavailable(context, async () => {
      const where = await filter.where(context, input.filter);
      const from = statisticsOf(context);
      const count = (await from.isDistributed()) ? () => countDistributed(context, input.filter, where) : undefined;
      return listRows(context, input, { table, id: table.id, sorts, where, present, from, count });
    }),
  ),

  values: guardedApi.visits.values.handler((call) =>
    orUnavailable(call.context, async () => {
      const from = statisticsOf(call.context);
      const found = (await from.isDistributed()) ? await valuesDistributed(call) : await filter.values(call);
      // No values may be an outage, which is an error here.
      if (from.isSeparate && found.values.length === 0) await from.pool.query('select 1');
      return found;
    }),
  ),

  many: guardedApi.visits.many.handler(({ input, context }) =>
    orUnavailable(context, async () => {
      // The id contains the time, which identifies the partition.
      const ids = uuidsOf(input.ids).filter((id) => timeOfRow(id).getUTCFullYear() < 9999);
      if (ids.length === 0) return [];
      const times = ids.map((id) => timeOfRow(id));
      const from = statisticsOf(context);
      const slots = from.isSeparate ? inArray(table.slot, await slotsOf(from, times.map(dayOf))) : undefined;
      const rows = await from.db
        .select()
        .from(table)
        .where(and(slots, inArray(table.at, times), inArray(table.id, ids)));
      return inRequestedOrder(input.ids, rows.map(present));
    }),
  ),

  totals: guardedApi.visits.totals.handler(({ input: { filter: filterInput }, context }) =>
    figures(context, async (db) => {
      const { rows } = await db.execute<{ rows: string; btc: string; yu: string }>(sql`
      select coalesce(sum(c.visits), 0)::text as rows, coalesce(sum(c."btcDeposited"), 0)::text as btc, coalesce(sum(c."yuMinted"), 0)::text as yu
      from (${cellsOf(context, filterInput, 'day')(timeRange(filterInput))}) c`);
      const { rows: found = '0', btc = '0', yu = '0' } = rows[0] ?? {};
      return { rows: found, sums: { btcDeposited: btc, yuMinted: yu } };
    }),
  ),

  series: guardedApi.visits.series.handler(({ input, context }) =>
    orUnavailable(context, () => {
      const cells: GroupKey = (range, zone) => {
        const grain = grainOf(zone, range, context.services.now());
        return cellsOf(context, input.filter, input.unit === 'hour' && grain === 'day' ? 'hour' : grain, true)(range);
      };
      return seriesOf(context, input, visitMetrics, cells, sourceOf(context));
    }),
  ),

  top: guardedApi.visits.top.handler(({ input: { filter: filterInput, by, metric, limit }, context }) =>
    orUnavailable(context, () =>
      topValues(context, {
        limit,
        key: keys[by],
        metric,
        cells: cellsOf(context, filterInput, 'day')(timeRange(filterInput)),
        of: sourceOf(context)?.of,
      }),
    ),
  ),

  bars: guardedApi.visits.bars.handler(({ input: { filter: filterInput, zone }, context }) =>
    figures(context, async (db) => {
      const range = timeRange(filterInput);
      const grain = grainOf(zone, range, context.services.now()) === 'raw' ? 'raw' : 'hour';
      const { rows } = await db.execute<{ hour: number; rows: string }>(sql`
      select extract(hour from c.t at time zone ${zone}::text)::int as hour, sum(c.visits)::text as rows
      from (${cellsOf(context, filterInput, grain)(range)}) c group by 1`);
      const found = new Map(rows.map(({ hour, rows: count }) => [hour, count]));
      const bars = Array.from({ length: 24 }, (_, hour) => ({
        from: String(hour),
        to: String(hour + 1),
        rows: found.get(hour) ?? '0',
      }));
      return { bars };
    }),
  ),

  export: guardedApi.visits.export.handler(({ input, context }) => orUnavailable(context, () => exported.start(context, input))),
};

const statisticsOf = ({ services }: RequestContext): StatisticsDatabase => services.database.statistics;

function sourceOf(context: RequestContext): CellSource | undefined {
  const of = statisticsOf(context);
  return of.isSeparate ? { of, slot: 'slot' } : undefined;
}

const figures = <T extends object>(context: RequestContext, read: (from: Queries) => Promise<T>) =>
  orUnavailable(context, () => withReadTime(context, read, sourceOf(context)?.of));

const sorts = { at: table.at };

const present = (row: typeof table.$inferSelect): VisitRow => ({
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
  address: searchCondition((text) => addressStarts(table.address, text)),
  country: table.country,
  time: table.at,
  chainId: table.chainId,
  page: table.page,
  vaultId: table.vaultId,
};
const filter = createFilter({ table, fields: visitFilters, filterConditions, from: statisticsOf });

type Grain = 'day' | 'hour' | 'raw';

const keys = {
  country: sql`nullif(c.country, '')`,
  page: sql`c.page`,
  chain: sql`nullif(c.chain_id, 0)::text`,
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Coarsest usable roll-up: days for UTC, hours, or none for zones with half hours. */
function grainOf(zone: string, { from, to }: TimeRange, now: number): Grain {
  // Limits open ranges: 20 years back, and not beyond now.
  const first = Math.max(from?.getTime() ?? 0, now - 20 * 365 * dayMs);
  const last = Math.min(to?.getTime() ?? now, now + 365 * dayMs);
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsets = new Set<string>();
  // Samples fortnightly, because clock changes last longer.
  for (let at = first; at < last + 14 * dayMs && offsets.size < 10; at += 14 * dayMs) {
    offsets.add(format.formatToParts(Math.min(at, last)).find(({ type }) => type === 'timeZoneName')?.value ?? '');
  }
  const whole = [...offsets].every((offset) => /^GMT([+-]\d\d:00)?$/.test(offset));
  if (!whole) return 'raw';
  return [...offsets].every((offset) => /^GMT([+-]00:00)?$/.test(offset)) ? 'day' : 'hour';
}

/**
 * Whole days and hours from roll-ups and pending deltas, cut hours from visits. Filters on address or vault always read visits.
 */
const cellsOf =
  (context: RequestContext, requested: VisitFilter, grain: Grain, isSeries = false) =>
  ({ from, to }: TimeRange): SQL => {
    const { time: _, ...rest } = requested;
    const read = (range: TimeRange) => raw(conditionsFrom(visitFilters, filterConditions, rest, context), range);
    if (grain === 'raw' || rest.address?.trim() || rest.vaultId !== undefined) return read({ from, to });
    const rolled = (name: 'visit_deltas' | 'visit_hours' | 'visit_days', range: TimeRange) =>
      rolledUp(context, name, rest, range);
    const hours = { from: from && up(from, hourMs), to: to && down(to, hourMs) };
    if (hours.from && hours.to && hours.from >= hours.to) return read({ from, to });
    // A series without filters needs only hourly sums.
    const isWhole = isSeries && Object.values(rest).every((value) => value === undefined || value === '');
    const parts = [rolled('visit_deltas', hours)];
    const days = { from: hours.from && up(hours.from, dayMs), to: hours.to && down(hours.to, dayMs) };
    if (isWhole) parts.push(summed(hours));
    else if (grain === 'hour' || (days.from && days.to && days.from >= days.to)) parts.push(rolled('visit_hours', hours));
    else {
      parts.push(rolled('visit_days', days));
      if (hours.from && days.from && hours.from < days.from)
        parts.push(rolled('visit_hours', { from: hours.from, to: days.from }));
      if (hours.to && days.to && days.to < hours.to) parts.push(rolled('visit_hours', { from: days.to, to: hours.to }));
    }
    if (from && hours.from && from < hours.from) parts.push(read({ from, to: hours.from }));
    if (to && hours.to && hours.to < to) parts.push(read({ from: hours.to, to }));
    return sql.join(parts, sql` union all `);
  };

const raw = (of: SQL | undefined, range: TimeRange): SQL =>
  sql`select ${table.slot} as slot, ${table.at} as t, ${table.page} as page, coalesce(${table.country}, '') as country, coalesce(${table.chainId}, 0) as chain_id,
    1::bigint as visits, ${table.btcDeposited}::numeric as "btcDeposited", ${table.yuMinted} as "yuMinted"
    from ${table} where ${isWithin(table.at, range)}${of ? sql` and ${of}` : sql``}`;

const rolledMeanings = {
  country: { of: sql`r.country`, none: '' },
  chainId: { of: sql`r.chain_id`, none: '0' },
  page: { of: sql`r.page` },
} as const;

function rolledUp(
  context: RequestContext,
  name: 'visit_deltas' | 'visit_hours' | 'visit_days',
  requested: Omit<VisitFilter, 'time'>,
  { from, to }: TimeRange,
): SQL {
  const time = sql.identifier(name === 'visit_days' ? 'day' : 'hour');
  const conditions = [
    from ? sql`r.${time} >= ${timestamptzOf(from)}` : undefined,
    to ? sql`r.${time} < ${timestamptzOf(to)}` : undefined,
    conditionsFrom(visitFilters, rolledMeanings, requested, context),
  ];
  return sql`select r.slot, r.${time} as t, r.page, r.country, r.chain_id, r.visits, r.btc_deposited as "btcDeposited", r.yu_minted as "yuMinted"
    from ${sql.identifier(name)} r where ${and(sql`true`, ...conditions)}`;
}

const summed = ({ from, to }: TimeRange): SQL =>
  sql`select r.slot, r.hour as t, '' as page, '' as country, 0 as chain_id, r.visits, r.btc_deposited as "btcDeposited", r.yu_minted as "yuMinted"
    from visit_hour_sums r where ${and(sql`true`, from ? sql`r.hour >= ${timestamptzOf(from)}` : undefined, to ? sql`r.hour < ${timestamptzOf(to)}` : undefined)}`;

const up = (at: Date, ms: number) => new Date(Math.ceil(at.getTime() / ms) * ms);
const down = (at: Date, ms: number) => new Date(Math.floor(at.getTime() / ms) * ms);

const maxValues = 200;

/** From roll-ups, if they know the filter. Detached months are in roll-ups, but not in the list. */
async function countDistributed(context: RequestContext, requested: VisitFilter, where: SQL | undefined): Promise<RowCount> {
  const statistics = statisticsOf(context);
  const cells = await attachedCells(context, requested);
  return cells ? countCells(statistics, cells) : countVisits(statistics, where);
}

async function attachedCells(context: RequestContext, requested: VisitFilter): Promise<SQL | null> {
  if (requested.address?.trim() || requested.vaultId !== undefined) return null;
  const oldest = await oldestVisits(statisticsOf(context));
  const { from, to } = timeRange(requested);
  return cellsOf(context, requested, 'day')({ from: oldest && (!from || from < oldest) ? oldest : from, to });
}

async function valuesDistributed(call: Parameters<typeof filter.values>[0]): ReturnType<typeof filter.values> {
  const { field, filter: filterInput, part } = call.input;
  const key = { country: keys.country, page: keys.page, chainId: keys.chain, vaultId: null, address: null, time: null }[field];
  const { [field]: _, ...others } = filterInput;
  const cells = key ? await attachedCells(call.context, others) : null;
  if (!key || !cells) return filter.values(call);
  const values = await valuesOfCells(statisticsOf(call.context), { key, cells, part: part?.trim(), limit: maxValues });
  return { values };
}

function exportColumns(wording: ExportWording) {
  const { text, exactText, count, named, amount, time, arrange } = exportColumnsFor<typeof table.$inferSelect>(wording);
  return arrange(
    text({ zh: '页面位置', en: 'Page location' }, ({ page }) => page),
    time({ zh: '日期', en: 'Date' }, ({ at }) => at),
    named(
      { zh: 'IP 国家/地区', en: 'IP country' },
      { zh: '国家/地区代码', en: 'Country code' },
      ({ country }) => country,
      (code) => placeName(code, wording.locale),
    ),
    count({ zh: '链 ID', en: 'Chain ID' }, ({ chainId }) => chainId),
    amount({ zh: 'BTC 存入量', en: 'BTC deposited' }, exportUnits.satoshi, ({ btcDeposited }) => btcDeposited),
    amount({ zh: 'YU 铸造量', en: 'YU minted' }, exportUnits.yuWei, ({ yuMinted }) => yuMinted),
    text({ zh: '创建地址', en: 'Created address' }, ({ address }) => address),
    text({ zh: '金库 ID', en: 'Vault ID' }, ({ vaultId }) => vaultId),
    exactText({ zh: 'ID', en: 'ID' }, ({ id }) => id),
  );
}

const pagedByDay = ({ database }: Services, wanted: { where: SQL | undefined; ascending: boolean }) => ({
  ...wanted,
  order: [table.at, table.id],
  pages: (client: pg.Client, batch: number) => streamDays(client, database.statistics, wanted, batch),
});

const exported = exportOf({
  name: 'visits',
  path: '/api/statistics/dataView/export/:id',
  permission: 'visits.export',
  menu: '/statistics/dataView',
  table,
  from: ({ database }) => database.statistics,
  input: exportInput(visitSorts, visitFilter),
  plan: async (context, { direction, filter: filterInput, ...wording }) => ({
    ...pagedByDay(context.services, { where: await filter.where(context, filterInput), ascending: direction === 'asc' }),
    columns: exportColumns(wording),
  }),
});
