import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createMonths } from '../statistics/partitions.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { signInAs, createTestApp, type TestApi, type TestApp } from '../testing/support.ts';
import { filteredLists, listFilterPairs, type FilteredList } from './chips.ts';
import { fillTable, rowCountOf } from './million.ts';

// For every pair of filters and every sort over a million rows, an index must serve the page within four fifths of the statement
// limit. Times are reported beside the first query without any index.

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}
interface ExplainRow {
  'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }];
}
interface Query {
  text: string;
  values: unknown[];
}

let app: TestApp;
let api: TestApi;
let client: pg.Client;
const sentQueries: Query[] = [];
/** Months without rows. */
let emptyTables: ReadonlySet<string>;
/** The server's statement limit in milliseconds. */
let timeoutMs: number;

beforeAll(async () => {
  app = await createTestApp({}, { jobs: false });
  ({ api } = await signInAs(app, 'all'));
  client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  onCleanup(() => client.end());
  const { pool } = app.database;
  const timeoutSetting = await pool.query<{ ms: string }>(
    `select setting as ms from pg_settings where name = 'statement_timeout'`,
  );
  timeoutMs = Number(timeoutSetting.rows[0]?.ms);
  const query = pool.query.bind(pool) as (queryArgument: unknown, ...otherArguments: unknown[]) => unknown;
  // Explains pages instead of reading them, and skips counts.
  pool.query = ((queryArgument: { rowMode?: string } & Query, ...otherArguments: unknown[]) => {
    if (queryArgument.rowMode !== 'array' || !queryArgument.values) return query(queryArgument, ...otherArguments); // only pages have these (read-rows.ts)
    sentQueries.push({ text: queryArgument.text, values: queryArgument.values });
    return Promise.resolve({ rows: [] });
  }) as typeof pool.query;
  const noCounts = { query: () => Promise.reject(new Error('nobody counts')) };
  Object.assign(app.database, { counts: drizzle(noCounts as never) });
});

const maxRequested = 600;

/** All pairs by all sorts, or an even sample if there are too many. */
async function listQuestions(filteredList: FilteredList): Promise<{ what: string; query: Query }[]> {
  const list = (api[filteredList.name] as unknown as Record<string, (input: object) => Promise<unknown>>)[
    filteredList.route ?? 'list'
  ];
  const filterQuestions: { what: string; query: Query }[] = [];
  const filterPairs = listFilterPairs(filteredList);
  const sortOrders = filteredList.sorts.flatMap((sort) => ['asc', 'desc'].map((direction) => ({ sort, direction })));
  const sampleInterval = Math.ceil((filterPairs.length * sortOrders.length) / maxRequested);
  for (const [index, filter] of filterPairs.entries())
    for (const [sortField, { sort, direction }] of sortOrders.entries())
      if ((index + sortField) % sampleInterval === 0) {
        sentQueries.length = 0;
        await list?.({ filter, sort, direction, cursor: null, limit: 50 });
        for (const query of sentQueries) filterQuestions.push({ what: `${JSON.stringify(filter)} ${sort} ${direction}`, query });
      }
  return filterQuestions;
}

/** Stops at the statement limit. `walked`: all rows were read. */
async function explainQuery({ text, values }: Query): Promise<{ ms: number; walked: boolean }> {
  const explainResult = await client
    .query<ExplainRow>(`explain (analyze, timing off, format json) ${text}`, values)
    .catch((error: unknown) => {
      if (getDatabaseErrorCode(error) === '57014') return null;
      throw error;
    });
  if (!explainResult) return { ms: timeoutMs, walked: false };
  const explainedPlan = explainResult.rows[0]?.['QUERY PLAN'][0];
  if (!explainedPlan) throw new Error('no plan');
  return { ms: explainedPlan['Execution Time'], walked: listPlanNodes(explainedPlan.Plan).some(isSequentialScanNode) };
}

/** A sequential scan of a month with rows. */
const isSequentialScanNode = (node: Plan): boolean =>
  node['Node Type'] === 'Seq Scan' && !emptyTables.has(node['Relation Name'] ?? '');

const listPlanNodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listPlanNodes)];

async function timeWithoutIndex(query: Query): Promise<number> {
  const kinds = ['indexscan', 'bitmapscan', 'indexonlyscan'];
  for (const kind of kinds) await client.query(`set enable_${kind} = off`);
  const { ms: durationMs } = await explainQuery(query);
  for (const kind of kinds) await client.query(`reset enable_${kind}`);
  return durationMs;
}

