import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits } from '../deposits/tables.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { mails } from '../platform/content/tables.ts';
import { createApi, signInAs, createTestApp, type TestApp } from '../testing/support.ts';
import { bridgeRefunds } from '../withdrawals/tables.ts';
import { createDeliveryQueues } from './deliver.ts';
import { raiseAlarm } from './raise.ts';
import { alarmDeliveries, alarms, alarmSubjects } from './tables.ts';
import { checkAlarms, startAlarms } from './watch.ts';
import { createStore } from '../../testing/factories/store.ts';

const secret = 'a secret of thirty-two bytes and more';
let app: TestApp;
let services: Services;
let receiver: Server;
let responseStatus = 200;
/** Runs while the receiver has the request. */
let beforeResponse = async () => {};
const receivedRequests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];

const servicesOf = ({ config, database, clock }: TestApp): Services => ({
  config,
  log: createLogger({ level: 'silent' }),
  database,
  now: () => clock.now,
  ...openExternalServices(config),
});

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      receivedRequests.push({ path: request.url ?? '', headers: request.headers, body });
      if (request.url === '/dead') return; // accepts and never answers
      void beforeResponse().then(() =>
        response.writeHead(responseStatus, responseStatus === 302 ? { location: '/elsewhere' } : {}).end('ok'),
      );
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  app = await createTestApp(
    { ALARM_MAIL: 'custody@example.com', ALARM_WEBHOOKS: `json=http://127.0.0.1:${port}/hook`, ALARM_SECRET: secret },
    { jobs: false },
  );
  services = servicesOf(app);
  await checkAlarms(services); // the audit is read from here on
  await deliverAlarms(services);
});
afterAll(() => new Promise((resolve) => receiver.close(resolve)));
beforeEach(async () => {
  const { db } = app.database;
  receivedRequests.length = 0;
  responseStatus = 200;
  beforeResponse = async () => {};
  await db.delete(alarmDeliveries);
  await db.delete(alarmSubjects);
  await db.delete(alarms);
  await db.delete(mails);
  await db.delete(bridgeRefunds);
  await db.delete(moneyFreezes);
  await db.delete(deposits);
});

/** One pass over all channels, as another process runs it. */
const deliverAlarms = async (fromServices: Services, isStopped?: () => boolean) => {
  const deliveryQueues = createDeliveryQueues(fromServices, isStopped);
  await deliveryQueues.start();
  await deliveryQueues.ended();
};
const checkAndDeliver = async () => {
  await checkAlarms(services);
  await deliverAlarms(services);
};
const receivedAlarms = (kind: string) =>
  receivedRequests
    .map(
      ({ body }) => JSON.parse(body) as { kind: string; lines: string[]; links: string[]; subjects: Record<string, unknown>[] },
    )
    .filter((alarm) => alarm.kind === kind);
const openFreeze = async ({ database: { db }, clock } = app) => {
  const id = newId();
  await db.insert(moneyFreezes).values({ id, figures: '{}', at: new Date(clock.now) });
  return id;
};
const raiseAlarms = async (count: number, fromServices = services) => {
  for (let index = 0; index < count; index++)
    await fromServices.database.db.transaction((tx) =>
      raiseAlarm(tx, fromServices, 'test', [{ key: newId(), facts: { by: 'a@b.c' } }]),
    );
};

test('sends one alarm for a freeze and one for its end on every channel while several processes run', async () => {
  await openFreeze();
  await Promise.all([checkAndDeliver(), checkAndDeliver(), checkAndDeliver()]);
  await checkAndDeliver();
  expect(receivedAlarms('freezeOpened')).toHaveLength(1);
  expect(receivedAlarms('freezeOpened')[0]?.subjects).toMatchObject([{ cause: 'difference', supplyOff: '0' }]);
  expect(await app.database.db.select().from(mails)).toHaveLength(1);
  await app.database.db.update(moneyFreezes).set({ resolvedAt: new Date(app.clock.now) });
  await checkAndDeliver();
  await checkAndDeliver();
  expect(receivedAlarms('freezeLifted')).toHaveLength(1);
});

test('signs a json webhook with the secret over its time and body', async () => {
  await openFreeze();
  await checkAndDeliver();
  const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: '' }] = receivedRequests;
  const signature = createHmac('sha256', secret)
    .update(`${String(headers['x-alarm-timestamp'])}.${body}`)
    .digest('hex');
  expect(headers['x-alarm-signature']).toBe(`v1=${signature}`);
  expect(body).not.toContain(secret);
});

test('raises an alarm for an unexpected refund without repeating a hostile receiver', async () => {
  await app.database.db.insert(bridgeRefunds).values({
    chainId: 31_337,
    bridge: '0xb',
    nonce: 4,
    srcHash: '0xabc',
    from: '0xdef',
    receiver: '<!channel> log in at https://evil.example',
    amount: 5n,
    alarming: true,
    seenAt: new Date(app.clock.now),
  });
  await checkAndDeliver();
  expect(receivedAlarms('refundUnmatched')).toHaveLength(1);
  expect(receivedRequests[0]?.body).not.toMatch(/evil|channel/);
});

