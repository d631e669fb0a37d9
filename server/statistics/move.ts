import type pg from 'pg';
import { eventLimit } from '../../api/statistics/contract.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { StartError } from '../platform/core/start-error.ts';
import type { Database, StatisticsDatabase } from '../platform/db/db.ts';
import { insertVisits, type NewVisit } from './ingest.ts';
import { monthTableName } from '../platform/db/months.ts';
import { createMonths } from './partitions.ts';
import { rollUpAll } from './roll-up.ts';
import { dayOf, readSlots } from './slots.ts';

/** As text, because they are compared exactly. */
interface VisitSums {
  readonly visits: string;
  readonly btc: string;
  readonly yu: string;
}

/** UTC days since 1970 → sums. */
type SumsByDay = ReadonlyMap<number, VisitSums>;

interface DayDifference {
  readonly day: string;
  readonly what: string;
}

export interface StatisticsComparison {
  readonly days: number;
  readonly visits: string;
  /** Visits that only the new database has, because servers already write there. */
  readonly newer: string;
  readonly differences: readonly DayDifference[];
}

interface MoveContext {
  /** Owns the old rows. */
  readonly from: pg.Client;
  readonly to: pg.Client;
  readonly statistics: StatisticsDatabase;
  /** The first day that servers may have written to the new database themselves. */
  readonly liveFrom: number;
}

const batchSize = 2_000;
const dayMs = 86_400_000;

/**
 * Copies visits and roll-ups from the panel's database. Skips days that are already equal, so it can be interrupted and repeated.
 * Visits that both databases have count once.
 */
export async function moveStatistics(database: Database, progress: (line: string) => void): Promise<StatisticsComparison> {
  return withMoveContext(database, async (moveContext) => {
    const { from, to, statistics, liveFrom } = moveContext;
    // Old rows without deltas, so that roll-ups of detached months are complete.
    await rollUpAll({ ...statistics, ...database, isSeparate: false, isDistributed: () => Promise.resolve(false) });
    const attachedMonthNames = await readAttachedMonths(from);
    const [oldestAttached] = attachedMonthNames;
    if (oldestAttached !== undefined) await createMonths(statistics, new Date(`${oldestAttached}-01T00:00:00Z`), new Date());
    const archivedMonthNames = await readArchivedMonths(to);
    const [oldSums, movedSums] = [await readDailySums(from), await readDailySums(to)];
    const [oldVisitSums, movedVisitSums] = [await readVisitSums(from), await readVisitSums(to)];
    for (const [day, sums] of oldSums) {
      const month = isoDay(day).slice(0, 7);
      const isAttached = attachedMonthNames.includes(month);
      const hasVisitRows = isAttached && !archivedMonthNames.has(month);
      const isEqual =
        haveEqualSums(sums, movedSums.get(day)) &&
        (!hasVisitRows || haveEqualSums(oldVisitSums.get(day), movedVisitSums.get(day)));
      if (isEqual && day < liveFrom) continue;
      if (isAttached && !hasVisitRows)
        throw new StartError(
          `The statistics database archived the visits of ${month} before all of them were there. Attach ${monthTableName('visits', month)} again, set STATISTICS_KEEP_MONTHS to 0 and run statistics move again.`,
        );
      const copiedCount = isAttached ? await copyVisits(moveContext, day) : await copyRollUps(moveContext, day);
      await rollUpAll(statistics);
      progress(`${isoDay(day)}  ${copiedCount} copied`);
    }
    await rollUpAll(statistics);
    return compareSides(moveContext);
  });
}

/** Removes the old rows from the panel's database, if the new one has them all. Returns what is missing otherwise. */
export async function removeOldStatistics(database: Database): Promise<StatisticsComparison> {
  return withMoveContext(database, async (moveContext) => {
    const { from } = moveContext;
    const sumsBefore = JSON.stringify([...(await readDailySums(from))]);
    const comparison = await compareSides(moveContext);
    if (comparison.differences.length > 0) return comparison;
    const tables = 'visits, visit_deltas, visit_hours, visit_days, visit_hour_sums';
    try {
      await from.query('begin');
      await from.query(`set local lock_timeout = '5s'`);
      await from.query(`lock table ${tables} in access exclusive mode`);
      if (JSON.stringify([...(await readDailySums(from))]) !== sumsBefore)
        throw new StartError(
          'A server still writes visits to the panel’s database. Set STATISTICS_DATABASE_URL on every server, restart them and run statistics move again.',
        );
      await from.query(`truncate ${tables}`);
      await from.query('commit');
    } catch (error) {
      await from.query('rollback').catch(() => {});
      if (getDatabaseErrorCode(error) === '42501')
        throw new StartError('Only the owner of the tables can remove the old rows. Use the owner’s URL in DATABASE_URL.');
      if (getDatabaseErrorCode(error) === '55P03')
        throw new StartError('The old tables are in use. Nothing was removed. Run the command again in a moment.');
      throw error;
    }
    return comparison;
  });
}

