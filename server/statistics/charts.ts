import { ORPCError } from '@orpc/server';
import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { parseTimeRange } from '../../api/condition.ts';
import { maxPoints, type SeriesUnit } from '../../api/statistics/contract.ts';
import type { RequestContext } from '../platform/services/context.ts';
import type { Database, Queries } from '../platform/db/db.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { describeError } from '../platform/core/log.ts';

/** `from` is inclusive, `to` exclusive; null is unbounded. */
export interface TimeRange {
  from: Date | null;
  to: Date | null;
}

export type TimeFilter = { time?: string | undefined };

export interface SeriesInput {
  filter: TimeFilter;
  unit: SeriesUnit;
  zone: string;
  compare: boolean;
}

/** A query with `t` (the moment) and a column per metric and key. */
export type GroupKey = (range: TimeRange, zone: string) => SQL;

/** Where cells are read. `slot`: a column of every part, which a distributed database groups by on each machine. */
export interface CellSource {
  readonly of: Pick<Database, 'db' | 'replica'>;
  readonly slot: string;
}

export interface SeriesPoint<M extends string> {
  at: string;
  label: string;
  values: Record<M, string>;
}

export const timeRangeOfFilter = ({ time }: TimeFilter): TimeRange => parseTimeRange(time);

export const isWithinRange = (column: PgColumn | SQL, { from, to }: TimeRange): SQL =>
  sql`(${from === null ? sql`true` : sql`${column} >= ${toTimestamptz(from)}`} and ${to === null ? sql`true` : sql`${column} < ${toTimestamptz(to)}`})`;

export const toTimestamptz = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

export interface ReadTime {
  asOf: string;
  isLate: boolean;
}

const maxDelayMs = 5_000;

/** Uses the replica unless it is late or fails. `database` holds the figures. */
export async function withReadTime<T extends object>(
  { db, services, log }: RequestContext,
  readFrom: (from: Queries) => Promise<T>,
  database: Pick<Database, 'db' | 'replica'> = { db, replica: services.database.replica },
): Promise<T & ReadTime> {
  const now = services.now();
  const replica = database.replica?.current();
  if (replica) {
    try {
      const { ageMs } = replica;
      return { ...(await readFrom(replica.db)), asOf: new Date(now - ageMs).toISOString(), isLate: ageMs > maxDelayMs };
    } catch (error) {
      if (error instanceof ORPCError) throw error;
      log.warn({ err: describeError(error) }, 'could not read statistics from the replica, reading from the primary');
    }
  }
  return { ...(await readFrom(database.db)), asOf: new Date(now).toISOString(), isLate: false };
}

const unitMs: Readonly<Record<SeriesUnit, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 28 * 86_400_000,
};

/** With every point of the range, and the previous period. Throws if too long. */
export async function readSeries<const M extends string>(
  context: RequestContext,
  { filter, unit, zone, compare }: SeriesInput,
  metrics: readonly M[],
  cells: GroupKey,
  source?: CellSource,
): Promise<ReadTime & { points: SeriesPoint<M>[]; before: SeriesPoint<M>[] | null }> {
  const group = source ? sql`c.${sql.identifier(source.slot)}, c.t` : sql`c.t`;
  return withReadTime(
    context,
    (db) => readPointsAndPrevious(db, context.services.now(), { filter, unit, zone, compare }, metrics, cells, group),
    source?.of,
  );
}

async function readPointsAndPrevious<const M extends string>(
  db: Queries,
  now: number,
  { filter, unit, zone, compare }: SeriesInput,
  metrics: readonly M[],
  cells: GroupKey,
  group: SQL,
): Promise<{ points: SeriesPoint<M>[]; before: SeriesPoint<M>[] | null }> {
  const requestedRange = timeRangeOfFilter(filter);
  const range = await closeRange(db, requestedRange, cells, now);
  if (range === null) return { points: [], before: compare && requestedRange.from ? [] : null };
  if ((range.to.getTime() - range.from.getTime()) / unitMs[unit] > maxPoints - 2) throw createFieldError('unit', 'tooLong');
  const points = await readPoints(db, range, unit, zone, metrics, cells, group);
  if (!compare || requestedRange.from === null) return { points, before: null };
  const [firstPoint] = points;
  if (!firstPoint) return { points, before: [] };
  const periodEnd = new Date(firstPoint.at);
  const { rows } = await db.execute<{ from: string }>(
    sql`select ${isoSql(sql`${instantSql(sql`${slotSql(toTimestamptz(periodEnd), unit, zone)} - ${points.length} * ${intervalSql(unit)}`, unit, zone)}`)} as "from"`,
  );
  const from = new Date(rows[0]?.from ?? firstPoint.at);
  return { points, before: await readPoints(db, { from, to: periodEnd }, unit, zone, metrics, cells, group) };
}

/** Missing ends come from the data. Null: no data. */
async function closeRange(
  db: Queries,
  { from, to }: TimeRange,
  cells: GroupKey,
  now: number,
): Promise<{ from: Date; to: Date } | null> {
  if (from && to) return from < to ? { from, to } : null;
  const { rows } = await db.execute<{ first: string | null; last: string | null }>(
    sql`select ${isoSql(sql`min(c.t)`)} as first, ${isoSql(sql`max(c.t)`)} as last from (${cells({ from, to }, 'UTC')}) c`,
  );
  const { first = null, last = null } = rows[0] ?? {};
  const start = from ?? (first === null ? null : new Date(first));
  if (start === null) return null;
  const end = to ?? new Date(Math.max(now, last === null ? 0 : Date.parse(last)) + 1);
  return start < end ? { from: start, to: end } : null;
}

