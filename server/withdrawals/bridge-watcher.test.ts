import { eq, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { devnetAccounts, devnetContracts, devnetParameters } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { toSafeInteger } from '../../api/integers.ts';
import { satoshiToWei } from '../../api/money.ts';
import { watchBridge, type BridgeContext } from './bridge-watcher.ts';
import { createBridgeChain } from '../platform/evm/bridge.ts';
import { readConfig } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { beginRefundLog, fundAccount, insertIntent, insertWithdrawal, signRefundById } from '../testing/refunds.ts';
import { createTestDatabase } from '../testing/support.ts';
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
const [user, otherUser] = devnetAccounts.operators;
if (!user || !otherUser) throw new Error('the devnet has operators');
const { custodyBridge: bridge } = devnetContracts;
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
let salt = 0;

beforeAll(async () => {
  chain = await startTestChain();
  const config = readConfig({ NODE_ENV: 'test', BITCOIN_NETWORK: 'regtest', ...buildChainEnv(chain.url) });
  const log = createLogger({ level: 'silent' });
  services = { config, log, database: await createTestDatabase(log), now: () => clock.now, ...openExternalServices(config) };
  await beginRefundLog(services, { [user.address]: [receiver] });
  await fundAccount(chain, [user, otherUser]);
  await chain.client.mine({ blocks: 1 });
});
afterAll(() => chain.stop());
beforeEach(async () => {
  await services.database.db.execute(sql`truncate withdrawals, refund_intents, bridge_refunds, chain_cursors, money_freezes`);
  await chain.client.setAutomine(true);
  start = (await chain.client.getBlockNumber()) + 1n;
  firstNonce = toSafeInteger(await createTestBridge().count());
});

const createTestBridge = () => createBridgeChain({ urls: [chain.url], chainId: 31_337, address: bridge });

const createBridgeContext = (overrides: Partial<BridgeContext> = {}): BridgeContext => ({
  services,
  chain: createTestBridge(),
  start,
  firstNonce,
  depth: 8n,
  settled: 0n,
  ...overrides,
});

async function addWithdrawal(amount = 5_000n, address: string = user?.address ?? '0x') {
  const { db } = services.database;
  const txid = (++salt).toString(16).padStart(64, '0');
  const withdrawal = await insertWithdrawal(db, { txid, address, receiver, amount }, new Date(clock.now));
  await signRefundById(services, withdrawal.id);
  await insertIntent(db, withdrawal, new Date(clock.now));
  return withdrawal;
}

const readWithdrawal = async (id: string) => {
  const [row] = await services.database.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (!row) throw new Error('no such withdrawal');
  return row;
};
const readStatus = async (id: string) => (await readWithdrawal(id)).status;

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
const bridgeCall = (functionName: 'confirmRefund' | 'cancelRefund', nonce: number | null, account = devnetAccounts.deployer) =>
  chain
    .as(account)
    .writeContract({ address: bridge, abi: custodyBridgeAbi, functionName, args: [BigInt(nonce ?? -1)], gas: 500_000n });
const completeRefund = (nonce: number | null) =>
  chain.as(devnetAccounts.deployer).writeContract({
    address: bridge,
    abi: custodyBridgeAbi,
    functionName: 'completeRefund',
    args: [BigInt(nonce ?? -1), `0x${'00'.repeat(32)}`],
    gas: 500_000n,
  });
const passCoolingTime = async () => {
  await chain.client.increaseTime({ seconds: Number(devnetParameters.cooling) });
  await chain.client.mine({ blocks: 1 });
};

async function readMoves(id: string): Promise<string[]> {
  const { db } = services.database;
  const rows = await db.select({ action: audit.action }).from(audit).where(eq(audit.entityId, id)).orderBy(audit.seq);
  return rows.map(({ action }) => action);
}

test('a withdrawal follows the bridge from request to payout, with each step audited', async () => {
  const withdrawal = await addWithdrawal();
  await watchBridge(createBridgeContext());
  expect(await readStatus(withdrawal.id)).toBe('todo');

  const hash = await requestRefund(withdrawal);
  await watchBridge(createBridgeContext());
  const requestedRow = await readWithdrawal(withdrawal.id);
  expect(requestedRow).toMatchObject({ status: 'doing', requestHash: hash });
  const block = await chain.client.getBlock();
  expect(requestedRow.coolsUntil?.getTime()).toBe(Number(block.timestamp + devnetParameters.cooling) * 1000);

  await passCoolingTime();
  const confirmHash = await bridgeCall('confirmRefund', requestedRow.nonce, user);
  await watchBridge(createBridgeContext());
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'withdrawable', confirmHash });
  await completeRefund(requestedRow.nonce);
  await watchBridge(createBridgeContext());
  expect(await readStatus(withdrawal.id)).toBe('done');
  expect(await readMoves(withdrawal.id)).toEqual(['doing', 'withdrawable', 'seen', 'done']);
});

