import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { eq } from 'drizzle-orm';
import type { HDAccount, Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogLine } from '../../api/authority/statements.ts';
import { satoshiToWei } from '../../api/money.ts';
import type { RefundCall, WithdrawalRow } from '../../api/withdrawals/contract.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts, devnetContracts, devnetParameters } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { authorityLines } from '../authority/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits } from '../deposits/tables.ts';
import { newId } from '../platform/core/ids.ts';
import { signInAt, type Session } from '../testing/callers.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { listStatements } from '../testing/authority.ts';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';
import { createTestDatabase, type TestApi } from '../testing/support.ts';
import { bridgeRefunds, refundIntents, withdrawals } from './tables.ts';
import { createStore } from '../../testing/factories/store.ts';

// Kills the real server within each step of a refund. The caller repeats with the same key on the next server, like a browser.

const roundCount = Number(process.env['REFUND_KILL_ROUNDS'] ?? 3);
/** Approximate number of side effects per step. */
const actCount = 40;

const [user] = devnetAccounts.operators as [HDAccount];
const { custodyBridge: bridge, ybtc } = devnetContracts;
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const amount = 5_000n;
const amountWei = satoshiToWei(amount);

const database = await createTestDatabase();
const { db } = database;
const dataDir = createTemporaryFolder();
let chain: TestChain;
let server: ServerProcess;
let origin: string;
let sessions: { operator: Session; approver: Session; all: Session };

interface KillPoint {
  readonly at: number;
  readonly how: 'before' | 'after';
}

