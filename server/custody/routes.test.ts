import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { encodeFunctionData, toHex, type Address, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { satoshiToWei } from '../../api/money.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { openDemoPositions } from '../../chain/scenario.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { newId } from '../platform/core/ids.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { crsms } from '../crsm/tables.ts';
import { chainWatches } from '../platform/evm/tables.ts';
import { moneyFreezes } from './tables.ts';
import { mints } from '../mints/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { longTest } from '../../scripts/suite/long-test.ts';
import { createStore } from '../../testing/factories/store.ts';

const confirmationDepth = 4;
const [institution, otherInstitution] = devnetAccounts.operators.map(({ address }) => address);
const user = institution as Address;

let chain: TestChain;
let app: TestApp;
let adminSession: TestSession;
let rpc: Awaited<ReturnType<typeof startRpcProxy>>;

beforeAll(async () => {
  chain = await startTestChain();
  await chain.client.setAutomine(false);
  rpc = await startRpcProxy(chain.url);
  const contracts = devnetContracts;
  app = await createTestApp(
    {
      EVM_RPC_URL: rpc.url,
      EVM_CHAIN_ID: '31337',
      MINT_DEPTH: String(confirmationDepth),
      YU_ADDRESS: contracts.yu,
      YBTC_ADDRESS: contracts.ybtc,
      TROVE_MANAGER_ADDRESS: contracts.troveManager,
      STABILITY_POOL_ADDRESS: contracts.stabilityPool,
      MULTI_TROVE_GETTERS_ADDRESS: contracts.multiTroveGetters,
      CUSTODY_BRIDGE_ADDRESS: contracts.custodyBridge,
    },
    { jobs: false },
  );
  adminSession = await signInAs(app, 'all');
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
  await mineSettledBlocks();
});

async function startRpcProxy(target: string) {
  const proxyState = { mode: 'ok' as 'ok' | 'down' | 'nonsense', before: null as ((body: string) => Promise<void>) | null };
  const server = createServer((request, response) => {
    const respond = async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      if (proxyState.mode === 'down') return request.socket.destroy();
      if (proxyState.mode === 'nonsense') return response.end('<html>too many requests</html>');
      await proxyState.before?.(body);
      const upstreamResponse = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      response.setHeader('content-type', 'application/json').end(await upstreamResponse.text());
    };
    respond().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stopServer = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return Object.assign(proxyState, { url: `http://127.0.0.1:${port}`, stop: stopServer });
}

const mineSettledBlocks = () => chain.client.mine({ blocks: confirmationDepth + 1 });
const createTxid = (n: number) => n.toString(16).padStart(64, '0');

async function mintOnChain(n: number, amount: bigint, recipientAddress: Address = user) {
  const hash = await chain.as(devnetAccounts.minter).writeContract({
    address: devnetContracts.ybtc,
    abi: ybtcAbi,
    functionName: 'mint',
    args: [depositHash('regtest', createTxid(n), 0), recipientAddress, amount],
    gas: 300_000n,
  });
  await chain.client.mine({ blocks: 1 });
  const receipt = await chain.client.getTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
  return receipt;
}

/** Unconfirmed requests of 1 wei, which anyone can send. */
async function requestManyRefunds(count: number) {
  const { client } = chain;
  await client.impersonateAccount({ address: user });
  const firstNonce = await client.getTransactionCount({ address: user });
  const { ybtc, custodyBridge } = devnetContracts;
  const args = [`0x${'cd'.repeat(32)}`, 'bcrt1qstranger', 1n] as const;
  const request = encodeFunctionData({ abi: custodyBridgeAbi, functionName: 'requestRefund', args });
  const approveData = encodeFunctionData({ abi: ybtcAbi, functionName: 'approve', args: [custodyBridge, BigInt(count)] });
  const transactionCalls = [
    { to: ybtc, data: approveData },
    ...Array.from({ length: count }, () => ({ to: custodyBridge, data: request })),
  ];
  const signedTransactions = transactionCalls.map((call, index) => ({
    jsonrpc: '2.0',
    id: index,
    method: 'eth_sendTransaction',
    params: [{ from: user, ...call, gas: toHex(500_000), nonce: toHex(firstNonce + index) }],
  }));
  for (let from = 0; from < signedTransactions.length; from += 200) {
    const body = JSON.stringify(signedTransactions.slice(from, from + 200));
    await fetch(chain.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
  const bridgeCall = { address: custodyBridge, abi: custodyBridgeAbi, functionName: 'nonce' } as const;
  const target = (await client.readContract(bridgeCall)) + BigInt(count);
  for (let blocks = 0; blocks < count && (await client.readContract(bridgeCall)) < target; blocks++)
    await client.mine({ blocks: 1 });
  expect(await client.readContract(bridgeCall)).toBe(target);
}

interface MintLocation {
  blockNumber: bigint;
  blockHash: Hex;
  transactionHash: Hex;
}

async function addDeposit(n: number, satoshi: bigint, state: 'queued' | 'sent' | 'final' | 'failed', minted?: MintLocation) {
  const testStore = createStore(app.database.db);
  const deposit = await testStore.deposit({
    userAddress: user,
    amount: satoshi,
    coboAddress: 'bcrt1qcustodian',
    txid: createTxid(n),
    status: 'confirmed',
    mintStatus: state === 'final' ? 'done' : state === 'failed' ? 'failed' : 'queued',
    createdAt: new Date(app.clock.now),
  });
  await testStore.mint(deposit, {
    state,
    ...(minted && { hash: minted.transactionHash, blockNumber: minted.blockNumber, blockHash: minted.blockHash }),
  });
  return deposit;
}

const satoshiPerBtc = 100_000_000n;
const addMintedDeposit = async (n: number, satoshi: bigint) =>
  addDeposit(n, satoshi, 'final', await mintOnChain(n, satoshiToWei(satoshi)));
const runReconciliation = () => adminSession.api.dataPanel.reconciliation();
const readFreezes = () => app.database.db.select().from(moneyFreezes);
const readWatches = () => app.database.db.select().from(chainWatches);
async function compareThreeTimes(): Promise<string[]> {
  const observedStates: string[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    observedStates.push((await runReconciliation()).state);
    app.clock.now += 60_000;
    await chain.client.mine({ blocks: 1 });
  }
  return observedStates;
}

describe('reconciliation', () => {
  test('agrees to the wei for deposited, minted and supply', async () => {
    await addMintedDeposit(1, 123_456_789n);
    await mineSettledBlocks();
    expect(await runReconciliation()).toMatchObject({
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
    await addDeposit(2, satoshiPerBtc, 'queued'); // not signed
    await addDeposit(3, satoshiPerBtc, 'sent'); // sent, not in a block
    expect(await compareThreeTimes()).toEqual(['agrees', 'agrees', 'agrees']);
    await mintOnChain(3, satoshiToWei(satoshiPerBtc)); // mined, unknown to the ledger
    expect(await compareThreeTimes()).toEqual(['agrees', 'agrees', 'agrees']);
    await mineSettledBlocks(); // settled, still sent in the ledger
    expect(await compareThreeTimes()).toEqual(['agrees', 'agrees', 'agrees']);
    expect((await runReconciliation()).supply).toBe(satoshiToWei(satoshiPerBtc).toString());
    expect(await readFreezes()).toEqual([]);
  });

  test('does not freeze, or show zero, when a node is down or returns nonsense', async () => {
    await addMintedDeposit(4, satoshiPerBtc);
    await mineSettledBlocks();
    expect((await runReconciliation()).state).toBe('agrees');
    const currentTime = new Date(app.clock.now);
    expect(await readWatches()).toEqual([{ name: 'reconciliation', at: currentTime, state: null }]);
    for (const failureMode of ['down', 'nonsense'] as const) {
      rpc.mode = failureMode;
      expect(await compareThreeTimes()).toEqual(['unreachable', 'unreachable', 'unreachable']);
      expect(await readWatches()).toEqual([{ name: 'reconciliation', at: currentTime, state: 'unreachable' }]);
      expect(await runReconciliation()).toMatchObject({ supply: null, burnt: null, supplyOff: null, deposited: '100000000' });
    }
    rpc.mode = 'ok';
    expect((await runReconciliation()).state).toBe('agrees');
    expect(await readWatches()).toEqual([{ name: 'reconciliation', at: new Date(app.clock.now), state: null }]);
    expect(await readFreezes()).toEqual([]);
  });

  test('does not count a difference twice if a failing node interrupts the reads', async () => {
    await mintOnChain(5, 1n);
    await mineSettledBlocks();
    expect((await runReconciliation()).state).toBe('differs');
    rpc.mode = 'down';
    expect(await compareThreeTimes()).toEqual(['unreachable', 'unreachable', 'unreachable']);
    expect(await readFreezes()).toEqual([]);
  });

  test('concludes nothing from a chain that reorganizes during the read', async () => {
    await addMintedDeposit(6, satoshiPerBtc);
    await mineSettledBlocks();
    const chainSnapshot = await chain.client.snapshot();
    await mintOnChain(7, satoshiToWei(satoshiPerBtc));
    await mineSettledBlocks();
    const reorganizeChain = async () => {
      await chain.client.revert({ id: chainSnapshot });
      await chain.client.mine({ blocks: confirmationDepth + 4 });
    };
    let reorganization: Promise<void> | null = null;
    rpc.before = async (body) => {
      // Later reads wait, because the node lacks the block between the two steps.
      if (reorganization || body.includes('0x18160ddd')) await (reorganization ??= reorganizeChain()); // totalSupply
    };
    expect((await runReconciliation()).state).toBe('unsettled');
    rpc.before = null;
    expect(await compareThreeTimes()).toEqual(['agrees', 'agrees', 'agrees']);
    expect(await readFreezes()).toEqual([]);
  });

  test('includes in its result what happened after a running comparison began', async () => {
    await mineSettledBlocks();
    let notifyReached = () => {};
    let releaseRequest = () => {};
    const requestReached = new Promise<void>((resolve) => (notifyReached = resolve));
    const requestReleased = new Promise<void>((resolve) => (releaseRequest = resolve));
    rpc.before = async (body) => {
      if (!body.includes('0x18160ddd')) return; // totalSupply
      notifyReached();
      await requestReleased;
    };
    const firstComparison = runReconciliation();
    await requestReached;
    await mintOnChain(20, 7n, otherInstitution);
    await mineSettledBlocks();
    const laterComparisons = [runReconciliation(), runReconciliation()];
    releaseRequest();
    expect((await firstComparison).state).toBe('agrees');
    for (const comparison of await Promise.all(laterComparisons))
      expect(comparison).toMatchObject({ state: 'differs', supplyOff: '7' });
    expect(await readFreezes()).toEqual([]);
    rpc.before = null;
  });

  test('does not freeze for a final mint that a deep reorganization removed, and sends it again', async () => {
    const chainSnapshot = await chain.client.snapshot();
    const { id } = await addMintedDeposit(8, satoshiPerBtc);
    await mineSettledBlocks();
    expect((await runReconciliation()).state).toBe('agrees');
    await chain.client.revert({ id: chainSnapshot });
    await mineSettledBlocks();
    expect(await compareThreeTimes()).toEqual(['unsettled', 'unsettled', 'unsettled']);
    const secondMint = await mintOnChain(8, satoshiToWei(satoshiPerBtc));
    await app.database.db.update(mints).set({ blockNumber: secondMint.blockNumber }).where(eq(mints.depositId, id));
    await mineSettledBlocks();
    expect(await compareThreeTimes()).toEqual(['agrees', 'agrees', 'agrees']);
    expect(await readFreezes()).toEqual([]);
  });

  test('freezes for a mint outside the panel at the second read, names it, and needs exact acceptance', async () => {
    await addMintedDeposit(9, satoshiPerBtc);
    const unknownMint = await mintOnChain(10, 5n, otherInstitution);
    await mineSettledBlocks();
    const firstComparison = await runReconciliation();
    expect(firstComparison).toMatchObject({ state: 'differs', supplyOff: '5', freeze: null });
    expect((await runReconciliation()).freeze).toBeNull();
    app.clock.now += 5_000;
    const secondComparison = await runReconciliation();
    expect(secondComparison.freeze).toMatchObject({
      supplyOff: '5',
      aliens: [{ transaction: unknownMint.transactionHash, amount: '5', to: otherInstitution }],
    });
    const id = secondComparison.freeze?.id ?? '';
    expect(await adminSession.api.dataPanel.freeze()).toMatchObject({ open: { id } });
    const auditRows = await app.database.db.select().from(audit).where(eq(audit.entityId, id));
    expect(auditRows).toMatchObject([{ entity: 'freeze', action: 'freeze', actorEmail: '', route: 'server' }]);

    const operatorSession = await signInAs(app, 'operator', { 'idempotency-key': newId() });
    await expect(operatorSession.api.dataPanel.resolve({ reason: '?' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const sessionWithoutKey = await signInAs(app, 'approver');
    await expect(sessionWithoutKey.api.dataPanel.resolve({ reason: 'looked at' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const approver = await signInAs(app, 'approver', { 'idempotency-key': newId() });
    await expect(approver.api.dataPanel.resolve({ reason: '  ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(approver.api.dataPanel.resolve({ reason: 'another', freeze: newId() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const liftInput = { reason: 'Bridge test of the notary, ticket 17', freeze: id };
    expect(await approver.api.dataPanel.resolve(liftInput)).toMatchObject({ id, missing: 1 });
    expect(await approver.api.dataPanel.resolve(liftInput)).toMatchObject({ id, missing: 1 });
    expect(await runReconciliation()).toMatchObject({ freeze: { id } });
    const otherAdmin = await signInAs(app, 'all', { 'idempotency-key': newId() });
    expect(await otherAdmin.api.dataPanel.resolve(liftInput)).toMatchObject({ id, missing: 0 });
    expect(await compareThreeTimes()).toEqual(['accepted', 'accepted', 'accepted']);
    expect(await runReconciliation()).toMatchObject({
      freeze: null,
      accepted: { by: 'admin@demo.local', reason: liftInput.reason },
    });

    // A larger difference is another one, and an ended one needs another acceptance.
    await mintOnChain(11, 1n, otherInstitution);
    await mineSettledBlocks();
    expect(await compareThreeTimes()).toEqual(['differs', 'differs', 'differs']);
    expect((await readFreezes()).filter(({ resolvedAt }) => resolvedAt === null)).toMatchObject([{ supplyOff: 6n }]);
  });

  test('reports a mint on chain whose deposit the ledger gave up', async () => {
    await addDeposit(12, satoshiPerBtc, 'failed');
    await mintOnChain(12, satoshiToWei(satoshiPerBtc), otherInstitution);
    await mineSettledBlocks();
    expect(await compareThreeTimes()).toEqual(['differs', 'differs', 'differs']);
    expect(await readFreezes()).toMatchObject([{ supplyOff: satoshiToWei(satoshiPerBtc), resolvedAt: null }]);
  });

  longTest(
    'refunds that a stranger asked for and left open, however many, hide no difference',
    async () => {
      await addMintedDeposit(14, satoshiPerBtc);
      await requestManyRefunds(2_001);
      await mineSettledBlocks();
      expect(await compareThreeTimes()).toEqual(['agrees', 'agrees', 'agrees']);
      await mintOnChain(15, 3n, otherInstitution);
      await mineSettledBlocks();
      expect(await compareThreeTimes()).toEqual(['differs', 'differs', 'differs']);
      expect(await readFreezes()).toMatchObject([{ supplyOff: 3n, resolvedAt: null }]);
    },
    60_000,
  );

  test('finds a difference behind any number of pending mints', async () => {
    for (let n = 1_000; n < 1_501; n++) await addDeposit(n, satoshiPerBtc, 'queued');
    await mintOnChain(1_500, satoshiToWei(satoshiPerBtc));
    await mineSettledBlocks();
    expect(await compareThreeTimes()).toEqual(['agrees', 'agrees', 'agrees']);
    await mintOnChain(16, 3n, otherInstitution);
    await mineSettledBlocks();
    expect(await compareThreeTimes()).toEqual(['differs', 'differs', 'differs']);
    expect(await readFreezes()).toMatchObject([{ supplyOff: 3n, resolvedAt: null }]);
  }, 60_000);

  test('opens one freeze when two servers read a difference', async () => {
    await mintOnChain(13, 7n);
    await mineSettledBlocks();
    await runReconciliation();
    app.clock.now += 60_000;
    await Promise.all([runReconciliation(), runReconciliation(), runReconciliation()]);
    await compareThreeTimes();
    expect(await readFreezes()).toHaveLength(1);
  });
});

describe('custody figures', () => {
  test('show each institution by ledger and chain, and totals that are their sums', async () => {
    await addMintedDeposit(20, 4n * satoshiPerBtc);
    await addDeposit(21, satoshiPerBtc / 2n, 'sent');
    await chain.client.setAutomine(true);
    expect(await openDemoPositions(chain.url)).toBe(false);
    await chain.client.setAutomine(false);
    await mineSettledBlocks();
    const storedTrove = {
      troveManager: '0xT',
      troveId: 0n,
      owner: user,
      createdAt: new Date(),
      block: 1n,
      TRGCR: 15n,
      TARCR: 18n,
    };
    await app.database.db.insert(crsms).values([
      { ...storedTrove, id: '0xFar', tokenId: 0n, distance: 9n },
      { ...storedTrove, id: '0xNear', tokenId: 1n, distance: 2n, MAX_TARCR: 20n },
      { ...storedTrove, id: '0xGone', tokenId: 2n, distance: 1n, isTrovesOwner: false },
    ]);
    const { rows } = await adminSession.api.dataPanel.list({
      sort: 'createdAt',
      direction: 'desc',
      filter: {},
      cursor: null,
      limit: 50,
    });
    expect(rows).toHaveLength(1);
    const [row] = rows;
    await app.database.db.delete(crsms);
    expect(row).toMatchObject({
      address: user,
      btc: (4n * satoshiPerBtc).toString(),
      pendingBtc: (satoshiPerBtc / 2n).toString(),
      custodians: ['bcrt1qcustodian'],
      multisigs: [],
      crsm: { address: '0xNear', trigger: '15', target: '18', maxTarget: '20' },
      chain: { troves: 1, collateral: '1600000000000000000', ybtcInWallet: '2400000000000000000', claimableYbtc: '0' },
    });
    const details = await adminSession.api.dataPanel.get({ address: user });
    expect(details.troves).toHaveLength(1);
    expect(BigInt(details.troves?.[0]?.icr ?? 0)).toBeGreaterThan(235n * 10n ** 16n);
    expect(details.deposits).toHaveLength(2);
    const totals = await adminSession.api.dataPanel.totals();
    expect(totals).toMatchObject({
      accounts: 1,
      deposited: (4n * satoshiPerBtc).toString(),
      bridged: satoshiToWei(4n * satoshiPerBtc).toString(),
      chainState: 'ok',
      chain: { collateral: '1600000000000000000', poolShare: '1000000000000000000' },
    });
    // Interest grows between calls and is rounded per trove.
    const debtShare = BigInt(totals.chain?.debtShare ?? 0);
    expect(debtShare > 999n * 10n ** 15n && debtShare < 1001n * 10n ** 15n).toBe(true);
    const { debt, yuInPool, yuInWallet } = details.row.chain ?? { debt: '0', yuInPool: '0', yuInWallet: '0' };
    const debtWithoutInterest = BigInt(debt) - BigInt(details.troves?.[0]?.interest ?? 0);
    expect(BigInt(yuInPool) + BigInt(yuInWallet)).toBe(debtWithoutInterest - 200n * 10n ** 18n);

    // Outage: shows the last figures with their block.
    rpc.mode = 'down';
    const blockBefore = rows[0]?.chain?.block;
    const [outdatedRow] = await adminSession.api.dataPanel.many({ addresses: [user] });
    expect(outdatedRow?.chain?.block).toBe(totals.chain?.block ?? blockBefore);
    expect(await adminSession.api.dataPanel.totals()).toMatchObject({
      chainState: 'unreachable',
      chain: { block: totals.chain?.block },
    });
  });

  test('exclude redeemed bitcoin', async () => {
    const deposit = await addMintedDeposit(22, 3n * satoshiPerBtc);
    await createStore(app.database.db).withdrawal(deposit, { amount: satoshiPerBtc, status: 'withdrawable' });
    const [row] = await adminSession.api.dataPanel.many({ addresses: [user] });
    expect(row?.btc).toBe((2n * satoshiPerBtc).toString());
  });

  test('let permitted people name an institution, find it by name, and refuse an outdated edit', async () => {
    await addDeposit(23, satoshiPerBtc, 'queued');
    const operatorSession = await signInAs(app, 'operator');
    const renamedRow = await operatorSession.api.dataPanel.rename({ address: user, version: 1, name: ' 海岸资本 Coast ' });
    expect(renamedRow).toMatchObject({ name: '海岸资本 Coast', version: 2 });
    await expect(operatorSession.api.dataPanel.rename({ address: user, version: 1, name: 'x' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const analyst = await signInAs(app, 'analyst');
    await expect(analyst.api.dataPanel.rename({ address: user, version: 2, name: 'x' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const findInstitutions = async (q: string) =>
      (await analyst.api.dataPanel.list({ sort: 'name', direction: 'asc', filter: { q }, cursor: null, limit: 50 })).rows.length;
    expect([
      await findInstitutions('coast'),
      await findInstitutions(user.slice(0, 9).toLowerCase()),
      await findInstitutions('%'),
      await findInstitutions('nobody'),
    ]).toEqual([1, 1, 0, 0]);
  });
});

test('custody figures without a chain show the ledger, and chain values as unknown', async () => {
  const appWithoutChain = await createTestApp({ DEVNET: 'off' }, { jobs: false });
  const { api } = await signInAs(appWithoutChain, 'all');
  expect(await api.dataPanel.totals()).toMatchObject({ accounts: 0, deposited: '0', chainState: 'off', chain: null });
  expect(await api.dataPanel.reconciliation()).toMatchObject({ state: 'off', deposited: '0', supply: null, supplyOff: null });
});
