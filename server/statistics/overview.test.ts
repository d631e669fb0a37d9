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
import { buildChainEnv, startCrsmChain } from '../testing/crsm.ts';
import { send, signInAs, createTestApp, type TestSession } from '../testing/support.ts';
import { writeExports } from '../testing/exports.ts';
import { insertConnections } from './ingest.ts';
import { recordDailySnapshot } from './snapshot.ts';
import { overviewDays } from './tables.ts';
import { createStore } from '../../testing/factories/store.ts';

const chain = await startCrsmChain();
await chain.fund();
for (const account of chain.operators.slice(0, 2)) await chain.open(account);
let isRpcDown = false;
const rpc = createServer((request, response) => {
  void (async () => {
    const body: Buffer[] = [];
    for await (const bodyPart of request) body.push(bodyPart as Buffer);
    if (isRpcDown) return void request.socket.destroy();
    const upstreamResponse = await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(body),
    });
    response.setHeader('content-type', 'application/json').end(await upstreamResponse.text());
  })();
});
await new Promise<void>((resolve) => rpc.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  rpc.close();
  await chain.stop();
});

const url = `http://127.0.0.1:${(rpc.address() as AddressInfo).port}`;
const app = await createTestApp({ ...buildChainEnv(url), SESSION_IDLE_MINUTES: '720' }, { jobs: false });
const { db, pool } = app.database;
const services: Services = {
  config: app.config,
  log: createLogger({ level: 'silent' }),
  database: app.database,
  now: () => app.clock.now,
  ...openExternalServices(app.config),
};
let analystSession: TestSession;
let adminSession: TestSession;
const noonTime = Math.floor(app.clock.now / 86_400_000) * 86_400_000 + 12 * 3_600_000;
const day = (daysBack: number) => new Date(noonTime - daysBack * 86_400_000).toISOString().slice(0, 10);

beforeEach(async () => {
  isRpcDown = false;
  app.clock.now = noonTime;
  analystSession = await signInAs(app, 'analyst');
  adminSession = await signInAs(app, 'all');
  await pool.query(
    'alter table overview_days disable trigger user; delete from overview_days; alter table overview_days enable trigger user',
  );
});

const user = '0x52908400098527886E0F7030069857D2E4169EE7';
const otherAddress = '0xde709f2102306220921060314715629080e2fb77';

test('current figures come from ledger and chain', async () => {
  const noonDate = new Date(noonTime);
  const testStore = createStore(db);
  const mintedFields = {
    userAddress: user,
    network: 'mainnet',
    status: 'confirmed',
    mintStatus: 'done',
    createdAt: noonDate,
  } as const;
  const redeemedDeposit = await testStore.deposit({ ...mintedFields, amount: 500_000_000n });
  await testStore.deposit({ ...mintedFields, amount: 70_000_000n });
  await testStore.deposit({ ...mintedFields, amount: 9n, mintStatus: 'none' });
  await testStore.withdrawal(redeemedDeposit, { status: 'done' });
  const connection = { at: noonDate, wallet: 'OKX', country: null };
  await insertConnections(db, [
    { ...connection, id: newId(), address: user, chainId: 1 },
    { ...connection, id: newId(), address: otherAddress, chainId: 1 },
    { ...connection, id: newId(), address: otherAddress, chainId: 2 },
  ]);
  const now = await analystSession.api.overview.now();
  expect(now).toMatchObject({
    bridgeBtc: '70000000',
    userCount: '2',
    chainState: 'ok',
    delayed: [],
    dayBefore: null,
    missing: [],
  });
  const totalCollateral = await chain.client.readContract({
    address: devnetContracts.troveManager,
    abi: parseAbi(['function getEntireSystemBalances() view returns (uint256, uint256, uint256)']),
    functionName: 'getEntireSystemBalances',
    blockNumber: BigInt(now.block ?? '0'),
  });
  expect(now.vaultBtc).toBe(totalCollateral[0].toString());
  expect(now.mintYu).toBe((totalCollateral[1] + totalCollateral[2]).toString());
  expect(totalCollateral[0]).toBeGreaterThan(0n);
});

test('the last figures are shown as delayed while the chain does not respond', async () => {
  const overviewBefore = await analystSession.api.overview.now();
  isRpcDown = true;
  app.clock.now += 3_600_000;
  const overviewAfter = await analystSession.api.overview.now();
  expect(overviewAfter).toMatchObject({
    chainState: 'unreachable',
    delayed: ['mintYu', 'vaultBtc'],
    vaultBtc: overviewBefore.vaultBtc,
    chainAt: overviewBefore.chainAt,
  });
});

