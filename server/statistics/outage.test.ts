import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { toAppError } from '../platform/core/errors.ts';
import { createLogger } from '../platform/core/log.ts';
import { openDatabase } from '../platform/db/db.ts';
import { waitUntil } from '../testing/process.ts';
import { startRelay, type Relay } from '../testing/relay.ts';
import { emptyDatabase, send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { rollUpAll } from './roll-up.ts';

let relay: Relay;
let app: TestApp;
let admin: TestSession;
let editor: TestSession;

beforeAll(async () => {
  relay = await startRelay(await emptyDatabase());
  app = await testApp({ EVENTS_PER_NETWORK: '100000' }, { jobs: false, statisticsUrl: relay.url });
  admin = await signInAs(app, 'all');
  editor = await signInAs(app, 'access');
});

const visit = () => ({ id: randomUUID(), at: new Date(app.clock.now - 60_000).toISOString(), page: '/mint' });
const report = (events: unknown) => send(app, 'POST', '/public/visits', { events });
const listed = { sort: 'at', direction: 'desc', filter: {}, cursor: null, limit: 10 } as const;
const unavailable = { code: 'UNAVAILABLE', data: { what: 'statistics' } };

test('while the statistics database is down, its screens name it and everything else works', async () => {
  const events = [visit(), visit()];
  expect((await report(events)).status).toBe(202);
  await relay.cut();
  try {
    const answer = await report([visit()]);
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([503, 5]);
    await expect(admin.api.visits.list(listed)).rejects.toMatchObject(unavailable);
    await expect(admin.api.visits.totals({ filter: {} })).rejects.toMatchObject(unavailable);
    const series = { filter: {}, unit: 'day', zone: 'UTC', compare: false } as const;
    await expect(admin.api.visits.series(series)).rejects.toMatchObject(unavailable);
    await expect(admin.api.visits.values({ field: 'page', filter: {} })).rejects.toMatchObject(unavailable);
    await expect(admin.api.visits.export({ sort: 'at', direction: 'asc', filter: {}, locale: 'en-US' })).rejects.toMatchObject(
      unavailable,
    );
    expect(await admin.api.home.outages()).toEqual(['statistics']);
    expect(await editor.api.home.outages()).toEqual([]);

    expect((await send(app, 'GET', '/readyz')).status).toBe(200);
    await signInAs(app, 'editor');
    const connection = {
      id: randomUUID(),
      at: events[0]?.at,
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      wallet: 'OKX',
    };
    expect((await send(app, 'POST', '/public/wallet-connections', { events: [connection] })).status).toBe(202);
    expect((await admin.api.walletConnections.totals({ filter: {} })).rows).toBe('1');
    expect((await admin.api.overview.now()).userCount).toBe('1');
    expect((await admin.api.deposits.list({ ...listed, sort: 'createdAt' })).rows).toEqual([]);
  } finally {
    await relay.restore();
  }
  await waitUntil(async () => (await report(events)).status === 202);
  const { statistics } = app.database;
  await rollUpAll(statistics);
  expect((await admin.api.visits.totals({ filter: {} })).rows).toBe('2');
});

test('a start without the statistics database serves the rest, and statistics follow when it is back', async () => {
  await relay.cut();
  const lines: string[] = [];
  const log = createLogger({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const database = openDatabase({ url: app.database.url, statisticsUrl: relay.url, log });
  const second = { ...app, http: await createApp({ config: app.config, log, database, jobs: false }) };
  try {
    expect(lines.join('')).toContain('the panel starts without statistics');
    expect((await send(second, 'GET', '/readyz')).status).toBe(200);
    expect((await send(second, 'POST', '/public/visits', { events: [visit()] })).status).toBe(503);
    await relay.restore();
    await waitUntil(() => lines.join('').includes('statistics are available again'));
    expect((await send(second, 'POST', '/public/visits', { events: [visit()] })).status).toBe(202);
  } finally {
    await second.http.stop();
    await database.close();
  }
});

test('a machine of a Citus cluster that fails during a commit makes statistics unavailable', () => {
  const error = Object.assign(new Error('could not commit transaction for shard visits_102008 on at least one active node'), {
    code: 'XX000',
  });
  expect(toAppError(error).code).toBe('UNAVAILABLE');
});
