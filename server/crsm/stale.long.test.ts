import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { toFunctionSelector, type Address, type HDAccount, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { devnetContracts as at } from '../../chain/deploy.ts';
import type { AlarmFacts } from '../alarms/facts.ts';
import { alarms } from '../alarms/tables.ts';
import { checkAlarms as lookForAlarms } from '../alarms/watch.ts';
import type { Services } from '../platform/services/context.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { chainWatches } from '../platform/evm/tables.ts';
import { chainEnv, percentWad, startCrsmChain, yuWei, type CrsmTestChain } from '../testing/crsm.ts';
import { startHostileNode, type HostileNode, type RpcCall } from '../testing/hostile-node.ts';
import { apiOf, signInAs, testApp, type TestApi, type TestApp } from '../testing/support.ts';
import { crsmChain } from './chain.ts';
import { indexCrsms } from './indexer.ts';

let chain: CrsmTestChain;
let node: HostileNode;
let app: TestApp;
let operator: TestApi;
let headers: Record<string, string>;
let alice: HDAccount;
let bob: HDAccount;
let own: Address;
let other: Address;
let services: Services;

beforeAll(async () => {
  chain = await startCrsmChain();
  node = await startHostileNode(chain.url);
  [alice, bob] = chain.operators;
  await chain.rate(0n);
  await chain.fund();
  const made: Address[] = [];
  for (const account of [alice, bob]) {
    const id = await chain.nextTrove();
    await chain.open(account);
    await chain.create(account, id);
    made.push(await chain.newest());
  }
  [own = '0x', other = '0x'] = made;
  app = await testApp({ ...chainEnv(node.url), SESSION_IDLE_MINUTES: '720' }, { jobs: false });
  ({ api: operator, headers } = await signInAs(app, 'operator'));
  const { config, database } = app;
  services = {
    config,
    database,
    log: createLogger({ level: 'silent' }),
    now: () => app.clock.now,
    ...openExternalServices(config),
  };
  const first = config.evm && crsmChain(config.evm);
  if (!first) throw new Error('no chain');
  await indexCrsms({ services, chain: first });
}, 90_000);
afterAll(() => chain.stop());

const keyed = () => apiOf(app, { ...headers, 'idempotency-key': randomUUID() }).crsm;
const refresh = () => keyed().updateData({ ids: [own, other] });
const page = { direction: 'asc' as const, filter: {}, cursor: null, limit: 50, sort: 'distance' as const };
const list = async (more: object = {}) => (await operator.crsm.list({ ...page, ...more })).rows;
const rowOf = async (id: Address) => {
  const [row] = await operator.crsm.many({ ids: [id] });
  if (!row) throw new Error('the row is gone');
  return row;
};
const refusal = (reason: string) => ({ code: 'CRSM_REFUSED', data: { reason } });

const isPage = ({ method, params }: RpcCall): { start: bigint; end: bigint } | null => {
  const { to, data = '0x' } = (params[0] ?? {}) as { to?: string; data?: Hex };
  const isRead = method === 'eth_call' && to?.toLowerCase() === at.crsmUtils.toLowerCase();
  if (!isRead || !data.startsWith(toFunctionSelector('getCRSM(uint256,uint256)'))) return null;
  return { start: BigInt(`0x${data.slice(10, 74)}`), end: BigInt(`0x${data.slice(74, 138)}`) };
};
const reverts = '0x60006000fd';
const setCode = (address: Address, code: Hex) =>
  chain.client.request({ method: 'anvil_setCode', params: [address, code] } as never);
/** These contracts revert every call until the test ends. */
const broken = new Map<Address, Hex>();
async function breakContract(address: Address): Promise<void> {
  broken.set(address, (await chain.client.getCode({ address })) ?? '0x');
  await setCode(address, reverts);
  await chain.mine();
}

beforeEach(async () => {
  node.be();
  await chain.price(yuWei(100_000));
  await chain.mine();
  await refresh();
});
afterEach(async () => {
  for (const [address, code] of broken) await setCode(address, code);
  broken.clear();
});

describe('a call that the node refuses during a pass', () => {
  const refusals: [name: string, error: { code: number; message: string }][] = [
    ['by its rate limit', { code: 429, message: 'Too Many Requests' }],
    ['by a limit without more words', { code: -32_005, message: 'request rate limited' }],
    ['with an error of its own', { code: -32_603, message: 'internal error' }],
  ];
  test.each(refusals)('%s leaves no old figure under a new block', async (_name, error) => {
    const before = await rowOf(own);
    expect(before).toMatchObject({ stale: false });
    node.be({ refuse: (call) => ((isPage(call)?.end ?? 0n) > 0n ? error : null) });
    await chain.price(yuWei(50_000));
    await chain.mine(5);
    await expect(refresh()).rejects.toMatchObject(refusal('unreachable'));

    expect(await rowOf(own)).toEqual({ ...before, stale: true });
    const follower = await operator.crsm.follower();
    expect(follower).toMatchObject({ state: 'unreachable', block: before.block, price: yuWei(100_000).toString() });
    expect(BigInt(follower.head ?? '0')).toBeGreaterThan(BigInt(before.block));
    const positions = await operator.crsm.positions({ ...page, sort: 'icr' });
    expect(positions.rows.map(({ stale, block }) => ({ stale, block }))).toEqual(
      Array(2).fill({ stale: true, block: before.block }),
    );

    node.be();
    await refresh();
    const after = await rowOf(own);
    expect(after.stale).toBe(false);
    expect(BigInt(after.icr ?? '0') * 2n).toBe(BigInt(before.icr ?? '0'));
    expect(await operator.crsm.follower()).toMatchObject({ block: after.block, price: yuWei(50_000).toString() });
  });

  test('reads smaller pages when many positions need too much gas', async () => {
    node.be({
      refuse: (call) => {
        const { start, end } = isPage(call) ?? { start: 0n, end: 0n };
        return end - start > 1n ? { code: -32_000, message: 'out of gas' } : null;
      },
    });
    await chain.mine();
    expect((await refresh()).map(({ stale }) => stale)).toEqual([false, false]);
  });

  test('marks a single position as stale when it needs too much gas', async () => {
    node.be({ refuse: (call) => ((isPage(call)?.end ?? 0n) > 1n ? { code: -32_000, message: 'out of gas' } : null) });
    await chain.mine();
    await refresh();
    expect([(await rowOf(own)).stale, (await rowOf(other)).stale]).toEqual([false, true]);
  });

  test('marks figures as stale when events cannot be read', async () => {
    node.be({ refuse: ({ method }) => (method === 'eth_getLogs' ? { code: -32_603, message: 'internal error' } : null) });
    await chain.price(yuWei(90_000));
    await chain.mine();
    await expect(refresh()).rejects.toMatchObject(refusal('unreachable'));
    expect(await rowOf(own)).toMatchObject({ stale: true, price: yuWei(100_000).toString() });
  });
});

describe('a CRSM that cannot be read', () => {
  test('is stale at its old block, while all others are refreshed', async () => {
    const before = await rowOf(own);
    await breakContract(own);
    await chain.price(yuWei(60_000));
    await chain.mine();
    await refresh();
    expect(await rowOf(own)).toEqual({ ...before, stale: true });
    const fresh = await rowOf(other);
    expect(fresh).toMatchObject({ stale: false, price: yuWei(60_000).toString() });
    expect(await operator.crsm.follower()).toMatchObject({ block: fresh.block, price: yuWei(60_000).toString() });
  });

  test('is stale although it has committed to a reward', async () => {
    await chain.act(alice, own, 'commitDebtGasCompensation', [yuWei(70)]);
    await chain.mine();
    await refresh();
    expect(await rowOf(own)).toMatchObject({ pendingDebtGasCompensation: yuWei(70).toString(), stale: false });
    await breakContract(own);
    await chain.mine();
    await refresh();
    expect([(await rowOf(own)).stale, (await rowOf(other)).stale]).toEqual([true, false]);
  });

  test('sorts last in every order and direction, whatever its old figures', async () => {
    await breakContract(own);
    await refresh();
    for (const sort of ['distance', 'icr', 'collateral', 'debt', 'deposits', 'createdAt'] as const)
      for (const direction of ['asc', 'desc'] as const)
        expect(
          (await list({ sort, direction })).map(({ id }) => id),
          `${sort} ${direction}`,
        ).toEqual([other, own]);
    const first = await operator.crsm.list({ ...page, limit: 1 });
    const second = await operator.crsm.list({ ...page, limit: 1, cursor: first.nextCursor });
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual([other, own]);
    expect(second.nextCursor).toBeNull();
    const back = await operator.crsm.list({ ...page, limit: 1, cursor: second.prevCursor });
    expect(back.rows.map(({ id }) => id)).toEqual([other]);
    expect(back.prevCursor).toBeNull();
  });

  test('is found by its health and by no filter on a figure', async () => {
    await chain.price(yuWei(60_500));
    await chain.mine();
    await refresh();
    expect((await list({ filter: { near: 'true' } })).map(({ id }) => id).toSorted()).toEqual([own, other].toSorted());
    await breakContract(own);
    await refresh();
    const found = async (filter: object) => (await list({ filter })).map(({ id }) => id);
    expect(await found({ near: 'true' })).toEqual([other]);
    expect(await found({ near: 'false' })).toEqual([]);
    expect(await found({ icr: '0..10000' })).toEqual([other]);
    expect(await found({ collateral: '0..10' })).toEqual([other]);
    expect(await found({ health: 'belowTrigger' })).not.toContain(own);
    expect(await found({ health: 'stale' })).toEqual([own]);
    expect(await found({})).toEqual([other, own]);
  });

  test('is counted separately on Home, and not as near its trigger', async () => {
    await chain.price(yuWei(60_500));
    await chain.mine();
    await refresh();
    const waiting = async () => Object.fromEntries((await operator.home.waiting()).map(({ kind, count }) => [kind, count]));
    expect(await waiting()).toMatchObject({ nearTrigger: 2 });
    await breakContract(own);
    await refresh();
    expect(await waiting()).toMatchObject({ nearTrigger: 1, staleFigures: 1 });
  });

  test('raises an alarm after a while, and an alarm about its ratio tells the age of the figures', async () => {
    await chain.price(yuWei(60_000));
    await chain.mine();
    await refresh();
    await breakContract(own);
    await refresh();
    await lookForAlarms(services);
    const reported = async (kind: string) =>
      (await app.database.db.select().from(alarms).where(eq(alarms.kind, kind))).flatMap(
        ({ subjects }) => JSON.parse(subjects) as AlarmFacts['crsmTrigger' | 'crsmStale'][],
      );
    const factsOf = async (kind: string, crsm: string) => (await reported(kind)).find((facts) => facts.crsm === crsm);
    expect(await reported('crsmStale')).toEqual([]);
    const { block } = await rowOf(own);
    expect(await factsOf('crsmTrigger', own)).toMatchObject({ block: Number(block), isStale: true });
    expect(await factsOf('crsmTrigger', other)).toMatchObject({ isStale: false });
    app.clock.now += 3_700_000;
    await refresh();
    await lookForAlarms(services);
    expect(await reported('crsmStale')).toHaveLength(1);
    expect(await factsOf('crsmStale', own)).toMatchObject({ block: Number(block) });
  });
});

test('all figures are stale when no server has read them for a while', async () => {
  const { db } = app.database;
  await db
    .update(chainWatches)
    .set({ at: new Date(app.clock.now - 120_000) })
    .where(eq(chainWatches.name, 'crsm'));
  expect((await list()).map(({ stale }) => stale)).toEqual([true, true]);
  app.clock.now += 31_000;
  await chain.mine();
  await refresh();
  expect((await list()).map(({ stale }) => stale)).toEqual([false, false]);
});

describe('while the price feed fails', () => {
  beforeEach(() => breakContract(at.priceFeed));

  test('all figures are stale, and the lists give the reason', async () => {
    await expect(refresh()).rejects.toMatchObject(refusal('noPrice'));
    expect((await list()).map(({ stale }) => stale)).toEqual([true, true]);
    expect(await operator.crsm.follower()).toMatchObject({ state: 'noPrice', price: yuWei(100_000).toString() });
  });

  test('actions without a price still work', async () => {
    const from = alice.address;
    const to = alice.address;
    const act = { crsm: own, from };
    const calls = [
      keyed().deposit({ ...act, params: { amount: '5' } }),
      keyed().withdrawFromSP({ ...act, params: { to, amount: '5' } }),
      keyed().claimYield({ ...act, params: { to } }),
      keyed().claimAllCollateralGains({ ...act, params: { to } }),
      keyed().updateCR({
        ...act,
        params: { TRGCR: percentWad(150).toString(), TARCR: percentWad(180).toString(), MAX_TARCR: percentWad(200).toString() },
      }),
      keyed().commitDebtGasCompensation({ ...act, params: { debtGasCompensation: '7' } }),
    ];
    expect((await Promise.all(calls)).map(({ state }) => state)).toEqual(calls.map(() => 'prepared'));
  });

  test('actions with a price are refused with the reason', async () => {
    await expect(keyed().repay({ crsm: own, from: alice.address, params: { amount: '5' } })).rejects.toMatchObject(
      refusal('noPrice'),
    );
  });

  test('a destroyed CRSM is still recognized', async () => {
    await breakContract(own);
    const call = keyed().claimYield({ crsm: own, from: alice.address, params: { to: alice.address } });
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
