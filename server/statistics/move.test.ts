import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLogger } from '../platform/core/log.ts';
import { openDatabase } from '../platform/db/db.ts';
import { formatMonth, monthTableName } from '../platform/db/months.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createEmptyDatabase, createTestApp } from '../testing/support.ts';
import { eventRowId, insertVisits, type NewVisit } from './ingest.ts';
import { moveStatistics, removeOldStatistics } from './move.ts';
import { detachMonths, createMonths } from './partitions.ts';
import { rollUpAll } from './roll-up.ts';

const app = await createTestApp({}, { jobs: false });
const log = createLogger({ level: 'silent' });
const dayMs = 86_400_000;
const now = Date.now();
const oldDatabase = app.database.statistics;

const createVisit = (visitTime: number, n: number): NewVisit => ({
  id: eventRowId(new Date(visitTime), randomUUID()),
  at: new Date(visitTime),
  page: ['/', '/mint'][n % 2] ?? '/',
  country: ['DE', null][n % 2] ?? null,
  chainId: [1, null][n % 2] ?? null,
  btcDeposited: BigInt(n),
  yuMinted: BigInt(n) * 10n ** 18n,
  address: null,
  vaultId: n % 3 === 0 ? String(n) : null,
});

test('moving copies visits and detached months, survives an interruption, counts live visits once and ends with equal sums', async () => {
  const detachedDay = Date.UTC(2024, 2, 5, 12);
  await createMonths(oldDatabase, new Date(detachedDay), new Date(now));
  await insertVisits(
    oldDatabase,
    [1, 2, 3].map((n) => createVisit(detachedDay + n * 3_600_000, n)),
  );
  await insertVisits(
    oldDatabase,
    Array.from({ length: 2_500 }, (_, n) => createVisit(now - 40 * dayMs + n * 20_000, n)),
  );
  const recentVisits = Array.from({ length: 60 }, (_, n) => createVisit(now - 2 * dayMs + n * 60_000, n));
  await insertVisits(oldDatabase, recentVisits);
  await rollUpAll(oldDatabase);
  const services = { config: app.config, log, database: app.database, now: () => now, ...openExternalServices(app.config) };
  await detachMonths(services, new Date(now), 12);

  const url = await createEmptyDatabase();
  const database = openDatabase({ url: app.database.url, statisticsUrl: url, log });
  const { statistics } = database;
  try {
    await statistics.migrate();
    await createMonths(statistics, new Date(now), new Date(now));
    // Servers already report to the new database: a repeat of an old visit, and a new one.
    await database.pool.query('insert into statistics_databases (place, first_at) values ($1, $2)', [
      statistics.place,
      new Date(now),
    ]);
    await createMonths(statistics, new Date(now - 3 * dayMs), new Date(now));
    await insertVisits(statistics, [...recentVisits.slice(0, 5), createVisit(now - dayMs, 7)]);

    let lines = 0;
    const interruptedMove = moveStatistics(database, () => {
      if (++lines === 2) throw new Error('interrupted');
    });
    await expect(interruptedMove).rejects.toThrow('interrupted');
    expect((await removeOldStatistics(database)).differences.length).toBeGreaterThan(0);
    expect((await oldDatabase.pool.query('select from visits')).rowCount).toBe(2_560);
    const moveResult = await moveStatistics(database, () => {});
    expect(moveResult).toMatchObject({ visits: '2563', newer: '1', differences: [] });
    const days: string[] = [];
    await moveStatistics(database, (line) => days.push(line));
    expect(days.every((line) => line.endsWith(' 0 copied'))).toBe(true);

    const sumQuery = `select sum(visits)::int as visits, sum(yu_minted)::text as yu from visit_days`;
    const { rows: movedSums } = await statistics.pool.query(sumQuery);
    const { rows: oldSums } = await oldDatabase.pool.query(sumQuery);
    const extraAmount = 7n * 10n ** 18n;
    expect(movedSums).toEqual([{ visits: 2564, yu: String(BigInt(oldSums[0]?.yu) + extraAmount) }]);
    expect((await statistics.pool.query('select from visit_deltas')).rowCount).toBe(0);

    expect(await removeOldStatistics(database)).toMatchObject({ differences: [] });
    expect((await oldDatabase.pool.query('select from visits union all select from visit_days')).rowCount).toBe(0);
    expect((await statistics.pool.query('select from visits')).rowCount).toBe(2_561);
    expect((await oldDatabase.pool.query('select from visits_2024_03')).rowCount).toBe(3);
  } finally {
    await database.close();
  }
});

test('moving ends with equal sums when a running server archives a copied month in the new database', async () => {
  const start = new Date(now);
  const olderTime = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() - 4, 10, 12);
  await createMonths(oldDatabase, new Date(olderTime), new Date(now));
  await insertVisits(
    oldDatabase,
    [1, 2, 3].map((n) => createVisit(olderTime + n * 60_000, n)),
  );
  const url = await createEmptyDatabase();
  const database = openDatabase({ url: app.database.url, statisticsUrl: url, log });
  try {
    await database.statistics.migrate();
    expect(await moveStatistics(database, () => {})).toMatchObject({ differences: [] });
    const services = { config: app.config, log, database, now: () => now, ...openExternalServices(app.config) };
    expect(await detachMonths(services, new Date(now), 3)).toContain(monthTableName('visits', formatMonth(new Date(olderTime))));
    expect(await moveStatistics(database, () => {})).toMatchObject({ differences: [] });

    // A visit that was not copied before its month was archived is not lost silently.
    await insertVisits(oldDatabase, [createVisit(olderTime, 9)]);
    await expect(moveStatistics(database, () => {})).rejects.toThrow('Attach visits_');
    expect((await removeOldStatistics(database)).differences).toHaveLength(1);
  } finally {
    await database.close();
  }
});
