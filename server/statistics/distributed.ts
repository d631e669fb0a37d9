import { sql, type SQL } from 'drizzle-orm';
import type { StatisticsDatabase } from '../platform/db/db.ts';
import type { RowCount } from '../platform/db/count.ts';
import { monthsOf } from '../platform/db/months.ts';
import { visits as table } from './tables.ts';

// Counts and values on Citus, where `limit` fetches its rows from every machine.

const exactTo = 50_000;
/** An estimate this far above the limit needs no count. */
const certain = 2;

/** The first instant whose visits are still in `visits`. Null: none. */
export async function oldestVisits({ db }: Pick<StatisticsDatabase, 'db'>): Promise<Date | null> {
  const [oldest] = await monthsOf(db, 'visits');
  return oldest === undefined ? null : new Date(`${oldest}-01T00:00:00Z`);
}

/** Exact at any size, from the cells of roll-ups. */
export async function countCells({ counts }: StatisticsDatabase, cells: SQL): Promise<RowCount> {
  const { rows } = await counts.execute<{ value: string }>(
    sql`select coalesce(sum(c.visits), 0)::text as value from (${cells}) c`,
  );
  return { value: Number(rows[0]?.value ?? 0), kind: 'exact' };
}

/** Of visits, for filters that roll-ups do not know. */
export async function countVisits(statistics: StatisticsDatabase, where: SQL | undefined): Promise<RowCount> {
  const expected = await expectVisits(statistics, where);
  const estimate: RowCount = { value: expected, kind: 'estimate' };
  if (expected > certain * exactTo) return estimate;
  return statistics.counts
    .execute<{ value: string }>(sql`select count(*)::text as value from ${table}${where ? sql` where ${where}` : sql``}`)
    .then(
      ({ rows }) => ({ value: Number(rows[0]?.value ?? 0), kind: 'exact' as const }),
      () => estimate,
    );
}

/** The sum of the plans of all shards, because Citus itself always expects 100,000 rows. */
async function expectVisits({ db }: StatisticsDatabase, where: SQL | undefined): Promise<number> {
  const query = db
    .select({ one: sql`1` })
    .from(table)
    .where(where);
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local citus.explain_all_tasks = on`);
    const { rows } = await tx.execute<{ 'QUERY PLAN': unknown }>(sql`explain (format json) ${query}`);
    return tasksOf(rows[0]?.['QUERY PLAN']).reduce((sum, expected) => sum + expected, 0);
  });
}

function tasksOf(plan: unknown): number[] {
  if (Array.isArray(plan)) return plan.flatMap(tasksOf);
  if (typeof plan !== 'object' || plan === null) return [];
  const found: Record<string, unknown> = { ...plan };
  if (Array.isArray(found['Tasks'])) return found['Tasks'].flatMap((task: unknown) => planRowsIn(task));
  return Object.values(found).flatMap(tasksOf);
}

function planRowsIn(task: unknown): number[] {
  if (Array.isArray(task)) return task.flatMap(planRowsIn);
  if (typeof task !== 'object' || task === null) return [];
  const found: Record<string, unknown> = { ...task };
  if (typeof found['Plan Rows'] === 'number') return [found['Plan Rows']];
  return Object.values(found).flatMap(planRowsIn);
}

/** The commonest values of a key, from the cells of roll-ups. */
export async function valuesOfCells(
  { counts }: StatisticsDatabase,
  { key, cells, part, limit }: { key: SQL; cells: SQL; part: string | undefined; limit: number },
): Promise<{ value: string | null; count: number }[]> {
  // Searched on the node asked, so that no other machine needs the function.
  const matches = part ? sql` where strpos(folded(v.value), folded(${part}::text)) > 0` : sql``;
  const { rows } = await counts.execute<{ value: string | null; count: string }>(sql`
    with v as materialized (select ${key} as value, sum(c.visits) as count from (${cells}) c group by 1)
    select v.value, v.count::text as count from v${matches} order by v.count desc, v.value limit ${limit}`);
  return rows.map(({ value, count }) => ({ value, count: Number(count) }));
}
