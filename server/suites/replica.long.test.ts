import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { withReadTime } from '../statistics/charts.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { findDebianPostgres, startPostgresPair } from '../testing/postgres-pair.ts';
import { waitUntil } from '../testing/process.ts';
import type { RequestContext } from '../platform/services/context.ts';

beforeAll(() => findDebianPostgres(), 300_000); // installs it if missing

test('statistics use a standby, report their age, and use the primary if it is late or gone', { timeout: 180_000 }, async () => {
  const pair = await startPostgresPair();
  onCleanup(pair.stop);
  await pair.primary.query(`alter system set synchronous_standby_names = ''`); // commits do not wait for a replica
  await pair.primary.query('select pg_reload_conf()');
  const logLines: string[] = [];
  const log = createLogger({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const database = openDatabase({ url: pair.primary.url, readUrl: pair.standby.url, log });
  onCleanup(() => database.close());
  await database.pool.query('create table seen as select 1 as one');
  const context = { db: database.db, log, services: { database, now: Date.now } } as unknown as RequestContext;
  const readFromStandby = () =>
    withReadTime(context, async (db) => {
      const { rows } = await db.execute<{ standby: boolean; rows: number }>(
        'select pg_is_in_recovery() as standby, (select count(*)::int from seen) as rows',
      );
      return rows[0] ?? { standby: false, rows: 0 };
    });

  await waitUntil(async () => (await readFromStandby()).standby);
  const currentRead = await readFromStandby();
  expect(currentRead).toMatchObject({ standby: true, rows: 1, isLate: false });
  expect(Date.now() - Date.parse(currentRead.asOf)).toBeLessThan(4_000);

  // The replica stops replaying but still answers. Its figures must say how old they are.
  await pair.standby.query('select pg_wal_replay_pause()');
  const pausedAt = Date.now();
  await database.pool.query('insert into seen values (2)');
  await waitUntil(async () => (await readFromStandby()).isLate);
  const lateRead = await readFromStandby();
  expect(lateRead).toMatchObject({ standby: true, rows: 1, isLate: true });
  expect(Date.parse(lateRead.asOf)).toBeLessThan(pausedAt + 1_000);
  await waitUntil(async () => !(await readFromStandby()).standby);
  expect(await readFromStandby()).toMatchObject({ rows: 2, isLate: false });
  expect(Date.now() - pausedAt).toBeGreaterThan(25_000);
  await pair.standby.query('select pg_wal_replay_resume()');
  await waitUntil(async () => (await readFromStandby()).standby);
  expect(await readFromStandby()).toMatchObject({ rows: 2, isLate: false });

  await pair.standby.kill();
  expect(await readFromStandby()).toMatchObject({ standby: false, rows: 2, isLate: false });
  await waitUntil(() => logLines.some((line) => line.includes('the primary is read from')));
  await pair.standby.start();
  await waitUntil(async () => (await readFromStandby()).standby);
});