/** The server dies at one of its side effects after the first that contains `from`. */
async function startKillableServer(killPoint: KillPoint | null = null, from = ''): Promise<void> {
  const killEnv = {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '../testing/die-at.mjs')}`,
    DIE_AT: String(killPoint?.at),
    DIE_HOW: String(killPoint?.how),
    DIE_FROM: from,
  };
  server = startServer(dataDir, {
    ...buildChainEnv(chain.url),
    NODE_ENV: 'test',
    SESSION_IDLE_MINUTES: '720',
    DATABASE_URL: database.url,
    BITCOIN_NETWORK: 'regtest',
    DEMO_NEWS: 'off',
    LOG_LEVEL: 'fatal',
    ...(killPoint && killEnv),
  });
  origin = await server.ready;
}

let deathCount = 0;
async function stopServer(): Promise<void> {
  if (!server.child.kill('SIGKILL')) deathCount++;
  await server.ended;
}

beforeAll(async () => {
  chain = await startTestChain();
  await startKillableServer();
  onCleanup(stopServer);
  const [operator, approver, adminSession] = await Promise.all(
    (['operator', 'approver', 'all'] as const).map((role) => signInAt(origin, role)),
  );
  if (!operator || !approver || !adminSession) throw new Error('nobody signed in');
  sessions = { operator, approver, all: adminSession };
  const entry = { address: user.address, institution: 'Alpha Bank', custody: [], payout: [receiver] };
  const { id } = await apiAs('all').authority.addReceiver(entry);
  await apiAs('approver').authority.sign({ id });
}, 120_000);
afterAll(() => chain.stop());

const apiAs = (role: keyof typeof sessions, key = newId()): TestApi =>
  createORPCClient(new RPCLink({ url: `${origin}/rpc`, headers: { ...sessions[role], 'idempotency-key': key } }));

/** Repeats the step with the same key on the next server. */
async function runWithKill<T>(killPoint: KillPoint, runStep: (key: string) => Promise<T>): Promise<T> {
  const key = newId();
  await stopServer();
  await startKillableServer(killPoint, key);
  await Promise.race([runStep(key).catch(() => server.ended), server.ended]);
  await stopServer();
  await startKillableServer();
  return runStep(key);
}

async function killWhileWatching(killPoint: KillPoint, from: string, status: WithdrawalRow['status'], id: string): Promise<void> {
  const hasStatus = () =>
    readStatus(id).then(
      (currentStatus) => currentStatus === status,
      () => false, // a busy machine: the next pass finds it
    );
  await stopServer();
  await startKillableServer(killPoint, from);
  await Promise.race([waitUntil(hasStatus), server.ended]);
  await stopServer();
  await startKillableServer();
  await waitUntil(hasStatus);
}

async function addDeposit(): Promise<string> {
  const txid = randomBytes(32).toString('hex');
  const hash = depositHash('regtest', txid, 0);
  const mintHash = await chain.as(devnetAccounts.minter).writeContract({
    address: ybtc,
    abi: ybtcAbi,
    functionName: 'mint',
    args: [hash, user.address, amountWei],
  });
  const { blockNumber, blockHash } = await chain.client.getTransactionReceipt({ hash: mintHash });
  const testStore = createStore(db);
  const deposit = await testStore.deposit({
    userAddress: user.address,
    amount,
    txid,
    status: 'confirmed',
    mintStatus: 'done',
  });
  await testStore.mint(deposit, { state: 'final', hash: mintHash, blockNumber, blockHash });
  return deposit.id;
}

const sendRefundCall = ({ to, data }: RefundCall): Promise<Hex> =>
  chain.as(user).sendTransaction({ to: to as Hex, data: data as Hex, gas: 500_000n });
const readWithdrawal = async (id: string): Promise<WithdrawalRow> => {
  const [row] = await apiAs('operator').withdrawals.many({ ids: [id] });
  if (!row) throw new Error('the withdrawal is gone');
  return row;
};
const withdrawalVersion = ({ id, version }: WithdrawalRow) => ({ id, version });
const readStatus = async (id: string) =>
  (await db.select({ status: withdrawals.status }).from(withdrawals).where(eq(withdrawals.id, id)))[0]?.status;

async function runLifecycle(killPoint: KillPoint): Promise<WithdrawalRow> {
  const depositId = await addDeposit();
  const row = await runWithKill(killPoint, (key) => apiAs('operator', key).withdrawals.add({ depositId, receiver }));
  await runWithKill(killPoint, (key) => apiAs('approver', key).withdrawals.signRefund(withdrawalVersion(row)));
  await chain.as(user).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'approve', args: [bridge, amountWei] });

  const requestResult = await runWithKill(killPoint, (key) =>
    apiAs('operator', key).withdrawals.prepareRequest(withdrawalVersion(row)),
  );
  const requestHash = await sendRefundCall(requestResult.call);
  await runWithKill(killPoint, (key) => apiAs('operator', key).withdrawals.requestRefund({ id: row.id, hash: requestHash }));
  await killWhileWatching(killPoint, 'insert into "bridge_refunds"', 'doing', row.id);

  await chain.client.increaseTime({ seconds: Number(devnetParameters.cooling) });
  await chain.client.mine({ blocks: 2 });
  await waitUntil(async () => Date.parse((await readWithdrawal(row.id)).coolsUntil ?? '') <= Date.now());
  const cooledRow = await readWithdrawal(row.id);
  const confirmResult = await runWithKill(killPoint, (key) =>
    apiAs('operator', key).withdrawals.prepareConfirm(withdrawalVersion(cooledRow)),
  );
  const confirmHash = await sendRefundCall(confirmResult.call);
  await runWithKill(killPoint, (key) => apiAs('operator', key).withdrawals.confirmRefund({ id: row.id, hash: confirmHash }));
  await killWhileWatching(killPoint, 'update "withdrawals" set', 'withdrawable', row.id);
  return readWithdrawal(row.id);
}

test(
  `a refund is requested, recorded and confirmed exactly once when servers are killed in each step (${roundCount} times)`,
  { timeout: 1_800_000 },
  async () => {
    const supply = () => chain.client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'totalSupply' });
    const [supplyBefore, startBlock] = [await supply(), await chain.client.getBlockNumber()];
    const rows: WithdrawalRow[] = [];
    for (let round = 0; round < roundCount; round++) {
      const actNumber = 1 + Math.floor((round * actCount) / roundCount);
      rows.push(await runLifecycle({ at: actNumber, how: round % 2 === 0 ? 'before' : 'after' }));
    }

    expect(deathCount).toBeGreaterThan(roundCount * 4); // late rounds may finish a step before the kill
    const readEvents = async (eventName: 'RefundRequested' | 'RefundConfirmed') =>
      chain.client.getContractEvents({ address: bridge, abi: custodyBridgeAbi, eventName, fromBlock: startBlock });
    const [requestEvents, confirmEvents] = [await readEvents('RefundRequested'), await readEvents('RefundConfirmed')];
    expect([requestEvents.length, confirmEvents.length]).toEqual([roundCount, roundCount]);
    expect(await supply()).toBe(supplyBefore);

    for (const row of rows) {
      expect(row).toMatchObject({ status: 'withdrawable', approvals: [{ email: 'approver@demo.local' }], receiver });
      expect(await db.select().from(withdrawals).where(eq(withdrawals.depositId, row.depositId))).toHaveLength(1);
      const intents = await db.select().from(refundIntents).where(eq(refundIntents.withdrawalId, row.id));
      expect(intents.map(({ action }) => action).toSorted()).toEqual(['confirm', 'request']);
      const bridgeRows = await db.select().from(bridgeRefunds).where(eq(bridgeRefunds.withdrawalId, row.id));
      expect(bridgeRows).toMatchObject([{ nonce: row.nonce, alarming: false, freezeId: null, receiver }]);
      const [deposit] = await db.select().from(deposits).where(eq(deposits.id, row.depositId));
      expect(deposit?.withdrawStatus).toBe('requested');
      const { entries } = await apiAs('operator').withdrawals.history({ id: row.id });
      const auditedRoutes = entries.flatMap(({ route, actorEmail }) => (actorEmail ? [route] : []));
      expect(auditedRoutes.toSorted()).toEqual([...new Set(auditedRoutes)].toSorted());
    }
    const lines = (await db.select().from(authorityLines)).map(({ line }) => JSON.parse(line) as LogLine);
    const refunds = listStatements(lines).flatMap((statement) =>
      statement.kind === 'refund.approve' ? [statement.content.txid] : [],
    );
    expect(refunds.toSorted()).toEqual(rows.map(({ txid }) => txid).toSorted());
    expect(await db.select().from(moneyFreezes)).toEqual([]);
  },
);
