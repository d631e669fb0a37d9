import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { freePort } from '../../chain/free-port.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { withDatabase } from '../testing/run-postgres.ts';
import { requireUsable } from './shared/database-checks.ts';
import { changedUrl, startProblem, statisticsFindings } from '../testing/start-problems.ts';
import { emptyDatabase, testDatabase } from '../testing/support.ts';

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

test('a start names a statistics database that does not exist, is unreachable or rejects the password', async () => {
  const url = inject('postgresUrl');
  expect(await startProblem(withDatabase(url, 'nowhere'))).toMatch(
    /^The database "nowhere" doesn’t exist at 127\.0\.0\.1:\d+\. Create it or change STATISTICS_DATABASE_URL\.$/,
  );
  const port = String(await freePort());
  expect(await startProblem(changedUrl(url, (changed) => (changed.port = port)))).toBe(
    `Can’t connect to the database at 127.0.0.1:${port} (ECONNREFUSED). Start it or change STATISTICS_DATABASE_URL.`,
  );
  expect(await startProblem(changedUrl(url, (changed) => (changed.password = 'wrong')))).toMatch(
    /rejected the user or password\. Check STATISTICS_DATABASE_URL\.$/,
  );
});

test('a start refuses the panel’s own database in another spelling', async () => {
  const panel = await testDatabase();
  const spelled = changedUrl(panel.url, (changed) => (changed.hostname = 'localhost'));
  const database = openDatabase({ url: panel.url, statisticsUrl: spelled, log: createLogger({ level: 'silent' }) });
  await expect(requireUsable(database)).rejects.toThrow(
    'STATISTICS_DATABASE_URL names the same database as DATABASE_URL in another spelling. Remove it or name another database.',
  );
  await database.close();
});

test('a start refuses the database of another panel, and a statistics database of a newer release', async () => {
  expect(await startProblem((await testDatabase()).url)).toBe(
    'STATISTICS_DATABASE_URL names the database of a panel. Create an empty database for the statistics, or remove the variable.',
  );
  const url = await emptyDatabase();
  expect(await startProblem(url)).toBeNull();
  await query(
    url,
    `insert into schema_history.__statistics_migrations (number, name, hash, version, oldest_version) values (99, '0099_later', 'x', '9.0.0', '9.0.0')`,
  );
  expect(await startProblem(url)).toMatch(
    /^The statistics database was upgraded by version 9\.0\.0, and this is version .*\. Start version 9\.0\.0 or newer, or set STATISTICS_DATABASE_URL to another database\.$/,
  );
});

test('doctor reports the statistics database in the words of a start', async () => {
  const panel = await testDatabase();
  const findings = (statisticsUrl: string) => statisticsFindings(statisticsUrl, panel.url);
  expect(await findings(await emptyDatabase())).toEqual([
    expect.stringMatching(/^ok: PostgreSQL .* \(STATISTICS_DATABASE_URL\)$/),
    'ok: The database is empty. The next start creates the tables.',
  ]);
  expect(await findings(changedUrl(panel.url, (changed) => (changed.hostname = 'localhost')))).toEqual([
    'problem: STATISTICS_DATABASE_URL names the same database as DATABASE_URL in another spelling. Remove it or name another database.',
  ]);
  expect(await findings(withDatabase(panel.url, 'nowhere'))).toEqual([
    expect.stringMatching(/^problem: The database "nowhere" doesn’t exist .* change STATISTICS_DATABASE_URL\.$/),
  ]);
});
