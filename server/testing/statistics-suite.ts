import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../platform/core/log.ts';
import { openDatabase } from '../platform/db/db.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { eventRowId, uniqueById, insertVisits, timeOfRow, type NewVisit } from '../statistics/ingest.ts';
import { runMaintenance } from '../statistics/jobs.ts';
import { detachMonths, makeMonths } from '../statistics/partitions.ts';
import { rollUp, rollUpAll } from '../statistics/roll-up.ts';
import { setParts, slotting } from '../statistics/slots.ts';
import { send, signInAs, testApp } from './support.ts';
import { writeExports } from './exports.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 2, 27, 3, 17); // two days before Europe's clock change
const addresses = ['0x52908400098527886E0F7030069857D2E4169EE7', '0xde709f2102306220921060314715629080e2fb77'];

/** The tests of visits, with their tables in the panel's database (null) or in a database of their own. */
export async function testVisits(statisticsUrl: string | null, { parts = 1 } = {}): Promise<void> {
  const app = await testApp({}, { jobs: false, statisticsUrl });
  const { statistics } = app.database;
  await setParts(statistics, parts, Date.UTC(2024, 0, 1));
  const { pool } = statistics;
  const { api, headers } = await signInAs(app, 'all');
  await makeMonths(statistics, new Date(start), new Date(start + 60 * 24 * hourMs));

  const newVisit = (more: Partial<NewVisit> & { at: Date }): NewVisit => ({
    id: eventRowId(more.at, randomUUID()),
    page: '/',
    country: null,
    chainId: null,
    btcDeposited: 0n,
    yuMinted: 0n,
    address: null,
    vaultId: null,
    ...more,
  });

  /** Deterministic. */
  const some = Array.from({ length: 900 }, (_, n) =>
    newVisit({
      at: new Date(start + n * 17 * 60_000 + (n % 7) * 1_001),
      page: ['/', '/mint', '/vault'][n % 3] ?? '/',
      country: ['DE', 'SG', null, 'US'][n % 4] ?? null,
      chainId: [1, 200901, null][n % 3] ?? null,
      btcDeposited: n % 10 === 0 ? BigInt(n) * 1_000n : 0n,
      yuMinted: n % 15 === 0 ? BigInt(n) * 10n ** 18n + 1n : 0n,
      address: n % 5 === 0 ? (addresses[n % 2] ?? null) : null,
      vaultId: n % 10 === 0 ? String(n) : null,
    }),
  );

  const sums = `count(*)::text as visits, coalesce(sum(btc_deposited), 0)::text as "btcDeposited", coalesce(sum(yu_minted), 0)::text as "yuMinted"`;
  const rolledEqualsRaw = async () => {
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
  const reachable = start + 5 * 24 * hourMs;

  describe('statistics roll-ups', () => {
    test('equal the visits after late, repeated and unordered batches and crashes', async () => {
      const event = fc.record({
        minute: fc.integer({ min: 0, max: 4 * 24 * 60 }),
        page: fc.constantFrom('/', '/mint'),
        country: fc.constantFrom('DE', null),
        btc: fc.constantFrom(0n, 5n, 2_100_000_000_000_000n),
      });
      const step = fc.oneof(
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
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
          const sent: NewVisit[][] = [];
          for (const next of steps) {
            if (next.do === 'send') {
              const batch = next.events.map(({ minute, page, country, btc }) =>
                newVisit({ at: new Date(start + minute * 60_000), page, country, btcDeposited: btc }),
              );
              sent.push(batch);
              await insertVisits(statistics, batch);
            } else if (next.do === 'repeat') {
              const batch = sent.at(-1 - next.back);
              if (batch)
                await Promise.all([
                  insertVisits(statistics, batch.toReversed()),
                  insertVisits(statistics, uniqueById([...batch, ...batch])),
                ]);
            } else if (next.do === 'roll')
              await Promise.all([
                rollUp(statistics, { most: next.most, now: reachable }),
                rollUp(statistics, { most: next.most, now: reachable }),
              ]);
            else await killedRollUp(next.table);
          }
          await rolledEqualsRaw();
        }),
        { numRuns: 12, seed: 20_261_121 },
      );
      await rollUpAll(statistics);
      await rolledEqualsRaw();
      expect((await pool.query('select from visit_deltas')).rowCount).toBe(0);
    });

    /** Kills a roll-up at the statement that writes this table. */
    async function killedRollUp(table: string): Promise<void> {
      const own = openDatabase({ url: app.database.url, statisticsUrl, log: createLogger({ level: 'silent' }), connections: 2 });
      const blocker = await pool.connect();
      try {
        const { rowCount: queued } = await pool.query('select from visit_deltas');
        await blocker.query('begin');
        await blocker.query(`lock table ${table} in share mode`);
        const rolling = rollUp(own.statistics, { now: reachable }).then(
          () => 'done',
          () => 'killed',
        );
        for (let tries = 0; tries < 200 && queued; tries++) {
          const { rows } = await pool.query<{ killed: boolean }>(
            `select pg_terminate_backend(pid) as killed from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and pid <> pg_backend_pid() and query like '%from visit_deltas where slot%'`,
          );
          if (rows.length > 0) break;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        expect(await rolling).toBe(queued ? 'killed' : 'done');
      } finally {
        await blocker.query('rollback');
        blocker.release();
        await own.close();
      }
    }
  });

  describe('page statistics', () => {
    test('the list returns every visit once, and finds each by id', async () => {
      await pool.query('truncate visits, visit_deltas, visit_hours, visit_hour_sums, visit_days');
      // Rolls up a third. The sums must not change.
      await insertVisits(statistics, some.slice(0, 300));
      await rollUpAll(statistics);
      await insertVisits(statistics, some.slice(300).toReversed());
      const seen: string[] = [];
      for (let cursor: string | null = null; ;) {
        const page: Awaited<ReturnType<typeof api.visits.list>> = await api.visits.list({
          sort: 'at',
          direction: 'asc',
          filter: {},
          cursor,
          limit: 200,
        });
        seen.push(...page.rows.map(({ id }) => id));
        if (cursor === null) expect(page.count).toEqual({ value: 900, kind: 'exact' });
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      expect(seen).toEqual(some.map(({ id }) => id));
      const [id = ''] = seen.slice(17);
      expect(timeOfRow(id)).toEqual(some[17]?.at);
      expect(await api.visits.many({ ids: [id, randomUUID(), `${addresses[0]}-1`] })).toMatchObject([{ id }]);
    });

    const from = new Date(start + 5 * hourMs + 1).toISOString();
    const to = new Date(start + 201 * hourMs + 30_001).toISOString();
    test.each([
      ['nothing', {}, 'true'],
      ['a range that cuts hours', { time: `${from}..${to}` }, `at >= '${from}' and at < '${to}'`],
      [
        'a range within an hour',
        { time: `${from}..${new Date(start + 5 * hourMs + 600_000).toISOString()}` },
        `at >= '${from}' and at < '${new Date(start + 5 * hourMs + 600_000).toISOString()}'`,
      ],
      ['a country', { country: 'DE', time: `${from}..` }, `country = 'DE' and at >= '${from}'`],
      ['no country', { country: '-', time: `..${to}` }, `country is null and at < '${to}'`],
      ['a chain', { chainId: '200901' }, 'chain_id = 200901'],
      ['no chain', { chainId: '-' }, 'chain_id is null'],
      ['a page and a range', { page: '/mint', time: `${from}..${to}` }, `page = '/mint' and at >= '${from}' and at < '${to}'`],
      ['an address', { address: '0x5290', time: `${from}..` }, `lower(address) like '0x5290%' and at >= '${from}'`],
      ['a vault', { vaultId: '10' }, `vault_id = '10'`],
      ['two countries and no chain', { country: 'DE,SG', chainId: '-' }, `country in ('DE', 'SG') and chain_id is null`],
      ['every country but one', { country: '!DE' }, `country is distinct from 'DE'`],
      ['some country, not two pages', { country: '!-', page: '!/mint,/' }, `country is not null and page not in ('/mint', '/')`],
    ])('totals, every series, the largest and the hours of %s are what SQL counts', async (_, filter, where) => {
      const { rows } = await pool.query<Record<string, string>>(`select ${sums} from visits where ${where}`);
      const { visits: found, ...summed } = rows[0] ?? {};
      expect(await api.visits.totals({ filter })).toMatchObject({ rows: found, sums: summed });
      const [begin = '', asked = ''] = ('time' in filter ? filter.time : '..').split('..');
      const end = asked || to;
      const closed = `${begin}..${end}`;

      for (const zone of ['UTC', 'Asia/Shanghai', 'Europe/Berlin', 'Asia/Kolkata']) {
        for (const unit of ['day', 'week', 'month'] as const) {
          const { points } = await api.visits.series({ filter: { ...filter, time: closed }, unit, zone, compare: false });
          const expected = await pool.query(
            `select to_char(date_trunc('${unit}', at at time zone $1), 'YYYY-MM-DD') as label, ${sums} from visits
           where (${where}) and at < $2 group by 1 order by 1`,
            [zone, end],
          );
          const there = points.filter(({ values }) => values.visits !== '0').map(({ label, values }) => ({ label, ...values }));
          expect(there, `${zone} by ${unit}`).toEqual(expected.rows);
        }
      }
      for (const [by, column] of [
        ['country', 'country'],
        ['page', 'page'],
        ['chain', 'chain_id::text'],
      ] as const) {
        const { top, rest } = await api.visits.top({ filter, by, metric: 'visits', limit: 2 });
        const expected = await pool.query<{ key: string | null; value: string }>(
          `select ${column} as key, count(*)::text as value from visits where ${where} group by 1 order by count(*) desc, 1`,
        );
        expect(top, by).toEqual(expected.rows.slice(0, 2));
        expect(Number(rest)).toBe(expected.rows.slice(2).reduce((sum, { value }) => sum + Number(value), 0));
      }
      const { bars } = await api.visits.bars({ filter, of: 'hourOfDay', zone: 'Asia/Kolkata' });
      const hours = await pool.query(
        `select extract(hour from at at time zone 'Asia/Kolkata')::text as hour, count(*)::text as rows from visits where ${where} group by 1`,
      );
      expect(bars).toHaveLength(24);
      expect(
        bars.filter(({ rows: count }) => count !== '0').map(({ from: hour, rows: count }) => ({ hour, rows: count })),
      ).toEqual(hours.rows.toSorted((a: { hour: string }, b: { hour: string }) => Number(a.hour) - Number(b.hour)));
    });

    test('a series has every point, including empty ones, and the previous period', async () => {
      const requested = { time: '2026-04-01T00:00:00.000Z..2026-04-08T00:00:00.000Z' };
      const { points, before } = await api.visits.series({ filter: requested, unit: 'day', zone: 'UTC', compare: true });
      const labels = (some: readonly { label: string }[] | null) => some?.map(({ label }) => label);
      expect(labels(points)).toEqual([1, 2, 3, 4, 5, 6, 7].map((day) => `2026-04-0${day}`));
      expect(labels(before)).toEqual([25, 26, 27, 28, 29, 30, 31].map((day) => `2026-03-${day}`));
      const { rows } = await pool.query(`select count(*)::text as n from visits where at >= '2026-03-29' and at < '2026-03-30'`);
      expect(before?.[4]?.values.visits).toBe(rows[0]?.n);
      // The Berlin day with 23 hours has no repeated hour.
      const day = { time: '2026-03-28T23:00:00.000Z..2026-03-29T22:00:00.000Z' };
      const berlin = await api.visits.series({ filter: day, unit: 'hour', zone: 'Europe/Berlin', compare: false });
      expect(berlin.points).toHaveLength(23);
      expect(berlin.points[2]).toMatchObject({ at: '2026-03-29T01:00:00.000Z', label: '2026-03-29T03:00' });
      expect(await api.visits.series({ filter: requested, unit: 'month', zone: 'Europe/Berlin', compare: false })).toMatchObject({
        points: [{ at: '2026-03-31T22:00:00.000Z', label: '2026-04-01' }],
        before: null,
      });
    });

    test('too long series and unknown zones are refused', async () => {
      const filter = { time: '1970-01-01T00:00:00.000Z..2026-01-01T00:00:00.000Z' };
      const requested = { filter, unit: 'day', zone: 'UTC', compare: false } as const;
      await expect(api.visits.series(requested)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      await expect(api.visits.series({ ...requested, zone: "UTC'; drop table visits" })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
      expect((await api.visits.series({ ...requested, unit: 'month' })).points).toHaveLength(672);
    });

    test('the export equals the list', async () => {
      const filter = { country: 'SG' };
      const { id, rows } = await api.visits.export({ sort: 'at', direction: 'asc', filter, locale: 'en-US' });
      await writeExports(app);
      const text = await (await send(app, 'GET', `/api/statistics/dataView/export/${id}`, undefined, headers)).text();
      expect(text.trim().split('\r\n')).toHaveLength(rows + 1);
      expect(rows).toBe(some.filter(({ country }) => country === 'SG').length);
      expect(text).toContain('Page location');
    });

    const idsIn = (csv: string) => csv.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    const exportedIds = async (id: string) =>
      idsIn(await (await send(app, 'GET', `/api/statistics/dataView/export/${id}`, undefined, headers)).text());
    const writeAndDo = (act: () => Promise<unknown>) => {
      let first: Promise<unknown> | null = null;
      return writeExports(app, { continueExport: async () => (await (first ??= act()), true) });
    };

    test('the export has every visit once in both orders, from one moment', async () => {
      for (const direction of ['asc', 'desc'] as const) {
        const { id, rows } = await api.visits.export({ sort: 'at', direction, filter: {}, locale: 'en-US' });
        const late = newVisit({ at: new Date(start + 100 * hourMs) });
        await writeAndDo(() => insertVisits(statistics, [late]));
        const expected = some.map((visit) => visit.id);
        expect(rows).toBe(900);
        expect(await exportedIds(id)).toEqual(direction === 'asc' ? expected : expected.toReversed());
        await pool.query('delete from visits where slot = $1 and id = $2', [(await slotting(statistics))(late), late.id]);
      }
    });

    test('an export whose connection is lost is written again, and never ends with a short file', async () => {
      const { id } = await api.visits.export({ sort: 'at', direction: 'asc', filter: {}, locale: 'en-US' });
      await writeAndDo(async () => {
        const { rows } = await pool.query<{ ended: boolean }>(
          `select pg_terminate_backend(pid) as ended from pg_stat_activity
           where datname = current_database() and application_name = 'admin-panel export'`,
        );
        expect(rows).toEqual([{ ended: true }]);
      });
      expect((await api.exportJobs.own()).find((job) => job.id === id)?.state).toBe('queued');
      app.clock.now += 5_000;
      await writeExports(app);
      expect(await exportedIds(id)).toEqual(some.map((visit) => visit.id));
    });
  });

  describe('monthly partitions', () => {
    test('are created in advance, and detached months stay in charts', async () => {
      const attached = async () =>
        (
          await pool.query(`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'visits'::regclass`)
        ).rows.map(({ name }: { name: string }) => name);
      const services = {
        config: app.config,
        log: createLogger({ level: 'silent' }),
        database: app.database,
        now: () => start,
        ...openExternalServices(app.config),
      };
      const ahead = new Date(Date.UTC(new Date(app.clock.now).getUTCFullYear(), new Date(app.clock.now).getUTCMonth() + 3, 1));
      expect(await attached()).toContain(`visits_${ahead.toISOString().slice(0, 7).replace('-', '_')}`);
      await Promise.all([runMaintenance(services), runMaintenance(services)]);

      const old = new Date('2024-03-05T12:00:00Z');
      await makeMonths(statistics, old, old);
      await insertVisits(statistics, [newVisit({ at: old })]);
      await rollUpAll(statistics);
      const requested = { filter: { time: '..2026-05-01T00:00:00.000Z' }, unit: 'month', zone: 'UTC', compare: false } as const;
      const before = await api.visits.series(requested);
      const removed = ['visits_2024_03', 'visits_2024_04', 'visits_2024_05', 'visits_2024_06'];
      expect(await detachMonths(services, new Date('2026-05-15T00:00:00Z'), 13)).toEqual(removed);
      expect(await detachMonths(services, new Date('2026-05-15T00:00:00Z'), 13)).toEqual([]);
      expect((await api.visits.series(requested)).points).toEqual(before.points);
      const { rows } = await pool.query('select min(at) as first from visits');
      expect(Number(rows[0]?.first)).toBeGreaterThan(Number(old));
      const { rows: stored } = await pool.query('select count(*)::int as n from visits_2024_03');
      expect(stored[0]?.n).toBe(1);
      await expect(
        pool.query(`select visits_detach_month(date_trunc('month', now() - interval '1 month')::date)`),
      ).rejects.toThrow('this month and the last stay in visits');
    });
  });
}
