import { eq, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { devnetAccounts, devnetContracts, devnetParameters } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { integerOf } from '../../api/integers.ts';
import { weiOfSatoshi } from '../../api/money.ts';
import { watchBridge, type BridgeWork } from './bridge-watcher.ts';
import { bridgeChain } from '../platform/evm/bridge.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { chainEnv } from '../testing/crsm.ts';
import { beginRefundLog, fundAccount, insertIntent, insertWithdrawal, signRefundOf } from '../testing/refunds.ts';
import { testDatabase } from '../testing/support.ts';
import { deposits } from '../deposits/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { chainCursors } from '../platform/evm/tables.ts';
import { withdrawals } from './tables.ts';

let chain: TestChain;
let services: Services;
/** Skips what earlier tests did. */
let start = 0n;
let firstNonce = 0;
const clock = { now: Date.now() };
const [user, other] = devnetAccounts.operators;
if (!user || !other) throw new Error('the devnet has operators');
const { custodyBridge: bridge } = devnetContracts;
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
let salt = 0;

beforeAll(async () => {
  chain = await startTestChain();
  const config = readConfig({ NODE_ENV: 'test', BITCOIN_NETWORK: 'regtest', ...chainEnv(chain.url) });
  const log = createLogger({ level: 'silent' });
  services = { config, log, database: await testDatabase(log), now: () => clock.now, ...openExternalServices(config) };
  await beginRefundLog(services, { [user.address]: [receiver] });
  await fundAccount(chain, [user, other]);
  await chain.client.mine({ blocks: 1 });
});
afterAll(() => chain.stop());
beforeEach(async () => {
  await services.database.db.execute(sql`truncate withdrawals, refund_intents, bridge_refunds, chain_cursors, money_freezes`);
  await chain.client.setAutomine(true);
  start = (await chain.client.getBlockNumber()) + 1n;
  firstNonce = integerOf(await bridgeOn().count());
});

const bridgeOn = () => bridgeChain({ urls: [chain.url], chainId: 31_337, address: bridge });

const work = (more: Partial<BridgeWork> = {}): BridgeWork => ({
  services,
  chain: bridgeOn(),
  start,
  firstNonce,
  depth: 8n,
  settled: 0n,
  ...more,
});

async function addWithdrawal(amount = 5_000n, address: string = user?.address ?? '0x') {
  const { db } = services.database;
  const txid = (++salt).toString(16).padStart(64, '0');
  const added = await insertWithdrawal(db, { txid, address, receiver, amount }, new Date(clock.now));
  await signRefundOf(services, added.id);
  await insertIntent(db, added, new Date(clock.now));
  return added;
}

const rowOf = async (id: string) => {
  const [row] = await services.database.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (!row) throw new Error('no such withdrawal');
  return row;
};
const statusOf = async (id: string) => (await rowOf(id)).status;

const request = ({ txid, amount }: { txid: string; amount: bigint }, to = receiver, account = user): Promise<Hex> =>
  chain.as(account).writeContract({
    address: bridge,
    abi: custodyBridgeAbi,
    functionName: 'requestRefund',
    args: [`0x${txid}`, to, weiOfSatoshi(amount)],
    gas: 500_000n,
  });
const bridgeCall = (functionName: 'confirmRefund' | 'cancelRefund', nonce: number | null, account = devnetAccounts.deployer) =>
  chain
    .as(account)
    .writeContract({ address: bridge, abi: custodyBridgeAbi, functionName, args: [BigInt(nonce ?? -1)], gas: 500_000n });
const complete = (nonce: number | null) =>
  chain.as(devnetAccounts.deployer).writeContract({
    address: bridge,
    abi: custodyBridgeAbi,
    functionName: 'completeRefund',
    args: [BigInt(nonce ?? -1), `0x${'00'.repeat(32)}`],
    gas: 500_000n,
  });
const cool = async () => {
  await chain.client.increaseTime({ seconds: Number(devnetParameters.cooling) });
  await chain.client.mine({ blocks: 1 });
};

async function moves(id: string): Promise<string[]> {
  const { db } = services.database;
  const rows = await db.select({ action: audit.action }).from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);
  return rows.map(({ action }) => action);
}

test('a withdrawal follows the bridge from request to payout, with each step audited', async () => {
  const added = await addWithdrawal();
  await watchBridge(work());
  expect(await statusOf(added.id)).toBe('todo');

  const hash = await request(added);
  await watchBridge(work());
  const doing = await rowOf(added.id);
  expect(doing).toMatchObject({ status: 'doing', requestHash: hash });
  const block = await chain.client.getBlock();
  expect(doing.coolsUntil?.getTime()).toBe(Number(block.timestamp + devnetParameters.cooling) * 1000);

  await cool();
  const confirmHash = await bridgeCall('confirmRefund', doing.nonce, user);
  await watchBridge(work());
  expect(await rowOf(added.id)).toMatchObject({ status: 'withdrawable', confirmHash });
  await complete(doing.nonce);
  await watchBridge(work());
  expect(await statusOf(added.id)).toBe('done');
  expect(await moves(added.id)).toEqual(['doing', 'withdrawable', 'seen', 'done']);
});

test('repeated and concurrent passes move nothing twice', async () => {
  const added = await addWithdrawal();
  await request(added);
  await Promise.all([watchBridge(work()), watchBridge(work()), watchBridge(work())]);
  await watchBridge(work());
  const row = await rowOf(added.id);
  expect(row.status).toBe('doing');
  expect(row.version).toBe(2);
  expect(await moves(added.id)).toEqual(['doing']);
});