test('raises one alarm for each deposit that waits too long', async () => {
  const addDeposit = async () => (await createStore(app.database.db).deposit({ createdAt: new Date(app.clock.now) })).id;
  await checkAndDeliver();
  receivedRequests.length = 0;
  const id = await addDeposit();
  await checkAndDeliver();
  expect(receivedAlarms('depositWaits')).toEqual([]);
  app.clock.now += 61 * 60_000;
  await checkAndDeliver();
  await checkAndDeliver();
  expect(receivedAlarms('depositWaits')).toHaveLength(1);
  expect(receivedAlarms('depositWaits')[0]?.links).toEqual([`${app.config.publicUrl}/selfCustody/deposit?open=${id}`]);
  const nextDepositId = await addDeposit();
  app.clock.now += 61 * 60_000;
  await checkAndDeliver();
  expect(receivedAlarms('depositWaits')[1]?.links).toEqual([expect.stringContaining(nextDepositId)]);
});

test('names the administrator and the role when permissions change', async () => {
  const { headers } = await signInAs(app, 'all');
  const api = createApi(app, { ...headers, 'idempotency-key': randomUUID() });
  await api.roles.add({ name: 'Quiet', description: 'A quiet one', needsFactor: false, grants: [] });
  await checkAndDeliver();
  expect(receivedAlarms('rulesChanged')).toHaveLength(1);
  expect(receivedAlarms('rulesChanged')[0]?.lines[0]).toMatch(/^admin@demo\.local ran “Add role” on .+: Quiet$/);
});

test('retries a failing receiver later each time and delivers once', async () => {
  await openFreeze();
  responseStatus = 500;
  await checkAndDeliver();
  await deliverAlarms(services);
  expect(receivedRequests).toHaveLength(1);
  responseStatus = 200;
  app.clock.now += 60_000;
  await deliverAlarms(services);
  app.clock.now += 60_000;
  await deliverAlarms(services);
  expect(receivedRequests).toHaveLength(2);
  expect(new Set(receivedRequests.map(({ headers }) => headers['x-alarm-id'])).size).toBe(1);
});

test('takes over an alarm after the lease of a process that died while sending', async () => {
  await openFreeze();
  await checkAlarms(services);
  await app.database.db.update(alarmDeliveries).set({ leasedUntil: new Date(app.clock.now + 60_000), attempts: 1 });
  await deliverAlarms(services);
  expect(receivedRequests).toEqual([]);
  app.clock.now += 61_000;
  await deliverAlarms(services);
  expect(receivedRequests).toHaveLength(1);
});

test('sends no alarm twice when a receiver is slow', async () => {
  await raiseAlarms(4);
  beforeResponse = async () => {
    app.clock.now += 40_000;
    const isSecondRequest = receivedRequests.length === 2;
    beforeResponse = isSecondRequest ? async () => {} : beforeResponse;
    if (isSecondRequest) await deliverAlarms(services); // another process during the second delivery
  };
  await deliverAlarms(services);
  expect(new Set(receivedRequests.map(({ headers }) => headers['x-alarm-id'])).size).toBe(4);
  expect(receivedRequests).toHaveLength(4);
});

test('waits only for the alarm in flight when it stops', async () => {
  await raiseAlarms(3);
  let isStopped = false;
  beforeResponse = async () => void (isStopped = true);
  await deliverAlarms(services, () => isStopped);
  expect(receivedRequests).toHaveLength(1);
});

test('keeps checking and sending on other channels while one hangs', async () => {
  const { port } = receiver.address() as AddressInfo;
  const webhooks = ['dead', 'alive'].map((path) => `json=http://127.0.0.1:${port}/${path}`).join(',');
  const twoChannelApp = await createTestApp({ ALARM_WEBHOOKS: webhooks, ALARM_SECRET: secret }, { jobs: false });
  const twoChannelServices = servicesOf(twoChannelApp);
  await raiseAlarms(3, twoChannelServices);
  const stopFunctions = [startAlarms(twoChannelServices, 20), startAlarms(servicesOf(twoChannelApp), 20)];
  const kinds = () =>
    receivedRequests.flatMap(({ path, body }) => (path === '/alive' ? (JSON.parse(body) as { kind: string }).kind : []));
  try {
    await vi.waitFor(() => expect(kinds()).toEqual(['test', 'test', 'test']), 5_000);
    await openFreeze(twoChannelApp);
    await vi.waitFor(() => expect(kinds()).toEqual(['test', 'test', 'test', 'freezeOpened']), 5_000);
    await vi.waitFor(async () => {
      const rows = await twoChannelApp.database.db.select().from(alarmDeliveries).where(eq(alarmDeliveries.state, 'queued'));
      expect(rows.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1, 1]);
    }, 5_000);
  } finally {
    const stopping = stopFunctions.map((stop) => stop());
    receiver.closeAllConnections();
    await Promise.all(stopping);
  }
});