async function readPoints<M extends string>(
  db: Queries,
  range: { from: Date; to: Date },
  unit: SeriesUnit,
  zone: string,
  metrics: readonly M[],
  cells: GroupKey,
  group: SQL,
): Promise<SeriesPoint<M>[]> {
  const lastInstant = new Date(range.to.getTime() - 1);
  // Sums by moment first, because converting zones is slow.
  const sumColumns = (column: string) =>
    metrics.map((metric) => sql`sum(${sql.identifier(column)}.${sql.identifier(metric)}) as ${sql.identifier(metric)}`);
  const values = metrics.map((metric) => sql`coalesce(v.${sql.identifier(metric)}, 0)::text as ${sql.identifier(metric)}`);
  const { rows } = await db.execute<Record<string, string>>(sql`
    with v as (
      select ${slotSql(sql`m.t`, unit, zone)} as slot, ${sql.join(sumColumns('m'), sql`, `)}
      from (select c.t, ${sql.join(sumColumns('c'), sql`, `)} from (${cells(range, zone)}) c group by ${group}) m group by 1
    )
    select ${isoSql(instantSql(sql`s.slot`, unit, zone))} as "at", ${labelSql(sql`s.slot`, unit, zone)} as "label", ${sql.join(values, sql`, `)}
    from generate_series(${slotSql(toTimestamptz(range.from), unit, zone)}, ${slotSql(toTimestamptz(lastInstant), unit, zone)}, ${intervalSql(unit)}) as s (slot)
    left join v on v.slot = s.slot order by s.slot`);
  return rows.map((row) => ({
    at: row['at'] ?? '',
    label: row['label'] ?? '',
    values: Object.fromEntries(metrics.map((metric) => [metric, row[metric] ?? '0'])) as Record<M, string>,
  }));
}

// A local day, but an hour in UTC, because a clock change repeats an hour.
const slotSql = (timeSql: SQL, unit: SeriesUnit, zone: string): SQL =>
  sql`date_trunc(${sql.raw(`'${unit}'`)}, ${timeSql} at time zone ${unit === 'hour' ? sql`'UTC'` : sql`${zone}::text`})`;
const instantSql = (slot: SQL, unit: SeriesUnit, zone: string): SQL =>
  sql`((${slot}) at time zone ${unit === 'hour' ? sql`'UTC'` : sql`${zone}::text`})`;
const labelSql = (slot: SQL, unit: SeriesUnit, zone: string): SQL =>
  unit === 'hour'
    ? sql`to_char(${instantSql(slot, unit, zone)} at time zone ${zone}::text, 'YYYY-MM-DD"T"HH24:MI')`
    : sql`to_char(${slot}, 'YYYY-MM-DD')`;
const intervalSql = (unit: SeriesUnit): SQL => sql.raw(`interval '1 ${unit}'`);
const isoSql = (timeSql: SQL): SQL => sql`to_char(${timeSql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export async function readTopValues(
  context: RequestContext,
  { limit, key, metric, cells, of }: { limit: number; key: SQL; metric: string; cells: SQL; of?: CellSource['of'] | undefined },
): Promise<ReadTime & { top: { key: string | null; value: string }[]; rest: string }> {
  return withReadTime(
    context,
    async (db) => {
      const { rows } = await db.execute<{ key: string | null; value: string; whole: string }>(sql`
    with v as (select ${key} as key, sum(c.${sql.identifier(metric)}) as value from (${cells}) c group by 1)
    select key, value::text as value, (select sum(value) from v)::text as whole from v order by v.value desc, key limit ${limit}`);
      const shownSum = rows.reduce((sum, { value }) => sum + BigInt(value), 0n);
      return {
        top: rows.map(({ key: name, value }) => ({ key: name, value })),
        rest: (BigInt(rows[0]?.whole ?? '0') - shownSum).toString(),
      };
    },
    of,
  );
}

export async function readBars(
  context: RequestContext,
  { edges, of, from, where }: { edges: readonly bigint[]; of: SQL | PgColumn; from: SQL; where: SQL | undefined },
) {
  const edgeArray = sql`${sql.param(edges.map(String))}::numeric[]`;
  return withReadTime(context, async (db) => {
    const { rows } = await db.execute<{ bar: number; rows: string }>(sql`
    select width_bucket((${of})::numeric, ${edgeArray}) as bar, count(*)::text as rows from ${from}
    where ${of} is not null${where ? sql` and ${where}` : sql``} group by 1`);
    const counts = new Map(rows.map(({ bar, rows: found }) => [Number(bar), found]));
    const bars = [...edges, null].map((barEdge, index) => ({
      from: edges[index - 1]?.toString() ?? null,
      to: barEdge?.toString() ?? null,
      rows: counts.get(index) ?? '0',
    }));
    return { bars };
  });
}

export async function readTotals<const M extends string>(
  context: RequestContext,
  { sums, from, where }: { sums: Readonly<Record<M, PgColumn>>; from: SQL; where: SQL | undefined },
) {
  const names = Object.keys(sums) as M[];
  const columns = names.map((name) => sql`coalesce(sum(${sums[name]}), 0)::text as ${sql.identifier(name)}`);
  return withReadTime(context, async (db) => {
    const { rows } = await db.execute<Record<string, string>>(
      sql`select count(*)::text as "rows", ${sql.join(columns, sql`, `)} from ${from}${where ? sql` where ${where}` : sql``}`,
    );
    const [row] = rows;
    return {
      rows: row?.['rows'] ?? '0',
      sums: Object.fromEntries(names.map((name) => [name, row?.[name] ?? '0'])) as Record<M, string>,
    };
  });
}

export function powersOfTen(from: bigint, to: bigint): bigint[] {
  const edges: bigint[] = [];
  for (let barEdge = from; barEdge <= to; barEdge *= 10n) edges.push(barEdge);
  return edges;
}