test('repeated and concurrent passes move nothing twice', async () => {
  const withdrawal = await addWithdrawal();
  await requestRefund(withdrawal);
  await Promise.all([watchBridge(createBridgeContext()), watchBridge(createBridgeContext()), watchBridge(createBridgeContext())]);
  await watchBridge(createBridgeContext());
  const row = await readWithdrawal(withdrawal.id);
  expect(row.status).toBe('doing');
  expect(row.version).toBe(2);
  expect(await readMoves(withdrawal.id)).toEqual(['doing']);
});

test('a request belongs to a withdrawal only with its transaction, account, amount and receiver', async () => {
  const ownWithdrawal = await addWithdrawal(7_000n);
  await requestRefund({ ...ownWithdrawal, amount: 6_999n });
  await requestRefund(ownWithdrawal, `${receiver}x`);
  await requestRefund(ownWithdrawal, receiver, otherUser);
  await requestRefund({ ...ownWithdrawal, txid: 'f'.repeat(64) });
  await watchBridge(createBridgeContext());
  expect(await readWithdrawal(ownWithdrawal.id)).toMatchObject({ status: 'todo', nonce: null });
});

test('two requests with the same content belong to two withdrawals', async () => {
  const withdrawal = await addWithdrawal(9_000n);
  await requestRefund(withdrawal);
  await requestRefund(withdrawal);
  await watchBridge(createBridgeContext());
  await watchBridge(createBridgeContext());
  const rows = await services.database.db.select().from(withdrawals);
  expect(rows.filter(({ nonce }) => nonce !== null)).toHaveLength(1);
});

test('a request rejected by the notary is canceled, and the deposit can be withdrawn again', async () => {
  const withdrawal = await addWithdrawal();
  await requestRefund(withdrawal);
  await watchBridge(createBridgeContext());
  await bridgeCall('cancelRefund', (await readWithdrawal(withdrawal.id)).nonce);
  await watchBridge(createBridgeContext());
  expect(await readStatus(withdrawal.id)).toBe('canceled');
  const [deposit] = await services.database.db.select().from(deposits).where(eq(deposits.id, withdrawal.depositId));
  expect(deposit?.withdrawStatus).toBe('default');
});

test('a voided withdrawal returns if its request is on chain after all', async () => {
  const withdrawal = await addWithdrawal();
  await services.database.db.update(withdrawals).set({ status: 'canceled' }).where(eq(withdrawals.id, withdrawal.id));
  await requestRefund(withdrawal);
  await watchBridge(createBridgeContext());
  expect(await readStatus(withdrawal.id)).toBe('doing');
});

