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
import { buildChainEnv, percentToWad, startCrsmChain, yuToWei, type CrsmTestChain } from '../testing/crsm.ts';
import { startHostileNode, type HostileNode, type RpcCall } from '../testing/hostile-node.ts';
import { createApi, signInAs, createTestApp, type TestApi, type TestApp } from '../testing/support.ts';
import { crsmChain } from './chain.ts';
import { indexCrsms } from './indexer.ts';

let chain: CrsmTestChain;
let node: HostileNode;
let app: TestApp;
let operator: TestApi;
let headers: Record<string, string>;
let alice: HDAccount;
let bob: HDAccount;
let aliceCrsm: Address;
let bobCrsm: Address;
let services: Services;

beforeAll(async () => {
  chain = await startCrsmChain();
  node = await startHostileNode(chain.url);
  [alice, bob] = chain.operators;
  await chain.rate(0n);
  await chain.fund();
  const crsmAddresses: Address[] = [];
  for (const account of [alice, bob]) {
    const id = await chain.nextTrove();
    await chain.open(account);
    await chain.create(account, id);
    crsmAddresses.push(await chain.newest());
  }
  [aliceCrsm = '0x', bobCrsm = '0x'] = crsmAddresses;
  app = await createTestApp({ ...buildChainEnv(node.url), SESSION_IDLE_MINUTES: '720' }, { jobs: false });
  ({ api: operator, headers } = await signInAs(app, 'operator'));
  const { config, database } = app;
  services = {
    config,
    database,
    log: createLogger({ level: 'silent' }),
    now: () => app.clock.now,
    ...openExternalServices(config),
  };
  const crsmChainConfig = config.evm && crsmChain(config.evm);
  if (!crsmChainConfig) throw new Error('no chain');
  await indexCrsms({ services, chain: crsmChainConfig });
}, 90_000);
afterAll(() => chain.stop());

const idempotentApi = () => createApi(app, { ...headers, 'idempotency-key': randomUUID() }).crsm;
const refresh = () => idempotentApi().updateData({ ids: [aliceCrsm, bobCrsm] });
const page = { direction: 'asc' as const, filter: {}, cursor: null, limit: 50, sort: 'distance' as const };
const list = async (overrides: object = {}) => (await operator.crsm.list({ ...page, ...overrides })).rows;
const readCrsm = async (id: Address) => {
  const [row] = await operator.crsm.many({ ids: [id] });
  if (!row) throw new Error('the row is gone');
  return row;
};
const expectedRefusal = (reason: string) => ({ code: 'CRSM_REFUSED', data: { reason } });

const pageRangeOf = ({ method, params }: RpcCall): { start: bigint; end: bigint } | null => {
  const { to, data = '0x' } = (params[0] ?? {}) as { to?: string; data?: Hex };
  const isUtilsCall = method === 'eth_call' && to?.toLowerCase() === at.crsmUtils.toLowerCase();
  if (!isUtilsCall || !data.startsWith(toFunctionSelector('getCRSM(uint256,uint256)'))) return null;
  return { start: BigInt(`0x${data.slice(10, 74)}`), end: BigInt(`0x${data.slice(74, 138)}`) };
};
const revertingCode = '0x60006000fd';
const setCode = (address: Address, code: Hex) =>
  chain.client.request({ method: 'anvil_setCode', params: [address, code] } as never);
/** These contracts revert every call until the test ends. */
const originalCode = new Map<Address, Hex>();
async function breakContract(address: Address): Promise<void> {
  originalCode.set(address, (await chain.client.getCode({ address })) ?? '0x');
  await setCode(address, revertingCode);
  await chain.mine();
}

beforeEach(async () => {
  node.be();
  await chain.price(yuToWei(100_000));
  await chain.mine();
  await refresh();
});
afterEach(async () => {
  for (const [address, code] of originalCode) await setCode(address, code);
  originalCode.clear();
});

