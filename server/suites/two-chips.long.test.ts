import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { codeOf } from '../platform/core/error-code.ts';
import { makeMonths } from '../statistics/partitions.ts';
import { atEnd } from '../testing/end.ts';
import { signInAs, testApp, type TestApi, type TestApp } from '../testing/support.ts';
import { askedLists, pairsOf, type AskedList } from './chips.ts';
import { fillTable, rowCountOf } from './million.ts';

// For every pair of filters and every sort over a million rows, an index must serve the page within four fifths of the statement
// limit. Times are reported beside the first query without any index.

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}
interface Explained {
  'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }];
}
interface Query {
  text: string;
  values: unknown[];
}

let app: TestApp;
let api: TestApi;
let client: pg.Client;
const sent: Query[] = [];
/** Months without rows. */
let empty: ReadonlySet<string>;
/** The server's statement limit in milliseconds. */
let timeoutMs: number;

beforeAll(async () => {
  app = await testApp({}, { jobs: false });
  ({ api } = await signInAs(app, 'all'));
  client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  atEnd(() => client.end());
  const { pool } = app.database;
  const clock = await pool.query<{ ms: string }>(`select setting as ms from pg_settings where name = 'statement_timeout'`);
  timeoutMs = Number(clock.rows[0]?.ms);
  const query = pool.query.bind(pool) as (requested: unknown, ...more: unknown[]) => unknown;
  // Explains pages instead of reading them, and skips counts.
  pool.query = ((requested: { rowMode?: string } & Query, ...more: unknown[]) => {
    if (requested.rowMode !== 'array' || !requested.values) return query(requested, ...more); // only pages have these (read-rows.ts)
    sent.push({ text: requested.text, values: requested.values });
    return Promise.resolve({ rows: [] });
  }) as typeof pool.query;
  const nobody = { query: () => Promise.reject(new Error('nobody counts')) };
  Object.assign(app.database, { counts: drizzle(nobody as never) });
});

const maxRequested = 600;

/** All pairs by all sorts, or an even sample if there are too many. */
async function questionsOf(requested: AskedList): Promise<{ what: string; query: Query }[]> {
  const list = (api[requested.name] as unknown as Record<string, (input: object) => Promise<unknown>>)[requested.route ?? 'list'];
  const questions: { what: string; query: Query }[] = [];
  const pairs = pairsOf(requested);
  const orders = requested.sorts.flatMap((sort) => ['asc', 'desc'].map((direction) => ({ sort, direction })));
  const oneOf = Math.ceil((pairs.length * orders.length) / maxRequested);
  for (const [at, filter] of pairs.entries())
    for (const [by, { sort, direction }] of orders.entries())
      if ((at + by) % oneOf === 0) {
        sent.length = 0;
        await list?.({ filter, sort, direction, cursor: null, limit: 50 });
        for (const query of sent) questions.push({ what: `${JSON.stringify(filter)} ${sort} ${direction}`, query });
      }
  return questions;
}

/** Stops at the statement limit. `walked`: all rows were read. */
async function explain({ text, values }: Query): Promise<{ ms: number; walked: boolean }> {
  const answer = await client
    .query<Explained>(`explain (analyze, timing off, format json) ${text}`, values)
    .catch((error: unknown) => {
      if (codeOf(error) === '57014') return null;
      throw error;
    });
  if (!answer) return { ms: timeoutMs, walked: false };
  const found = answer.rows[0]?.['QUERY PLAN'][0];
  if (!found) throw new Error('no plan');
  return { ms: found['Execution Time'], walked: nodesOf(found.Plan).some(isWalk) };
}

/** A sequential scan of a month with rows. */
const isWalk = (node: Plan): boolean => node['Node Type'] === 'Seq Scan' && !empty.has(node['Relation Name'] ?? '');

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

async function withoutIndex(query: Query): Promise<number> {
  const kinds = ['indexscan', 'bitmapscan', 'indexonlyscan'];
  for (const kind of kinds) await client.query(`set enable_${kind} = off`);
  const { ms } = await explain(query);
  for (const kind of kinds) await client.query(`reset enable_${kind}`);
  return ms;
}

const medianOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Alternates both queries, so that other load affects both. Returns medians. */
async function beside(query: Query, bare: Query): Promise<{ ms: number; limit: number }> {
  const [own, others]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 3; turn++) {
    own.push((await explain(query)).ms);
    others.push(await withoutIndex(bare));
  }
  return { ms: medianOf(own), limit: medianOf(others) };
}

const filled = new Set<string>();

const named = askedLists.map(
  (requested) => [`${requested.name}${requested.route ? `, ${requested.route}` : ''}`, requested] as const,
);
test.each(named)('any two filters of the list %s are answered in time', { timeout: 1_800_000 }, async (name, requested) => {
  const { table } = requested;
  if (table === 'visits') await makeMonths({ db: app.database.db }, new Date(Date.now() - 366 * 86_400_000), new Date());
  await client.query(`set statement_timeout = 0`);
  for (const one of [table, ...(requested.beside ?? [])]) {
    if (!filled.has(one)) await fillTable(client, one);
    filled.add(one);
  }
  const bare = `select relname as name from pg_class where relkind = 'r' and relispartition and pg_relation_size(oid) = 0`;
  empty = new Set((await client.query<{ name: string }>(bare)).rows.map((one) => one.name));
  await client.query(`set statement_timeout = ${timeoutMs}`);

  const questions = await questionsOf(requested);
  const [first] = questions;
  if (!first) throw new Error(`${name} asked the database for nothing`);
  const { limit } = await beside(first.query, first.query);
  const isWhole = (what: string) => requested.whole?.some((field) => what.includes(`"${field}":`)) ?? false;
  const found: { what: string; query: Query; ms: number }[] = [];
  const walking: string[] = [];
  for (const { what, query } of questions) {
    const { ms, walked } = await explain(query);
    // Retries, because other load may have delayed it.
    const again = ms > limit ? [(await explain(query)).ms] : [];
    if (Math.min(ms, ...again) > timeoutMs / 4) again.push((await explain(query)).ms);
    found.push({ what, query, ms: Math.min(ms, ...again) });
    if (walked && !isWhole(what)) walking.push(what);
  }
  found.sort((a, b) => a.ms - b.ms);
  const at = (part: number) => found[Math.min(found.length - 1, Math.floor(found.length * part))] ?? { ...first, ms: 0 };
  const [half, most, worst] = [at(0.5), at(0.95), at(1)];
  const reported = [half, most, worst].map(({ ms }) => `${ms.toFixed(1)} ms`).join(' | ');
  console.log(`| ${name} | ${rowCountOf(table)} | ${found.length} | ${limit.toFixed(0)} ms | ${reported} | ${worst.what} |`);
  expect(walking, 'no index serves').toEqual([]);
  for (const [part, { what, query }, share] of [
    ['half of them', half, 0.1],
    ['19 of 20', most, 2],
  ] as const) {
    if (isWhole(what)) continue;
    const now = await beside(query, first.query);
    expect(now.ms / now.limit, `${part}, beside ${now.limit} ms without an index: ${what}`).toBeLessThan(share);
  }
  expect(worst.ms / timeoutMs, `the worst: ${worst.what}`).toBeLessThan(0.8);
});
