import { and, asc, gte, lt, sql, type SQL } from 'drizzle-orm';
import { timeRangeOf } from '../../api/condition.ts';
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
import { badField } from '../platform/core/errors.ts';
import { runAfterCurrent, type SingleFlight } from '../platform/core/single-flight.ts';
import { exportOf } from '../platform/exports/source.ts';
import { exportColumnsFor, exportUnits } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { listRows } from '../platform/records/list.ts';
import { readSnapshotFigures, type SnapshotFigures } from './snapshot.ts';
import { overviewDays as table } from './tables.ts';

const dayMs = 86_400_000;
const missingWithin = 400;
const missingShown = 31;

export const overview = {
  now: guardedApi.overview.now.handler(async ({ context }) => {
    const { services, db } = context;
    const { figures, chain } = await currentOf(services);
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
      dayBefore: await newest(db),
      weekBefore: await at(db, daysBefore(today, 7)),
      monthBefore: await at(db, daysBefore(today, 30)),
      missing: await missing(db, today),
    };
  }),

  list: guardedApi.overview.list.handler(({ input, context }) =>
    listRows(context, input, { table, id: table.day, sorts: { day: table.day }, where: matches(input.filter), present }),
  ),

  series: guardedApi.overview.series.handler(async ({ input: { filter, unit, compare }, context }) => {
    const points = await pointsOf(context.db, matches(filter), unit);
    const { from, to } = timeRangeOf(filter.time);
    if (!compare || from === null) return { points, before: null };
    const length = (to?.getTime() ?? context.services.now()) - from.getTime();
    const start = new Date(Math.max(0, from.getTime() - Math.max(0, length)));
    return { points, before: await pointsOf(context.db, days(start, from), unit) };
  }),

  export: guardedApi.overview.export.handler(({ input, context }) => exported.start(context, input)),
};

interface Current extends SingleFlight<SnapshotFigures> {
  chain: SnapshotFigures['chain'];
}

const current = memoizePerServer((): Current => ({ running: null, next: null, chain: null }));

/** Shares one reading among callers, and keeps the chain's last figures for outages. */
async function currentOf(services: Services): Promise<{ figures: SnapshotFigures; chain: SnapshotFigures['chain'] }> {
  const currentOverview = current(services);
  const figures = await runAfterCurrent(currentOverview, () => readSnapshotFigures(services));
  currentOverview.chain = figures.chain ?? currentOverview.chain;
  return { figures, chain: currentOverview.chain };
}

async function newest(queries: Queries): Promise<OverviewRow | null> {
  const [row] = await queries
    .select()
    .from(table)
    .orderBy(sql`${table.day} desc`)
    .limit(1);
  return row ? present(row) : null;
}

async function at(queries: Queries, day: string): Promise<OverviewRow | null> {
  const [row] = await queries
    .select()
    .from(table)
    .where(sql`${table.day} = ${day}`);
  return row ? present(row) : null;
}

async function missing(queries: Queries, today: string): Promise<string[]> {
  const { rows } = await queries.execute<{ day: string }>(sql`
    select to_char(d, 'YYYY-MM-DD') as day from (select min(day) as first from overview_days having count(*) > 0) known,
      generate_series(greatest(first, ${today}::date - ${missingWithin}::int), ${today}::date - 1, interval '1 day') as g (d)
    where not exists (select 1 from overview_days o where o.day = d::date) order by 1 desc limit ${missingShown}`);
  return rows.map(({ day }) => day);
}

const daysBefore = (today: string, days: number) => new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10);

const text = (value: bigint | null) => value?.toString() ?? null;

const present = (row: typeof table.$inferSelect): OverviewRow => ({
  id: row.day,
  day: row.day,
  bridgeBtc: text(row.bridgeBtc),
  mintYu: text(row.mintYu),
  userCount: text(row.userCount),
  vaultBtc: text(row.vaultBtc),
  at: row.at.toISOString(),
  block: text(row.block),
});

const matches = ({ time }: OverviewFilter): SQL | undefined => {
  const { from, to } = timeRangeOf(time);
  return days(from, to);
};

const days = (from: Date | null, to: Date | null): SQL | undefined =>
  and(from ? gte(table.day, firstDay(from)) : undefined, to ? lt(table.day, firstDay(to)) : undefined);

/** The first day at or after this moment. Year 9999 has no next day. */
function firstDay(at: Date): string {
  const midnight = new Date(Math.ceil(at.getTime() / dayMs) * dayMs);
  return midnight.getUTCFullYear() > 9999 ? '9999-12-31' : midnight.toISOString().slice(0, 10);
}

async function pointsOf(queries: Queries, where: SQL | undefined, unit: 'day' | 'week' | 'month') {
  const slot = sql`date_trunc(${sql.raw(`'${unit}'`)}, ${table.day}::timestamp)`;
  const rows = await queries
    .selectDistinctOn([slot], { slot: sql<string>`to_char(${slot}, 'YYYY-MM-DD')`, row: table })
    .from(table)
    .where(where)
    .orderBy(asc(slot), sql`${table.day} desc`)
    .limit(maxPoints + 1);
  if (rows.length > maxPoints) throw badField('unit', 'tooLong');
  return rows.map(({ row }) => {
    const { at: used, ...rest } = present(row);
    return {
      day: row.day,
      at: used,
      values: Object.fromEntries(overviewMetrics.map((metric) => [metric, rest[metric]])) as Record<
        (typeof overviewMetrics)[number],
        string | null
      >,
    };
  });
}

const exported = exportOf({
  name: 'overview',
  path: '/api/overview/export/:id',
  permission: 'overview.export',
  menu: '/overview',
  table,
  input: exportInput(overviewSorts, overviewFilter),
  plan: (_, { direction, filter, ...wording }) => {
    const { text, amount, count, time, arrange } = exportColumnsFor<typeof table.$inferSelect>(wording);
    return {
      where: matches(filter),
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
