import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { parseAbi } from 'viem';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { devnetContracts } from '../../chain/deploy.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { chainEnv, startCrsmChain } from '../testing/crsm.ts';
import { send, signInAs, testApp, type TestSession } from '../testing/support.ts';
import { writeExports } from '../testing/exports.ts';
import { insertConnections } from './ingest.ts';
import { recordDay } from './snapshot.ts';
import { overviewDays } from './tables.ts';
import { storeIn } from '../../testing/factories/store.ts';

const chain = await startCrsmChain();
await chain.fund();
for (const account of chain.operators.slice(0, 2)) await chain.open(account);
let isDown = false;
const rpc = createServer((request, response) => {
  void (async () => {
    const body: Buffer[] = [];
    for await (const part of request) body.push(part as Buffer);
    if (isDown) return void request.socket.destroy();
    const answer = await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(body),
    });
    response.setHeader('content-type', 'application/json').end(await answer.text());
  })();
});
await new Promise<void>((resolve) => rpc.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  rpc.close();
  await chain.stop();
});

const url = `http://127.0.0.1:${(rpc.address() as AddressInfo).port}`;
const app = await testApp({ ...chainEnv(url), SESSION_IDLE_MINUTES: '720' }, { jobs: false });
const { db, pool } = app.database;
const services: Services = {
  config: app.config,
  log: createLogger({ level: 'silent' }),
  database: app.database,
  now: () => app.clock.now,
  ...openExternalServices(app.config),
};
let analyst: TestSession;
let all: TestSession;
const noon = Math.floor(app.clock.now / 86_400_000) * 86_400_000 + 12 * 3_600_000;
const day = (back: number) => new Date(noon - back * 86_400_000).toISOString().slice(0, 10);

beforeEach(async () => {
  isDown = false;
  app.clock.now = noon;
  analyst = await signInAs(app, 'analyst');
  all = await signInAs(app, 'all');
  await pool.query(
    'alter table overview_days disable trigger user; delete from overview_days; alter table overview_days enable trigger user',
  );
});

const user = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0xde709f2102306220921060314715629080e2fb77';

test('current figures come from ledger and chain', async () => {
  const at = new Date(noon);
  const store = storeIn(db);
  const minted = { userAddress: user, network: 'mainnet', status: 'confirmed', mintStatus: 'done', createdAt: at } as const;
  const redeemed = await store.deposit({ ...minted, amount: 500_000_000n });
  await store.deposit({ ...minted, amount: 70_000_000n });
  await store.deposit({ ...minted, amount: 9n, mintStatus: 'none' });
  await store.withdrawal(redeemed, { status: 'done' });
  const connection = { at, wallet: 'OKX', country: null };
  await insertConnections(db, [
    { ...connection, id: newId(), address: user, chainId: 1 },
    { ...connection, id: newId(), address: other, chainId: 1 },
    { ...connection, id: newId(), address: other, chainId: 2 },
  ]);
  const now = await analyst.api.overview.now();
  expect(now).toMatchObject({
    bridgeBtc: '70000000',
    userCount: '2',
    chainState: 'ok',
    delayed: [],
    dayBefore: null,
    missing: [],
  });
  const whole = await chain.client.readContract({
    address: devnetContracts.troveManager,
    abi: parseAbi(['function getEntireSystemBalances() view returns (uint256, uint256, uint256)']),
    functionName: 'getEntireSystemBalances',
    blockNumber: BigInt(now.block ?? '0'),
  });
  expect(now.vaultBtc).toBe(whole[0].toString());
  expect(now.mintYu).toBe((whole[1] + whole[2]).toString());
  expect(whole[0]).toBeGreaterThan(0n);
});

test('the last figures are shown as delayed while the chain does not respond', async () => {
  const before = await analyst.api.overview.now();
  isDown = true;
  app.clock.now += 3_600_000;
  const after = await analyst.api.overview.now();
  expect(after).toMatchObject({
    chainState: 'unreachable',
    delayed: ['mintYu', 'vaultBtc'],
    vaultBtc: before.vaultBtc,
    chainAt: before.chainAt,
  });
});