describe('a call that the node refuses during a pass', () => {
  const refusals: [name: string, error: { code: number; message: string }][] = [
    ['by its rate limit', { code: 429, message: 'Too Many Requests' }],
    ['by a limit without more words', { code: -32_005, message: 'request rate limited' }],
    ['with an error of its own', { code: -32_603, message: 'internal error' }],
  ];
  test.each(refusals)('%s leaves no old figure under a new block', async (_name, error) => {
    const crsmBefore = await readCrsm(aliceCrsm);
    expect(crsmBefore).toMatchObject({ stale: false });
    node.be({ refuse: (call) => ((pageRangeOf(call)?.end ?? 0n) > 0n ? error : null) });
    await chain.price(yuToWei(50_000));
    await chain.mine(5);
    await expect(refresh()).rejects.toMatchObject(expectedRefusal('unreachable'));

    expect(await readCrsm(aliceCrsm)).toEqual({ ...crsmBefore, stale: true });
    const follower = await operator.crsm.follower();
    expect(follower).toMatchObject({ state: 'unreachable', block: crsmBefore.block, price: yuToWei(100_000).toString() });
    expect(BigInt(follower.head ?? '0')).toBeGreaterThan(BigInt(crsmBefore.block));
    const positions = await operator.crsm.positions({ ...page, sort: 'icr' });
    expect(positions.rows.map(({ stale, block }) => ({ stale, block }))).toEqual(
      Array(2).fill({ stale: true, block: crsmBefore.block }),
    );

    node.be();
    await refresh();
    const crsmAfter = await readCrsm(aliceCrsm);
    expect(crsmAfter.stale).toBe(false);
    expect(BigInt(crsmAfter.icr ?? '0') * 2n).toBe(BigInt(crsmBefore.icr ?? '0'));
    expect(await operator.crsm.follower()).toMatchObject({ block: crsmAfter.block, price: yuToWei(50_000).toString() });
  });

  test('reads smaller pages when many positions need too much gas', async () => {
    node.be({
      refuse: (call) => {
        const { start, end } = pageRangeOf(call) ?? { start: 0n, end: 0n };
        return end - start > 1n ? { code: -32_000, message: 'out of gas' } : null;
      },
    });
    await chain.mine();
    expect((await refresh()).map(({ stale }) => stale)).toEqual([false, false]);
  });

  test('marks a single position as stale when it needs too much gas', async () => {
    node.be({ refuse: (call) => ((pageRangeOf(call)?.end ?? 0n) > 1n ? { code: -32_000, message: 'out of gas' } : null) });
    await chain.mine();
    await refresh();
    expect([(await readCrsm(aliceCrsm)).stale, (await readCrsm(bobCrsm)).stale]).toEqual([false, true]);
  });

  test('marks figures as stale when events cannot be read', async () => {
    node.be({ refuse: ({ method }) => (method === 'eth_getLogs' ? { code: -32_603, message: 'internal error' } : null) });
    await chain.price(yuToWei(90_000));
    await chain.mine();
    await expect(refresh()).rejects.toMatchObject(expectedRefusal('unreachable'));
    expect(await readCrsm(aliceCrsm)).toMatchObject({ stale: true, price: yuToWei(100_000).toString() });
  });
});