test('a reorganization moves a withdrawal back, and its request can return under another nonce', async () => {
  const [firstWithdrawal, secondWithdrawal] = [await addWithdrawal(11_000n), await addWithdrawal(12_000n)];
  await chain.client.setAutomine(false);
  await chain.client.mine({ blocks: 2 });
  await watchBridge(createBridgeContext());
  const snapshot = await chain.client.snapshot();

  await requestRefund(firstWithdrawal);
  await chain.client.mine({ blocks: 1 });
  await requestRefund(secondWithdrawal);
  await chain.client.mine({ blocks: 3 });
  await watchBridge(createBridgeContext());
  const nonce = (await readWithdrawal(firstWithdrawal.id)).nonce;
  expect([await readStatus(firstWithdrawal.id), await readStatus(secondWithdrawal.id)]).toEqual(['doing', 'doing']);

  await chain.client.revert({ id: snapshot });
  await chain.client.setAutomine(false);
  await requestRefund(secondWithdrawal);
  await chain.client.mine({ blocks: 5 });
  await watchBridge(createBridgeContext());
  clock.now += 5_000;
  await watchBridge(createBridgeContext());
  expect(await readWithdrawal(firstWithdrawal.id)).toMatchObject({ status: 'gone', nonce, coolsUntil: null }); // two equal answers are required
  expect(await readWithdrawal(secondWithdrawal.id)).toMatchObject({ status: 'doing', nonce });

  await requestRefund(firstWithdrawal);
  await chain.client.mine({ blocks: 1 });
  await watchBridge(createBridgeContext());
  expect(await readWithdrawal(firstWithdrawal.id)).toMatchObject({ status: 'doing', nonce: (nonce ?? 0) + 1 });
});

test('a confirmation that is reorganized away is undone', async () => {
  const withdrawal = await addWithdrawal();
  await requestRefund(withdrawal);
  await passCoolingTime();
  await watchBridge(createBridgeContext());
  await chain.client.setAutomine(false);
  const snapshot = await chain.client.snapshot();
  await bridgeCall('confirmRefund', (await readWithdrawal(withdrawal.id)).nonce, user);
  await chain.client.mine({ blocks: 2 });
  await watchBridge(createBridgeContext());
  expect(await readStatus(withdrawal.id)).toBe('withdrawable');
  await chain.client.revert({ id: snapshot });
  await chain.client.mine({ blocks: 1 });
  await watchBridge(createBridgeContext());
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'doing', confirmHash: null });
});

test('a watcher that stops between batches continues from there', async () => {
  const addedWithdrawals = [await addWithdrawal(21_000n), await addWithdrawal(22_000n), await addWithdrawal(23_000n)];
  for (const withdrawal of addedWithdrawals) {
    await requestRefund(withdrawal);
    await chain.client.mine({ blocks: 20 });
  }
  const realChain = createBridgeContext().chain;
  let callCount = 0;
  const requestedBlocks: bigint[] = [];
  const failingChain = {
    ...realChain,
    events: (from: bigint, toBlock: bigint) => {
      if (++callCount > 3) throw new Error('the RPC is gone');
      return realChain.events(from, toBlock);
    },
  };
  const start = (await chain.client.getBlockNumber()) - 70n;
  await services.database.db.insert(chainCursors).values({
    name: `bridge:31337:${bridge}`,
    block: start,
    blockHash: (await realChain.hashAt(start)) ?? '',
  });
  await expect(watchBridge(createBridgeContext({ chain: failingChain, batch: 10n }))).rejects.toThrow('the RPC is gone');
  const recordingChain = {
    ...realChain,
    events: (from: bigint, toBlock: bigint) => (requestedBlocks.push(from), realChain.events(from, toBlock)),
  };
  await watchBridge(createBridgeContext({ chain: recordingChain, batch: 10n }));
  expect(requestedBlocks[0]).toBeGreaterThan(start);
  for (const { id } of addedWithdrawals) expect(await readStatus(id)).toBe('doing');
});

test('a transaction that failed or did something else is cleared, so that the person can try again', async () => {
  const withdrawal = await addWithdrawal();
  const strayHash = await requestRefund({ txid: 'e'.repeat(64), amount: 1n });
  await services.database.db.update(withdrawals).set({ requestHash: strayHash }).where(eq(withdrawals.id, withdrawal.id));
  await watchBridge(createBridgeContext());
  expect(await readWithdrawal(withdrawal.id)).toMatchObject({ status: 'todo', requestHash: null });

  const unknownHash = `0x${'1'.repeat(64)}`;
  await services.database.db.update(withdrawals).set({ requestHash: unknownHash }).where(eq(withdrawals.id, withdrawal.id));
  await watchBridge(createBridgeContext());
  expect((await readWithdrawal(withdrawal.id)).requestHash).toBe(unknownHash);
  clock.now += 3_600_000;
  await watchBridge(createBridgeContext());
  expect((await readWithdrawal(withdrawal.id)).requestHash).toBeNull();
});
