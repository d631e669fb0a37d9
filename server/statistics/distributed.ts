import { sql, type SQL } from 'drizzle-orm';
import type { StatisticsDatabase } from '../platform/db/db.ts';
import type { RowCount } from '../platform/db/count.ts';
import { listMonthTables } from '../platform/db/months.ts';
import { visits as table } from './tables.ts';

// Counts and values on Citus, where `limit` fetches its rows from every machine.

const maxExactCount = 50_000;
/** An estimate this far above the limit needs no count. */
const estimateMargin = 2;

/** The first instant whose visits are still in `visits`. Null: none. */
export async function readOldestMonth({ db }: Pick<StatisticsDatabase, 'db'>): Promise<Date | null> {
  const [oldest] = await listMonthTables(db, 'visits');
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
export async function countVisitRows(statistics: StatisticsDatabase, where: SQL | undefined): Promise<RowCount> {
  const expectedRows = await estimateVisits(statistics, where);
  const estimate: RowCount = { value: expectedRows, kind: 'estimate' };
  if (expectedRows > estimateMargin * maxExactCount) return estimate;
  return statistics.counts
    .execute<{ value: string }>(sql`select count(*)::text as value from ${table}${where ? sql` where ${where}` : sql``}`)
    .then(
      ({ rows }) => ({ value: Number(rows[0]?.value ?? 0), kind: 'exact' as const }),
      () => estimate,
    );
}

/** The sum of the plans of all shards, because Citus itself always expects 100,000 rows. */
async function estimateVisits({ db }: StatisticsDatabase, where: SQL | undefined): Promise<number> {
  const query = db
    .select({ one: sql`1` })
    .from(table)
    .where(where);
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local citus.explain_all_tasks = on`);
    const { rows } = await tx.execute<{ 'QUERY PLAN': unknown }>(sql`explain (format json) ${query}`);
    return planRowsOfTasks(rows[0]?.['QUERY PLAN']).reduce((sum, expectedRows) => sum + expectedRows, 0);
  });
}

function planRowsOfTasks(plan: unknown): number[] {
  if (Array.isArray(plan)) return plan.flatMap(planRowsOfTasks);
  if (typeof plan !== 'object' || plan === null) return [];
  const planNode: Record<string, unknown> = { ...plan };
  if (Array.isArray(planNode['Tasks'])) return planNode['Tasks'].flatMap((task: unknown) => planRowsOfTask(task));
  return Object.values(planNode).flatMap(planRowsOfTasks);
}

function planRowsOfTask(task: unknown): number[] {
  if (Array.isArray(task)) return task.flatMap(planRowsOfTask);
  if (typeof task !== 'object' || task === null) return [];
  const planNode: Record<string, unknown> = { ...task };
  if (typeof planNode['Plan Rows'] === 'number') return [planNode['Plan Rows']];
  return Object.values(planNode).flatMap(planRowsOfTask);
}

/** The commonest values of a key, from the cells of roll-ups. */
export async function readCellValues(
  { counts }: StatisticsDatabase,
  { key, cells, part, limit }: { key: SQL; cells: SQL; part: string | undefined; limit: number },
): Promise<{ value: string | null; count: number }[]> {
  // Searched on the node asked, so that no other machine needs the function.
  const matchesSearch = part ? sql` where strpos(folded(v.value), folded(${part}::text)) > 0` : sql``;
  const { rows } = await counts.execute<{ value: string | null; count: string }>(sql`
    with v as materialized (select ${key} as value, sum(c.visits) as count from (${cells}) c group by 1)
    select v.value, v.count::text as count from v${matchesSearch} order by v.count desc, v.value limit ${limit}`);
  return rows.map(({ value, count }) => ({ value, count: Number(count) }));
}
