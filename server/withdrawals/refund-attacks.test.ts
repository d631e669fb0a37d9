import { eq, isNull } from 'drizzle-orm';
import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toSafeInteger } from '../../api/integers.ts';
import { satoshiToWei } from '../../api/money.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createBridgeChain, type BridgeChain } from '../platform/evm/bridge.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { beginRefundLog, fundAccount, insertIntent, insertWithdrawal, signRefundById } from '../testing/refunds.ts';
import { createTestDatabase } from '../testing/support.ts';
import { watchBridge } from './bridge-watcher.ts';
import { isOnChain } from './refund-state.ts';
import { bridgeRefunds, withdrawals } from './tables.ts';

// Each test plays an attack or accident on a real chain.

let chain: TestChain;
let services: Services;
let start = 0n;
let firstNonce = 0;
const clock = { now: Date.now() };
const [user, strangerAccount] = devnetAccounts.operators;
if (!user || !strangerAccount) throw new Error('the devnet has operators');
const { custodyBridge: bridge, ybtc } = devnetContracts;
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const thiefAddress = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
let salt = 0;

beforeAll(async () => {
  chain = await startTestChain();
  const config = readConfig({ NODE_ENV: 'test', BITCOIN_NETWORK: 'regtest', ...buildChainEnv(chain.url) });
  const log = createLogger({ level: 'silent' });
  services = { config, log, database: await createTestDatabase(log), now: () => clock.now, ...openExternalServices(config) };
  await beginRefundLog(services, { [user.address]: [receiver] });
  await fundAccount(chain, [user, strangerAccount]);
});
afterAll(() => chain.stop());
beforeEach(async () => {
  const { db } = services.database;
  await db.delete(bridgeRefunds);
  await db.delete(moneyFreezes);
  start = (await chain.client.getBlockNumber()) + 1n;
  firstNonce = toSafeInteger(await createTestBridge().count());
});

const createTestBridge = () => createBridgeChain({ urls: [chain.url], chainId: 31_337, address: bridge });
async function runWatcher(overrides: Partial<BridgeChain> = {}): Promise<void> {
  clock.now += 5_000;
  await watchBridge({ services, chain: { ...createTestBridge(), ...overrides }, depth: 8n, settled: 2n, start, firstNonce });
}

/** By default signed, with the intent that the wallet was asked with. */
async function addWithdrawal({ isAsked = true, isSigned = true, amount = 5_000n } = {}) {
  const { db } = services.database;
  const txid = (++salt).toString(16).padStart(64, 'c');
  const withdrawal = await insertWithdrawal(db, { txid, address: user?.address ?? '0x', receiver, amount }, new Date(clock.now));
  if (isSigned) await signRefundById(services, withdrawal.id);
  if (isAsked) await insertIntent(db, withdrawal, new Date(clock.now));
  return withdrawal;
}

const readWithdrawal = async (id: string) => {
  const [row] = await services.database.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (!row) throw new Error('no such withdrawal');
  return row;
};
const readOpenFreezes = () => services.database.db.select().from(moneyFreezes).where(isNull(moneyFreezes.resolvedAt));

const requestRefund = (
  { txid, amount }: { txid: string; amount: bigint },
  payoutAddress = receiver,
  account = user,
): Promise<Hex> =>
  chain.as(account).writeContract({
    address: bridge,
    abi: custodyBridgeAbi,
    functionName: 'requestRefund',
    args: [`0x${txid}`, payoutAddress, satoshiToWei(amount)],
    gas: 500_000n,
  });
const missingRefund = {
  srcHash: `0x${'00'.repeat(32)}`,
  from: `0x${'00'.repeat(20)}`,
  amount: 0n,
  endAt: 0n,
  receiver: '',
  status: 'none',
} as const;

test('one empty RPC answer about a request keeps it requested, and no second request is possible', async () => {
  const withdrawal = await addWithdrawal();
  const requestHash = await requestRefund(withdrawal);
  await chain.client.mine({ blocks: 70 });
  await runWatcher();
  const rowBefore = await readWithdrawal(withdrawal.id);
  expect(rowBefore).toMatchObject({ status: 'doing', requestHash });

  await runWatcher({ refund: async () => missingRefund });
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'doing', nonce: rowBefore.nonce, requestHash });
  for (let attempt = 0; attempt < 3; attempt++) await runWatcher();
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'doing', nonce: rowBefore.nonce, requestHash });
});

