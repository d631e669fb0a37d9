import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../platform/core/log.ts';
import { openDatabase } from '../platform/db/db.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { eventRowId, uniqueById, insertVisits, parseRowTime, type NewVisit } from '../statistics/ingest.ts';
import { runMaintenance } from '../statistics/jobs.ts';
import { detachMonths, createMonths } from '../statistics/partitions.ts';
import { rollUp, rollUpAll } from '../statistics/roll-up.ts';
import { setParts, createSlotFinder } from '../statistics/slots.ts';
import { send, signInAs, createTestApp } from './support.ts';
import { writeExports } from './exports.ts';

const hourMs = 3_600_000;
const startTime = Date.UTC(2026, 2, 27, 3, 17); // two days before Europe's clock change
const addresses = ['0x52908400098527886E0F7030069857D2E4169EE7', '0xde709f2102306220921060314715629080e2fb77'];

/** The tests of visits, with their tables in the panel's database (null) or in a database of their own. */
export async function testVisitStatistics(statisticsUrl: string | null, { parts = 1 } = {}): Promise<void> {
  const app = await createTestApp({}, { jobs: false, statisticsUrl });
  const { statistics } = app.database;
  await setParts(statistics, parts, Date.UTC(2024, 0, 1));
  const { pool } = statistics;
  const { api, headers } = await signInAs(app, 'all');
  await createMonths(statistics, new Date(startTime), new Date(startTime + 60 * 24 * hourMs));

  const buildVisit = (overrides: Partial<NewVisit> & { at: Date }): NewVisit => ({
    id: eventRowId(overrides.at, randomUUID()),
    page: '/',
    country: null,
    chainId: null,
    btcDeposited: 0n,
    yuMinted: 0n,
    address: null,
    vaultId: null,
    ...overrides,
  });

  /** Deterministic. */
  const sampleVisits = Array.from({ length: 900 }, (_, n) =>
    buildVisit({
      at: new Date(startTime + n * 17 * 60_000 + (n % 7) * 1_001),
      page: ['/', '/mint', '/vault'][n % 3] ?? '/',
      country: ['DE', 'SG', null, 'US'][n % 4] ?? null,
      chainId: [1, 200901, null][n % 3] ?? null,
      btcDeposited: n % 10 === 0 ? BigInt(n) * 1_000n : 0n,
      yuMinted: n % 15 === 0 ? BigInt(n) * 10n ** 18n + 1n : 0n,
      address: n % 5 === 0 ? (addresses[n % 2] ?? null) : null,
      vaultId: n % 10 === 0 ? String(n) : null,
    }),
  );

  const sumColumns = `count(*)::text as visits, coalesce(sum(btc_deposited), 0)::text as "btcDeposited", coalesce(sum(yu_minted), 0)::text as "yuMinted"`;
  const expectRollUpEqualsRaw = async () => {
    for (const [table, unit] of [
      ['visit_hours', 'hour'],
      ['visit_days', 'day'],
    ]) {
      const { rows } = await pool.query(`
      with raw as (
        select date_trunc('${unit}', at, 'UTC') as t, page, coalesce(country, '') as country, coalesce(chain_id, 0) as chain_id,
          count(*) as visits, sum(btc_deposited) as btc, sum(yu_minted) as yu from visits group by 1, 2, 3, 4
      ), rolled as (
        select t, page, country, chain_id, sum(visits) as visits, sum(btc_deposited) as btc, sum(yu_minted) as yu from (
          select ${unit} as t, page, country, chain_id, visits, btc_deposited, yu_minted from ${table}
          union all select date_trunc('${unit}', hour, 'UTC'), page, country, chain_id, visits, btc_deposited, yu_minted from visit_deltas
        ) both_of group by 1, 2, 3, 4
      )
      (table raw except table rolled) union all (table rolled except table raw)`);
      expect(rows, table).toEqual([]);
    }
    const { rows } = await pool.query(`
    with parts as (select hour, sum(visits) as v, sum(btc_deposited) as b, sum(yu_minted) as y from visit_hours group by 1),
      sums as (select hour, sum(visits) as v, sum(btc_deposited) as b, sum(yu_minted) as y from visit_hour_sums group by 1)
    (table parts except table sums) union all (table sums except table parts)`);
    expect(rows, 'visit_hour_sums').toEqual([]);
  };

  /** When events of these days can arrive. */
  const reachableTime = startTime + 5 * 24 * hourMs;

  describe('statistics roll-ups', () => {
    test('equal the visits after late, repeated and unordered batches and crashes', async () => {
      const event = fc.record({
        minute: fc.integer({ min: 0, max: 4 * 24 * 60 }),
        page: fc.constantFrom('/', '/mint'),
        country: fc.constantFrom('DE', null),
        btc: fc.constantFrom(0n, 5n, 2_100_000_000_000_000n),
      });
      const stepArbitrary = fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({ do: fc.constant('send' as const), events: fc.array(event, { minLength: 1, maxLength: 12 }) }),
        },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('repeat' as const), back: fc.nat(5) }) },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('roll' as const), most: fc.integer({ min: 1, max: 8 }) }) },
        {
          weight: 1,
          arbitrary: fc.record({
            do: fc.constant('kill' as const),
            table: fc.constantFrom('visit_hours', 'visit_hour_sums', 'visit_days', 'visit_deltas'),
          }),
        },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(stepArbitrary, { minLength: 3, maxLength: 14 }), async (steps) => {
          const sentBatches: NewVisit[][] = [];
          for (const currentStep of steps) {
            if (currentStep.do === 'send') {
              const batch = currentStep.events.map(({ minute, page, country, btc }) =>
                buildVisit({ at: new Date(startTime + minute * 60_000), page, country, btcDeposited: btc }),
              );
              sentBatches.push(batch);
              await insertVisits(statistics, batch);
            } else if (currentStep.do === 'repeat') {
              const batch = sentBatches.at(-1 - currentStep.back);
              if (batch)
                await Promise.all([
                  insertVisits(statistics, batch.toReversed()),
                  insertVisits(statistics, uniqueById([...batch, ...batch])),
                ]);
            } else if (currentStep.do === 'roll')
              await Promise.all([
                rollUp(statistics, { most: currentStep.most, now: reachableTime }),
                rollUp(statistics, { most: currentStep.most, now: reachableTime }),
              ]);
            else await runKilledRollUp(currentStep.table);
          }
          await expectRollUpEqualsRaw();
        }),
        { numRuns: 12, seed: 20_261_121 },
      );
      await rollUpAll(statistics);
      await expectRollUpEqualsRaw();
      expect((await pool.query('select from visit_deltas')).rowCount).toBe(0);
    });

    /** Kills a roll-up at the statement that writes this table. */
    async function runKilledRollUp(table: string): Promise<void> {
      const ownDatabase = openDatabase({
        url: app.database.url,
        statisticsUrl,
        log: createLogger({ level: 'silent' }),
        connections: 2,
      });
      const blockingClient = await pool.connect();
      try {
        const { rowCount: queuedCount } = await pool.query('select from visit_deltas');
        await blockingClient.query('begin');
        await blockingClient.query(`lock table ${table} in share mode`);
        const pendingRollUp = rollUp(ownDatabase.statistics, { now: reachableTime }).then(
          () => 'done',
          () => 'killed',
        );
        for (let attempt = 0; attempt < 200 && queuedCount; attempt++) {
          const { rows } = await pool.query<{ killed: boolean }>(
            `select pg_terminate_backend(pid) as killed from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and pid <> pg_backend_pid() and query like '%from visit_deltas where slot%'`,
          );
          if (rows.length > 0) break;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        expect(await pendingRollUp).toBe(queuedCount ? 'killed' : 'done');
      } finally {
        await blockingClient.query('rollback');
        blockingClient.release();
        await ownDatabase.close();
      }
    }
  });

  describe('page statistics', () => {
    test('the list returns every visit once, and finds each by id', async () => {
      await pool.query('truncate visits, visit_deltas, visit_hours, visit_hour_sums, visit_days');
      // Rolls up a third. The sums must not change.
      await insertVisits(statistics, sampleVisits.slice(0, 300));
      await rollUpAll(statistics);
      await insertVisits(statistics, sampleVisits.slice(300).toReversed());
      const seenIds: string[] = [];
      for (let cursor: string | null = null; ;) {
        const page: Awaited<ReturnType<typeof api.visits.list>> = await api.visits.list({
          sort: 'at',
          direction: 'asc',
          filter: {},
          cursor,
          limit: 200,
        });
        seenIds.push(...page.rows.map(({ id }) => id));
        if (cursor === null) expect(page.count).toEqual({ value: 900, kind: 'exact' });
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      expect(seenIds).toEqual(sampleVisits.map(({ id }) => id));
      const [id = ''] = seenIds.slice(17);
      expect(parseRowTime(id)).toEqual(sampleVisits[17]?.at);
      expect(await api.visits.many({ ids: [id, randomUUID(), `${addresses[0]}-1`] })).toMatchObject([{ id }]);
    });

    const rangeStart = new Date(startTime + 5 * hourMs + 1).toISOString();
    const rangeEnd = new Date(startTime + 201 * hourMs + 30_001).toISOString();
    test.each([
      ['nothing', {}, 'true'],
      ['a range that cuts hours', { time: `${rangeStart}..${rangeEnd}` }, `at >= '${rangeStart}' and at < '${rangeEnd}'`],
      [
        'a range within an hour',
        { time: `${rangeStart}..${new Date(startTime + 5 * hourMs + 600_000).toISOString()}` },
        `at >= '${rangeStart}' and at < '${new Date(startTime + 5 * hourMs + 600_000).toISOString()}'`,
      ],
      ['a country', { country: 'DE', time: `${rangeStart}..` }, `country = 'DE' and at >= '${rangeStart}'`],
      ['no country', { country: '-', time: `..${rangeEnd}` }, `country is null and at < '${rangeEnd}'`],
      ['a chain', { chainId: '200901' }, 'chain_id = 200901'],
      ['no chain', { chainId: '-' }, 'chain_id is null'],
      [
        'a page and a range',
        { page: '/mint', time: `${rangeStart}..${rangeEnd}` },
        `page = '/mint' and at >= '${rangeStart}' and at < '${rangeEnd}'`,
      ],
      ['an address', { address: '0x5290', time: `${rangeStart}..` }, `lower(address) like '0x5290%' and at >= '${rangeStart}'`],
      ['a vault', { vaultId: '10' }, `vault_id = '10'`],
      ['two countries and no chain', { country: 'DE,SG', chainId: '-' }, `country in ('DE', 'SG') and chain_id is null`],
      ['every country but one', { country: '!DE' }, `country is distinct from 'DE'`],
      ['some country, not two pages', { country: '!-', page: '!/mint,/' }, `country is not null and page not in ('/mint', '/')`],
    ])('totals, every series, the largest and the hours of %s are what SQL counts', async (_, filter, condition) => {
      const { rows } = await pool.query<Record<string, string>>(`select ${sumColumns} from visits where ${condition}`);
      const { visits: visitCount, ...btcSum } = rows[0] ?? {};
      expect(await api.visits.totals({ filter })).toMatchObject({ rows: visitCount, sums: btcSum });
      const [periodStart = '', periodEnd = ''] = ('time' in filter ? filter.time : '..').split('..');
      const endTime = periodEnd || rangeEnd;
      const closedPeriod = `${periodStart}..${endTime}`;

      for (const zone of ['UTC', 'Asia/Shanghai', 'Europe/Berlin', 'Asia/Kolkata']) {
        for (const unit of ['day', 'week', 'month'] as const) {
          const { points } = await api.visits.series({ filter: { ...filter, time: closedPeriod }, unit, zone, compare: false });
          const expected = await pool.query(
            `select to_char(date_trunc('${unit}', at at time zone $1), 'YYYY-MM-DD') as label, ${sumColumns} from visits
           where (${condition}) and at < $2 group by 1 order by 1`,
            [zone, endTime],
          );
          const storedPoints = points
            .filter(({ values }) => values.visits !== '0')
            .map(({ label, values }) => ({ label, ...values }));
          expect(storedPoints, `${zone} by ${unit}`).toEqual(expected.rows);
        }
      }
      for (const [dimension, column] of [
        ['country', 'country'],
        ['page', 'page'],
        ['chain', 'chain_id::text'],
      ] as const) {
        const { top, rest: otherTotal } = await api.visits.top({ filter, by: dimension, metric: 'visits', limit: 2 });
        const expected = await pool.query<{ key: string | null; value: string }>(
          `select ${column} as key, count(*)::text as value from visits where ${condition} group by 1 order by count(*) desc, 1`,
        );
        expect(top, dimension).toEqual(expected.rows.slice(0, 2));
        expect(Number(otherTotal)).toBe(expected.rows.slice(2).reduce((runningSum, { value }) => runningSum + Number(value), 0));
      }
      const { bars } = await api.visits.bars({ filter, of: 'hourOfDay', zone: 'Asia/Kolkata' });
      const hours = await pool.query(
        `select extract(hour from at at time zone 'Asia/Kolkata')::text as hour, count(*)::text as rows from visits where ${condition} group by 1`,
      );
      expect(bars).toHaveLength(24);
      expect(
        bars.filter(({ rows: count }) => count !== '0').map(({ from: hour, rows: count }) => ({ hour, rows: count })),
      ).toEqual(hours.rows.toSorted((a: { hour: string }, b: { hour: string }) => Number(a.hour) - Number(b.hour)));
    });

    test('a series has every point, including empty ones, and the previous period', async () => {
      const seriesInput = { time: '2026-04-01T00:00:00.000Z..2026-04-08T00:00:00.000Z' };
      const { points, before: previousPoints } = await api.visits.series({
        filter: seriesInput,
        unit: 'day',
        zone: 'UTC',
        compare: true,
      });
      const labelsOf = (dayRows: readonly { label: string }[] | null) => dayRows?.map(({ label }) => label);
      expect(labelsOf(points)).toEqual([1, 2, 3, 4, 5, 6, 7].map((day) => `2026-04-0${day}`));
      expect(labelsOf(previousPoints)).toEqual([25, 26, 27, 28, 29, 30, 31].map((day) => `2026-03-${day}`));
      const { rows } = await pool.query(`select count(*)::text as n from visits where at >= '2026-03-29' and at < '2026-03-30'`);
      expect(previousPoints?.[4]?.values.visits).toBe(rows[0]?.n);
      // The Berlin day with 23 hours has no repeated hour.
      const day = { time: '2026-03-28T23:00:00.000Z..2026-03-29T22:00:00.000Z' };
      const berlinSeries = await api.visits.series({ filter: day, unit: 'hour', zone: 'Europe/Berlin', compare: false });
      expect(berlinSeries.points).toHaveLength(23);
      expect(berlinSeries.points[2]).toMatchObject({ at: '2026-03-29T01:00:00.000Z', label: '2026-03-29T03:00' });
      expect(
        await api.visits.series({ filter: seriesInput, unit: 'month', zone: 'Europe/Berlin', compare: false }),
      ).toMatchObject({
        points: [{ at: '2026-03-31T22:00:00.000Z', label: '2026-04-01' }],
        before: null,
      });
    });

    test('too long series and unknown zones are refused', async () => {
      const filter = { time: '1970-01-01T00:00:00.000Z..2026-01-01T00:00:00.000Z' };
      const seriesInput = { filter, unit: 'day', zone: 'UTC', compare: false } as const;
      await expect(api.visits.series(seriesInput)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      await expect(api.visits.series({ ...seriesInput, zone: "UTC'; drop table visits" })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
      expect((await api.visits.series({ ...seriesInput, unit: 'month' })).points).toHaveLength(672);
    });

    test('the export equals the list', async () => {
      const filter = { country: 'SG' };
      const { id, rows } = await api.visits.export({ sort: 'at', direction: 'asc', filter, locale: 'en-US' });
      await writeExports(app);
      const text = await (await send(app, 'GET', `/api/statistics/dataView/export/${id}`, undefined, headers)).text();
      expect(text.trim().split('\r\n')).toHaveLength(rows + 1);
      expect(rows).toBe(sampleVisits.filter(({ country }) => country === 'SG').length);
      expect(text).toContain('Page location');
    });

    const listIds = (csv: string) => csv.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    const readExportedIds = async (id: string) =>
      listIds(await (await send(app, 'GET', `/api/statistics/dataView/export/${id}`, undefined, headers)).text());
    const writeThenRun = (runAfterWrite: () => Promise<unknown>) => {
      let firstCall: Promise<unknown> | null = null;
      return writeExports(app, { continueExport: async () => (await (firstCall ??= runAfterWrite()), true) });
    };

    test('the export has every visit once in both orders, from one moment', async () => {
      for (const direction of ['asc', 'desc'] as const) {
        const { id, rows } = await api.visits.export({ sort: 'at', direction, filter: {}, locale: 'en-US' });
        const lateVisit = buildVisit({ at: new Date(startTime + 100 * hourMs) });
        await writeThenRun(() => insertVisits(statistics, [lateVisit]));
        const expected = sampleVisits.map((visit) => visit.id);
        expect(rows).toBe(900);
        expect(await readExportedIds(id)).toEqual(direction === 'asc' ? expected : expected.toReversed());
        await pool.query('delete from visits where slot = $1 and id = $2', [
          (await createSlotFinder(statistics))(lateVisit),
          lateVisit.id,
        ]);
      }
    });

    test('an export whose connection is lost is written again, and never ends with a short file', async () => {
      const { id } = await api.visits.export({ sort: 'at', direction: 'asc', filter: {}, locale: 'en-US' });
      await writeThenRun(async () => {
        const { rows } = await pool.query<{ ended: boolean }>(
          `select pg_terminate_backend(pid) as ended from pg_stat_activity
           where datname = current_database() and application_name = 'admin-panel export'`,
        );
        expect(rows).toEqual([{ ended: true }]);
      });
      expect((await api.exportJobs.own()).find((job) => job.id === id)?.state).toBe('queued');
      app.clock.now += 5_000;
      await writeExports(app);
      expect(await readExportedIds(id)).toEqual(sampleVisits.map((visit) => visit.id));
    });
  });

  describe('monthly partitions', () => {
    test('are created in advance, and detached months stay in charts', async () => {
      const readAttachedPartitions = async () =>
        (
          await pool.query(`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'visits'::regclass`)
        ).rows.map(({ name }: { name: string }) => name);
      const services = {
        config: app.config,
        log: createLogger({ level: 'silent' }),
        database: app.database,
        now: () => startTime,
        ...openExternalServices(app.config),
      };
      const monthAhead = new Date(
        Date.UTC(new Date(app.clock.now).getUTCFullYear(), new Date(app.clock.now).getUTCMonth() + 3, 1),
      );
      expect(await readAttachedPartitions()).toContain(`visits_${monthAhead.toISOString().slice(0, 7).replace('-', '_')}`);
      await Promise.all([runMaintenance(services), runMaintenance(services)]);

      const oldTime = new Date('2024-03-05T12:00:00Z');
      await createMonths(statistics, oldTime, oldTime);
      await insertVisits(statistics, [buildVisit({ at: oldTime })]);
      await rollUpAll(statistics);
      const seriesInput = { filter: { time: '..2026-05-01T00:00:00.000Z' }, unit: 'month', zone: 'UTC', compare: false } as const;
      const seriesBefore = await api.visits.series(seriesInput);
      const removedTables = ['visits_2024_03', 'visits_2024_04', 'visits_2024_05', 'visits_2024_06'];
      expect(await detachMonths(services, new Date('2026-05-15T00:00:00Z'), 13)).toEqual(removedTables);
      expect(await detachMonths(services, new Date('2026-05-15T00:00:00Z'), 13)).toEqual([]);
      expect((await api.visits.series(seriesInput)).points).toEqual(seriesBefore.points);
      const { rows } = await pool.query('select min(at) as first from visits');
      expect(Number(rows[0]?.first)).toBeGreaterThan(Number(oldTime));
      const { rows: storedCount } = await pool.query('select count(*)::int as n from visits_2024_03');
      expect(storedCount[0]?.n).toBe(1);
      await expect(
        pool.query(`select visits_detach_month(date_trunc('month', now() - interval '1 month')::date)`),
      ).rejects.toThrow('this month and the last stay in visits');
    });
  });
}
