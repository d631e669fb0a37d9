import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../api/contract.ts';
import { listContractRoutes } from '../../api/route.ts';
import { findFreePort } from '../../chain/free-port.ts';
import { createStore } from '../../testing/factories/store.ts';
import { newServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import { administrators } from '../platform/auth/tables.ts';
import { alarmDeliveries, alarms } from '../alarms/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { readConfig } from '../platform/core/config.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { mails } from '../platform/content/tables.ts';
import { openDatabase } from '../platform/db/db.ts';
import { demoAccounts, demoPassword } from '../seed/roles.ts';
import { serve, type RunningServer } from '../serve.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { createTestDatabase } from '../testing/support.ts';
import { cacheFor } from '../platform/core/cache-for.ts';
import { createMetrics, signInRoutes } from './registry.ts';

const log = createLogger({ level: 'silent' });

describe('the metrics of a real server', () => {
  let server: RunningServer;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let port: number;
  const fetchMetrics = async (path = '/metrics') => fetch(`http://127.0.0.1:${port}${path}`);
  const signIn = (password: string) =>
    fetch(`${server.origin}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: demoAccounts[0]?.email, password }),
    });

  beforeAll(async () => {
    port = await findFreePort();
    database = await createTestDatabase();
    const { url } = database;
    const env = {
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: createTemporaryFolder(),
      DATABASE_URL: url,
      METRICS_PORT: String(port),
      SCIM: 'on',
    };
    server = await serve({ config: readConfig(env), log });
  });
  afterAll(() => server.stop());

  test('count responses by route and outcome, without text from strangers', async () => {
    expect((await signIn('not the password')).status).toBe(401);
    expect((await signIn(demoPassword)).status).toBe(200);
    await fetch(`${server.origin}/secret-${newId()}`, { method: 'POST' });
    await fetch(`${server.origin}/public/news?x=${newId()}`);
    await fetch(`${server.origin}/pictures/${newId()}`);
    await fetch(`${server.origin}/rpc/no/such/route`, { method: 'POST' });
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    const response = await fetchMetrics();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=0\.0\.4/),
    ]);
    const text = await response.text();
    const lines = text.split('\n').filter((line) => /^admin_panel_(requests|sign_ins)/.test(line));
    expect(lines.toSorted()).toEqual([
      'admin_panel_requests_total{route="GET /pictures/:file",outcome="NOT_FOUND"} 1',
      'admin_panel_requests_total{route="GET /public/news",outcome="OK"} 1',
      'admin_panel_requests_total{route="GET /readyz",outcome="OK"} 1',
      'admin_panel_requests_total{route="none",outcome="NOT_FOUND"} 2',
      'admin_panel_requests_total{route="session.signIn",outcome="OK"} 1',
      'admin_panel_requests_total{route="session.signIn",outcome="SIGN_IN_FAILED"} 1',
      'admin_panel_sign_ins_refused_total{reason="SIGN_IN_FAILED"} 1',
    ]);
    expect(text).toContain('admin_panel_request_seconds_count{route="session.signIn"} 2\n');
    expect(text).toContain('admin_panel_database_up 1\n');
    expect(text).toMatch(/^admin_panel_database_connections\{state="idle"\} [1-9]/m);
    expect(text).toMatch(/^admin_panel_audit_rows [1-9]/m); // the sign-in is one
    expect(text).toContain('admin_panel_jobs_waiting{queue="mint"} 0\n');
    expect(text).toContain('admin_panel_money_frozen{kind="difference"} 0\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d{7,}/m);
  });

  test('are served only on their own port, with nothing else', async () => {
    expect(await (await fetch(`${server.origin}/metrics`)).text()).not.toContain('admin_panel_requests_total');
    expect((await fetchMetrics('/')).status).toBe(404);
    expect((await fetchMetrics('/healthz')).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  test('stop the start with one line if their port is taken', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/none'; // not connected yet
    const env = { NODE_ENV: 'test', PORT: '0', DATA_DIR: createTemporaryFolder(), DATABASE_URL: url, METRICS_PORT: String(port) };
    await expect(serve({ config: readConfig(env), log })).rejects.toThrow(
      `Port ${port} is in use by another program. Stop that program or set METRICS_PORT.`,
    );
  });

  test('count calls with service tokens by outcome, and contain no token', async () => {
    const [owner] = await database.db.select().from(administrators).where(eq(administrators.email, 'access@demo.local'));
    const owners = [owner?.id ?? ''];
    const store = createStore(database.db);
    const scopes = ['/news'];
    const { text } = await store.serviceToken({ owners, scopes });
    const expired = await store.serviceToken({ owners, scopes }, { expiresAt: new Date(Date.now() - 1) });
    const call = async (path: string, token: string) =>
      (await fetch(`${server.origin}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([
      await call('/api/session', text),
      await call('/api/administrators/roles', text),
      await call('/api/account', text),
      await call('/api/session', newServiceToken()),
      await call('/api/session', `${text.slice(0, -1)}-`),
      await call('/api/session', expired.text),
    ]).toEqual([200, 403, 403, 401, 401, 401]);
    const metrics = await (await fetchMetrics()).text();
    const lines = metrics.split('\n').filter((line) => line.startsWith('admin_panel_token_calls_total') && !line.endsWith(' 0'));
    expect(lines.toSorted()).toEqual([
      'admin_panel_token_calls_total{outcome="allowed"} 1',
      'admin_panel_token_calls_total{outcome="expired"} 1',
      'admin_panel_token_calls_total{outcome="forbidden"} 1',
      'admin_panel_token_calls_total{outcome="notForServices"} 1',
      'admin_panel_token_calls_total{outcome="unknown"} 2',
    ]);
    expect(metrics).not.toContain('apanel_svc_');
  });

  test('count provisioning requests by route and by what became of them', async () => {
    const { text } = await createStore(database.db).provisioningToken();
    const call = async (method: string, path: string, body?: object, token = text) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${server.origin}/scim/v2${path}`, init)).status;
    };
    const user = { userName: 'counted@example.com', externalId: 'counted' };
    expect([
      await call('POST', '/Users', user),
      await call('POST', '/Users', user),
      await call('POST', '/Users', {}),
      await call('GET', `/Users/${newId()}`),
      await call('GET', '/Bulk'),
      await call('GET', '/Users', undefined, `${text.slice(0, -1)}-`),
    ]).toEqual([201, 409, 400, 404, 404, 401]);
    const lines = (await (await fetchMetrics()).text()).split('\n').filter((line) => /^admin_panel_requests.*scim/.test(line));
    expect(lines.toSorted()).toEqual([
      'admin_panel_requests_total{route="GET /scim/v2/*",outcome="NOT_FOUND"} 1',
      'admin_panel_requests_total{route="GET /scim/v2/Users",outcome="UNAUTHORIZED"} 1',
      'admin_panel_requests_total{route="GET /scim/v2/Users/:id",outcome="NOT_FOUND"} 1',
      'admin_panel_requests_total{route="POST /scim/v2/Users",outcome="BAD_REQUEST"} 1',
      'admin_panel_requests_total{route="POST /scim/v2/Users",outcome="CONFLICT"} 1',
      'admin_panel_requests_total{route="POST /scim/v2/Users",outcome="OK"} 1',
    ]);
  });
});

test('show queues, their age and freezes from the database', async () => {
  const database = await createTestDatabase();
  const twoMinutesAgo = new Date(Date.now() - 120_000);
  const mailFields = { recipient: 'a@b.c', subject: '', body: '', nextAt: twoMinutesAgo, createdAt: twoMinutesAgo };
  await database.db.insert(mails).values([
    { id: newId(), ...mailFields },
    { id: newId(), ...mailFields, createdAt: new Date() },
    { id: newId(), ...mailFields, state: 'failed' as const },
    { id: newId(), ...mailFields, state: 'sent' as const },
  ]);
  await database.db.insert(moneyFreezes).values({ id: newId(), kind: 'manual', figures: '{}', at: twoMinutesAgo });
  const text = await createMetrics({ database, evm: null, build: 'b1' }).registry.metrics();
  expect(text).toContain('admin_panel_jobs_waiting{queue="mail"} 2\n');
  const oldestSeconds = Number(/^admin_panel_jobs_oldest_seconds\{queue="mail"\} (\S+)/m.exec(text)?.[1]);
  expect(oldestSeconds).toBeGreaterThan(119);
  expect(oldestSeconds).toBeLessThan(600);
  expect(text).toContain('admin_panel_jobs_failed{queue="mail"} 1\n');
  expect(text).toContain('admin_panel_money_frozen{kind="manual"} 1\n');
  expect(text).toContain('admin_panel_build_info{build="b1"} 1\n');
  expect(text).not.toMatch(/^admin_panel_reserve_proof_age_seconds/m);
});

test('count a failure for a day, regardless of its earlier attempts', async () => {
  const database = await createTestDatabase();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const alarm = { id: newId(), kind: 'mintFailed', subjects: '[]', at: hoursAgo(60) };
  await database.db.insert(alarms).values(alarm);
  // A delivery that was given up after about a day.
  const failedDelivery = { alarmId: alarm.id, state: 'failed' as const, attempts: 32 };
  await database.db.insert(alarmDeliveries).values([
    { id: newId(), ...failedDelivery, channel: 'now', createdAt: hoursAgo(26), nextAt: hoursAgo(-1) },
    { id: newId(), ...failedDelivery, channel: 'two days ago', createdAt: hoursAgo(60), nextAt: hoursAgo(36) },
  ]);
  const mailFields = { recipient: 'a@b.c', subject: '', body: '', state: 'failed' as const };
  await database.db.insert(mails).values([
    { id: newId(), ...mailFields, createdAt: hoursAgo(26), nextAt: hoursAgo(-1) },
    { id: newId(), ...mailFields, createdAt: hoursAgo(60), nextAt: hoursAgo(58) },
  ]);
  const text = await createMetrics({ database, evm: null, build: null }).registry.metrics();
  expect(text).toContain('admin_panel_jobs_failed{queue="alarm"} 1\n');
  expect(text).toContain('admin_panel_jobs_failed{queue="mail"} 1\n');
});

test('report a database that does not respond, without old figures', async () => {
  const database = openDatabase({ url: `postgres://nobody@127.0.0.1:${await findFreePort()}/none`, log });
  const { registry, meter } = createMetrics({
    database,
    evm: { urls: [`http://127.0.0.1:${await findFreePort()}`], chainId: 1 },
    build: null,
  });
  meter.mail('failed');
  const text = await registry.metrics();
  await database.close();
  expect(text).toContain('admin_panel_database_up 0\n');
  expect(text).toContain('admin_panel_mails_total{outcome="failed"} 1\n');
  expect(text).not.toMatch(/^admin_panel_(audit_rows|jobs_waiting|mints|chain_head_block)\b/m);
});

test('read the database at most once in a while', async () => {
  let [readCount, now] = [0, 0];
  const readCached = cacheFor(
    1000,
    () => Promise.resolve(++readCount),
    () => now,
  );
  expect(await Promise.all([readCached(), readCached()])).toEqual([1, 1]);
  now = 999;
  expect(await readCached()).toBe(1);
  now = 1000;
  expect(await readCached()).toBe(2);
});

test('name existing public routes as sign-in routes', () => {
  const publicProcedures = new Set(
    listContractRoutes(contract)
      .filter(({ meta }) => meta.public)
      .map(({ name }) => name),
  );
  expect([...signInRoutes].filter((route) => !publicProcedures.has(route))).toEqual([]);
});
