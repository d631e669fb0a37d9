import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { findFreePort } from '../../chain/free-port.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { replaceDatabase } from '../testing/run-postgres.ts';
import { requireUsableDatabase } from './shared/database-checks.ts';
import { changeUrl, readStartProblem, readStatisticsFindings } from '../testing/start-problems.ts';
import { createEmptyDatabase, createTestDatabase } from '../testing/support.ts';

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
  expect(await readStartProblem(replaceDatabase(url, 'nowhere'))).toMatch(
    /^The database "nowhere" doesn’t exist at 127\.0\.0\.1:\d+\. Create it or change STATISTICS_DATABASE_URL\.$/,
  );
  const port = String(await findFreePort());
  expect(await readStartProblem(changeUrl(url, (changedUrl) => (changedUrl.port = port)))).toBe(
    `Can’t connect to the database at 127.0.0.1:${port} (ECONNREFUSED). Start it or change STATISTICS_DATABASE_URL.`,
  );
  expect(await readStartProblem(changeUrl(url, (changedUrl) => (changedUrl.password = 'wrong')))).toMatch(
    /rejected the user or password\. Check STATISTICS_DATABASE_URL\.$/,
  );
});

test('a start refuses the panel’s own database in another spelling', async () => {
  const panelDatabase = await createTestDatabase();
  const otherSpelling = changeUrl(panelDatabase.url, (changedUrl) => (changedUrl.hostname = 'localhost'));
  const database = openDatabase({ url: panelDatabase.url, statisticsUrl: otherSpelling, log: createLogger({ level: 'silent' }) });
  await expect(requireUsableDatabase(database)).rejects.toThrow(
    'STATISTICS_DATABASE_URL names the same database as DATABASE_URL in another spelling. Remove it or name another database.',
  );
  await database.close();
});

test('a start refuses the database of another panel, and a statistics database of a newer release', async () => {
  expect(await readStartProblem((await createTestDatabase()).url)).toBe(
    'STATISTICS_DATABASE_URL names the database of a panel. Create an empty database for the statistics, or remove the variable.',
  );
  const url = await createEmptyDatabase();
  expect(await readStartProblem(url)).toBeNull();
  await query(
    url,
    `insert into schema_history.__statistics_migrations (number, name, hash, version, oldest_version) values (99, '0099_later', 'x', '9.0.0', '9.0.0')`,
  );
  expect(await readStartProblem(url)).toMatch(
    /^The statistics database was upgraded by version 9\.0\.0, and this is version .*\. Start version 9\.0\.0 or newer, or set STATISTICS_DATABASE_URL to another database\.$/,
  );
});

test('doctor reports the statistics database in the words of a start', async () => {
  const panelDatabase = await createTestDatabase();
  const readFindings = (statisticsUrl: string) => readStatisticsFindings(statisticsUrl, panelDatabase.url);
  expect(await readFindings(await createEmptyDatabase())).toEqual([
    expect.stringMatching(/^ok: PostgreSQL .* \(STATISTICS_DATABASE_URL\)$/),
    'ok: The database is empty. The next start creates the tables.',
  ]);
  expect(await readFindings(changeUrl(panelDatabase.url, (changedUrl) => (changedUrl.hostname = 'localhost')))).toEqual([
    'problem: STATISTICS_DATABASE_URL names the same database as DATABASE_URL in another spelling. Remove it or name another database.',
  ]);
  expect(await readFindings(replaceDatabase(panelDatabase.url, 'nowhere'))).toEqual([
    expect.stringMatching(/^problem: The database "nowhere" doesn’t exist .* change STATISTICS_DATABASE_URL\.$/),
  ]);
});
