import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { eq } from 'drizzle-orm';
import type { HDAccount, Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogLine } from '../../api/authority/statements.ts';
import { weiOfSatoshi } from '../../api/money.ts';
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
import { chainEnv } from '../testing/crsm.ts';
import { statementsOf } from '../testing/authority.ts';
import { atEnd, temporaryFolder } from '../testing/end.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';
import { testDatabase, type TestApi } from '../testing/support.ts';
import { bridgeRefunds, refundIntents, withdrawals } from './tables.ts';
import { storeIn } from '../../testing/factories/store.ts';

// Kills the real server within each step of a refund. The caller repeats with the same key on the next server, like a browser.

const rounds = Number(process.env['REFUND_KILL_ROUNDS'] ?? 3);
/** Approximate number of side effects per step. */
const acts = 40;

const [user] = devnetAccounts.operators as [HDAccount];
const { custodyBridge: bridge, ybtc } = devnetContracts;
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const amount = 5_000n;
const wei = weiOfSatoshi(amount);

const database = await testDatabase();
const { db } = database;
const dataDir = temporaryFolder();
let chain: TestChain;
let server: ServerProcess;
let origin: string;
let people: { operator: Session; approver: Session; all: Session };

interface Death {
  readonly at: number;
  readonly how: 'before' | 'after';
}

