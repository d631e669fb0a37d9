import { createHash } from 'node:crypto';
import { getTableName, sql, type SQL } from 'drizzle-orm';
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core';
import { memoizePerServer, type Services } from '../services/context.ts';
import type { Database, Db } from './db.ts';

export interface RowCount {
  value: number;
  kind: 'exact' | 'estimate';
}

const exactTo = 50_000;
const costlyFrom = 5_000;
const rememberExactMs = 2_000;
const rememberEstimateMs = 30_000;

interface Counts {
  known: Map<string, { count: RowCount; until: number }>;
  running: Map<string, Promise<RowCount>>;
}
const countsOf = memoizePerServer((): Counts => ({ known: new Map(), running: new Map() }));

/** Exact up to 50,000, else the planner's estimate. */
export function countRows(
  services: Services,
  table: PgTable,
  where: SQL | undefined,
  from: Pick<Database, 'counts' | 'db'>,
  count = () => makeCount(from, table, where),
): Promise<RowCount> {
  const { known, running } = countsOf(services);
  const key = keyOf(table, where);
  const remembered = known.get(key);
  if (remembered && remembered.until > services.now()) return Promise.resolve(remembered.count);
  const underWay = running.get(key);
  if (underWay) return underWay;

  const made: Promise<RowCount> = count()
    .then((found) => {
      // Not cached if a write happened during the count.
      if (running.get(key) === made) remember(known, key, found, services.now());
      return found;
    })
    .finally(() => {
      if (running.get(key) === made) running.delete(key);
    });
  running.set(key, made);
  return made;
}

function remember(known: Counts['known'], key: string, count: RowCount, now: number): void {
  if (count.kind === 'exact' && count.value < costlyFrom) return;
  if (known.size > 1000) known.clear();
  known.set(key, { count, until: now + (count.kind === 'exact' ? rememberExactMs : rememberEstimateMs) });
}

export function forgetCounts(services: Services): void {
  const { known, running } = countsOf(services);
  running.clear();
  for (const [key, { count }] of known) if (count.kind === 'exact') known.delete(key);
}

const dialect = new PgDialect();

// Without building the query, because most counts are cached.
function keyOf(table: PgTable, where: SQL | undefined): string {
  if (!where) return getTableName(table);
  const { sql: text, params } = dialect.sqlToQuery(where);
  return createHash('sha256')
    .update(JSON.stringify([getTableName(table), text, params]))
    .digest('base64url');
}

async function makeCount(
  { counts, db }: Pick<Database, 'counts' | 'db'>,
  table: PgTable,
  where: SQL | undefined,
): Promise<RowCount> {
  const filter = where && sql` where ${where}`;
  // A slow count becomes an estimate. The query for rows reports errors.
  const counted = await counts
    .execute<{ value: string }>(
      sql`select count(*) as value from (select from ${table}${filter} limit ${exactTo + 1}) as counted`,
    )
    .then(
      ({ rows: [row] }) => Number(row?.value ?? 0),
      () => null,
    );
  if (counted !== null && counted <= exactTo) return { value: counted, kind: 'exact' };
  const value = await expectRows(db, table, where);
  return { value: counted === null ? value : Math.max(value, exactTo + 1), kind: 'estimate' };
}

async function expectRows(db: Db, table: PgTable, where: SQL | undefined): Promise<number> {
  const query = db
    .select({ one: sql`1` })
    .from(table)
    .where(where);
  const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(sql`explain (format json) ${query}`);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