async function withMoveContext<T>(database: Database, run: (moveContext: MoveContext) => Promise<T>): Promise<T> {
  const { statistics } = database;
  const [from, to] = [await database.connect(), await statistics.connect()];
  try {
    const { rows } = await from.query<{ first: Date | null }>('select min(first_at) as first from statistics_databases');
    const liveSince = rows[0]?.first ?? new Date();
    return await run({ from, to, statistics, liveFrom: dayOf(new Date(liveSince.getTime() - eventLimit.oldestMs)) - 1 });
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

const isoDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

const haveEqualSums = (a: VisitSums | undefined, b: VisitSums | undefined): boolean =>
  a?.visits === b?.visits && a?.btc === b?.btc && a?.yu === b?.yu;

async function readAttachedMonths(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select replace(substr(inhrelid::regclass::text, 8), '_', '-') as month from pg_inherits
     where inhparent = 'visits'::regclass order by 1`,
  );
  return rows.map(({ month }) => month);
}

/** Months that a running server detached as old, after they were copied. Their sums stay. */
async function readArchivedMonths(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ month: string }>(
    String.raw`select replace(substr(relname, 8), '_', '-') as month from pg_class where relkind = 'r' and not relispartition
     and relnamespace = (select relnamespace from pg_class where oid = 'visits'::regclass) and relname ~ '^visits_\d{4}_\d{2}$'`,
  );
  return new Set(rows.map(({ month }) => month));
}

const sumByDaySql = (
  rows: string,
) => `select (extract(epoch from t) / 86400)::int as day, sum(v)::text as visits, sum(b)::text as btc,
  sum(y)::text as yu from (${rows}) as r group by 1 order by 1`;

const deltaQuery = `select date_trunc('day', hour, 'UTC') as t, visits as v, btc_deposited as b, yu_minted as y from visit_deltas`;

async function readSums(client: pg.Client, rows: string): Promise<SumsByDay> {
  const { rows: sumRows } = await client.query<VisitSums & { day: number }>(sumByDaySql(rows));
  return new Map(sumRows.map(({ day, ...sums }) => [day, sums]));
}

const readDailySums = (client: pg.Client): Promise<SumsByDay> =>
  readSums(client, `select day as t, visits as v, btc_deposited as b, yu_minted as y from visit_days union all ${deltaQuery}`);

const readHourlySums = (client: pg.Client, table: 'visit_hours' | 'visit_hour_sums'): Promise<SumsByDay> =>
  readSums(
    client,
    `select date_trunc('day', hour, 'UTC') as t, visits as v, btc_deposited as b, yu_minted as y from ${table} union all ${deltaQuery}`,
  );

const readVisitSums = (client: pg.Client): Promise<SumsByDay> =>
  readSums(
    client,
    `select date_trunc('day', at, 'UTC') as t, count(*) as v, sum(btc_deposited) as b, sum(yu_minted) as y from visits group by 1`,
  );

interface VisitRowText {
  id: string;
  at: Date;
  page: string;
  country: string | null;
  chain_id: number | null;
  btc_deposited: string;
  yu_minted: string;
  address: string | null;
  vault_id: string | null;
}

async function* readVisits(client: pg.Client, day: number): AsyncGenerator<NewVisit[]> {
  const [start, end] = [isoDay(day), isoDay(day + 1)].map((date) => `${date}T00:00:00Z`);
  let lastPosition = { at: start ?? '', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const { rows } = await client.query<VisitRowText>(
      `select id, at, page, country, chain_id, btc_deposited, yu_minted, address, vault_id from visits
       where at >= $1 and at < $2 and (at, id) > ($3, $4) order by at, id limit ${batchSize}`,
      [start, end, lastPosition.at, lastPosition.id],
    );
    if (rows.length === 0) return;
    yield rows.map(({ chain_id: chainId, btc_deposited: btc, yu_minted: yu, vault_id: vaultId, ...row }) => ({
      ...row,
      chainId,
      vaultId,
      btcDeposited: BigInt(btc),
      yuMinted: BigInt(yu),
    }));
    const lastRow = rows.at(-1);
    if (!lastRow || rows.length < batchSize) return;
    lastPosition = { at: lastRow.at.toISOString(), id: lastRow.id };
  }
}

async function copyVisits({ from, statistics }: MoveContext, day: number): Promise<number> {
  let copiedCount = 0;
  for await (const visits of readVisits(from, day)) copiedCount += await insertVisits(statistics, visits);
  return copiedCount;
}

/** Of a detached month, whose visits are no longer in `visits`. Replaces what an interrupted copy left. */
async function copyRollUps({ from, to, statistics }: MoveContext, day: number): Promise<number> {
  const [slot] = await readSlots(statistics, [day]);
  const range = [`${isoDay(day)}T00:00:00Z`, `${isoDay(day + 1)}T00:00:00Z`];
  let copiedCount = 0;
  await to.query('begin');
  try {
    for (const { table, time, keys } of rollUpTables) {
      const columns = [time, ...keys, 'visits', 'btc_deposited', 'yu_minted'];
      const { rows } = await from.query<{ row: string }>(
        `select jsonb_build_object(${columns.map((name) => `'${name}', ${name}`).join(', ')})::text as row from ${table}
         where ${time} >= $1 and ${time} < $2`,
        range,
      );
      for (let offset = 0; offset < rows.length; offset += batchSize) {
        const rowBatch = rows.slice(offset, offset + batchSize).map(({ row }) => row);
        await to.query(
          `insert into ${table} (slot, ${columns.join(', ')})
           select $1::int, r.* from jsonb_to_recordset($2::jsonb) as r (${time} timestamptz, ${keys
             .map((key) => `${key} ${key === 'chain_id' ? 'int' : 'text'}`)
             .concat('visits bigint', 'btc_deposited numeric', 'yu_minted numeric')
             .join(', ')})
           on conflict (${[time, ...keys, 'slot'].join(', ')}) do update set visits = excluded.visits,
             btc_deposited = excluded.btc_deposited, yu_minted = excluded.yu_minted`,
          [slot, `[${rowBatch.join(',')}]`],
        );
      }
      copiedCount += rows.length;
    }
    await to.query('commit');
  } catch (error) {
    await to.query('rollback').catch(() => {});
    throw error;
  }
  return copiedCount;
}

const rollUpTables = [
  { table: 'visit_hours', time: 'hour', keys: ['page', 'country', 'chain_id'] },
  { table: 'visit_days', time: 'day', keys: ['page', 'country', 'chain_id'] },
  { table: 'visit_hour_sums', time: 'hour', keys: [] },
] as const;

/** Every sum of every day, and for days that servers wrote in both databases every visit. */
async function compareSides(moveContext: MoveContext): Promise<StatisticsComparison> {
  const { from, to, liveFrom } = moveContext;
  const readAllSums = async (client: pg.Client) => ({
    days: await readDailySums(client),
    hours: await readHourlySums(client, 'visit_hours'),
    totals: await readHourlySums(client, 'visit_hour_sums'),
    visits: await readVisitSums(client),
  });
  const [oldSums, movedSums] = [await readAllSums(from), await readAllSums(to)];
  const archivedMonthNames = await readArchivedMonths(to);
  const differences: DayDifference[] = [];
  for (const [day, sums] of oldSums.days) {
    const name = isoDay(day);
    const hasVisits = oldSums.visits.has(day) && !archivedMonthNames.has(name.slice(0, 7));
    const isEqual =
      (['days', 'hours', 'totals'] as const).every((level) =>
        haveEqualSums(oldSums[level].get(day), movedSums[level].get(day)),
      ) &&
      (!hasVisits || haveEqualSums(oldSums.visits.get(day), movedSums.visits.get(day)));
    if (isEqual && day < liveFrom) continue;
    if (day < liveFrom) {
      differences.push({ day: name, what: `${movedSums.days.get(day)?.visits ?? 0} visits instead of ${sums.visits}` });
      continue;
    }
    const rolledUpSums = movedSums.visits.get(day);
    const isConsistent = (['days', 'hours', 'totals'] as const).every((level) =>
      haveEqualSums(rolledUpSums, movedSums[level].get(day)),
    );
    const missingCount = await countMissingVisits(moveContext, day);
    if (missingCount > 0) differences.push({ day: name, what: `${missingCount} visits are missing` });
    else if (!isConsistent) differences.push({ day: name, what: 'the roll-ups differ from the visits' });
  }
  const countVisits = (sums: SumsByDay, since = 0) =>
    [...sums].reduce((sum, [day, { visits }]) => (day < since ? sum : sum + BigInt(visits)), 0n);
  const newer = countVisits(movedSums.visits, liveFrom) - countVisits(oldSums.visits, liveFrom);
  return { days: oldSums.days.size, visits: String(countVisits(oldSums.days)), newer: String(newer), differences };
}

/** Visits of a day that the new database lacks, or has with other values. */
async function countMissingVisits({ from, to, statistics }: MoveContext, day: number): Promise<number> {
  const slots = await readSlots(statistics, [day]);
  let missingTotal = 0;
  for await (const visits of readVisits(from, day)) {
    const { rows } = await to.query<VisitRowText>(
      `select id, at, page, country, chain_id, btc_deposited, yu_minted, address, vault_id from visits
       where slot = any($1) and at >= $2 and at <= $3 and id = any($4)`,
      [slots, visits[0]?.at, visits.at(-1)?.at, visits.map(({ id }) => id)],
    );
    const existingKeys = new Set(
      rows.map((row) =>
        joinValues([row.id, row.page, row.country, row.chain_id, row.btc_deposited, row.yu_minted, row.address, row.vault_id]),
      ),
    );
    missingTotal += visits.filter(
      (visit) =>
        !existingKeys.has(
          joinValues([
            visit.id,
            visit.page,
            visit.country,
            visit.chainId,
            visit.btcDeposited,
            visit.yuMinted,
            visit.address,
            visit.vaultId,
          ]),
        ),
    ).length;
  }
  return missingTotal;
}

const joinValues = (values: readonly (string | number | bigint | null)[]): string =>
  JSON.stringify(values.map((value) => (value === null ? null : String(value))));
