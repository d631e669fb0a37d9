import { eq, sql } from 'drizzle-orm';
import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportLimits } from '../../api/exports/contract.ts';
import { administrators } from '../platform/auth/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { readCsv } from '../platform/core/csv.ts';
import { deleteExpiredExports } from '../platform/exports/jobs.ts';
import { exportJobs as table, exportParts } from '../platform/exports/tables.ts';
import { runExports } from '../platform/exports/worker.ts';
import { openExternalServices } from '../platform/services/services.ts';
import type { Services } from '../platform/services/context.ts';
import { appendEntries } from '../rewards/shared/points-ledger.ts';
import { createApi, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

const rows = 1_700;
const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const maxWei = 212_000_000_000_000_000_000_001n;

let app: TestApp;
let services: Services;
let adminSession: TestSession;
let analystSession: TestSession;

beforeAll(async () => {
  app = await createTestApp({}, { jobs: false });
  services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  [adminSession, analystSession] = [await signInAs(app, 'all'), await signInAs(app, 'analyst')];
  const entry = { address, source: 'adjustment' as const, administratorId: null, administratorEmail: 'batch@x.y' };
  await app.database.db.transaction((tx) =>
    appendEntries(
      tx,
      Array.from({ length: rows }, (_, index) => ({
        ...entry,
        berries: index === 0 ? 1_000_000_000_000n : 1n,
        reason: index === 0 ? '=HYPERLINK("http://evil.example","x")' : `row ${index}`,
        createdAt: new Date(Date.UTC(2026, 10, 1, 20) + index * 1_000),
      })),
    ),
  );
});

const exportInput = {
  sort: 'createdAt',
  direction: 'asc',
  filter: {},
  locale: 'en-US',
  zone: 'Asia/Shanghai',
} as const;

const startExport = (session: TestSession, format: 'csv' | 'xlsx' = 'csv', filter: { q?: string } = {}) =>
  session.api.points.export({ ...exportInput, filter, format });
const findOwnJob = async (session: TestSession, id: string) => (await session.api.exportJobs.own()).find((job) => job.id === id);
const downloadExport = (session: TestSession, id: string) =>
  send(app, 'GET', `/api/points/export/${id}`, undefined, session.headers);
const countParts = (id: string) => app.database.db.$count(exportParts, eq(exportParts.exportId, id));

async function readCells(response: Response): Promise<string[][]> {
  const text = await response.text();
  const lines = [];
  async function* yieldOnce() {
    yield text;
  }
  for await (const line of readCsv(yieldOnce())) lines.push(line);
  return lines;
}

async function finishAll(): Promise<void> {
  await runExports(services);
  for (const session of [adminSession, analystSession])
    for (const { id } of await session.api.exportJobs.own()) await session.api.exportJobs.remove({ id });
}

describe('an export', () => {
  test('is queued, written by the job, and downloaded by its owner', async () => {
    const { id, rows: total } = await startExport(adminSession);
    expect(total).toBe(rows);
    expect(await findOwnJob(adminSession, id)).toMatchObject({
      list: 'points',
      format: 'csv',
      state: 'queued',
      rows: 0,
      total: rows,
    });
    await runExports(services);
    const finishedJob = await findOwnJob(adminSession, id);
    expect(finishedJob).toMatchObject({ state: 'done', rows, problem: null, path: `/api/points/export/${id}` });
    expect(finishedJob?.bytes).toBeGreaterThan(1_000);
    const response = await downloadExport(adminSession, id);
    expect([response.status, response.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="points.csv"']);
    const lines = await readCells(response);
    expect(lines).toHaveLength(rows + 1);
    expect(lines[0]?.slice(0, 5)).toEqual(['Address', 'Berries', 'Reason', 'Source', 'Time (Asia/Shanghai)']);
    expect(lines[1]?.slice(0, 5)).toEqual([
      address,
      '1000000000000',
      `'=HYPERLINK("http://evil.example","x")`,
      'Adjustment',
      '2026-11-02 04:00:00',
    ]);
    expect((await send(app, 'HEAD', `/api/points/export/${id}`, undefined, adminSession.headers)).body).toBeNull();
  });

  test('is a workbook with numbers, dates and inert text', async () => {
    const { id } = await startExport(adminSession, 'xlsx');
    await runExports(services);
    const response = await downloadExport(adminSession, id);
    expect(response.headers.get('content-type')).toContain('spreadsheetml');
    const workbook = await readXlsx(new Uint8Array(await response.arrayBuffer()));
    const [sheet] = workbook.sheets;
    expect(sheet?.rows).toHaveLength(rows + 1);
    const firstRow = sheet?.rows[1] ?? [];
    expect(firstRow.slice(0, 4)).toEqual([address, 1_000_000_000_000, '=HYPERLINK("http://evil.example","x")', 'Adjustment']);
    expect(firstRow[4]).toEqual(new Date('2026-11-02T04:00:00Z'));
  });

  test('is only for its owner, who still needs permission and screen at the download', async () => {
    await finishAll();
    const { id } = await startExport(analystSession);
    await runExports(services);
    expect((await downloadExport(adminSession, id)).status).toBe(404);
    await expect(adminSession.api.exportJobs.cancel({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(adminSession.api.exportJobs.remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await send(app, 'GET', `/api/points/balances/export/${id}`, undefined, analystSession.headers)).status).toBe(404);
    expect((await send(app, 'GET', `/api/points/export/${id}`)).status).toBe(401);
    for (const right of ['points.export', '/points']) {
      await runWithoutRight('analyst', right, async () => {
        expect((await downloadExport(analystSession, id)).status).toBe(403);
        await expect(startExport(analystSession)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      });
    }
    expect((await downloadExport(analystSession, id)).status).toBe(200);
  });

  test.each(['points.export', '/points'])('stops without a file when the person loses %s while it runs', async (right) => {
    await finishAll();
    const { id } = await startExport(analystSession);
    await runWithoutRight('analyst', right, () => runExports(services));
    expect(await findOwnJob(analystSession, id)).toMatchObject({ state: 'failed', problem: 'forbidden' });
    expect(await countParts(id)).toBe(0);
    const response = await downloadExport(analystSession, id);
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { code: 'EXPORT_FAILED', data: { problem: 'forbidden' } },
    ]);
  });

  test('stops when the account is disabled between two batches', async () => {
    await finishAll();
    const { id } = await startExport(analystSession);
    const setEnabled = (enabled: boolean) =>
      app.database.db.update(administrators).set({ enabled }).where(eq(administrators.email, 'analyst@demo.local'));
    await runExports(services, { reportMs: 0, continueExport: async ({ written }) => (await setEnabled(written === 0), true) });
    await setEnabled(true);
    const [job] = await app.database.db.select().from(table).where(eq(table.id, id));
    expect(job).toMatchObject({ state: 'failed', problem: 'forbidden' });
  });

  test('can be canceled while it runs, and leaves no file', async () => {
    await finishAll();
    const { id } = await startExport(adminSession);
    await runExports(services, {
      reportMs: 0,
      continueExport: async ({ written }) => {
        if (written > 0) await adminSession.api.exportJobs.cancel({ id });
        return true;
      },
    });
    expect(await findOwnJob(adminSession, id)).toMatchObject({ state: 'canceled' });
    expect(await countParts(id)).toBe(0);
    expect((await downloadExport(adminSession, id)).status).toBe(404);
    expect(await adminSession.api.exportJobs.cancel({ id })).toMatchObject({ state: 'canceled' });
  });

  test('continues after a shutdown, from a new snapshot', async () => {
    await finishAll();
    const { id } = await startExport(adminSession);
    await runExports(services, { reportMs: 0, continueExport: ({ written }) => written === 0 });
    expect(await findOwnJob(adminSession, id)).toMatchObject({ state: 'queued' });
    await runExports(services);
    expect(await findOwnJob(adminSession, id)).toMatchObject({ state: 'done', rows });
    expect(await readCells(await downloadExport(adminSession, id))).toHaveLength(rows + 1);
  });

  test('is taken over from a server that died, and fails after three', async () => {
    await finishAll();
    const { id } = await startExport(adminSession);
    for (let crashCount = 1; crashCount <= 3; crashCount++) {
      await app.database.db
        .update(table)
        .set({
          state: 'running',
          runner: sql`gen_random_uuid()`,
          leasedUntil: new Date(app.clock.now + 20_000),
          attempts: crashCount,
        })
        .where(eq(table.id, id));
      await runExports(services);
      expect(await findOwnJob(adminSession, id)).toMatchObject({ state: 'running' });
      app.clock.now += 21_000;
      if (crashCount < 3) continue;
      await runExports(services);
      expect(await findOwnJob(adminSession, id)).toMatchObject({ state: 'failed', problem: 'interrupted' });
    }
    const secondExport = await startExport(adminSession);
    await app.database.db
      .update(table)
      .set({ state: 'running', runner: sql`gen_random_uuid()`, leasedUntil: new Date(app.clock.now - 1), attempts: 1 })
      .where(eq(table.id, secondExport.id));
    await runExports(services);
    expect(await findOwnJob(adminSession, secondExport.id)).toMatchObject({ state: 'done', rows });
  });

  test('is written once by several servers', async () => {
    await finishAll();
    const ids = [await startExport(adminSession), await startExport(analystSession), await startExport(adminSession)].map(
      ({ id }) => id,
    );
    await Promise.all(Array.from({ length: 4 }, () => runExports(services)));
    for (const [index, id] of ids.entries()) {
      const session = index === 1 ? analystSession : adminSession;
      expect(await findOwnJob(session, id)).toMatchObject({ state: 'done', rows });
      expect(await readCells(await downloadExport(session, id))).toHaveLength(rows + 1);
      const { rows: doneEntries } = await app.database.pool.query(
        `select 1 from audit where entity_id = $1 and action = 'done'`,
        [id],
      );
      expect(doneEntries).toHaveLength(1);
    }
  });

  test('is limited to two at once per person, also for concurrent requests', async () => {
    await finishAll();
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => startExport(adminSession)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(exportLimits.running);
    await expect(startExport(adminSession)).rejects.toMatchObject({
      code: 'EXPORT_LIMIT',
      data: { limit: exportLimits.running },
    });
    const { id } = await startExport(analystSession);
    await runExports(services);
    expect(await findOwnJob(analystSession, id)).toMatchObject({ state: 'done' });
    await startExport(adminSession);
    await finishAll();
  });

  test('stops at the limit of a file and leaves no part', async () => {
    const { id } = await startExport(adminSession);
    await runExports(services, { maxBytes: 500 });
    expect(await findOwnJob(adminSession, id)).toMatchObject({ state: 'failed', problem: 'tooLarge' });
    expect(await countParts(id)).toBe(0);
  });

  test('expires after a day, and only the newest are kept', async () => {
    await finishAll();
    const { id } = await startExport(adminSession);
    await runExports(services);
    app.clock.now += exportLimits.hours * 3_600_000 + 1;
    [adminSession, analystSession] = [await signInAs(app, 'all'), await signInAs(app, 'analyst')];
    expect((await downloadExport(adminSession, id)).status).toBe(404);
    await deleteExpiredExports(services);
    expect(await findOwnJob(adminSession, id)).toMatchObject({ state: 'expired', expiresAt: null });
    expect(await countParts(id)).toBe(0);
    for (let index = 0; index < exportLimits.kept + 1; index++) {
      await startExport(adminSession, 'csv', { q: 'row 1' });
      await runExports(services);
    }
    const remainingJobs = await adminSession.api.exportJobs.own();
    expect(remainingJobs).toHaveLength(exportLimits.kept);
    expect(remainingJobs.map((job) => job.id)).not.toContain(id);
  });

  test('is audited with filters, rows and size, at its start and its end', async () => {
    await finishAll();
    const { id } = await startExport(adminSession, 'xlsx', { q: 'row 12' });
    await runExports(services);
    const { rows: entries } = await adminSession.api.audit.list({
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
    const { after } = await adminSession.api.audit.details({ id: entries[1]?.id ?? '' });
    expect(after).toMatchObject({
      filter: { q: 'row 12' },
      format: 'xlsx',
      zone: 'Asia/Shanghai',
      rows: 111,
      bytes: expect.any(Number),
    });
  });

  test('cannot be started by a page that views the panel as a role', async () => {
    const { rows: roleRows } = await app.database.pool.query(`select id from roles where seed = 'analyst'`);
    const headers = { ...adminSession.headers, 'x-view-as': `role:${roleRows[0]?.id}` };
    const viewerSession = { headers, api: createApi(app, headers) };
    await expect(startExport(viewerSession)).rejects.toMatchObject({ code: 'VIEW_ONLY' });
  });
});

test.each(['zh-CN', 'en-US'] as const)('every list has distinct headings in %s, in both formats', async (locale) => {
  const { api, headers } = adminSession;
  const exportQuery = { direction: 'asc', filter: {}, locale, zone: 'Europe/Berlin' } as const;
  const exportStarters = {
    '/statistics/dataView': (format: 'csv' | 'xlsx') => api.visits.export({ ...exportQuery, sort: 'at', format }),
    '/statistics/dataVault': (format: 'csv' | 'xlsx') => api.vaults.export({ ...exportQuery, sort: 'createdAt', format }),
    '/statistics/dataWallet': (format: 'csv' | 'xlsx') =>
      api.walletConnections.export({ ...exportQuery, sort: 'lastAt', format }),
    '/statistics/dataCdp': (format: 'csv' | 'xlsx') => api.positionStats.export({ ...exportQuery, sort: 'createdAt', format }),
    '/statistics/datacaptain': (format: 'csv' | 'xlsx') => api.teams.export({ ...exportQuery, sort: 'size', format }),
    '/statistics/data0penBox': (format: 'csv' | 'xlsx') => api.draws.export({ ...exportQuery, sort: 'time', format }),
    '/overview': (format: 'csv' | 'xlsx') => api.overview.export({ ...exportQuery, sort: 'day', format }),
    '/points': (format: 'csv' | 'xlsx') => api.points.export({ ...exportQuery, sort: 'createdAt', format }),
    '/points/balances': (format: 'csv' | 'xlsx') => api.points.exportBalances({ ...exportQuery, sort: 'berries', format }),
    '/NFTAirdrop': (format: 'csv' | 'xlsx') => api.airdrops.export({ ...exportQuery, sort: 'createdAt', format }),
    '/audit': (format: 'csv' | 'xlsx') => api.audit.export({ locale, zone: 'Europe/Berlin', format }),
  };
  for (const [path, startExportOf] of Object.entries(exportStarters)) {
    const headerRows = [];
    for (const format of ['csv', 'xlsx'] as const) {
      const { id } = await startExportOf(format);
      await runExports(services);
      const response = await send(app, 'GET', `/api${path}/export/${id}`, undefined, headers);
      expect([path, format, response.status]).toEqual([path, format, 200]);
      headerRows.push(
        format === 'csv'
          ? (await readCells(response))[0]
          : (await readXlsx(new Uint8Array(await response.arrayBuffer()))).sheets[0]?.rows[0],
      );
    }
    expect(headerRows[1]).toEqual(headerRows[0]);
    expect(new Set(headerRows[0]).size).toBe(headerRows[0]?.length);
    expect(headerRows[0]?.filter((headerText) => String(headerText).includes('Europe/Berlin')).length).toBeGreaterThan(0);
    expect(headerRows[0]?.some((headerText) => /\p{Script=Han}/u.test(String(headerText)))).toBe(locale === 'zh-CN');
  }
});

test('amounts beyond 15 digits stay exact in a workbook', async () => {
  await app.database.pool.query(
    `insert into overview_days (day, bridge_btc, mint_yu, user_count, vault_btc, at) values ('2020-01-01', 2099999999999999, $1, 7, null, now())`,
    [String(maxWei)],
  );
  const { id } = await adminSession.api.overview.export({
    sort: 'day',
    direction: 'asc',
    filter: {},
    locale: 'en-US',
    format: 'xlsx',
  });
  await runExports(services);
  const response = await send(app, 'GET', `/api/overview/export/${id}`, undefined, adminSession.headers);
  const [head = [], firstRow = []] = (await readXlsx(new Uint8Array(await response.arrayBuffer()))).sheets[0]?.rows ?? [];
  const cellsByName = Object.fromEntries(head.map((name, index) => [String(name), firstRow[index]]));
  expect(cellsByName).toMatchObject({
    'Day (UTC)': '2020-01-01',
    'Bridged (BTC)': '20999999.99999999',
    'Bridged (satoshi)': '2099999999999999',
    'Minted (YU)': '212000.000000000000000001',
    'Minted (wei)': String(maxWei),
    Users: 7,
  });
});

async function runWithoutRight(role: string, identifier: string, runMeanwhile: () => Promise<unknown>): Promise<void> {
  const { rows: removedRows } = await app.database.pool.query(
    `delete from role_nodes using roles r, permission_nodes n
     where role_id = r.id and node_id = n.id and r.seed = $1 and n.identifier = $2 returning role_id, node_id`,
    [role, identifier],
  );
  expect(removedRows).toHaveLength(1);
  try {
    await runMeanwhile();
  } finally {
    await app.database.pool.query('insert into role_nodes (role_id, node_id) values ($1, $2)', [
      removedRows[0]?.role_id,
      removedRows[0]?.node_id,
    ]);
  }
}