const computeMedian = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Alternates both queries, so that other load affects both. Returns medians. */
async function compareWithBare(query: Query, bareQuery: Query): Promise<{ ms: number; limit: number }> {
  const [ownTimes, bareTimes]: [number[], number[]] = [[], []];
  for (let roundNumber = 0; roundNumber < 3; roundNumber++) {
    ownTimes.push((await explainQuery(query)).ms);
    bareTimes.push(await timeWithoutIndex(bareQuery));
  }
  return { ms: computeMedian(ownTimes), limit: computeMedian(bareTimes) };
}

const filledTables = new Set<string>();

const namedLists = filteredLists.map(
  (requested) => [`${requested.name}${requested.route ? `, ${requested.route}` : ''}`, requested] as const,
);
test.each(namedLists)('any two filters of the list %s are answered in time', { timeout: 1_800_000 }, async (name, requested) => {
  const { table } = requested;
  if (table === 'visits') await createMonths({ db: app.database.db }, new Date(Date.now() - 366 * 86_400_000), new Date());
  await client.query(`set statement_timeout = 0`);
  for (const tableName of [table, ...(requested.beside ?? [])]) {
    if (!filledTables.has(tableName)) await fillTable(client, tableName);
    filledTables.add(tableName);
  }
  const tablesQuery = `select relname as name from pg_class where relkind = 'r' and relispartition and pg_relation_size(oid) = 0`;
  emptyTables = new Set((await client.query<{ name: string }>(tablesQuery)).rows.map((tableRow) => tableRow.name));
  await client.query(`set statement_timeout = ${timeoutMs}`);

  const filterQuestions = await listQuestions(requested);
  const [firstQuestion] = filterQuestions;
  if (!firstQuestion) throw new Error(`${name} asked the database for nothing`);
  const { limit } = await compareWithBare(firstQuestion.query, firstQuestion.query);
  const readsWholeTable = (description: string) => requested.whole?.some((field) => description.includes(`"${field}":`)) ?? false;
  const timedQuestions: { what: string; query: Query; ms: number }[] = [];
  const scanningQuestions: string[] = [];
  for (const { what: description, query } of filterQuestions) {
    const { ms: durationMs, walked: isSequentialScan } = await explainQuery(query);
    // Retries, because other load may have delayed it.
    const secondTimes = durationMs > limit ? [(await explainQuery(query)).ms] : [];
    if (Math.min(durationMs, ...secondTimes) > timeoutMs / 4) secondTimes.push((await explainQuery(query)).ms);
    timedQuestions.push({ what: description, query, ms: Math.min(durationMs, ...secondTimes) });
    if (isSequentialScan && !readsWholeTable(description)) scanningQuestions.push(description);
  }
  timedQuestions.sort((a, b) => a.ms - b.ms);
  const atQuantile = (quantile: number) =>
    timedQuestions[Math.min(timedQuestions.length - 1, Math.floor(timedQuestions.length * quantile))] ?? {
      ...firstQuestion,
      ms: 0,
    };
  const [medianQuestion, p95Question, slowestQuestion] = [atQuantile(0.5), atQuantile(0.95), atQuantile(1)];
  const timesText = [medianQuestion, p95Question, slowestQuestion]
    .map(({ ms: durationMs }) => `${durationMs.toFixed(1)} ms`)
    .join(' | ');
  console.log(
    `| ${name} | ${rowCountOf(table)} | ${timedQuestions.length} | ${limit.toFixed(0)} ms | ${timesText} | ${slowestQuestion.what} |`,
  );
  expect(scanningQuestions, 'no index serves').toEqual([]);
  for (const [tablePart, { what: description, query }, tableShare] of [
    ['half of them', medianQuestion, 0.1],
    ['19 of 20', p95Question, 2],
  ] as const) {
    if (readsWholeTable(description)) continue;
    const currentComparison = await compareWithBare(query, firstQuestion.query);
    expect(
      currentComparison.ms / currentComparison.limit,
      `${tablePart}, beside ${currentComparison.limit} ms without an index: ${description}`,
    ).toBeLessThan(tableShare);
  }
  expect(slowestQuestion.ms / timeoutMs, `the worst: ${slowestQuestion.what}`).toBeLessThan(0.8);
});