test('a wallet that signs another receiver than the intent freezes money during the cooling time', async () => {
  const withdrawal = await addWithdrawal();
  await requestRefund(withdrawal, thiefAddress);
  await runWatcher();
  expect(await readOpenFreezes()).toHaveLength(1);
  expect((await readOpenFreezes())[0]?.figures).toContain(thiefAddress);
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'todo', nonce: null });
  await runWatcher();
  expect(await readOpenFreezes()).toHaveLength(1);
});

test('a valid-looking request without an intent freezes money', async () => {
  const withdrawal = await addWithdrawal({ isAsked: false });
  await requestRefund(withdrawal);
  await runWatcher();
  expect(await readOpenFreezes()).toHaveLength(1);
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'todo', nonce: null });
});

test('a request with an intent but without signatures freezes money and does not move the withdrawal', async () => {
  const withdrawal = await addWithdrawal({ isSigned: false });
  await requestRefund(withdrawal);
  await runWatcher();
  expect(await readOpenFreezes()).toHaveLength(1);
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'todo', nonce: null });
});

test('signatures after the request was seen do not lift the freeze', async () => {
  const withdrawal = await addWithdrawal({ isSigned: false });
  await requestRefund(withdrawal);
  await runWatcher();
  const { db } = services.database;
  await db.update(moneyFreezes).set({ resolvedAt: new Date(clock.now) });
  clock.now += 1_000;
  await signRefundById(services, withdrawal.id);
  await runWatcher();
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'todo', nonce: null });
  expect(await db.select().from(bridgeRefunds)).toMatchObject([{ alarming: true, withdrawalId: null }]);
});

test('an amount changed in the database with a matching request freezes money', async () => {
  const { db } = services.database;
  const withdrawal = await addWithdrawal({ isAsked: false });
  const largerRequest = { ...withdrawal, amount: withdrawal.amount + 1n };
  await db.update(withdrawals).set({ amount: largerRequest.amount }).where(eq(withdrawals.id, withdrawal.id));
  await insertIntent(db, largerRequest, new Date(clock.now));
  await requestRefund(largerRequest);
  await runWatcher();
  expect(await readOpenFreezes()).toHaveLength(1);
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'todo', nonce: null });
});

test('a request with a nonce before the signed statement freezes money', async () => {
  const { db } = services.database;
  const withdrawal = await addWithdrawal({ isSigned: false });
  await db
    .update(withdrawals)
    .set({ firstNonce: toSafeInteger(await createTestBridge().count()) + 1 })
    .where(eq(withdrawals.id, withdrawal.id));
  await signRefundById(services, withdrawal.id);
  await requestRefund(withdrawal);
  await runWatcher();
  expect(await readOpenFreezes()).toHaveLength(1);
});

test('an identical second request of a deposit freezes money', async () => {
  const withdrawal = await addWithdrawal();
  await requestRefund(withdrawal);
  await runWatcher();
  expect(await readOpenFreezes()).toEqual([]);
  await requestRefund(withdrawal);
  await runWatcher();
  expect(await readOpenFreezes()).toHaveLength(1);
});

test('a lifted freeze is not opened again for the same refund, and another open freeze is waited for', async () => {
  const { db } = services.database;
  const withdrawal = await addWithdrawal();
  const otherFreeze = { id: newId(), figures: '{}', at: new Date(clock.now) };
  await db.insert(moneyFreezes).values(otherFreeze);
  await requestRefund(withdrawal, thiefAddress);
  await runWatcher();
  expect((await readOpenFreezes()).map(({ id }) => id)).toEqual([otherFreeze.id]);
  for (const attempt of [1, 0]) {
    await db.update(moneyFreezes).set({ resolvedAt: new Date(clock.now) });
    await runWatcher();
    expect(await readOpenFreezes()).toHaveLength(attempt);
  }
});

test('a stranger’s own refund freezes nothing and is recorded', async () => {
  const account = devnetAccounts.deployer;
  const amount = satoshiToWei(1_000n);
  const mint = { address: ybtc, abi: ybtcAbi, functionName: 'mint' } as const;
  await chain.as(devnetAccounts.minter).writeContract({ ...mint, args: [`0x${'ef'.repeat(32)}`, account.address, amount] });
  await chain.as(account).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'approve', args: [bridge, amount] });
  await requestRefund({ txid: 'e'.repeat(64), amount: 1_000n }, thiefAddress, account);
  await runWatcher();
  expect(await readOpenFreezes()).toEqual([]);
  expect(await services.database.db.select().from(bridgeRefunds)).toMatchObject([{ receiver: thiefAddress, withdrawalId: null }]);
});

