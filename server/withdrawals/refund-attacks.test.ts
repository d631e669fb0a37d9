import { eq, isNull } from 'drizzle-orm';
import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { integerOf } from '../../api/integers.ts';
import { weiOfSatoshi } from '../../api/money.ts';
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
import { bridgeChain, type BridgeChain } from '../platform/evm/bridge.ts';
import { chainEnv } from '../testing/crsm.ts';
import { beginRefundLog, fundAccount, insertIntent, insertWithdrawal, signRefundOf } from '../testing/refunds.ts';
import { testDatabase } from '../testing/support.ts';
import { watchBridge } from './bridge-watcher.ts';
import { isOnChain } from './refund-state.ts';
import { bridgeRefunds, withdrawals } from './tables.ts';

// Each test plays an attack or accident on a real chain.

let chain: TestChain;
let services: Services;
let start = 0n;
let firstNonce = 0;
const clock = { now: Date.now() };
const [user, stranger] = devnetAccounts.operators;
if (!user || !stranger) throw new Error('the devnet has operators');
const { custodyBridge: bridge, ybtc } = devnetContracts;
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const thief = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
let salt = 0;

beforeAll(async () => {
  chain = await startTestChain();
  const config = readConfig({ NODE_ENV: 'test', BITCOIN_NETWORK: 'regtest', ...chainEnv(chain.url) });
  const log = createLogger({ level: 'silent' });
  services = { config, log, database: await testDatabase(log), now: () => clock.now, ...openExternalServices(config) };
  await beginRefundLog(services, { [user.address]: [receiver] });
  await fundAccount(chain, [user, stranger]);
});
afterAll(() => chain.stop());
beforeEach(async () => {
  const { db } = services.database;
  await db.delete(bridgeRefunds);
  await db.delete(moneyFreezes);
  start = (await chain.client.getBlockNumber()) + 1n;
  firstNonce = integerOf(await real().count());
});

const real = () => bridgeChain({ urls: [chain.url], chainId: 31_337, address: bridge });
async function look(change: Partial<BridgeChain> = {}): Promise<void> {
  clock.now += 5_000;
  await watchBridge({ services, chain: { ...real(), ...change }, depth: 8n, settled: 2n, start, firstNonce });
}

/** By default signed, with the intent that the wallet was asked with. */
async function addWithdrawal({ isAsked = true, isSigned = true, amount = 5_000n } = {}) {
  const { db } = services.database;
  const txid = (++salt).toString(16).padStart(64, 'c');
  const added = await insertWithdrawal(db, { txid, address: user?.address ?? '0x', receiver, amount }, new Date(clock.now));
  if (isSigned) await signRefundOf(services, added.id);
  if (isAsked) await insertIntent(db, added, new Date(clock.now));
  return added;
}

const rowOf = async (id: string) => {
  const [row] = await services.database.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (!row) throw new Error('no such withdrawal');
  return row;
};
const openFreezes = () => services.database.db.select().from(moneyFreezes).where(isNull(moneyFreezes.resolvedAt));

const request = ({ txid, amount }: { txid: string; amount: bigint }, to = receiver, account = user): Promise<Hex> =>
  chain.as(account).writeContract({
    address: bridge,
    abi: custodyBridgeAbi,
    functionName: 'requestRefund',
    args: [`0x${txid}`, to, weiOfSatoshi(amount)],
    gas: 500_000n,
  });
const nothing = {
  srcHash: `0x${'00'.repeat(32)}`,
  from: `0x${'00'.repeat(20)}`,
  amount: 0n,
  endAt: 0n,
  receiver: '',
  status: 'none',
} as const;

test('one empty RPC answer about a request keeps it requested, and no second request is possible', async () => {
  const added = await addWithdrawal();
  const requestHash = await request(added);
  await chain.client.mine({ blocks: 70 });
  await look();
  const before = await rowOf(added.id);
  expect(before).toMatchObject({ status: 'doing', requestHash });

  await look({ refund: async () => nothing });
  expect(await rowOf(added.id)).toMatchObject({ status: 'doing', nonce: before.nonce, requestHash });
  for (let times = 0; times < 3; times++) await look();
  expect(await rowOf(added.id)).toMatchObject({ status: 'doing', nonce: before.nonce, requestHash });
});

