import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { toAppError } from '../platform/core/errors.ts';
import { createLogger } from '../platform/core/log.ts';
import { openDatabase } from '../platform/db/db.ts';
import { waitUntil } from '../testing/process.ts';
import { startRelay, type Relay } from '../testing/relay.ts';
import { createEmptyDatabase, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { rollUpAll } from './roll-up.ts';

let relay: Relay;
let app: TestApp;
let adminSession: TestSession;
let editorSession: TestSession;

beforeAll(async () => {
  relay = await startRelay(await createEmptyDatabase());
  app = await createTestApp({ EVENTS_PER_NETWORK: '100000' }, { jobs: false, statisticsUrl: relay.url });
  adminSession = await signInAs(app, 'all');
  editorSession = await signInAs(app, 'access');
});

const createVisit = () => ({ id: randomUUID(), at: new Date(app.clock.now - 60_000).toISOString(), page: '/mint' });
const report = (events: unknown) => send(app, 'POST', '/public/visits', { events });
const listInput = { sort: 'at', direction: 'desc', filter: {}, cursor: null, limit: 10 } as const;
const unavailableError = { code: 'UNAVAILABLE', data: { what: 'statistics' } };

test('while the statistics database is down, its screens name it and everything else works', async () => {
  const events = [createVisit(), createVisit()];
  expect((await report(events)).status).toBe(202);
  await relay.cut();
  try {
    const response = await report([createVisit()]);
    expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([503, 5]);
    await expect(adminSession.api.visits.list(listInput)).rejects.toMatchObject(unavailableError);
    await expect(adminSession.api.visits.totals({ filter: {} })).rejects.toMatchObject(unavailableError);
    const seriesInput = { filter: {}, unit: 'day', zone: 'UTC', compare: false } as const;
    await expect(adminSession.api.visits.series(seriesInput)).rejects.toMatchObject(unavailableError);
    await expect(adminSession.api.visits.values({ field: 'page', filter: {} })).rejects.toMatchObject(unavailableError);
    await expect(
      adminSession.api.visits.export({ sort: 'at', direction: 'asc', filter: {}, locale: 'en-US' }),
    ).rejects.toMatchObject(unavailableError);
    expect(await adminSession.api.home.outages()).toEqual(['statistics']);
    expect(await editorSession.api.home.outages()).toEqual([]);

    expect((await send(app, 'GET', '/readyz')).status).toBe(200);
    await signInAs(app, 'editor');
    const walletConnection = {
      id: randomUUID(),
      at: events[0]?.at,
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      wallet: 'OKX',
    };
    expect((await send(app, 'POST', '/public/wallet-connections', { events: [walletConnection] })).status).toBe(202);
    expect((await adminSession.api.walletConnections.totals({ filter: {} })).rows).toBe('1');
    expect((await adminSession.api.overview.now()).userCount).toBe('1');
    expect((await adminSession.api.deposits.list({ ...listInput, sort: 'createdAt' })).rows).toEqual([]);
  } finally {
    await relay.restore();
  }
  await waitUntil(async () => (await report(events)).status === 202);
  const { statistics } = app.database;
  await rollUpAll(statistics);
  expect((await adminSession.api.visits.totals({ filter: {} })).rows).toBe('2');
});

test('a start without the statistics database serves the rest, and statistics follow when it is back', async () => {
  await relay.cut();
  const lines: string[] = [];
  const log = createLogger({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const database = openDatabase({ url: app.database.url, statisticsUrl: relay.url, log });
  const secondServer = { ...app, http: await createApp({ config: app.config, log, database, jobs: false }) };
  try {
    expect(lines.join('')).toContain('the panel starts without statistics');
    expect((await send(secondServer, 'GET', '/readyz')).status).toBe(200);
    expect((await send(secondServer, 'POST', '/public/visits', { events: [createVisit()] })).status).toBe(503);
    await relay.restore();
    await waitUntil(() => lines.join('').includes('statistics are available again'));
    expect((await send(secondServer, 'POST', '/public/visits', { events: [createVisit()] })).status).toBe(202);
  } finally {
    await secondServer.http.stop();
    await database.close();
  }
});

test('a machine of a Citus cluster that fails during a commit makes statistics unavailable', () => {
  const error = Object.assign(new Error('could not commit transaction for shard visits_102008 on at least one active node'), {
    code: 'XX000',
  });
  expect(toAppError(error).code).toBe('UNAVAILABLE');
});
