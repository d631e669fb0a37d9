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
import { apiOf, signInAs, testApp, type TestApp } from '../testing/support.ts';
import { bridgeRefunds } from '../withdrawals/tables.ts';
import { createDeliveryQueues } from './deliver.ts';
import { raiseAlarm } from './raise.ts';
import { alarmDeliveries, alarms, alarmSubjects } from './tables.ts';
import { checkAlarms, startAlarms } from './watch.ts';
import { storeIn } from '../../testing/factories/store.ts';

const secret = 'a secret of thirty-two bytes and more';
let app: TestApp;
let services: Services;
let receiver: Server;
let answers = 200;
/** Runs while the receiver has the request. */
let meanwhile = async () => {};
const heard: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];

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
      heard.push({ path: request.url ?? '', headers: request.headers, body });
      if (request.url === '/dead') return; // accepts and never answers
      void meanwhile().then(() => response.writeHead(answers, answers === 302 ? { location: '/elsewhere' } : {}).end('ok'));
    });
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  const { port } = receiver.address() as AddressInfo;
  app = await testApp(
    { ALARM_MAIL: 'custody@example.com', ALARM_WEBHOOKS: `json=http://127.0.0.1:${port}/hook`, ALARM_SECRET: secret },
    { jobs: false },
  );
  services = servicesOf(app);
  await checkAlarms(services); // the audit is read from here on
  await deliver(services);
});
afterAll(() => new Promise((done) => receiver.close(done)));
beforeEach(async () => {
  const { db } = app.database;
  heard.length = 0;
  answers = 200;
  meanwhile = async () => {};
  await db.delete(alarmDeliveries);
  await db.delete(alarmSubjects);
  await db.delete(alarms);
  await db.delete(mails);
  await db.delete(bridgeRefunds);
  await db.delete(moneyFreezes);
  await db.delete(deposits);
});

/** One pass over all channels, as another process runs it. */
const deliver = async (of: Services, isStopped?: () => boolean) => {
  const lines = createDeliveryQueues(of, isStopped);
  await lines.start();
  await lines.ended();
};
const tell = async () => {
  await checkAlarms(services);
  await deliver(services);
};
const told = (kind: string) =>
  heard
    .map(
      ({ body }) => JSON.parse(body) as { kind: string; lines: string[]; links: string[]; subjects: Record<string, unknown>[] },
    )
    .filter((each) => each.kind === kind);
const openFreeze = async ({ database: { db }, clock } = app) => {
  const id = newId();
  await db.insert(moneyFreezes).values({ id, figures: '{}', at: new Date(clock.now) });
  return id;
};
const raiseSome = async (count: number, of = services) => {
  for (let at = 0; at < count; at++)
    await of.database.db.transaction((tx) => raiseAlarm(tx, of, 'test', [{ key: newId(), facts: { by: 'a@b.c' } }]));
};

test('sends one alarm for a freeze and one for its end on every channel while several processes run', async () => {
  await openFreeze();
  await Promise.all([tell(), tell(), tell()]);
  await tell();
  expect(told('freezeOpened')).toHaveLength(1);
  expect(told('freezeOpened')[0]?.subjects).toMatchObject([{ cause: 'difference', supplyOff: '0' }]);
  expect(await app.database.db.select().from(mails)).toHaveLength(1);
  await app.database.db.update(moneyFreezes).set({ resolvedAt: new Date(app.clock.now) });
  await tell();
  await tell();
  expect(told('freezeLifted')).toHaveLength(1);
});

test('signs a json webhook with the secret over its time and body', async () => {
  await openFreeze();
  await tell();
  const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: '' }] = heard;
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
  await tell();
  expect(told('refundUnmatched')).toHaveLength(1);
  expect(heard[0]?.body).not.toMatch(/evil|channel/);
});

