import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { encodeFunctionData, toHex, type Address, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { weiOfSatoshi } from '../../api/money.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { openDemoPositions } from '../../chain/scenario.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { newId } from '../platform/core/ids.ts';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { crsms } from '../crsm/tables.ts';
import { chainWatches } from '../platform/evm/tables.ts';
import { moneyFreezes } from './tables.ts';
import { mints } from '../mints/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { longTest } from '../../scripts/suite/long-test.ts';
import { storeIn } from '../../testing/factories/store.ts';

const depth = 4;
const [institution, other] = devnetAccounts.operators.map(({ address }) => address);
const user = institution as Address;

let chain: TestChain;
let app: TestApp;
let all: TestSession;
let rpc: Awaited<ReturnType<typeof startRpc>>;

beforeAll(async () => {
  chain = await startTestChain();
  await chain.client.setAutomine(false);
  rpc = await startRpc(chain.url);
  const c = devnetContracts;
  app = await testApp(
    {
      EVM_RPC_URL: rpc.url,
      EVM_CHAIN_ID: '31337',
      MINT_DEPTH: String(depth),
      YU_ADDRESS: c.yu,
      YBTC_ADDRESS: c.ybtc,
      TROVE_MANAGER_ADDRESS: c.troveManager,
      STABILITY_POOL_ADDRESS: c.stabilityPool,
      MULTI_TROVE_GETTERS_ADDRESS: c.multiTroveGetters,
      CUSTODY_BRIDGE_ADDRESS: c.custodyBridge,
    },
    { jobs: false },
  );
  all = await signInAs(app, 'all');
}, 60_000);
afterAll(async () => {
  await rpc.stop();
  await chain.stop();
});

let start: Hex;
beforeEach(async () => {
  start = await chain.client.snapshot();
  rpc.mode = 'ok';
});
afterEach(async () => {
  rpc.mode = 'ok';
  await app.database.db.execute(
    sql`truncate mints, mint_transactions, withdrawals, deposits, institutions, money_freezes cascade`,
  );
  await chain.client.revert({ id: start });
  await settle();
});

async function startRpc(target: string) {
  const control = { mode: 'ok' as 'ok' | 'down' | 'nonsense', before: null as ((body: string) => Promise<void>) | null };
  const server = createServer((request, response) => {
    const answer = async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      if (control.mode === 'down') return request.socket.destroy();
      if (control.mode === 'nonsense') return response.end('<html>too many requests</html>');
      await control.before?.(body);
      const found = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      response.setHeader('content-type', 'application/json').end(await found.text());
    };
    answer().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return Object.assign(control, { url: `http://127.0.0.1:${port}`, stop });
}

const settle = () => chain.client.mine({ blocks: depth + 1 });
const txidOf = (n: number) => n.toString(16).padStart(64, '0');

async function mintOnChain(n: number, amount: bigint, to: Address = user) {
  const hash = await chain.as(devnetAccounts.minter).writeContract({
    address: devnetContracts.ybtc,
    abi: ybtcAbi,
    functionName: 'mint',
    args: [depositHash('regtest', txidOf(n), 0), to, amount],
    gas: 300_000n,
  });
  await chain.client.mine({ blocks: 1 });
  const receipt = await chain.client.getTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
  return receipt;
}

/** Unconfirmed requests of 1 wei, which anyone can send. */
async function requestRefunds(count: number) {
  const { client } = chain;
  await client.impersonateAccount({ address: user });
  const first = await client.getTransactionCount({ address: user });
  const { ybtc, custodyBridge } = devnetContracts;
  const args = [`0x${'cd'.repeat(32)}`, 'bcrt1qstranger', 1n] as const;
  const request = encodeFunctionData({ abi: custodyBridgeAbi, functionName: 'requestRefund', args });
  const allow = encodeFunctionData({ abi: ybtcAbi, functionName: 'approve', args: [custodyBridge, BigInt(count)] });
  const calls = [{ to: ybtc, data: allow }, ...Array.from({ length: count }, () => ({ to: custodyBridge, data: request }))];
  const sent = calls.map((call, index) => ({
    jsonrpc: '2.0',
    id: index,
    method: 'eth_sendTransaction',
    params: [{ from: user, ...call, gas: toHex(500_000), nonce: toHex(first + index) }],
  }));
  for (let from = 0; from < sent.length; from += 200) {
    const body = JSON.stringify(sent.slice(from, from + 200));
    await fetch(chain.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
  const bridge = { address: custodyBridge, abi: custodyBridgeAbi, functionName: 'nonce' } as const;
  const target = (await client.readContract(bridge)) + BigInt(count);
  for (let blocks = 0; blocks < count && (await client.readContract(bridge)) < target; blocks++) await client.mine({ blocks: 1 });
  expect(await client.readContract(bridge)).toBe(target);
}

interface Minted {
  blockNumber: bigint;
  blockHash: Hex;
  transactionHash: Hex;
}

async function addDeposit(n: number, satoshi: bigint, state: 'queued' | 'sent' | 'final' | 'failed', minted?: Minted) {
  const store = storeIn(app.database.db);
  const deposit = await store.deposit({
    userAddress: user,
    amount: satoshi,
    coboAddress: 'bcrt1qcustodian',
    txid: txidOf(n),
    status: 'confirmed',
    mintStatus: state === 'final' ? 'done' : state === 'failed' ? 'failed' : 'queued',
    createdAt: new Date(app.clock.now),
  });
  await store.mint(deposit, {
    state,
    ...(minted && { hash: minted.transactionHash, blockNumber: minted.blockNumber, blockHash: minted.blockHash }),
  });
  return deposit;
}

const btc = 100_000_000n;
const minted = async (n: number, satoshi: bigint) => addDeposit(n, satoshi, 'final', await mintOnChain(n, weiOfSatoshi(satoshi)));
const compare = () => all.api.dataPanel.reconciliation();
const freezes = () => app.database.db.select().from(moneyFreezes);
const watches = () => app.database.db.select().from(chainWatches);
async function thrice(): Promise<string[]> {
  const states: string[] = [];
  for (let read = 0; read < 3; read++) {
    states.push((await compare()).state);
    app.clock.now += 60_000;
    await chain.client.mine({ blocks: 1 });
  }
  return states;
}

describe('reconciliation', () => {
  test('agrees to the wei for deposited, minted and supply', async () => {
    await minted(1, 123_456_789n);
    await settle();
    expect(await compare()).toMatchObject({
      state: 'agrees',
      deposited: '123456789',
      minted: '1234567890000000000',
      supply: '1234567890000000000',
      expected: '1234567890000000000',
      supplyOff: '0',
      ledgerOff: '0',
      freeze: null,
    });
  });

  test('does not freeze for a pending mint at any stage', async () => {
    await addDeposit(2, btc, 'queued'); // not signed
    await addDeposit(3, btc, 'sent'); // sent, not in a block
    expect(await thrice()).toEqual(['agrees', 'agrees', 'agrees']);
    await mintOnChain(3, weiOfSatoshi(btc)); // mined, unknown to the ledger
    expect(await thrice()).toEqual(['agrees', 'agrees', 'agrees']);
    await settle(); // settled, still sent in the ledger
    expect(await thrice()).toEqual(['agrees', 'agrees', 'agrees']);
    expect((await compare()).supply).toBe(weiOfSatoshi(btc).toString());
    expect(await freezes()).toEqual([]);
  });

  test('does not freeze, or show zero, when a node is down or returns nonsense', async () => {
    await minted(4, btc);
    await settle();
    expect((await compare()).state).toBe('agrees');
    const at = new Date(app.clock.now);
    expect(await watches()).toEqual([{ name: 'reconciliation', at, state: null }]);
    for (const mode of ['down', 'nonsense'] as const) {
      rpc.mode = mode;
      expect(await thrice()).toEqual(['unreachable', 'unreachable', 'unreachable']);
      expect(await watches()).toEqual([{ name: 'reconciliation', at, state: 'unreachable' }]);
      expect(await compare()).toMatchObject({ supply: null, burnt: null, supplyOff: null, deposited: '100000000' });
    }
    rpc.mode = 'ok';
    expect((await compare()).state).toBe('agrees');
    expect(await watches()).toEqual([{ name: 'reconciliation', at: new Date(app.clock.now), state: null }]);
    expect(await freezes()).toEqual([]);
  });

  test('does not count a difference twice if a failing node interrupts the reads', async () => {
    await mintOnChain(5, 1n);
    await settle();
    expect((await compare()).state).toBe('differs');
    rpc.mode = 'down';
    expect(await thrice()).toEqual(['unreachable', 'unreachable', 'unreachable']);
    expect(await freezes()).toEqual([]);
  });

  test('concludes nothing from a chain that reorganizes during the read', async () => {
    await minted(6, btc);
    await settle();
    const fork = await chain.client.snapshot();
    await mintOnChain(7, weiOfSatoshi(btc));
    await settle();
    const reorganize = async () => {
      await chain.client.revert({ id: fork });
      await chain.client.mine({ blocks: depth + 4 });
    };
    let reorganized: Promise<void> | null = null;
    rpc.before = async (body) => {
      // Later reads wait, because the node lacks the block between the two steps.
      if (reorganized || body.includes('0x18160ddd')) await (reorganized ??= reorganize()); // totalSupply
    };
    expect((await compare()).state).toBe('unsettled');
    rpc.before = null;
    expect(await thrice()).toEqual(['agrees', 'agrees', 'agrees']);
    expect(await freezes()).toEqual([]);
  });

  test('includes in its result what happened after a running comparison began', async () => {
    await settle();
    let reached = () => {};
    let goOn = () => {};
    const atWork = new Promise<void>((resolve) => (reached = resolve));
    const held = new Promise<void>((resolve) => (goOn = resolve));
    rpc.before = async (body) => {
      if (!body.includes('0x18160ddd')) return; // totalSupply
      reached();
      await held;
    };
    const before = compare();
    await atWork;
    await mintOnChain(20, 7n, other);
    await settle();
    const after = [compare(), compare()];
    goOn();
    expect((await before).state).toBe('agrees');
    for (const answer of await Promise.all(after)) expect(answer).toMatchObject({ state: 'differs', supplyOff: '7' });
    expect(await freezes()).toEqual([]);
    rpc.before = null;
  });

  test('does not freeze for a final mint that a deep reorganization removed, and sends it again', async () => {
    const fork = await chain.client.snapshot();
    const { id } = await minted(8, btc);
    await settle();
    expect((await compare()).state).toBe('agrees');
    await chain.client.revert({ id: fork });
    await settle();
    expect(await thrice()).toEqual(['unsettled', 'unsettled', 'unsettled']);
    const again = await mintOnChain(8, weiOfSatoshi(btc));
    await app.database.db.update(mints).set({ blockNumber: again.blockNumber }).where(eq(mints.depositId, id));
    await settle();
    expect(await thrice()).toEqual(['agrees', 'agrees', 'agrees']);
    expect(await freezes()).toEqual([]);
  });

  test('freezes for a mint outside the panel at the second read, names it, and needs exact acceptance', async () => {
    await minted(9, btc);
    const alien = await mintOnChain(10, 5n, other);
    await settle();
    const first = await compare();
    expect(first).toMatchObject({ state: 'differs', supplyOff: '5', freeze: null });
    expect((await compare()).freeze).toBeNull();
    app.clock.now += 5_000;
    const second = await compare();
    expect(second.freeze).toMatchObject({
      supplyOff: '5',
      aliens: [{ transaction: alien.transactionHash, amount: '5', to: other }],
    });
    const id = second.freeze?.id ?? '';
    expect(await all.api.dataPanel.freeze()).toMatchObject({ open: { id } });
    const reported = await app.database.db.select().from(audit).where(eq(audit.entityId, id));
    expect(reported).toMatchObject([{ entity: 'freeze', action: 'freeze', actorEmail: '', route: 'server' }]);

    const operator = await signInAs(app, 'operator', { 'idempotency-key': newId() });
    await expect(operator.api.dataPanel.resolve({ reason: '?' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const unkeyed = await signInAs(app, 'approver');
    await expect(unkeyed.api.dataPanel.resolve({ reason: 'looked at' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const approver = await signInAs(app, 'approver', { 'idempotency-key': newId() });
    await expect(approver.api.dataPanel.resolve({ reason: '  ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(approver.api.dataPanel.resolve({ reason: 'another', freeze: newId() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const lift = { reason: 'Bridge test of the notary, ticket 17', freeze: id };
    expect(await approver.api.dataPanel.resolve(lift)).toMatchObject({ id, missing: 1 });
    expect(await approver.api.dataPanel.resolve(lift)).toMatchObject({ id, missing: 1 });
    expect(await compare()).toMatchObject({ freeze: { id } });
    const another = await signInAs(app, 'all', { 'idempotency-key': newId() });
    expect(await another.api.dataPanel.resolve(lift)).toMatchObject({ id, missing: 0 });
    expect(await thrice()).toEqual(['accepted', 'accepted', 'accepted']);
    expect(await compare()).toMatchObject({ freeze: null, accepted: { by: 'admin@demo.local', reason: lift.reason } });

    // A larger difference is another one, and an ended one needs another acceptance.
    await mintOnChain(11, 1n, other);
    await settle();
    expect(await thrice()).toEqual(['differs', 'differs', 'differs']);
    expect((await freezes()).filter(({ resolvedAt }) => resolvedAt === null)).toMatchObject([{ supplyOff: 6n }]);
  });

  test('reports a mint on chain whose deposit the ledger gave up', async () => {
    await addDeposit(12, btc, 'failed');
    await mintOnChain(12, weiOfSatoshi(btc), other);
    await settle();
    expect(await thrice()).toEqual(['differs', 'differs', 'differs']);
    expect(await freezes()).toMatchObject([{ supplyOff: weiOfSatoshi(btc), resolvedAt: null }]);
  });

  longTest(
    'refunds that a stranger asked for and left open, however many, hide no difference',
    async () => {
      await minted(14, btc);
      await requestRefunds(2_001);
      await settle();
      expect(await thrice()).toEqual(['agrees', 'agrees', 'agrees']);
      await mintOnChain(15, 3n, other);
      await settle();
      expect(await thrice()).toEqual(['differs', 'differs', 'differs']);
      expect(await freezes()).toMatchObject([{ supplyOff: 3n, resolvedAt: null }]);
    },
    60_000,
  );

  test('finds a difference behind any number of pending mints', async () => {
    for (let n = 1_000; n < 1_501; n++) await addDeposit(n, btc, 'queued');
    await mintOnChain(1_500, weiOfSatoshi(btc));
    await settle();
    expect(await thrice()).toEqual(['agrees', 'agrees', 'agrees']);
    await mintOnChain(16, 3n, other);
    await settle();
    expect(await thrice()).toEqual(['differs', 'differs', 'differs']);
    expect(await freezes()).toMatchObject([{ supplyOff: 3n, resolvedAt: null }]);
  }, 60_000);

  test('opens one freeze when two servers read a difference', async () => {
    await mintOnChain(13, 7n);
    await settle();
    await compare();
    app.clock.now += 60_000;
    await Promise.all([compare(), compare(), compare()]);
    await thrice();
    expect(await freezes()).toHaveLength(1);
  });
});

describe('custody figures', () => {
  test('show each institution by ledger and chain, and totals that are their sums', async () => {
    await minted(20, 4n * btc);
    await addDeposit(21, btc / 2n, 'sent');
    await chain.client.setAutomine(true);
    expect(await openDemoPositions(chain.url)).toBe(false);
    await chain.client.setAutomine(false);
    await settle();
    const stored = { troveManager: '0xT', troveId: 0n, owner: user, createdAt: new Date(), block: 1n, TRGCR: 15n, TARCR: 18n };
    await app.database.db.insert(crsms).values([
      { ...stored, id: '0xFar', tokenId: 0n, distance: 9n },
      { ...stored, id: '0xNear', tokenId: 1n, distance: 2n, MAX_TARCR: 20n },
      { ...stored, id: '0xGone', tokenId: 2n, distance: 1n, isTrovesOwner: false },
    ]);
    const { rows } = await all.api.dataPanel.list({ sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 50 });
    expect(rows).toHaveLength(1);
    const [row] = rows;
    await app.database.db.delete(crsms);
    expect(row).toMatchObject({
      address: user,
      btc: (4n * btc).toString(),
      pendingBtc: (btc / 2n).toString(),
      custodians: ['bcrt1qcustodian'],
      multisigs: [],
      crsm: { address: '0xNear', trigger: '15', target: '18', maxTarget: '20' },
      chain: { troves: 1, collateral: '1600000000000000000', ybtcInWallet: '2400000000000000000', claimableYbtc: '0' },
    });
    const details = await all.api.dataPanel.get({ address: user });
    expect(details.troves).toHaveLength(1);
    expect(BigInt(details.troves?.[0]?.icr ?? 0)).toBeGreaterThan(235n * 10n ** 16n);
    expect(details.deposits).toHaveLength(2);
    const totals = await all.api.dataPanel.totals();
    expect(totals).toMatchObject({
      accounts: 1,
      deposited: (4n * btc).toString(),
      bridged: weiOfSatoshi(4n * btc).toString(),
      chainState: 'ok',
      chain: { collateral: '1600000000000000000', poolShare: '1000000000000000000' },
    });
    // Interest grows between calls and is rounded per trove.
    const share = BigInt(totals.chain?.debtShare ?? 0);
    expect(share > 999n * 10n ** 15n && share < 1001n * 10n ** 15n).toBe(true);
    const { debt, yuInPool, yuInWallet } = details.row.chain ?? { debt: '0', yuInPool: '0', yuInWallet: '0' };
    const principal = BigInt(debt) - BigInt(details.troves?.[0]?.interest ?? 0);
    expect(BigInt(yuInPool) + BigInt(yuInWallet)).toBe(principal - 200n * 10n ** 18n);

    // Outage: shows the last figures with their block.
    rpc.mode = 'down';
    const before = rows[0]?.chain?.block;
    const [stale] = await all.api.dataPanel.many({ addresses: [user] });
    expect(stale?.chain?.block).toBe(totals.chain?.block ?? before);
    expect(await all.api.dataPanel.totals()).toMatchObject({ chainState: 'unreachable', chain: { block: totals.chain?.block } });
  });

  test('exclude redeemed bitcoin', async () => {
    const deposit = await minted(22, 3n * btc);
    await storeIn(app.database.db).withdrawal(deposit, { amount: btc, status: 'withdrawable' });
    const [row] = await all.api.dataPanel.many({ addresses: [user] });
    expect(row?.btc).toBe((2n * btc).toString());
  });

  test('let permitted people name an institution, find it by name, and refuse an outdated edit', async () => {
    await addDeposit(23, btc, 'queued');
    const operator = await signInAs(app, 'operator');
    const named = await operator.api.dataPanel.rename({ address: user, version: 1, name: ' 海岸资本 Coast ' });
    expect(named).toMatchObject({ name: '海岸资本 Coast', version: 2 });
    await expect(operator.api.dataPanel.rename({ address: user, version: 1, name: 'x' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const analyst = await signInAs(app, 'analyst');
    await expect(analyst.api.dataPanel.rename({ address: user, version: 2, name: 'x' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const find = async (q: string) =>
      (await analyst.api.dataPanel.list({ sort: 'name', direction: 'asc', filter: { q }, cursor: null, limit: 50 })).rows.length;
    expect([await find('coast'), await find(user.slice(0, 9).toLowerCase()), await find('%'), await find('nobody')]).toEqual([
      1, 1, 0, 0,
    ]);
  });
});

test('custody figures without a chain show the ledger, and chain values as unknown', async () => {
  const bare = await testApp({ DEVNET: 'off' }, { jobs: false });
  const { api } = await signInAs(bare, 'all');
  expect(await api.dataPanel.totals()).toMatchObject({ accounts: 0, deposited: '0', chainState: 'off', chain: null });
  expect(await api.dataPanel.reconciliation()).toMatchObject({ state: 'off', deposited: '0', supply: null, supplyOff: null });
});
