import { and, asc, gte, lt, sql, type SQL } from 'drizzle-orm';
import { parseTimeRange } from '../../api/condition.ts';
import { exportInput } from '../../api/base.ts';
import {
  overviewFilter,
  overviewMetrics,
  overviewSorts,
  type OverviewFilter,
  type OverviewRow,
} from '../../api/statistics/overview.ts';
import { maxPoints } from '../../api/statistics/contract.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { runAfterCurrent, type SingleFlight } from '../platform/core/single-flight.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders, exportUnits } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { listRows } from '../platform/records/list.ts';
import { readSnapshotFigures, type SnapshotFigures } from './snapshot.ts';
import { overviewDays as table } from './tables.ts';

const dayMs = 86_400_000;
const missingDaysWindow = 400;
const maxMissingDays = 31;

export const overview = {
  now: guardedApi.overview.now.handler(async ({ context }) => {
    const { services, db } = context;
    const { figures, chain } = await readCurrent(services);
    const today = new Date(services.now()).toISOString().slice(0, 10);
    const isDelayed = figures.chainState !== 'ok';
    return {
      bridgeBtc: figures.bridgeBtc.toString(),
      userCount: figures.userCount.toString(),
      mintYu: chain?.mintYu.toString() ?? null,
      vaultBtc: chain?.vaultBtc.toString() ?? null,
      at: new Date(services.now()).toISOString(),
      block: chain?.block.toString() ?? null,
      chainState: figures.chainState,
      chainAt: chain?.at.toISOString() ?? null,
      delayed: isDelayed ? (['mintYu', 'vaultBtc'] as const).slice() : [],
      dayBefore: await readNewest(db),
      weekBefore: await readDay(db, daysBefore(today, 7)),
      monthBefore: await readDay(db, daysBefore(today, 30)),
      missing: await readMissingDays(db, today),
    };
  }),

  list: guardedApi.overview.list.handler(({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.day,
      sorts: { day: table.day },
      where: isInFilter(input.filter),
      present: presentOverview,
    }),
  ),

  series: guardedApi.overview.series.handler(async ({ input: { filter, unit, compare }, context }) => {
    const seriesPoints = await readPoints(context.db, isInFilter(filter), unit);
    const { from, to } = parseTimeRange(filter.time);
    if (!compare || from === null) return { points: seriesPoints, before: null };
    const periodMs = (to?.getTime() ?? context.services.now()) - from.getTime();
    const start = new Date(Math.max(0, from.getTime() - Math.max(0, periodMs)));
    return { points: seriesPoints, before: await readPoints(context.db, isInDays(start, from), unit) };
  }),

  export: guardedApi.overview.export.handler(({ input, context }) => overviewExportRoutes.start(context, input)),
};

interface OverviewState extends SingleFlight<SnapshotFigures> {
  chain: SnapshotFigures['chain'];
}

const overviewStates = memoizePerServer((): OverviewState => ({ running: null, next: null, chain: null }));

/** Shares one reading among callers, and keeps the chain's last figures for outages. */
async function readCurrent(services: Services): Promise<{ figures: SnapshotFigures; chain: SnapshotFigures['chain'] }> {
  const currentOverview = overviewStates(services);
  const figures = await runAfterCurrent(currentOverview, () => readSnapshotFigures(services));
  currentOverview.chain = figures.chain ?? currentOverview.chain;
  return { figures, chain: currentOverview.chain };
}

async function readNewest(queries: Queries): Promise<OverviewRow | null> {
  const [row] = await queries
    .select()
    .from(table)
    .orderBy(sql`${table.day} desc`)
    .limit(1);
  return row ? presentOverview(row) : null;
}

async function readDay(queries: Queries, day: string): Promise<OverviewRow | null> {
  const [row] = await queries
    .select()
    .from(table)
    .where(sql`${table.day} = ${day}`);
  return row ? presentOverview(row) : null;
}