test('raises one alarm for each deposit that waits too long', async () => {
  const add = async () => (await storeIn(app.database.db).deposit({ createdAt: new Date(app.clock.now) })).id;
  await tell();
  heard.length = 0;
  const id = await add();
  await tell();
  expect(told('depositWaits')).toEqual([]);
  app.clock.now += 61 * 60_000;
  await tell();
  await tell();
  expect(told('depositWaits')).toHaveLength(1);
  expect(told('depositWaits')[0]?.links).toEqual([`${app.config.publicUrl}/selfCustody/deposit?open=${id}`]);
  const next = await add();
  app.clock.now += 61 * 60_000;
  await tell();
  expect(told('depositWaits')[1]?.links).toEqual([expect.stringContaining(next)]);
});

test('names the administrator and the role when permissions change', async () => {
  const { headers } = await signInAs(app, 'all');
  const api = apiOf(app, { ...headers, 'idempotency-key': randomUUID() });
  await api.roles.add({ name: 'Quiet', description: 'A quiet one', needsFactor: false, grants: [] });
  await tell();
  expect(told('rulesChanged')).toHaveLength(1);
  expect(told('rulesChanged')[0]?.lines[0]).toMatch(/^admin@demo\.local ran “Add role” on .+: Quiet$/);
});

test('retries a failing receiver later each time and delivers once', async () => {
  await openFreeze();
  answers = 500;
  await tell();
  await deliver(services);
  expect(heard).toHaveLength(1);
  answers = 200;
  app.clock.now += 60_000;
  await deliver(services);
  app.clock.now += 60_000;
  await deliver(services);
  expect(heard).toHaveLength(2);
  expect(new Set(heard.map(({ headers }) => headers['x-alarm-id'])).size).toBe(1);
});

test('takes over an alarm after the lease of a process that died while sending', async () => {
  await openFreeze();
  await checkAlarms(services);
  await app.database.db.update(alarmDeliveries).set({ leasedUntil: new Date(app.clock.now + 60_000), attempts: 1 });
  await deliver(services);
  expect(heard).toEqual([]);
  app.clock.now += 61_000;
  await deliver(services);
  expect(heard).toHaveLength(1);
});

test('sends no alarm twice when a receiver is slow', async () => {
  await raiseSome(4);
  meanwhile = async () => {
    app.clock.now += 40_000;
    const isSecond = heard.length === 2;
    meanwhile = isSecond ? async () => {} : meanwhile;
    if (isSecond) await deliver(services); // another process during the second delivery
  };
  await deliver(services);
  expect(new Set(heard.map(({ headers }) => headers['x-alarm-id'])).size).toBe(4);
  expect(heard).toHaveLength(4);
});

test('waits only for the alarm in flight when it stops', async () => {
  await raiseSome(3);
  let stopped = false;
  meanwhile = async () => void (stopped = true);
  await deliver(services, () => stopped);
  expect(heard).toHaveLength(1);
});

test('keeps checking and sending on other channels while one hangs', async () => {
  const { port } = receiver.address() as AddressInfo;
  const hooks = ['dead', 'alive'].map((path) => `json=http://127.0.0.1:${port}/${path}`).join(',');
  const two = await testApp({ ALARM_WEBHOOKS: hooks, ALARM_SECRET: secret }, { jobs: false });
  const own = servicesOf(two);
  await raiseSome(3, own);
  const stops = [startAlarms(own, 20), startAlarms(servicesOf(two), 20)];
  const kinds = () => heard.flatMap(({ path, body }) => (path === '/alive' ? (JSON.parse(body) as { kind: string }).kind : []));
  try {
    await vi.waitFor(() => expect(kinds()).toEqual(['test', 'test', 'test']), 5_000);
    await openFreeze(two);
    await vi.waitFor(() => expect(kinds()).toEqual(['test', 'test', 'test', 'freezeOpened']), 5_000);
    await vi.waitFor(async () => {
      const rows = await two.database.db.select().from(alarmDeliveries).where(eq(alarmDeliveries.state, 'queued'));
      expect(rows.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1, 1]);
    }, 5_000);
  } finally {
    const stopped = stops.map((stop) => stop());
    receiver.closeAllConnections();
    await Promise.all(stopped);
  }
});

