import { eq, sql } from 'drizzle-orm';
import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportLimits } from '../../api/exports/contract.ts';
import { administrators } from '../platform/auth/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { readCsv } from '../platform/core/csv.ts';
import { sweepExports } from '../platform/exports/jobs.ts';
import { exportJobs as table, exportParts } from '../platform/exports/tables.ts';
import { runExports } from '../platform/exports/worker.ts';
import { openExternalServices } from '../platform/services/services.ts';
import type { Services } from '../platform/services/context.ts';
import { appendEntries } from '../rewards/shared/points-ledger.ts';
import { apiOf, send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

const rows = 1_700;
const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const maxWei = 212_000_000_000_000_000_000_001n;

let app: TestApp;
let services: Services;
let all: TestSession;
let analyst: TestSession;

beforeAll(async () => {
  app = await testApp({}, { jobs: false });
  services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  [all, analyst] = [await signInAs(app, 'all'), await signInAs(app, 'analyst')];
  const entry = { address, source: 'adjustment' as const, administratorId: null, administratorEmail: 'batch@x.y' };
  await app.database.db.transaction((tx) =>
    appendEntries(
      tx,
      Array.from({ length: rows }, (_, at) => ({
        ...entry,
        berries: at === 0 ? 1_000_000_000_000n : 1n,
        reason: at === 0 ? '=HYPERLINK("http://evil.example","x")' : `row ${at}`,
        createdAt: new Date(Date.UTC(2026, 10, 1, 20) + at * 1_000),
      })),
    ),
  );
});

const requested = {
  sort: 'createdAt',
  direction: 'asc',
  filter: {},
  locale: 'en-US',
  zone: 'Asia/Shanghai',
} as const;

const start = (who: TestSession, format: 'csv' | 'xlsx' = 'csv', filter: { q?: string } = {}) =>
  who.api.points.export({ ...requested, filter, format });
const own = async (who: TestSession, id: string) => (await who.api.exportJobs.own()).find((job) => job.id === id);
const download = (who: TestSession, id: string) => send(app, 'GET', `/api/points/export/${id}`, undefined, who.headers);
const partsOf = (id: string) => app.database.db.$count(exportParts, eq(exportParts.exportId, id));

async function cells(answer: Response): Promise<string[][]> {
  const text = await answer.text();
  const lines = [];
  async function* once() {
    yield text;
  }
  for await (const line of readCsv(once())) lines.push(line);
  return lines;
}

async function endAll(): Promise<void> {
  await runExports(services);
  for (const who of [all, analyst]) for (const { id } of await who.api.exportJobs.own()) await who.api.exportJobs.remove({ id });
}

describe('an export', () => {
  test('is queued, written by the job, and downloaded by its owner', async () => {
    const { id, rows: total } = await start(all);
    expect(total).toBe(rows);
    expect(await own(all, id)).toMatchObject({ list: 'points', format: 'csv', state: 'queued', rows: 0, total: rows });
    await runExports(services);
    const done = await own(all, id);
    expect(done).toMatchObject({ state: 'done', rows, problem: null, path: `/api/points/export/${id}` });
    expect(done?.bytes).toBeGreaterThan(1_000);
    const answer = await download(all, id);
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="points.csv"']);
    const lines = await cells(answer);
    expect(lines).toHaveLength(rows + 1);
    expect(lines[0]?.slice(0, 5)).toEqual(['Address', 'Berries', 'Reason', 'Source', 'Time (Asia/Shanghai)']);
    expect(lines[1]?.slice(0, 5)).toEqual([
      address,
      '1000000000000',
      `'=HYPERLINK("http://evil.example","x")`,
      'Adjustment',
      '2026-11-02 04:00:00',
    ]);
    expect((await send(app, 'HEAD', `/api/points/export/${id}`, undefined, all.headers)).body).toBeNull();
  });

  test('is a workbook with numbers, dates and inert text', async () => {
    const { id } = await start(all, 'xlsx');
    await runExports(services);
    const answer = await download(all, id);
    expect(answer.headers.get('content-type')).toContain('spreadsheetml');
    const book = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
    const [sheet] = book.sheets;
    expect(sheet?.rows).toHaveLength(rows + 1);
    const first = sheet?.rows[1] ?? [];
    expect(first.slice(0, 4)).toEqual([address, 1_000_000_000_000, '=HYPERLINK("http://evil.example","x")', 'Adjustment']);
    expect(first[4]).toEqual(new Date('2026-11-02T04:00:00Z'));
  });

  test('is only for its owner, who still needs permission and screen at the download', async () => {
    await endAll();
    const { id } = await start(analyst);
    await runExports(services);
    expect((await download(all, id)).status).toBe(404);
    await expect(all.api.exportJobs.cancel({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(all.api.exportJobs.remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await send(app, 'GET', `/api/points/balances/export/${id}`, undefined, analyst.headers)).status).toBe(404);
    expect((await send(app, 'GET', `/api/points/export/${id}`)).status).toBe(401);
    for (const right of ['points.export', '/points']) {
      await withoutRight('analyst', right, async () => {
        expect((await download(analyst, id)).status).toBe(403);
        await expect(start(analyst)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      });
    }
    expect((await download(analyst, id)).status).toBe(200);
  });

  test.each(['points.export', '/points'])('stops without a file when the person loses %s while it runs', async (right) => {
    await endAll();
    const { id } = await start(analyst);
    await withoutRight('analyst', right, () => runExports(services));
    expect(await own(analyst, id)).toMatchObject({ state: 'failed', problem: 'forbidden' });
    expect(await partsOf(id)).toBe(0);
    const answer = await download(analyst, id);
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'EXPORT_FAILED', data: { problem: 'forbidden' } }]);
  });

  test('stops when the account is disabled between two batches', async () => {
    await endAll();
    const { id } = await start(analyst);
    const isEnabled = (enabled: boolean) =>
      app.database.db.update(administrators).set({ enabled }).where(eq(administrators.email, 'analyst@demo.local'));
    await runExports(services, { reportMs: 0, continueExport: async ({ written }) => (await isEnabled(written === 0), true) });
    await isEnabled(true);
    const [job] = await app.database.db.select().from(table).where(eq(table.id, id));
    expect(job).toMatchObject({ state: 'failed', problem: 'forbidden' });
  });

  test('can be canceled while it runs, and leaves no file', async () => {
    await endAll();
    const { id } = await start(all);
    await runExports(services, {
      reportMs: 0,
      continueExport: async ({ written }) => {
        if (written > 0) await all.api.exportJobs.cancel({ id });
        return true;
      },
    });
    expect(await own(all, id)).toMatchObject({ state: 'canceled' });
    expect(await partsOf(id)).toBe(0);
    expect((await download(all, id)).status).toBe(404);
    expect(await all.api.exportJobs.cancel({ id })).toMatchObject({ state: 'canceled' });
  });

  test('continues after a shutdown, from a new snapshot', async () => {
    await endAll();
    const { id } = await start(all);
    await runExports(services, { reportMs: 0, continueExport: ({ written }) => written === 0 });
    expect(await own(all, id)).toMatchObject({ state: 'queued' });
    await runExports(services);
    expect(await own(all, id)).toMatchObject({ state: 'done', rows });
    expect(await cells(await download(all, id))).toHaveLength(rows + 1);
  });

  test('is taken over from a server that died, and fails after three', async () => {
    await endAll();
    const { id } = await start(all);
    for (let died = 1; died <= 3; died++) {
      await app.database.db
        .update(table)
        .set({ state: 'running', runner: sql`gen_random_uuid()`, leasedUntil: new Date(app.clock.now + 20_000), attempts: died })
        .where(eq(table.id, id));
      await runExports(services);
      expect(await own(all, id)).toMatchObject({ state: 'running' });
      app.clock.now += 21_000;
      if (died < 3) continue;
      await runExports(services);
      expect(await own(all, id)).toMatchObject({ state: 'failed', problem: 'interrupted' });
    }
    const second = await start(all);
    await app.database.db
      .update(table)
      .set({ state: 'running', runner: sql`gen_random_uuid()`, leasedUntil: new Date(app.clock.now - 1), attempts: 1 })
      .where(eq(table.id, second.id));
    await runExports(services);
    expect(await own(all, second.id)).toMatchObject({ state: 'done', rows });
  });

  test('is written once by several servers', async () => {
    await endAll();
    const ids = [await start(all), await start(analyst), await start(all)].map(({ id }) => id);
    await Promise.all(Array.from({ length: 4 }, () => runExports(services)));
    for (const [at, id] of ids.entries()) {
      const who = at === 1 ? analyst : all;
      expect(await own(who, id)).toMatchObject({ state: 'done', rows });
      expect(await cells(await download(who, id))).toHaveLength(rows + 1);
      const { rows: ends } = await app.database.pool.query(`select 1 from audit where entity_id = $1 and action = 'done'`, [id]);
      expect(ends).toHaveLength(1);
    }
  });

  test('is limited to two at once per person, also for concurrent requests', async () => {
    await endAll();
    const many = await Promise.allSettled(Array.from({ length: 6 }, () => start(all)));
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(exportLimits.running);
    await expect(start(all)).rejects.toMatchObject({ code: 'EXPORT_LIMIT', data: { limit: exportLimits.running } });
    const { id } = await start(analyst);
    await runExports(services);
    expect(await own(analyst, id)).toMatchObject({ state: 'done' });
    await start(all);
    await endAll();
  });

  test('stops at the limit of a file and leaves no part', async () => {
    const { id } = await start(all);
    await runExports(services, { maxBytes: 500 });
    expect(await own(all, id)).toMatchObject({ state: 'failed', problem: 'tooLarge' });
    expect(await partsOf(id)).toBe(0);
  });

  test('expires after a day, and only the newest are kept', async () => {
    await endAll();
    const { id } = await start(all);
    await runExports(services);
    app.clock.now += exportLimits.hours * 3_600_000 + 1;
    [all, analyst] = [await signInAs(app, 'all'), await signInAs(app, 'analyst')];
    expect((await download(all, id)).status).toBe(404);
    await sweepExports(services);
    expect(await own(all, id)).toMatchObject({ state: 'expired', expiresAt: null });
    expect(await partsOf(id)).toBe(0);
    for (let at = 0; at < exportLimits.kept + 1; at++) {
      await start(all, 'csv', { q: 'row 1' });
      await runExports(services);
    }
    const kept = await all.api.exportJobs.own();
    expect(kept).toHaveLength(exportLimits.kept);
    expect(kept.map((job) => job.id)).not.toContain(id);
  });

  test('is audited with filters, rows and size, at its start and its end', async () => {
    await endAll();
    const { id } = await start(all, 'xlsx', { q: 'row 12' });
    await runExports(services);
    const { rows: entries } = await all.api.audit.list({
      sort: 'time',
      direction: 'asc',
      filter: { entityId: id },
      cursor: null,
      limit: 5,
    });
    expect(entries.map(({ action, entity, actorEmail }) => [action, entity, actorEmail])).toEqual([
      ['export', 'pointsExport', 'admin@demo.local'],
      ['done', 'pointsExport', 'admin@demo.local'],
    ]);
    const { after } = await all.api.audit.details({ id: entries[1]?.id ?? '' });
    expect(after).toMatchObject({
      filter: { q: 'row 12' },
      format: 'xlsx',
      zone: 'Asia/Shanghai',
      rows: 111,
      bytes: expect.any(Number),
    });
  });

  test('cannot be started by a page that views the panel as a role', async () => {
    const { rows: found } = await app.database.pool.query(`select id from roles where seed = 'analyst'`);
    const headers = { ...all.headers, 'x-view-as': `role:${found[0]?.id}` };
    const viewing = { headers, api: apiOf(app, headers) };
    await expect(start(viewing)).rejects.toMatchObject({ code: 'VIEW_ONLY' });
  });
});

test.each(['zh-CN', 'en-US'] as const)('every list has distinct headings in %s, in both formats', async (locale) => {
  const { api, headers } = all;
  const asked = { direction: 'asc', filter: {}, locale, zone: 'Europe/Berlin' } as const;
  const starts = {
    '/statistics/dataView': (format: 'csv' | 'xlsx') => api.visits.export({ ...asked, sort: 'at', format }),
    '/statistics/dataVault': (format: 'csv' | 'xlsx') => api.vaults.export({ ...asked, sort: 'createdAt', format }),
    '/statistics/dataWallet': (format: 'csv' | 'xlsx') => api.walletConnections.export({ ...asked, sort: 'lastAt', format }),
    '/statistics/dataCdp': (format: 'csv' | 'xlsx') => api.positionStats.export({ ...asked, sort: 'createdAt', format }),
    '/statistics/datacaptain': (format: 'csv' | 'xlsx') => api.teams.export({ ...asked, sort: 'size', format }),
    '/statistics/data0penBox': (format: 'csv' | 'xlsx') => api.draws.export({ ...asked, sort: 'time', format }),
    '/overview': (format: 'csv' | 'xlsx') => api.overview.export({ ...asked, sort: 'day', format }),
    '/points': (format: 'csv' | 'xlsx') => api.points.export({ ...asked, sort: 'createdAt', format }),
    '/points/balances': (format: 'csv' | 'xlsx') => api.points.exportBalances({ ...asked, sort: 'berries', format }),
    '/NFTAirdrop': (format: 'csv' | 'xlsx') => api.airdrops.export({ ...asked, sort: 'createdAt', format }),
    '/audit': (format: 'csv' | 'xlsx') => api.audit.export({ locale, zone: 'Europe/Berlin', format }),
  };
  for (const [path, begin] of Object.entries(starts)) {
    const heads = [];
    for (const format of ['csv', 'xlsx'] as const) {
      const { id } = await begin(format);
      await runExports(services);
      const answer = await send(app, 'GET', `/api${path}/export/${id}`, undefined, headers);
      expect([path, format, answer.status]).toEqual([path, format, 200]);
      heads.push(
        format === 'csv'
          ? (await cells(answer))[0]
          : (await readXlsx(new Uint8Array(await answer.arrayBuffer()))).sheets[0]?.rows[0],
      );
    }
    expect(heads[1]).toEqual(heads[0]);
    expect(new Set(heads[0]).size).toBe(heads[0]?.length);
    expect(heads[0]?.filter((head) => String(head).includes('Europe/Berlin')).length).toBeGreaterThan(0);
    expect(heads[0]?.some((head) => /\p{Script=Han}/u.test(String(head)))).toBe(locale === 'zh-CN');
  }
});

test('amounts beyond 15 digits stay exact in a workbook', async () => {
  await app.database.pool.query(
    `insert into overview_days (day, bridge_btc, mint_yu, user_count, vault_btc, at) values ('2020-01-01', 2099999999999999, $1, 7, null, now())`,
    [String(maxWei)],
  );
  const { id } = await all.api.overview.export({ sort: 'day', direction: 'asc', filter: {}, locale: 'en-US', format: 'xlsx' });
  await runExports(services);
  const answer = await send(app, 'GET', `/api/overview/export/${id}`, undefined, all.headers);
  const [head = [], first = []] = (await readXlsx(new Uint8Array(await answer.arrayBuffer()))).sheets[0]?.rows ?? [];
  const shown = Object.fromEntries(head.map((name, at) => [String(name), first[at]]));
  expect(shown).toMatchObject({
    'Day (UTC)': '2020-01-01',
    'Bridged (BTC)': '20999999.99999999',
    'Bridged (satoshi)': '2099999999999999',
    'Minted (YU)': '212000.000000000000000001',
    'Minted (wei)': String(maxWei),
    Users: 7,
  });
});

async function withoutRight(role: string, identifier: string, during: () => Promise<unknown>): Promise<void> {
  const { rows: removed } = await app.database.pool.query(
    `delete from role_nodes using roles r, permission_nodes n
     where role_id = r.id and node_id = n.id and r.seed = $1 and n.identifier = $2 returning role_id, node_id`,
    [role, identifier],
  );
  expect(removed).toHaveLength(1);
  try {
    await during();
  } finally {
    await app.database.pool.query('insert into role_nodes (role_id, node_id) values ($1, $2)', [
      removed[0]?.role_id,
      removed[0]?.node_id,
    ]);
  }
}
