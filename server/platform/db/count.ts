import { createHash } from 'node:crypto';
import { getTableName, sql, type SQL } from 'drizzle-orm';
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core';
import { memoizePerServer, type Services } from '../services/context.ts';
import type { Database, Db } from './db.ts';

export interface RowCount {
  value: number;
  kind: 'exact' | 'estimate';
}

const maxExactCount = 50_000;
const minCachedCount = 5_000;
const rememberExactMs = 2_000;
const rememberEstimateMs = 30_000;

interface CountCache {
  known: Map<string, { count: RowCount; until: number }>;
  running: Map<string, Promise<RowCount>>;
}
const countsOf = memoizePerServer((): CountCache => ({ known: new Map(), running: new Map() }));

/** Exact up to 50,000, else the planner's estimate. */
export function countRows(
  services: Services,
  table: PgTable,
  where: SQL | undefined,
  database: Pick<Database, 'counts' | 'db'>,
  count = () => computeCount(database, table, where),
): Promise<RowCount> {
  const { known: cachedCounts, running: runningCounts } = countsOf(services);
  const key = cacheKeyOf(table, where);
  const cachedCount = cachedCounts.get(key);
  if (cachedCount && cachedCount.until > services.now()) return Promise.resolve(cachedCount.count);
  const runningCount = runningCounts.get(key);
  if (runningCount) return runningCount;

  const newCount: Promise<RowCount> = count()
    .then((rowCount) => {
      // Not cached if a write happened during the count.
      if (runningCounts.get(key) === newCount) cacheCount(cachedCounts, key, rowCount, services.now());
      return rowCount;
    })
    .finally(() => {
      if (runningCounts.get(key) === newCount) runningCounts.delete(key);
    });
  runningCounts.set(key, newCount);
  return newCount;
}

function cacheCount(cachedCounts: CountCache['known'], key: string, count: RowCount, now: number): void {
  if (count.kind === 'exact' && count.value < minCachedCount) return;
  if (cachedCounts.size > 1000) cachedCounts.clear();
  cachedCounts.set(key, { count, until: now + (count.kind === 'exact' ? rememberExactMs : rememberEstimateMs) });
}

export function forgetCounts(services: Services): void {
  const { known: cachedCounts, running: runningCounts } = countsOf(services);
  runningCounts.clear();
  for (const [key, { count }] of cachedCounts) if (count.kind === 'exact') cachedCounts.delete(key);
}

const dialect = new PgDialect();

// Without building the query, because most counts are cached.
function cacheKeyOf(table: PgTable, where: SQL | undefined): string {
  if (!where) return getTableName(table);
  const { sql: text, params } = dialect.sqlToQuery(where);
  return createHash('sha256')
    .update(JSON.stringify([getTableName(table), text, params]))
    .digest('base64url');
}

async function computeCount(
  { counts, db }: Pick<Database, 'counts' | 'db'>,
  table: PgTable,
  where: SQL | undefined,
): Promise<RowCount> {
  const filter = where && sql` where ${where}`;
  // A slow count becomes an estimate. The query for rows reports errors.
  const countedRows = await counts
    .execute<{ value: string }>(
      sql`select count(*) as value from (select from ${table}${filter} limit ${maxExactCount + 1}) as counted`,
    )
    .then(
      ({ rows: [row] }) => Number(row?.value ?? 0),
      () => null,
    );
  if (countedRows !== null && countedRows <= maxExactCount) return { value: countedRows, kind: 'exact' };
  const value = await estimateRows(db, table, where);
  return { value: countedRows === null ? value : Math.max(value, maxExactCount + 1), kind: 'estimate' };
}

async function estimateRows(db: Db, table: PgTable, where: SQL | undefined): Promise<number> {
  const query = db
    .select({ one: sql`1` })
    .from(table)
    .where(where);
  const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(sql`explain (format json) ${query}`);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