test('a daily snapshot is taken once and cannot be changed', async () => {
  expect(await Promise.all([recordDay(services), recordDay(services), recordDay(services)])).toEqual([true, true, true]);
  const rows = await db.select().from(overviewDays);
  expect(rows).toMatchObject([{ day: day(1), bridgeBtc: 70_000_000n }]);
  await insertConnections(db, [
    {
      id: newId(),
      at: new Date(),
      address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      wallet: 'a',
      chainId: 0,
      country: null,
    },
  ]);
  await recordDay(services);
  expect(await db.select().from(overviewDays)).toEqual(rows);
  await expect(pool.query('update overview_days set user_count = 9')).rejects.toThrow('never changed');
  await expect(pool.query('delete from overview_days')).rejects.toThrow('never changed');
  await expect(pool.query('truncate overview_days')).rejects.toThrow('never changed');
});

test('a snapshot waits for the chain until evening, and is then taken without it', async () => {
  isDown = true;
  expect(await recordDay(services)).toBe(false);
  expect(await db.select().from(overviewDays)).toEqual([]);
  app.clock.now = noon + 9 * 3_600_000;
  expect(await recordDay(services)).toBe(true);
  expect(await db.select().from(overviewDays)).toMatchObject([
    { day: day(1), vaultBtc: null, mintYu: null, bridgeBtc: 70_000_000n },
  ]);
});

test('changes, missing days, list, series, comparison and export use the snapshots', async () => {
  const backs = [1, 2, 3, 5, 7, 8, 30, 40];
  await db.insert(overviewDays).values(
    backs.map((back) => ({
      day: day(back),
      bridgeBtc: BigInt(back),
      mintYu: null,
      userCount: BigInt(back * 10),
      vaultBtc: 2n ** 200n + BigInt(back),
      at: new Date(noon),
    })),
  );
  const now = await analyst.api.overview.now();
  expect(now).toMatchObject({ dayBefore: { day: day(1) }, weekBefore: { day: day(7) }, monthBefore: { day: day(30) } });
  expect(now.missing.slice(0, 3)).toEqual([day(4), day(6), day(9)]);

  const page = await analyst.api.overview.list({ sort: 'day', direction: 'desc', filter: {}, cursor: null, limit: 5 });
  const rest = await analyst.api.overview.list({ sort: 'day', direction: 'desc', filter: {}, cursor: page.nextCursor, limit: 5 });
  expect([...page.rows, ...rest.rows].map((row) => row.day)).toEqual(backs.map(day));
  expect(page.rows[0]).toMatchObject({ vaultBtc: (2n ** 200n + 1n).toString(), mintYu: null });

  const filter = { time: `${day(3)}T00:00:00.000Z..${day(0)}T00:00:00.000Z` };
  const { points, before } = await analyst.api.overview.series({ filter, unit: 'day', compare: true });
  expect(points.map(({ day: at, values }) => [at, values.bridgeBtc])).toEqual([
    [day(3), '3'],
    [day(2), '2'],
    [day(1), '1'],
  ]);
  expect(before?.map(({ day: at }) => at)).toEqual([day(5)]);
  const months = await analyst.api.overview.series({ filter: {}, unit: 'month', compare: true });
  const lasts = await db.execute<{ day: string }>(
    sql`select max(day)::text as day from overview_days group by date_trunc('month', day) order by 1`,
  );
  expect(months.points.map(({ day: at }) => at)).toEqual(lasts.rows.map(({ day: at }) => at));
  expect(months.before).toBeNull();

  const operator = await signInAs(app, 'operator');
  await expect(
    operator.api.overview.export({ sort: 'day', direction: 'asc', filter: {}, locale: 'en-US' }),
  ).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  const { id, rows } = await all.api.overview.export({ sort: 'day', direction: 'asc', filter: {}, locale: 'en-US' });
  await writeExports(app);
  const text = await (await send(app, 'GET', `/api/overview/export/${id}`, undefined, all.headers)).text();
  expect(rows).toBe(8);
  expect(
    text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]?.replaceAll('"', '')),
  ).toEqual(backs.map(day).toReversed());
  expect((await send(app, 'GET', `/api/overview/export/${id}`, undefined, analyst.headers)).status).toBe(404);
  expect((await send(app, 'GET', `/api/overview/export/${id}`, undefined, operator.headers)).status).toBe(403);
});