test('a daily snapshot is taken once and cannot be changed', async () => {
  expect(
    await Promise.all([recordDailySnapshot(services), recordDailySnapshot(services), recordDailySnapshot(services)]),
  ).toEqual([true, true, true]);
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
  await recordDailySnapshot(services);
  expect(await db.select().from(overviewDays)).toEqual(rows);
  await expect(pool.query('update overview_days set user_count = 9')).rejects.toThrow('never changed');
  await expect(pool.query('delete from overview_days')).rejects.toThrow('never changed');
  await expect(pool.query('truncate overview_days')).rejects.toThrow('never changed');
});

test('a snapshot waits for the chain until evening, and is then taken without it', async () => {
  isRpcDown = true;
  expect(await recordDailySnapshot(services)).toBe(false);
  expect(await db.select().from(overviewDays)).toEqual([]);
  app.clock.now = noonTime + 9 * 3_600_000;
  expect(await recordDailySnapshot(services)).toBe(true);
  expect(await db.select().from(overviewDays)).toMatchObject([
    { day: day(1), vaultBtc: null, mintYu: null, bridgeBtc: 70_000_000n },
  ]);
});

test('changes, missing days, list, series, comparison and export use the snapshots', async () => {
  const dayOffsets = [1, 2, 3, 5, 7, 8, 30, 40];
  await db.insert(overviewDays).values(
    dayOffsets.map((daysBack) => ({
      day: day(daysBack),
      bridgeBtc: BigInt(daysBack),
      mintYu: null,
      userCount: BigInt(daysBack * 10),
      vaultBtc: 2n ** 200n + BigInt(daysBack),
      at: new Date(noonTime),
    })),
  );
  const now = await analystSession.api.overview.now();
  expect(now).toMatchObject({ dayBefore: { day: day(1) }, weekBefore: { day: day(7) }, monthBefore: { day: day(30) } });
  expect(now.missing.slice(0, 3)).toEqual([day(4), day(6), day(9)]);

  const page = await analystSession.api.overview.list({ sort: 'day', direction: 'desc', filter: {}, cursor: null, limit: 5 });
  const secondPage = await analystSession.api.overview.list({
    sort: 'day',
    direction: 'desc',
    filter: {},
    cursor: page.nextCursor,
    limit: 5,
  });
  expect([...page.rows, ...secondPage.rows].map((row) => row.day)).toEqual(dayOffsets.map(day));
  expect(page.rows[0]).toMatchObject({ vaultBtc: (2n ** 200n + 1n).toString(), mintYu: null });

  const filter = { time: `${day(3)}T00:00:00.000Z..${day(0)}T00:00:00.000Z` };
  const { points, before } = await analystSession.api.overview.series({ filter, unit: 'day', compare: true });
  expect(points.map(({ day: dayText, values }) => [dayText, values.bridgeBtc])).toEqual([
    [day(3), '3'],
    [day(2), '2'],
    [day(1), '1'],
  ]);
  expect(before?.map(({ day: dayText }) => dayText)).toEqual([day(5)]);
  const monthSeries = await analystSession.api.overview.series({ filter: {}, unit: 'month', compare: true });
  const lastDays = await db.execute<{ day: string }>(
    sql`select max(day)::text as day from overview_days group by date_trunc('month', day) order by 1`,
  );
  expect(monthSeries.points.map(({ day: dayText }) => dayText)).toEqual(lastDays.rows.map(({ day: dayText }) => dayText));
  expect(monthSeries.before).toBeNull();

  const operatorSession = await signInAs(app, 'operator');
  await expect(
    operatorSession.api.overview.export({ sort: 'day', direction: 'asc', filter: {}, locale: 'en-US' }),
  ).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  const { id, rows } = await adminSession.api.overview.export({ sort: 'day', direction: 'asc', filter: {}, locale: 'en-US' });
  await writeExports(app);
  const text = await (await send(app, 'GET', `/api/overview/export/${id}`, undefined, adminSession.headers)).text();
  expect(rows).toBe(8);
  expect(
    text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]?.replaceAll('"', '')),
  ).toEqual(dayOffsets.map(day).toReversed());
  expect((await send(app, 'GET', `/api/overview/export/${id}`, undefined, analystSession.headers)).status).toBe(404);
  expect((await send(app, 'GET', `/api/overview/export/${id}`, undefined, operatorSession.headers)).status).toBe(403);
});