test('a wallet that signs another receiver than the intent freezes money during the cooling time', async () => {
  const added = await addWithdrawal();
  await request(added, thief);
  await look();
  expect(await openFreezes()).toHaveLength(1);
  expect((await openFreezes())[0]?.figures).toContain(thief);
  expect(await rowOf(added.id)).toMatchObject({ status: 'todo', nonce: null });
  await look();
  expect(await openFreezes()).toHaveLength(1);
});

test('a valid-looking request without an intent freezes money', async () => {
  const added = await addWithdrawal({ isAsked: false });
  await request(added);
  await look();
  expect(await openFreezes()).toHaveLength(1);
  expect(await rowOf(added.id)).toMatchObject({ status: 'todo', nonce: null });
});

test('a request with an intent but without signatures freezes money and does not move the withdrawal', async () => {
  const added = await addWithdrawal({ isSigned: false });
  await request(added);
  await look();
  expect(await openFreezes()).toHaveLength(1);
  expect(await rowOf(added.id)).toMatchObject({ status: 'todo', nonce: null });
});

test('signatures after the request was seen do not lift the freeze', async () => {
  const added = await addWithdrawal({ isSigned: false });
  await request(added);
  await look();
  const { db } = services.database;
  await db.update(moneyFreezes).set({ resolvedAt: new Date(clock.now) });
  clock.now += 1_000;
  await signRefundOf(services, added.id);
  await look();
  expect(await rowOf(added.id)).toMatchObject({ status: 'todo', nonce: null });
  expect(await db.select().from(bridgeRefunds)).toMatchObject([{ alarming: true, withdrawalId: null }]);
});

test('an amount changed in the database with a matching request freezes money', async () => {
  const { db } = services.database;
  const added = await addWithdrawal({ isAsked: false });
  const more = { ...added, amount: added.amount + 1n };
  await db.update(withdrawals).set({ amount: more.amount }).where(eq(withdrawals.id, added.id));
  await insertIntent(db, more, new Date(clock.now));
  await request(more);
  await look();
  expect(await openFreezes()).toHaveLength(1);
  expect(await rowOf(added.id)).toMatchObject({ status: 'todo', nonce: null });
});

test('a request with a nonce before the signed statement freezes money', async () => {
  const { db } = services.database;
  const added = await addWithdrawal({ isSigned: false });
  await db
    .update(withdrawals)
    .set({ firstNonce: integerOf(await real().count()) + 1 })
    .where(eq(withdrawals.id, added.id));
  await signRefundOf(services, added.id);
  await request(added);
  await look();
  expect(await openFreezes()).toHaveLength(1);
});

test('an identical second request of a deposit freezes money', async () => {
  const added = await addWithdrawal();
  await request(added);
  await look();
  expect(await openFreezes()).toEqual([]);
  await request(added);
  await look();
  expect(await openFreezes()).toHaveLength(1);
});

test('a lifted freeze is not opened again for the same refund, and another open freeze is waited for', async () => {
  const { db } = services.database;
  const added = await addWithdrawal();
  const other = { id: newId(), figures: '{}', at: new Date(clock.now) };
  await db.insert(moneyFreezes).values(other);
  await request(added, thief);
  await look();
  expect((await openFreezes()).map(({ id }) => id)).toEqual([other.id]);
  for (const times of [1, 0]) {
    await db.update(moneyFreezes).set({ resolvedAt: new Date(clock.now) });
    await look();
    expect(await openFreezes()).toHaveLength(times);
  }
});