/** The server dies at one of its side effects after the first that contains `from`. */
async function start(death: Death | null = null, from = ''): Promise<void> {
  const dying = {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '../testing/die-at.mjs')}`,
    DIE_AT: String(death?.at),
    DIE_HOW: String(death?.how),
    DIE_FROM: from,
  };
  server = startServer(dataDir, {
    ...chainEnv(chain.url),
    NODE_ENV: 'test',
    SESSION_IDLE_MINUTES: '720',
    DATABASE_URL: database.url,
    BITCOIN_NETWORK: 'regtest',
    DEMO_NEWS: 'off',
    LOG_LEVEL: 'fatal',
    ...(death && dying),
  });
  origin = await server.ready;
}

let deaths = 0;
async function stop(): Promise<void> {
  if (!server.child.kill('SIGKILL')) deaths++;
  await server.ended;
}

beforeAll(async () => {
  chain = await startTestChain();
  await start();
  atEnd(stop);
  const [operator, approver, all] = await Promise.all(
    (['operator', 'approver', 'all'] as const).map((role) => signInAt(origin, role)),
  );
  if (!operator || !approver || !all) throw new Error('nobody signed in');
  people = { operator, approver, all };
  const entry = { address: user.address, institution: 'Alpha Bank', custody: [], payout: [receiver] };
  const { id } = await as('all').authority.addReceiver(entry);
  await as('approver').authority.sign({ id });
}, 120_000);
afterAll(() => chain.stop());

const as = (who: keyof typeof people, key = newId()): TestApi =>
  createORPCClient(new RPCLink({ url: `${origin}/rpc`, headers: { ...people[who], 'idempotency-key': key } }));

/** Repeats the step with the same key on the next server. */
async function killedIn<T>(death: Death, act: (key: string) => Promise<T>): Promise<T> {
  const key = newId();
  await stop();
  await start(death, key);
  await Promise.race([act(key).catch(() => server.ended), server.ended]);
  await stop();
  await start();
  return act(key);
}

async function killedWhileWatching(death: Death, from: string, status: WithdrawalRow['status'], id: string): Promise<void> {
  const isThere = () =>
    statusOf(id).then(
      (found) => found === status,
      () => false, // a busy machine: the next pass finds it
    );
  await stop();
  await start(death, from);
  await Promise.race([waitUntil(isThere), server.ended]);
  await stop();
  await start();
  await waitUntil(isThere);
}

async function addDeposit(): Promise<string> {
  const txid = randomBytes(32).toString('hex');
  const hash = depositHash('regtest', txid, 0);
  const minted = await chain.as(devnetAccounts.minter).writeContract({
    address: ybtc,
    abi: ybtcAbi,
    functionName: 'mint',
    args: [hash, user.address, wei],
  });
  const { blockNumber, blockHash } = await chain.client.getTransactionReceipt({ hash: minted });
  const store = storeIn(db);
  const deposit = await store.deposit({
    userAddress: user.address,
    amount,
    txid,
    status: 'confirmed',
    mintStatus: 'done',
  });
  await store.mint(deposit, { state: 'final', hash: minted, blockNumber, blockHash });
  return deposit.id;
}

const send = ({ to, data }: RefundCall): Promise<Hex> =>
  chain.as(user).sendTransaction({ to: to as Hex, data: data as Hex, gas: 500_000n });
const current = async (id: string): Promise<WithdrawalRow> => {
  const [row] = await as('operator').withdrawals.many({ ids: [id] });
  if (!row) throw new Error('the withdrawal is gone');
  return row;
};
const seen = ({ id, version }: WithdrawalRow) => ({ id, version });
const statusOf = async (id: string) =>
  (await db.select({ status: withdrawals.status }).from(withdrawals).where(eq(withdrawals.id, id)))[0]?.status;

async function live(death: Death): Promise<WithdrawalRow> {
  const depositId = await addDeposit();
  const row = await killedIn(death, (key) => as('operator', key).withdrawals.add({ depositId, receiver }));
  await killedIn(death, (key) => as('approver', key).withdrawals.signRefund(seen(row)));
  await chain.as(user).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'approve', args: [bridge, wei] });

  const requested = await killedIn(death, (key) => as('operator', key).withdrawals.prepareRequest(seen(row)));
  const requestHash = await send(requested.call);
  await killedIn(death, (key) => as('operator', key).withdrawals.requestRefund({ id: row.id, hash: requestHash }));
  await killedWhileWatching(death, 'insert into "bridge_refunds"', 'doing', row.id);

  await chain.client.increaseTime({ seconds: Number(devnetParameters.cooling) });
  await chain.client.mine({ blocks: 2 });
  await waitUntil(async () => Date.parse((await current(row.id)).coolsUntil ?? '') <= Date.now());
  const cooled = await current(row.id);
  const confirming = await killedIn(death, (key) => as('operator', key).withdrawals.prepareConfirm(seen(cooled)));
  const confirmHash = await send(confirming.call);
  await killedIn(death, (key) => as('operator', key).withdrawals.confirmRefund({ id: row.id, hash: confirmHash }));
  await killedWhileWatching(death, 'update "withdrawals" set', 'withdrawable', row.id);
  return current(row.id);
}

test(
  `a refund is requested, recorded and confirmed exactly once when servers are killed in each step (${rounds} times)`,
  { timeout: 1_800_000 },
  async () => {
    const supply = () => chain.client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'totalSupply' });
    const [before, started] = [await supply(), await chain.client.getBlockNumber()];
    const rows: WithdrawalRow[] = [];
    for (let round = 0; round < rounds; round++) {
      const at = 1 + Math.floor((round * acts) / rounds);
      rows.push(await live({ at, how: round % 2 === 0 ? 'before' : 'after' }));
    }

    expect(deaths).toBeGreaterThan(rounds * 4); // late rounds may finish a step before the kill
    const events = async (eventName: 'RefundRequested' | 'RefundConfirmed') =>
      chain.client.getContractEvents({ address: bridge, abi: custodyBridgeAbi, eventName, fromBlock: started });
    const [requested, confirmed] = [await events('RefundRequested'), await events('RefundConfirmed')];
    expect([requested.length, confirmed.length]).toEqual([rounds, rounds]);
    expect(await supply()).toBe(before);

    for (const row of rows) {
      expect(row).toMatchObject({ status: 'withdrawable', approvals: [{ email: 'approver@demo.local' }], receiver });
      expect(await db.select().from(withdrawals).where(eq(withdrawals.depositId, row.depositId))).toHaveLength(1);
      const intents = await db.select().from(refundIntents).where(eq(refundIntents.withdrawalId, row.id));
      expect(intents.map(({ action }) => action).toSorted()).toEqual(['confirm', 'request']);
      const known = await db.select().from(bridgeRefunds).where(eq(bridgeRefunds.withdrawalId, row.id));
      expect(known).toMatchObject([{ nonce: row.nonce, alarming: false, freezeId: null, receiver }]);
      const [deposit] = await db.select().from(deposits).where(eq(deposits.id, row.depositId));
      expect(deposit?.withdrawStatus).toBe('requested');
      const { entries } = await as('operator').withdrawals.history({ id: row.id });
      const people = entries.flatMap(({ route, actorEmail }) => (actorEmail ? [route] : []));
      expect(people.toSorted()).toEqual([...new Set(people)].toSorted());
    }
    const lines = (await db.select().from(authorityLines)).map(({ line }) => JSON.parse(line) as LogLine);
    const refunds = statementsOf(lines).flatMap((one) => (one.kind === 'refund.approve' ? [one.content.txid] : []));
    expect(refunds.toSorted()).toEqual(rows.map(({ txid }) => txid).toSorted());
    expect(await db.select().from(moneyFreezes)).toEqual([]);
  },
);