test('skips a failing channel until the next pass and loses none of its alarms', async () => {
  await raiseAlarms(3);
  responseStatus = 500;
  const attempts = async () => {
    const rows = await app.database.db.select().from(alarmDeliveries).where(eq(alarmDeliveries.state, 'queued'));
    return rows.map((row) => row.attempts).sort();
  };
  await deliverAlarms(services);
  expect(await attempts()).toEqual([0, 0, 1]);
  await deliverAlarms(services);
  expect(await attempts()).toEqual([0, 1, 1]);
  expect(await app.database.db.select().from(mails)).toHaveLength(3);
  responseStatus = 200;
  receivedRequests.length = 0;
  app.clock.now += 60_000;
  await deliverAlarms(services);
  expect([receivedRequests.length, await attempts()]).toEqual([3, []]);
});

test('does not follow a redirect', async () => {
  await openFreeze();
  responseStatus = 302;
  await checkAndDeliver();
  expect(receivedRequests).toHaveLength(1);
  const [row] = await app.database.db.select().from(alarmDeliveries).where(eq(alarmDeliveries.state, 'queued'));
  expect(row?.error).toBe('status 302');
});

test('reports the result of a test alarm for each channel, only with the permission', async () => {
  const { headers } = await signInAs(app, 'all');
  const idempotentApi = () => createApi(app, { ...headers, 'idempotency-key': randomUUID() });
  const testResult = await idempotentApi().alarms.test();
  expect(testResult.channels.map(({ state }) => state)).toEqual(['sent', 'handedOver']);
  responseStatus = 500;
  expect((await idempotentApi().alarms.test()).channels[0]).toMatchObject({ state: 'failed', error: 'status 500' });
  responseStatus = 200;
  let isFinished = false;
  const deliverFromOtherProcess = async () => {
    while (!isFinished) await deliverAlarms(services);
  };
  const deliveries = [deliverFromOtherProcess(), deliverFromOtherProcess()];
  try {
    for (let attempt = 0; attempt < 8; attempt++)
      expect((await idempotentApi().alarms.test()).channels.map(({ state }) => state)).toEqual(['sent', 'handedOver']);
  } finally {
    isFinished = true;
    await Promise.all(deliveries);
  }
  const analyst = await signInAs(app, 'analyst');
  await expect(createApi(app, { ...analyst.headers, 'idempotency-key': randomUUID() }).alarms.test()).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('sends at most ten test alarms an hour for everyone together, and reports the wait', async () => {
  app.clock.now += 3_600_000;
  const { headers } = await signInAs(app, 'all');
  const idempotentApi = () => createApi(app, { ...headers, 'idempotency-key': randomUUID() });
  for (let attempt = 0; attempt < 10; attempt++) await idempotentApi().alarms.test();
  await expect(idempotentApi().alarms.test()).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    data: { retryAfter: expect.any(Number) as unknown },
  });
});

test('sends a test alarm on all channels in parallel', async () => {
  const { port } = receiver.address() as AddressInfo;
  const webhooks = ['one', 'two', 'three'].map((path) => `json=http://127.0.0.1:${port}/${path}`);
  const manyChannelApp = await createTestApp({ ALARM_WEBHOOKS: webhooks.join(','), ALARM_SECRET: secret }, { jobs: false });
  const { headers } = await signInAs(manyChannelApp, 'all');
  let resolveAllReceived = () => {};
  const allReceived = new Promise<void>((resolve) => (resolveAllReceived = resolve));
  beforeResponse = async () => {
    if (receivedRequests.length === webhooks.length) resolveAllReceived();
    await allReceived;
  };
  const { channels } = await createApi(manyChannelApp, { ...headers, 'idempotency-key': randomUUID() }).alarms.test();
  expect(channels.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
});

test('sends a test alarm on every channel when there are many', async () => {
  const mailAddresses = Array.from({ length: 12 }, (_, index) => `custody${index}@example.com`);
  const manyChannelApp = await createTestApp({ ALARM_MAIL: mailAddresses.join(',') }, { jobs: false });
  const { headers } = await signInAs(manyChannelApp, 'all');
  const { channels } = await createApi(manyChannelApp, { ...headers, 'idempotency-key': randomUUID() }).alarms.test();
  expect(channels.map(({ channel }) => channel).sort()).toEqual(mailAddresses.map((mailAddress) => `mail ${mailAddress}`).sort());
  expect(new Set(channels.map(({ state }) => state))).toEqual(new Set(['handedOver']));
});
