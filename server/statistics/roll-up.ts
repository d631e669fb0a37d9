import { sql, type SQL } from 'drizzle-orm';
import { eventLimit } from '../../api/statistics/contract.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import type { StatisticsDatabase } from '../platform/db/db.ts';
import { dayOf, readSlots } from './slots.ts';

const rollUpLock = 4280_0020;
/** The coordinator answers, but a worker does not. Days on other workers go on. */
const connectionFailure = '08006';

/**
 * Moves queued deltas of the days that events can reach into the sums. One process at a time for each slot. Returns the number
 * of deltas.
 */
export async function rollUp(statistics: StatisticsDatabase, { most: maxRows = 2_000, now = Date.now() } = {}): Promise<number> {
  const firstDay = dayOf(new Date(now - eventLimit.oldestMs)) - 1;
  const lastDay = dayOf(new Date(now + eventLimit.aheadMs));
  const days = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index);
  return rollUpSlots(statistics, await readSlots(statistics, days), maxRows);
}

export async function rollUpAll(statistics: StatisticsDatabase, max = 2_000): Promise<void> {
  for (;;) {
    const { rows } = await statistics.db.execute<{ slot: number }>(sql`select distinct slot from visit_deltas order by 1`);
    const slots = rows.map(({ slot }) => slot);
    if (slots.length === 0 || (await rollUpSlots(statistics, slots, max)) === 0) return;
  }
}

async function rollUpSlots(statistics: StatisticsDatabase, slots: readonly number[], max: number): Promise<number> {
  let usedCount = 0;
  let outageError: Error | undefined;
  for (const slot of slots)
    try {
      usedCount += await rollUpSlot(statistics, slot, max);
    } catch (error) {
      if (!(error instanceof Error) || getDatabaseErrorCode(error) !== connectionFailure) throw error;
      outageError = error;
    }
  if (outageError) throw outageError;
  return usedCount;
}

/** In one transaction with one snapshot, so that each statement sees the same deltas and a crash counts nothing twice. */
async function rollUpSlot({ db, isSeparate }: StatisticsDatabase, slot: number, max: number): Promise<number> {
  try {
    return await db.transaction(
      async (tx) => {
        const lock = await tx.execute<{ mine: boolean }>(
          sql`select pg_try_advisory_xact_lock(${String(BigInt(rollUpLock) + (BigInt(slot) << 32n))}::bigint) as mine`,
        );
        if (!lock.rows[0]?.mine) return 0;
        const { rows } = await tx.execute<{ found: number; bound: string | null }>(sql`
          select count(*)::int as found, (array_agg(id order by id desc))[1]::text as bound
          from (select id from visit_deltas where slot = ${slot}::int order by id limit ${max}) as queued`);
        const { found = 0, bound = null } = rows[0] ?? {};
        if (found === 0 || bound === null) return 0;
        // The pool's shorter timeout would let the queue grow on a busy database.
        await tx.execute(sql`set local statement_timeout = '60s'`);
        const lastIdSql = isSeparate ? sql`${bound}::uuid` : sql`${bound}::bigint`;
        const queuedSql = sql`from visit_deltas where slot = ${slot}::int and id <= ${lastIdSql}`;
        const sumColumns = sql`sum(visits), sum(btc_deposited), sum(yu_minted)`;
        const addSums = async (table: string, time: string, hour: SQL, keys: readonly string[]) => {
          const columns = (names: readonly string[]) =>
            sql.join(
              names.map((name) => sql.identifier(name)),
              sql`, `,
            );
          const groupColumns = sql.join([hour, ...keys.map((key) => sql.identifier(key))], sql`, `);
          await tx.execute(sql`
            insert into ${sql.identifier(table)} as t (slot, ${columns([time, ...keys])}, visits, btc_deposited, yu_minted)
            select slot, ${groupColumns}, ${sumColumns} ${queuedSql} group by slot, ${groupColumns}
            on conflict (${columns([time, ...keys, ...(isSeparate ? ['slot'] : [])])}) do update set visits = t.visits + excluded.visits,
              btc_deposited = t.btc_deposited + excluded.btc_deposited, yu_minted = t.yu_minted + excluded.yu_minted`);
        };
        const keys = ['page', 'country', 'chain_id'];
        await addSums('visit_hours', 'hour', sql`hour`, keys);
        await addSums('visit_hour_sums', 'hour', sql`hour`, []);
        await addSums('visit_days', 'day', sql`date_trunc('day', hour, 'UTC')`, keys);
        await tx.execute(sql`delete ${queuedSql}`);
        return found;
      },
      { isolationLevel: 'repeatable read' },
    );
  } catch (error) {
    // Another process, or an older server, counted these deltas after the snapshot.
    if (getDatabaseErrorCode(error) === '40001') return 0;
    throw error;
  }
}