test('skips a failing channel until the next pass and loses none of its alarms', async () => {
  await raiseSome(3);
  answers = 500;
  const attempts = async () => {
    const rows = await app.database.db.select().from(alarmDeliveries).where(eq(alarmDeliveries.state, 'queued'));
    return rows.map((row) => row.attempts).sort();
  };
  await deliver(services);
  expect(await attempts()).toEqual([0, 0, 1]);
  await deliver(services);
  expect(await attempts()).toEqual([0, 1, 1]);
  expect(await app.database.db.select().from(mails)).toHaveLength(3);
  answers = 200;
  heard.length = 0;
  app.clock.now += 60_000;
  await deliver(services);
  expect([heard.length, await attempts()]).toEqual([3, []]);
});

test('does not follow a redirect', async () => {
  await openFreeze();
  answers = 302;
  await tell();
  expect(heard).toHaveLength(1);
  const [row] = await app.database.db.select().from(alarmDeliveries).where(eq(alarmDeliveries.state, 'queued'));
  expect(row?.error).toBe('status 302');
});

test('reports the result of a test alarm for each channel, only with the permission', async () => {
  const { headers } = await signInAs(app, 'all');
  const keyed = () => apiOf(app, { ...headers, 'idempotency-key': randomUUID() });
  const sent = await keyed().alarms.test();
  expect(sent.channels.map(({ state }) => state)).toEqual(['sent', 'handedOver']);
  answers = 500;
  expect((await keyed().alarms.test()).channels[0]).toMatchObject({ state: 'failed', error: 'status 500' });
  answers = 200;
  let isOver = false;
  const others = async () => {
    while (!isOver) await deliver(services);
  };
  const sending = [others(), others()];
  try {
    for (let time = 0; time < 8; time++)
      expect((await keyed().alarms.test()).channels.map(({ state }) => state)).toEqual(['sent', 'handedOver']);
  } finally {
    isOver = true;
    await Promise.all(sending);
  }
  const analyst = await signInAs(app, 'analyst');
  await expect(apiOf(app, { ...analyst.headers, 'idempotency-key': randomUUID() }).alarms.test()).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('sends at most ten test alarms an hour for everyone together, and reports the wait', async () => {
  app.clock.now += 3_600_000;
  const { headers } = await signInAs(app, 'all');
  const keyed = () => apiOf(app, { ...headers, 'idempotency-key': randomUUID() });
  for (let time = 0; time < 10; time++) await keyed().alarms.test();
  await expect(keyed().alarms.test()).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    data: { retryAfter: expect.any(Number) as unknown },
  });
});

test('sends a test alarm on all channels in parallel', async () => {
  const { port } = receiver.address() as AddressInfo;
  const hooks = ['one', 'two', 'three'].map((path) => `json=http://127.0.0.1:${port}/${path}`);
  const many = await testApp({ ALARM_WEBHOOKS: hooks.join(','), ALARM_SECRET: secret }, { jobs: false });
  const { headers } = await signInAs(many, 'all');
  let tellAll = () => {};
  const all = new Promise<void>((resolve) => (tellAll = resolve));
  meanwhile = async () => {
    if (heard.length === hooks.length) tellAll();
    await all;
  };
  const { channels } = await apiOf(many, { ...headers, 'idempotency-key': randomUUID() }).alarms.test();
  expect(channels.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
});

test('sends a test alarm on every channel when there are many', async () => {
  const mail = Array.from({ length: 12 }, (_, at) => `custody${at}@example.com`);
  const many = await testApp({ ALARM_MAIL: mail.join(',') }, { jobs: false });
  const { headers } = await signInAs(many, 'all');
  const { channels } = await apiOf(many, { ...headers, 'idempotency-key': randomUUID() }).alarms.test();
  expect(channels.map(({ channel }) => channel).sort()).toEqual(mail.map((to) => `mail ${to}`).sort());
  expect(new Set(channels.map(({ state }) => state))).toEqual(new Set(['handedOver']));
});
