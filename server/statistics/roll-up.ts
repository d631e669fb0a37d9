import { sql } from 'drizzle-orm';
import type { Database } from '../platform/db/db.ts';

const rollUpLock = 4280_0020;

/**
 * Moves queued deltas into the sums in one transaction, so that a crash counts nothing twice. One process at a time. Returns the
 * number of deltas.
 */
export async function rollUp({ db }: Pick<Database, 'db'>, most = 2_000): Promise<number> {
  return db.transaction(async (tx) => {
    const lock = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${rollUpLock}) as mine`);
    if (!lock.rows[0]?.mine) return 0;
    // The pool's shorter timeout would let the queue grow on a busy database.
    await tx.execute(sql`set local statement_timeout = '60s'`);
    const { rows } = await tx.execute<{ taken: number }>(sql`
      with taken as (
        delete from visit_deltas where id in (select id from visit_deltas order by id limit ${most} for update skip locked)
        returning hour, page, country, chain_id, visits, btc_deposited, yu_minted
      ), hours as (
        insert into visit_hours as t (hour, page, country, chain_id, visits, btc_deposited, yu_minted)
        select hour, page, country, chain_id, sum(visits), sum(btc_deposited), sum(yu_minted) from taken group by 1, 2, 3, 4
        on conflict (hour, page, country, chain_id) do update set visits = t.visits + excluded.visits,
          btc_deposited = t.btc_deposited + excluded.btc_deposited, yu_minted = t.yu_minted + excluded.yu_minted
      ), sums as (
        insert into visit_hour_sums as t (hour, visits, btc_deposited, yu_minted)
        select hour, sum(visits), sum(btc_deposited), sum(yu_minted) from taken group by 1
        on conflict (hour) do update set visits = t.visits + excluded.visits,
          btc_deposited = t.btc_deposited + excluded.btc_deposited, yu_minted = t.yu_minted + excluded.yu_minted
      ), days as (
        insert into visit_days as t (day, page, country, chain_id, visits, btc_deposited, yu_minted)
        select date_trunc('day', hour, 'UTC'), page, country, chain_id, sum(visits), sum(btc_deposited), sum(yu_minted)
        from taken group by 1, 2, 3, 4
        on conflict (day, page, country, chain_id) do update set visits = t.visits + excluded.visits,
          btc_deposited = t.btc_deposited + excluded.btc_deposited, yu_minted = t.yu_minted + excluded.yu_minted
      )
      select count(*)::int as taken from taken`);
    return rows[0]?.taken ?? 0;
  });
}
