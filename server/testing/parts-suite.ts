import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { openDatabase, type StatisticsDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { eventRowId, insertVisits, type NewVisit } from '../statistics/ingest.ts';
import { createMonths } from '../statistics/partitions.ts';
import { rollUp } from '../statistics/roll-up.ts';
import { dayOf, setParts } from '../statistics/slots.ts';
import { signInAs, createTestApp } from './support.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** The tests of a number of parts that changes, in a separate database on one machine or several. */
export function testStatisticsParts(newDatabase: () => Promise<string>): void {
  const buildVisitsOn = (day: number, count: number): NewVisit[] =>
    Array.from({ length: count }, (_, n) => {
      const visitedAt = new Date(day * dayMs + 9 * hourMs + n * 60_000);
      const id = eventRowId(visitedAt, randomUUID());
      return {
        id,
        at: visitedAt,
        page: '/',
        country: null,
        chainId: null,
        btcDeposited: 3n,
        yuMinted: 0n,
        address: null,
        vaultId: null,
      };
    });
  const readSlots = async ({ pool }: StatisticsDatabase) => {
    const { rows } = await pool.query<{ id: string; slot: number }>('select id, slot from visits');
    return new Map(rows.map(({ id, slot }) => [id, slot]));
  };
  const partOfVisit = ({ id }: NewVisit, parts: number) => Number.parseInt(id.slice(-2), 16) % parts;
  const expectSums = async ({ pool }: StatisticsDatabase, count: number) => {
    for (const table of ['visit_hours', 'visit_days', 'visit_hour_sums']) {
      const { rows } = await pool.query(`select sum(visits)::int as visits, sum(btc_deposited)::int as btc from ${table}`);
      expect(rows, table).toEqual([{ visits: count, btc: count * 3 }]);
    }
    expect((await pool.query('select from visits')).rowCount).toBe(count);
    expect((await pool.query('select from visit_deltas')).rowCount).toBe(0);
  };

  test('a new number of parts applies from the next UTC day, and a repeat after the change reaches the same slot', async () => {
    const statisticsUrl = await newDatabase();
    const env = { DATABASE_URL: inject('postgresUrl'), STATISTICS_DATABASE_URL: statisticsUrl, STATISTICS_PARTS: '2' };
    const app = await createTestApp(env, { jobs: false, statisticsUrl });
    const { statistics } = app.database;
    const today = dayOf(new Date(app.clock.now + hourMs));
    await createMonths(statistics, new Date((today - 1) * dayMs), new Date((today + 2) * dayMs));
    const days = [today - 1, today, today + 1, today + 2].map((day) => buildVisitsOn(day, 60));
    for (const visits of days.slice(0, 3)) expect(await insertVisits(statistics, visits)).toBe(60);

    // One day later the operator asks for four.
    await setParts(statistics, 4, app.clock.now + dayMs);
    expect(await insertVisits(statistics, days.flat().toReversed())).toBe(60);
    expect(await insertVisits(statistics, days.flat())).toBe(0);

    const slots = await readSlots(statistics);
    for (const [index, parts] of [1, 1, 2, 4].entries()) {
      const day = today - 1 + index;
      for (const visit of days[index] ?? []) expect(slots.get(visit.id)).toBe(day * 8 + partOfVisit(visit, parts));
      expect(new Set((days[index] ?? []).map(({ id }) => slots.get(id))).size, `parts of day ${index}`).toBe(parts);
    }
    await rollUp(statistics, { now: (today + 2) * dayMs });
    await expectSums(statistics, 240);
    const { api } = await signInAs(app, 'all');
    const filter = { time: `${new Date((today - 1) * dayMs).toISOString()}..${new Date((today + 3) * dayMs).toISOString()}` };
    expect(await api.visits.totals({ filter })).toMatchObject({ rows: '240', sums: { btcDeposited: '720' } });
    const someVisits = days.flat().filter((_, n) => n % 3 === 0);
    expect(await api.visits.many({ ids: someVisits.map(({ id }) => id) })).toHaveLength(80);
  });

  test('servers that learn of a change at different times give a visit the same slot', async () => {
    const statisticsUrl = await newDatabase();
    const app = await createTestApp({}, { jobs: false, statisticsUrl });
    const { statistics } = app.database;
    const url = app.database.url;
    const laterDatabase = openDatabase({ url, statisticsUrl, log: createLogger({ level: 'silent' }) });
    try {
      const { now } = app.clock;
      const visits = buildVisitsOn(dayOf(new Date(now)), 80);
      await createMonths(statistics, new Date(now), new Date(now));
      expect(await insertVisits(laterDatabase.statistics, visits.slice(0, 40))).toBe(40);
      await setParts(statistics, 8, now);
      expect(await insertVisits(statistics, visits)).toBe(40);
      expect(await insertVisits(laterDatabase.statistics, visits)).toBe(0);
      await Promise.all([rollUp(statistics, { now, most: 20 }), rollUp(laterDatabase.statistics, { now, most: 20 })]);
      await rollUp(statistics, { now });
      await expectSums(statistics, 80);
    } finally {
      await laterDatabase.close();
    }
  });

  test('starting with the same number of parts again stores nothing, and going back before midnight undoes a change', async () => {
    const statisticsUrl = await newDatabase();
    const { database, clock } = await createTestApp({}, { jobs: false, statisticsUrl });
    const { statistics } = database;
    const readPartitionDays = async () =>
      (await statistics.pool.query(`select from_day - date '1970-01-01' as day, parts from visit_parts order by 1`)).rows;
    expect(await readPartitionDays()).toEqual([]);
    const firstDay = dayOf(new Date(clock.now + hourMs)) + 1;
    await setParts(statistics, 4, clock.now);
    await setParts(statistics, 4, clock.now);
    expect(await readPartitionDays()).toEqual([{ day: firstDay, parts: 4 }]);
    await setParts(statistics, 1, clock.now);
    expect(await readPartitionDays()).toEqual([{ day: firstDay, parts: 1 }]);
    await setParts(statistics, 8, clock.now + dayMs);
    expect(await readPartitionDays()).toEqual([
      { day: firstDay, parts: 1 },
      { day: firstDay + 1, parts: 8 },
    ]);
  });
}