test('a request belongs to a withdrawal only with its transaction, account, amount and receiver', async () => {
  const mine = await addWithdrawal(7_000n);
  await request({ ...mine, amount: 6_999n });
  await request(mine, `${receiver}x`);
  await request(mine, receiver, other);
  await request({ ...mine, txid: 'f'.repeat(64) });
  await watchBridge(work());
  expect(await rowOf(mine.id)).toMatchObject({ status: 'todo', nonce: null });
});

test('two requests with the same content belong to two withdrawals', async () => {
  const added = await addWithdrawal(9_000n);
  await request(added);
  await request(added);
  await watchBridge(work());
  await watchBridge(work());
  const rows = await services.database.db.select().from(withdrawals);
  expect(rows.filter(({ nonce }) => nonce !== null)).toHaveLength(1);
});

test('a request rejected by the notary is canceled, and the deposit can be withdrawn again', async () => {
  const added = await addWithdrawal();
  await request(added);
  await watchBridge(work());
  await bridgeCall('cancelRefund', (await rowOf(added.id)).nonce);
  await watchBridge(work());
  expect(await statusOf(added.id)).toBe('canceled');
  const [deposit] = await services.database.db.select().from(deposits).where(eq(deposits.id, added.depositId));
  expect(deposit?.withdrawStatus).toBe('default');
});

test('a voided withdrawal returns if its request is on chain after all', async () => {
  const added = await addWithdrawal();
  await services.database.db.update(withdrawals).set({ status: 'canceled' }).where(eq(withdrawals.id, added.id));
  await request(added);
  await watchBridge(work());
  expect(await statusOf(added.id)).toBe('doing');
});

test('a reorganization moves a withdrawal back, and its request can return under another nonce', async () => {
  const [first, second] = [await addWithdrawal(11_000n), await addWithdrawal(12_000n)];
  await chain.client.setAutomine(false);
  await chain.client.mine({ blocks: 2 });
  await watchBridge(work());
  const before = await chain.client.snapshot();

  await request(first);
  await chain.client.mine({ blocks: 1 });
  await request(second);
  await chain.client.mine({ blocks: 3 });
  await watchBridge(work());
  const nonce = (await rowOf(first.id)).nonce;
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['doing', 'doing']);

  await chain.client.revert({ id: before });
  await chain.client.setAutomine(false);
  await request(second);
  await chain.client.mine({ blocks: 5 });
  await watchBridge(work());
  clock.now += 5_000;
  await watchBridge(work());
  expect(await rowOf(first.id)).toMatchObject({ status: 'gone', nonce, coolsUntil: null }); // two equal answers are required
  expect(await rowOf(second.id)).toMatchObject({ status: 'doing', nonce });

  await request(first);
  await chain.client.mine({ blocks: 1 });
  await watchBridge(work());
  expect(await rowOf(first.id)).toMatchObject({ status: 'doing', nonce: (nonce ?? 0) + 1 });
});

test('a confirmation that is reorganized away is undone', async () => {
  const added = await addWithdrawal();
  await request(added);
  await cool();
  await watchBridge(work());
  await chain.client.setAutomine(false);
  const before = await chain.client.snapshot();
  await bridgeCall('confirmRefund', (await rowOf(added.id)).nonce, user);
  await chain.client.mine({ blocks: 2 });
  await watchBridge(work());
  expect(await statusOf(added.id)).toBe('withdrawable');
  await chain.client.revert({ id: before });
  await chain.client.mine({ blocks: 1 });
  await watchBridge(work());
  expect(await rowOf(added.id)).toMatchObject({ status: 'doing', confirmHash: null });
});

test('a watcher that stops between batches continues from there', async () => {
  const added = [await addWithdrawal(21_000n), await addWithdrawal(22_000n), await addWithdrawal(23_000n)];
  for (const one of added) {
    await request(one);
    await chain.client.mine({ blocks: 20 });
  }
  const real = work().chain;
  let calls = 0;
  const requested: bigint[] = [];
  const failing = {
    ...real,
    events: (from: bigint, to: bigint) => {
      if (++calls > 3) throw new Error('the RPC is gone');
      return real.events(from, to);
    },
  };
  const start = (await chain.client.getBlockNumber()) - 70n;
  await services.database.db.insert(chainCursors).values({
    name: `bridge:31337:${bridge}`,
    block: start,
    blockHash: (await real.hashAt(start)) ?? '',
  });
  await expect(watchBridge(work({ chain: failing, batch: 10n }))).rejects.toThrow('the RPC is gone');
  const counting = { ...real, events: (from: bigint, to: bigint) => (requested.push(from), real.events(from, to)) };
  await watchBridge(work({ chain: counting, batch: 10n }));
  expect(requested[0]).toBeGreaterThan(start);
  for (const { id } of added) expect(await statusOf(id)).toBe('doing');
});

test('a transaction that failed or did something else is cleared, so that the person can try again', async () => {
  const added = await addWithdrawal();
  const stray = await request({ txid: 'e'.repeat(64), amount: 1n });
  await services.database.db.update(withdrawals).set({ requestHash: stray }).where(eq(withdrawals.id, added.id));
  await watchBridge(work());
  expect(await rowOf(added.id)).toMatchObject({ status: 'todo', requestHash: null });

  const unknown = `0x${'1'.repeat(64)}`;
  await services.database.db.update(withdrawals).set({ requestHash: unknown }).where(eq(withdrawals.id, added.id));
  await watchBridge(work());
  expect((await rowOf(added.id)).requestHash).toBe(unknown);
  clock.now += 3_600_000;
  await watchBridge(work());
  expect((await rowOf(added.id)).requestHash).toBeNull();
});