test('a dropped first event is found through the bridge’s counter', async () => {
  await requestRefund(await addWithdrawal(), thiefAddress);
  await runWatcher({ events: async () => [] });
  expect(await readOpenFreezes()).toHaveLength(1);
  expect(await services.database.db.select().from(bridgeRefunds)).toHaveLength(1);
});

test('a receiver that the database cannot store is recorded in another form, and later refunds are seen', async () => {
  await requestRefund({ txid: 'd'.repeat(64), amount: 1n }, 'bcrt1q\0stranger');
  const withdrawal = await addWithdrawal();
  const requestHash = await requestRefund(withdrawal);
  await runWatcher();
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'doing', requestHash });
  expect((await readOpenFreezes())[0]?.figures).toContain('bcrt1q\uFFFDstranger'); // our user's, without an intent
  await runWatcher();
  expect(await services.database.db.select().from(bridgeRefunds)).toHaveLength(2);
});

test('a dropped event is found through the bridge’s counter', async () => {
  await requestRefund(await addWithdrawal());
  await runWatcher();
  await requestRefund(await addWithdrawal(), thiefAddress);
  await runWatcher({ events: async () => [] });
  expect(await readOpenFreezes()).toHaveLength(1);
});

test('a node that contradicts its own counter is not believed', async () => {
  const withdrawal = await addWithdrawal();
  await requestRefund(withdrawal);
  await chain.client.mine({ blocks: 70 });
  await runWatcher();
  for (let attempt = 0; attempt < 4; attempt++) await runWatcher({ refund: async () => missingRefund });
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'doing' });
});

test('repeated denials of a request allow no second one, and correct answers restore it', async () => {
  const withdrawal = await addWithdrawal();
  await requestRefund(withdrawal);
  await chain.client.mine({ blocks: 70 });
  await runWatcher();
  const rowBefore = await readWithdrawal(withdrawal.id);
  const denyingChain = { refund: async () => missingRefund, count: async () => 0n, events: async () => [] };
  await runWatcher(denyingChain);
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'doing' });
  await runWatcher(denyingChain);
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({
    status: 'gone',
    nonce: rowBefore.nonce,
    requestHash: rowBefore.requestHash,
  });
  expect(await isOnChain({ services, chain: createTestBridge(), settled: 2n }, await readWithdrawal(withdrawal.id))).toBe(true);
  await runWatcher();
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'doing', nonce: rowBefore.nonce });
});

test('an old request returns to its withdrawal after a lying node, and a second one freezes money', async () => {
  const { db } = services.database;
  const allowSecondRequest = (id: string) =>
    db.update(withdrawals).set({ status: 'todo', nonce: null, requestHash: null }).where(eq(withdrawals.id, id));
  const [firstWithdrawal, secondWithdrawal] = [await addWithdrawal({ amount: 6_001n }), await addWithdrawal({ amount: 6_002n })];
  await requestRefund(firstWithdrawal);
  await requestRefund(secondWithdrawal);
  await chain.client.mine({ blocks: 70 });
  await runWatcher();
  const rowBefore = await readWithdrawal(firstWithdrawal.id);

  await allowSecondRequest(firstWithdrawal.id);
  await runWatcher();
  expect(await readWithdrawal(firstWithdrawal.id)).toMatchObject({ status: 'doing', nonce: rowBefore.nonce });
  expect(await readOpenFreezes()).toEqual([]);

  await allowSecondRequest(secondWithdrawal.id);
  await requestRefund(secondWithdrawal);
  await runWatcher();
  expect(await readOpenFreezes()).toHaveLength(1);
});

test('one false rejection does not allow another withdrawal of the deposit', async () => {
  const withdrawal = await addWithdrawal();
  await requestRefund(withdrawal);
  await chain.client.mine({ blocks: 5 });
  await runWatcher();
  let requestCount = 0;
  await runWatcher({
    refund: async (nonce, blockNumber) => ({
      ...(await createTestBridge().refund(nonce, blockNumber)),
      ...(requestCount++ === 0 && { status: 'canceled' as const }),
    }),
  });
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'doing' });
});