async function readMissingDays(queries: Queries, today: string): Promise<string[]> {
  const { rows } = await queries.execute<{ day: string }>(sql`
    select to_char(d, 'YYYY-MM-DD') as day from (select min(day) as first from overview_days having count(*) > 0) known,
      generate_series(greatest(first, ${today}::date - ${missingDaysWindow}::int), ${today}::date - 1, interval '1 day') as g (d)
    where not exists (select 1 from overview_days o where o.day = d::date) order by 1 desc limit ${maxMissingDays}`);
  return rows.map(({ day }) => day);
}

const daysBefore = (today: string, dayCount: number) => new Date(Date.parse(today) - dayCount * dayMs).toISOString().slice(0, 10);

const text = (value: bigint | null) => value?.toString() ?? null;

const presentOverview = (row: typeof table.$inferSelect): OverviewRow => ({
  id: row.day,
  day: row.day,
  bridgeBtc: text(row.bridgeBtc),
  mintYu: text(row.mintYu),
  userCount: text(row.userCount),
  vaultBtc: text(row.vaultBtc),
  at: row.at.toISOString(),
  block: text(row.block),
});

const isInFilter = ({ time }: OverviewFilter): SQL | undefined => {
  const { from, to } = parseTimeRange(time);
  return isInDays(from, to);
};

const isInDays = (from: Date | null, to: Date | null): SQL | undefined =>
  and(from ? gte(table.day, firstFullDay(from)) : undefined, to ? lt(table.day, firstFullDay(to)) : undefined);

/** The first day at or after this moment. Year 9999 has no next day. */
function firstFullDay(rowTime: Date): string {
  const midnight = new Date(Math.ceil(rowTime.getTime() / dayMs) * dayMs);
  return midnight.getUTCFullYear() > 9999 ? '9999-12-31' : midnight.toISOString().slice(0, 10);
}

async function readPoints(queries: Queries, where: SQL | undefined, unit: 'day' | 'week' | 'month') {
  const slot = sql`date_trunc(${sql.raw(`'${unit}'`)}, ${table.day}::timestamp)`;
  const rows = await queries
    .selectDistinctOn([slot], { slot: sql<string>`to_char(${slot}, 'YYYY-MM-DD')`, row: table })
    .from(table)
    .where(where)
    .orderBy(asc(slot), sql`${table.day} desc`)
    .limit(maxPoints + 1);
  if (rows.length > maxPoints) throw createFieldError('unit', 'tooLong');
  return rows.map(({ row }) => {
    const { at: lastDay, ...rest } = presentOverview(row);
    return {
      day: row.day,
      at: lastDay,
      values: Object.fromEntries(overviewMetrics.map((metric) => [metric, rest[metric]])) as Record<
        (typeof overviewMetrics)[number],
        string | null
      >,
    };
  });
}

const overviewExportRoutes = createExportHandler({
  name: 'overview',
  path: '/api/overview/export/:id',
  permission: 'overview.export',
  menu: '/overview',
  table,
  input: exportInput(overviewSorts, overviewFilter),
  plan: (_, { direction, filter, ...wording }) => {
    const { text, amount, count, time, arrange } = createColumnBuilders<typeof table.$inferSelect>(wording);
    return {
      where: isInFilter(filter),
      order: [table.day],
      ascending: direction === 'asc',
      columns: arrange(
        text({ zh: '日期（UTC）', en: 'Day (UTC)' }, ({ day }) => day),
        amount({ zh: '跨链量', en: 'Bridged' }, exportUnits.satoshi, ({ bridgeBtc }) => bridgeBtc),
        amount({ zh: '铸造量', en: 'Minted' }, exportUnits.yuWei, ({ mintYu }) => mintYu),
        count({ zh: '用户数', en: 'Users' }, ({ userCount }) => userCount),
        amount({ zh: '金库', en: 'In vaults' }, exportUnits.btcWei, ({ vaultBtc }) => vaultBtc),
        time({ zh: '采集时间', en: 'Snapshot taken' }, ({ at: takenAt }) => takenAt),
        count({ zh: '区块高度', en: 'Block' }, ({ block }) => block),
      ),
    };
  },
});