test('a stranger’s own refund freezes nothing and is recorded', async () => {
  const account = devnetAccounts.deployer;
  const amount = weiOfSatoshi(1_000n);
  const mint = { address: ybtc, abi: ybtcAbi, functionName: 'mint' } as const;
  await chain.as(devnetAccounts.minter).writeContract({ ...mint, args: [`0x${'ef'.repeat(32)}`, account.address, amount] });
  await chain.as(account).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'approve', args: [bridge, amount] });
  await request({ txid: 'e'.repeat(64), amount: 1_000n }, thief, account);
  await look();
  expect(await openFreezes()).toEqual([]);
  expect(await services.database.db.select().from(bridgeRefunds)).toMatchObject([{ receiver: thief, withdrawalId: null }]);
});

test('a dropped first event is found through the bridge’s counter', async () => {
  await request(await addWithdrawal(), thief);
  await look({ events: async () => [] });
  expect(await openFreezes()).toHaveLength(1);
  expect(await services.database.db.select().from(bridgeRefunds)).toHaveLength(1);
});

test('a receiver that the database cannot store is recorded in another form, and later refunds are seen', async () => {
  await request({ txid: 'd'.repeat(64), amount: 1n }, 'bcrt1q\0stranger');
  const added = await addWithdrawal();
  const requestHash = await request(added);
  await look();
  expect(await rowOf(added.id)).toMatchObject({ status: 'doing', requestHash });
  expect((await openFreezes())[0]?.figures).toContain('bcrt1q\uFFFDstranger'); // our user's, without an intent
  await look();
  expect(await services.database.db.select().from(bridgeRefunds)).toHaveLength(2);
});

test('a dropped event is found through the bridge’s counter', async () => {
  await request(await addWithdrawal());
  await look();
  await request(await addWithdrawal(), thief);
  await look({ events: async () => [] });
  expect(await openFreezes()).toHaveLength(1);
});

test('a node that contradicts its own counter is not believed', async () => {
  const added = await addWithdrawal();
  await request(added);
  await chain.client.mine({ blocks: 70 });
  await look();
  for (let times = 0; times < 4; times++) await look({ refund: async () => nothing });
  expect(await rowOf(added.id)).toMatchObject({ status: 'doing' });
});

test('repeated denials of a request allow no second one, and correct answers restore it', async () => {
  const added = await addWithdrawal();
  await request(added);
  await chain.client.mine({ blocks: 70 });
  await look();
  const before = await rowOf(added.id);
  const denying = { refund: async () => nothing, count: async () => 0n, events: async () => [] };
  await look(denying);
  expect(await rowOf(added.id)).toMatchObject({ status: 'doing' });
  await look(denying);
  expect(await rowOf(added.id)).toMatchObject({ status: 'gone', nonce: before.nonce, requestHash: before.requestHash });
  expect(await isOnChain({ services, chain: real(), settled: 2n }, await rowOf(added.id))).toBe(true);
  await look();
  expect(await rowOf(added.id)).toMatchObject({ status: 'doing', nonce: before.nonce });
});

test('an old request returns to its withdrawal after a lying node, and a second one freezes money', async () => {
  const { db } = services.database;
  const offerAgain = (id: string) =>
    db.update(withdrawals).set({ status: 'todo', nonce: null, requestHash: null }).where(eq(withdrawals.id, id));
  const [one, two] = [await addWithdrawal({ amount: 6_001n }), await addWithdrawal({ amount: 6_002n })];
  await request(one);
  await request(two);
  await chain.client.mine({ blocks: 70 });
  await look();
  const before = await rowOf(one.id);

  await offerAgain(one.id);
  await look();
  expect(await rowOf(one.id)).toMatchObject({ status: 'doing', nonce: before.nonce });
  expect(await openFreezes()).toEqual([]);

  await offerAgain(two.id);
  await request(two);
  await look();
  expect(await openFreezes()).toHaveLength(1);
});

test('one false rejection does not allow another withdrawal of the deposit', async () => {
  const added = await addWithdrawal();
  await request(added);
  await chain.client.mine({ blocks: 5 });
  await look();
  let requested = 0;
  await look({
    refund: async (nonce, at) => ({
      ...(await real().refund(nonce, at)),
      ...(requested++ === 0 && { status: 'canceled' as const }),
    }),
  });
  expect(await rowOf(added.id)).toMatchObject({ status: 'doing' });
});