describe('a CRSM that cannot be read', () => {
  test('is stale at its old block, while all others are refreshed', async () => {
    const crsmBefore = await readCrsm(aliceCrsm);
    await breakContract(aliceCrsm);
    await chain.price(yuToWei(60_000));
    await chain.mine();
    await refresh();
    expect(await readCrsm(aliceCrsm)).toEqual({ ...crsmBefore, stale: true });
    const otherRow = await readCrsm(bobCrsm);
    expect(otherRow).toMatchObject({ stale: false, price: yuToWei(60_000).toString() });
    expect(await operator.crsm.follower()).toMatchObject({ block: otherRow.block, price: yuToWei(60_000).toString() });
  });

  test('is stale although it has committed to a reward', async () => {
    await chain.act(alice, aliceCrsm, 'commitDebtGasCompensation', [yuToWei(70)]);
    await chain.mine();
    await refresh();
    expect(await readCrsm(aliceCrsm)).toMatchObject({ pendingDebtGasCompensation: yuToWei(70).toString(), stale: false });
    await breakContract(aliceCrsm);
    await chain.mine();
    await refresh();
    expect([(await readCrsm(aliceCrsm)).stale, (await readCrsm(bobCrsm)).stale]).toEqual([true, false]);
  });

  test('sorts last in every order and direction, whatever its old figures', async () => {
    await breakContract(aliceCrsm);
    await refresh();
    for (const sort of ['distance', 'icr', 'collateral', 'debt', 'deposits', 'createdAt'] as const)
      for (const direction of ['asc', 'desc'] as const)
        expect(
          (await list({ sort, direction })).map(({ id }) => id),
          `${sort} ${direction}`,
        ).toEqual([bobCrsm, aliceCrsm]);
    const firstPage = await operator.crsm.list({ ...page, limit: 1 });
    const secondPage = await operator.crsm.list({ ...page, limit: 1, cursor: firstPage.nextCursor });
    expect([...firstPage.rows, ...secondPage.rows].map(({ id }) => id)).toEqual([bobCrsm, aliceCrsm]);
    expect(secondPage.nextCursor).toBeNull();
    const previousPage = await operator.crsm.list({ ...page, limit: 1, cursor: secondPage.prevCursor });
    expect(previousPage.rows.map(({ id }) => id)).toEqual([bobCrsm]);
    expect(previousPage.prevCursor).toBeNull();
  });

  test('is found by its health and by no filter on a figure', async () => {
    await chain.price(yuToWei(60_500));
    await chain.mine();
    await refresh();
    expect((await list({ filter: { near: 'true' } })).map(({ id }) => id).toSorted()).toEqual([aliceCrsm, bobCrsm].toSorted());
    await breakContract(aliceCrsm);
    await refresh();
    const idsMatching = async (filter: object) => (await list({ filter })).map(({ id }) => id);
    expect(await idsMatching({ near: 'true' })).toEqual([bobCrsm]);
    expect(await idsMatching({ near: 'false' })).toEqual([]);
    expect(await idsMatching({ icr: '0..10000' })).toEqual([bobCrsm]);
    expect(await idsMatching({ collateral: '0..10' })).toEqual([bobCrsm]);
    expect(await idsMatching({ health: 'belowTrigger' })).not.toContain(aliceCrsm);
    expect(await idsMatching({ health: 'stale' })).toEqual([aliceCrsm]);
    expect(await idsMatching({})).toEqual([bobCrsm, aliceCrsm]);
  });

  test('is counted separately on Home, and not as near its trigger', async () => {
    await chain.price(yuToWei(60_500));
    await chain.mine();
    await refresh();
    const readWaitingCounts = async () =>
      Object.fromEntries((await operator.home.waiting()).map(({ kind, count }) => [kind, count]));
    expect(await readWaitingCounts()).toMatchObject({ nearTrigger: 2 });
    await breakContract(aliceCrsm);
    await refresh();
    expect(await readWaitingCounts()).toMatchObject({ nearTrigger: 1, staleFigures: 1 });
  });

  test('raises an alarm after a while, and an alarm about its ratio tells the age of the figures', async () => {
    await chain.price(yuToWei(60_000));
    await chain.mine();
    await refresh();
    await breakContract(aliceCrsm);
    await refresh();
    await lookForAlarms(services);
    const readAlarmFacts = async (kind: string) =>
      (await app.database.db.select().from(alarms).where(eq(alarms.kind, kind))).flatMap(
        ({ subjects }) => JSON.parse(subjects) as AlarmFacts['crsmTrigger' | 'crsmStale'][],
      );
    const findAlarmFacts = async (kind: string, crsm: string) =>
      (await readAlarmFacts(kind)).find((facts) => facts.crsm === crsm);
    expect(await readAlarmFacts('crsmStale')).toEqual([]);
    const { block } = await readCrsm(aliceCrsm);
    expect(await findAlarmFacts('crsmTrigger', aliceCrsm)).toMatchObject({ block: Number(block), isStale: true });
    expect(await findAlarmFacts('crsmTrigger', bobCrsm)).toMatchObject({ isStale: false });
    app.clock.now += 3_700_000;
    await refresh();
    await lookForAlarms(services);
    expect(await readAlarmFacts('crsmStale')).toHaveLength(1);
    expect(await findAlarmFacts('crsmStale', aliceCrsm)).toMatchObject({ block: Number(block) });
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
    await expect(refresh()).rejects.toMatchObject(expectedRefusal('noPrice'));
    expect((await list()).map(({ stale }) => stale)).toEqual([true, true]);
    expect(await operator.crsm.follower()).toMatchObject({ state: 'noPrice', price: yuToWei(100_000).toString() });
  });

  test('actions without a price still work', async () => {
    const from = alice.address;
    const receiverAddress = alice.address;
    const callInput = { crsm: aliceCrsm, from };
    const prepareCalls = [
      idempotentApi().deposit({ ...callInput, params: { amount: '5' } }),
      idempotentApi().withdrawFromSP({ ...callInput, params: { to: receiverAddress, amount: '5' } }),
      idempotentApi().claimYield({ ...callInput, params: { to: receiverAddress } }),
      idempotentApi().claimAllCollateralGains({ ...callInput, params: { to: receiverAddress } }),
      idempotentApi().updateCR({
        ...callInput,
        params: {
          TRGCR: percentToWad(150).toString(),
          TARCR: percentToWad(180).toString(),
          MAX_TARCR: percentToWad(200).toString(),
        },
      }),
      idempotentApi().commitDebtGasCompensation({ ...callInput, params: { debtGasCompensation: '7' } }),
    ];
    expect((await Promise.all(prepareCalls)).map(({ state }) => state)).toEqual(prepareCalls.map(() => 'prepared'));
  });

  test('actions with a price are refused with the reason', async () => {
    await expect(idempotentApi().repay({ crsm: aliceCrsm, from: alice.address, params: { amount: '5' } })).rejects.toMatchObject(
      expectedRefusal('noPrice'),
    );
  });

  test('a destroyed CRSM is still recognized', async () => {
    await breakContract(aliceCrsm);
    const call = idempotentApi().claimYield({ crsm: aliceCrsm, from: alice.address, params: { to: alice.address } });
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
