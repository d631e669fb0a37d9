import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestApp } from '../testing/support.ts';
import { eventRowId, insertVisits } from './ingest.ts';
import { rollUp, rollUpAll } from './roll-up.ts';

const app = await createTestApp({}, { jobs: false });
const { statistics } = app.database;
const { pool } = statistics;

/** As version 1.0.0 does, which knows no slot. */
const insertAsOlderServer = (ids: readonly string[], visitTime: Date) =>
  pool.query(
    `with fresh as (
       insert into visits (id, at, page, country, chain_id, btc_deposited, yu_minted, address, vault_id)
       select id, $2::timestamptz, '/', null, null, 3, 0, null, null from unnest($1::uuid[]) as t (id) on conflict do nothing
       returning at, page, country, chain_id, btc_deposited, yu_minted
     )
     insert into visit_deltas (hour, page, country, chain_id, visits, btc_deposited, yu_minted)
     select date_trunc('hour', at, 'UTC'), page, coalesce(country, ''), coalesce(chain_id, 0), count(*), sum(btc_deposited), sum(yu_minted)
     from fresh group by 1, 2, 3, 4`,
    [ids, visitTime.toISOString()],
  );

async function rollUpAsOlderServer(): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const lock = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock(42800020) as mine');
    const addSums = (table: string, time: string, groupColumns: string, keys: string) => `
      insert into ${table} as t (${time}${keys}, visits, btc_deposited, yu_minted)
      select ${groupColumns}${keys}, sum(visits), sum(btc_deposited), sum(yu_minted) from taken group by ${groupColumns}${keys}
      on conflict (${time}${keys}) do update set visits = t.visits + excluded.visits,
        btc_deposited = t.btc_deposited + excluded.btc_deposited, yu_minted = t.yu_minted + excluded.yu_minted`;
    const keys = ', page, country, chain_id';
    if (lock.rows[0]?.mine)
      await client.query(`
        with taken as (
          delete from visit_deltas where id in (select id from visit_deltas order by id limit 50 for update skip locked) returning *
        ), hours as (${addSums('visit_hours', 'hour', 'hour', keys)}),
        sums as (${addSums('visit_hour_sums', 'hour', 'hour', '')}),
        days as (${addSums('visit_days', 'day', `date_trunc('day', hour, 'UTC')`, keys)})
        select count(*) from taken`);
    await client.query('commit');
  } finally {
    client.release();
  }
}

test('servers of the earlier version and of this one count and roll up the same visits side by side', async () => {
  const visitTime = new Date(Date.now() - 3_600_000);
  const visit = {
    at: visitTime,
    page: '/',
    country: null,
    chainId: null,
    btcDeposited: 3n,
    yuMinted: 0n,
    address: null,
    vaultId: null,
  };
  const batches = Array.from({ length: 30 }, () => Array.from({ length: 4 }, () => eventRowId(visitTime, randomUUID())));
  await Promise.all(
    batches.flatMap((ids) => [
      insertAsOlderServer(ids, visitTime),
      insertVisits(
        statistics,
        ids.map((id) => ({ ...visit, id })),
      ),
      rollUp(statistics, { most: 3 }),
      rollUpAsOlderServer(),
    ]),
  );
  await rollUpAll(statistics);
  for (const table of ['visit_hours', 'visit_days', 'visit_hour_sums']) {
    const { rows } = await pool.query(`select sum(visits)::int as visits, sum(btc_deposited)::int as btc from ${table}`);
    expect(rows, table).toEqual([{ visits: 120, btc: 360 }]);
  }
  expect((await pool.query('select from visits')).rowCount).toBe(120);
});
