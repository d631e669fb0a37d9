import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import type { Services } from '../platform/services/context.ts';
import { createMintChain, createKeySigner } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { minterKey } from '../testing/signer-process.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { deposits } from './tables.ts';
import { mints, mintTransactions } from '../mints/tables.ts';
import { administrators } from '../platform/auth/tables.ts';
import { stepMints, type MintContext } from '../mints/mints.ts';
import { createStore } from '../../testing/factories/store.ts';

const confirmationDepth = 2n;
const { ybtc, custodyBridge: bridge } = devnetContracts;
const receiver = devnetAccounts.borrower.address;
const weiPerToken = 10n ** 18n;
const satoshiPerBtc = 10n ** 8n;

let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let adminSession: TestSession;
let confirmerId: string;
beforeAll(async () => {
  chain = await startTestChain();
  app = await createTestApp(
    {
      EVM_RPC_URL: chain.url,
      EVM_CHAIN_ID: '31337',
      MINT_DEPTH: String(confirmationDepth),
      SESSION_IDLE_MINUTES: '720',
      SESSION_HOURS: '72',
      BITCOIN_NETWORK: 'regtest',
      YU_ADDRESS: devnetContracts.yu,
      YBTC_ADDRESS: ybtc,
      TROVE_MANAGER_ADDRESS: devnetContracts.troveManager,
      STABILITY_POOL_ADDRESS: devnetContracts.stabilityPool,
      MULTI_TROVE_GETTERS_ADDRESS: devnetContracts.multiTroveGetters,
      CUSTODY_BRIDGE_ADDRESS: bridge,
    },
    { jobs: false },
  );
  [operator, approver, adminSession] = await Promise.all([
    signInAs(app, 'operator'),
    signInAs(app, 'approver'),
    signInAs(app, 'all'),
  ]);
  const [foundRow] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'approver@demo.local'));
  confirmerId = foundRow?.id ?? '';
  const band = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 1800 };
  await idempotentApi(adminSession).authority.setRules({
    root: 1,
    coolingSeconds: 0,
    receivers: 'any',
    bands: [band],
    refundBands: [],
  });
}, 60_000);
afterAll(() => chain.stop());

let nextTxid = 1;
beforeEach(async () => {
  await app.database.db.execute(sql`truncate mints, mint_transactions, signer_nonces, deposits, money_freezes cascade`);
  await chain.client.setAutomine(true);
});

const idempotentApi = ({ headers }: TestSession, key: string = newId()) => createApi(app, { ...headers, 'idempotency-key': key });
const moneyRefusalOf = (reason: string) => ({ code: 'MONEY_REFUSED', data: { reason } });

const createMintContext = (overrides: Partial<MintContext> = {}): MintContext => {
  const { config, database, clock } = app;
  const services: Services = {
    config,
    database,
    log: createLogger({ level: 'silent' }),
    now: () => clock.now,
    ...openExternalServices(config),
  };
  const signer = createKeySigner(minterKey);
  const { mintLimits: limits } = config;
  const mintChain = createMintChain({ urls: [chain.url], chainId: 31_337, ybtc, bridge, signer });
  return {
    services,
    chain: mintChain,
    depth: confirmationDepth,
    limits,
    evidence: async () => ({ verdict: 'holds', details: null }),
    permit: async () => null,
    readHalt: async () => null,
    ...overrides,
  };
};
async function runMintRounds(mintContext = createMintContext()): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await stepMints(mintContext);
    await chain.client.mine({ blocks: 2 });
    app.clock.now += 61_000;
  }
}

async function addConfirmedMint(
  overrides: Partial<typeof mints.$inferInsert> = {},
  txid = (nextTxid++).toString(16).padStart(64, 'c'),
) {
  const confirmedAt = new Date(app.clock.now);
  const testStore = createStore(app.database.db);
  const deposit = await testStore.deposit({
    userAddress: receiver,
    amount: satoshiPerBtc,
    txid,
    status: 'confirmed',
    mintStatus: overrides.state === 'failed' ? 'failed' : 'queued',
    confirmedBy: confirmerId,
    confirmedAt,
    createdAt: confirmedAt,
  });
  await testStore.mint(deposit, { token: ybtc, bridge, amount: weiPerToken, ...overrides });
  return readDeposit(deposit.id);
}
async function readDeposit(id: string): Promise<DepositRow> {
  const [row] = await adminSession.api.deposits.many({ ids: [id] });
  if (!row) throw new Error('the deposit is gone');
  return row;
}
const item = ({ id, version }: DepositRow) => ({ id, version, reason: 'The receiver is another one' });
const cancelMint = (row: DepositRow, session = operator, key?: string) =>
  idempotentApi(session, key).deposits.cancelMint(item(row));
const closeFailedMint = (row: DepositRow, session = adminSession) => idempotentApi(session).deposits.closeFailed(item(row));
const readMintedAmount = (row: DepositRow) => createMintContext().chain.minted(depositHash('regtest', row.txid, 0));
const readSignedTransactions = () => app.database.db.select().from(mintTransactions);

describe('canceling a mint', () => {
  test('prevents its signature, and its deposit shows it', async () => {
    const row = await addConfirmedMint();
    const key = newId();
    const cancelAtPoint = async (point: string) => {
      if (point === 'queued: asked') await cancelMint(row, operator, key);
    };
    await stepMints(createMintContext({ at: cancelAtPoint }));
    expect(await readDeposit(row.id)).toMatchObject({
      mintStatus: 'canceled',
      mint: { state: 'canceled', problem: 'CANCELED', details: 'The receiver is another one' },
    });
    expect(await cancelMint(row, operator, key)).toMatchObject({ mintStatus: 'canceled' }); // the double click
    const depositAfter = await readDeposit(row.id);
    await expect(cancelMint(depositAfter)).rejects.toMatchObject(moneyRefusalOf('SIGNED'));
    await expect(
      idempotentApi(approver).deposits.retryMint({ id: depositAfter.id, version: depositAfter.version }),
    ).rejects.toMatchObject(moneyRefusalOf('NOT_FAILED'));
    await runMintRounds();
    expect([await readSignedTransactions(), await readMintedAmount(row)]).toEqual([[], 0n]);
    const { entries } = await adminSession.api.deposits.history({ id: row.id });
    expect(entries[0]).toMatchObject({ actorEmail: 'operator@demo.local', after: { reason: 'The receiver is another one' } });
  });

  test('is enforced by the database for states and signed bytes', async () => {
    const row = await addConfirmedMint();
    await cancelMint(row);
    const { db } = app.database;
    const requeueQuery = db.update(mints).set({ state: 'queued' }).where(eq(mints.depositId, row.id));
    await expect(requeueQuery).rejects.toMatchObject({ cause: { message: 'a canceled mint does not go on' } });
    const [mint] = await db.select().from(mints);
    const bytes = { hash: '0x1', mintId: mint?.id ?? '', nonce: 0, raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
    await expect(db.insert(mintTransactions).values({ ...bytes, createdAt: new Date() })).rejects.toMatchObject({
      cause: { message: 'this mint is not signed for' },
    });
  });

  test('races with the signature, and exactly one of both happens', async () => {
    for (let round = 0; round < 6; round++) {
      const row = await addConfirmedMint();
      const [cancelOutcome] = await Promise.allSettled([cancelMint(row), stepMints(createMintContext())]);
      const bytes = (await readSignedTransactions()).length;
      const { mintStatus } = await readDeposit(row.id);
      if (cancelOutcome.status === 'fulfilled') expect([mintStatus, bytes]).toEqual(['canceled', 0]);
      else expect(bytes).toBe(1);
      await app.database.db.execute(sql`truncate mints, mint_transactions, deposits cascade`);
      await chain.client.mine({ blocks: 1 });
    }
  });

  test('is refused for a signed or outdated mint, and without reason, key or permission', async () => {
    const row = await addConfirmedMint();
    const analystSession = await signInAs(app, 'analyst');
    await expect(cancelMint(row, analystSession)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(operator.api.deposits.cancelMint(item(row))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(idempotentApi(operator).deposits.cancelMint({ ...item(row), reason: ' ' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await stepMints(createMintContext());
    await expect(cancelMint(row)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(cancelMint(await readDeposit(row.id))).rejects.toMatchObject(moneyRefusalOf('SIGNED'));
    await runMintRounds();
  });

  test('is possible during the delay, also of a retried mint', async () => {
    const failedDeposit = await addConfirmedMint({ state: 'failed', problem: 'REVERTED' });
    const row = await idempotentApi(approver).deposits.retryMint({ id: failedDeposit.id, version: failedDeposit.version });
    const mint = async () => {
      const [foundRow] = await app.database.db.select().from(mints).where(eq(mints.depositId, row.id));
      if (!foundRow) throw new Error('the mint is gone');
      return foundRow;
    };
    const from = app.clock.now + 30 * 60_000;
    expect(row.mint).toMatchObject({ state: 'queued', signFrom: new Date(from).toISOString() });
    // The mint is checked repeatedly until then.
    for (let round = 0; round < 3; round++) {
      const { attempts } = await mint();
      await stepMints(createMintContext());
      expect((await mint()).attempts).toBe(attempts + 1);
      app.clock.now += 60_000;
    }
    app.clock.now = from - 1;
    await stepMints(createMintContext());
    expect(await readSignedTransactions()).toEqual([]);
    app.clock.now = from;
    await stepMints(createMintContext());
    expect(await readSignedTransactions()).toHaveLength(1);
    await runMintRounds();
    expect(await readDeposit(row.id)).toMatchObject({ mintStatus: 'done' });
  });
});

describe('closing a deposit that was not minted', () => {
  test('by another person lets its output be recorded again and minted once', async () => {
    const wrongDeposit = await addConfirmedMint({ state: 'failed', problem: 'EVIDENCE' });
    await expect(closeFailedMint(wrongDeposit, approver)).rejects.toMatchObject(moneyRefusalOf('CONFIRMED_BY_YOU'));
    await expect(closeFailedMint(wrongDeposit, operator)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const depositFields = { userAddress: devnetAccounts.deployer.address, type: 'cobo', lockTime: null, remarks: '' } as const;
    const coboAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
    const fields = { ...depositFields, coboAddress, amount: String(satoshiPerBtc), txid: wrongDeposit.txid, vout: 0 };
    await expect(operator.api.deposits.add(fields)).rejects.toMatchObject({ code: 'DEPOSIT_KNOWN' });

    const outcomes = await Promise.allSettled([closeFailedMint(wrongDeposit), closeFailedMint(wrongDeposit)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readDeposit(wrongDeposit.id)).toMatchObject({ mintStatus: 'closed', mint: { state: 'closed' } });
    const right = await operator.api.deposits.add(fields);
    await expect(operator.api.deposits.add(fields)).rejects.toMatchObject({ code: 'DEPOSIT_KNOWN', data: { ids: [right.id] } });
    await operator.api.deposits.remove({ items: [{ id: right.id, version: right.version }] });

    const secondMint = await addConfirmedMint({ recipient: depositFields.userAddress }, wrongDeposit.txid);
    await expect(addConfirmedMint({}, wrongDeposit.txid)).rejects.toMatchObject({ cause: { constraint: 'deposits_output' } });
    await runMintRounds();
    expect(await readDeposit(secondMint.id)).toMatchObject({ mintStatus: 'done' });
    expect(await readDeposit(wrongDeposit.id)).toMatchObject({ mintStatus: 'closed' });
    const args = [depositFields.userAddress] as const;
    expect(await chain.client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'balanceOf', args })).toBe(weiPerToken);
    const requeueQuery = app.database.db.update(mints).set({ state: 'queued' }).where(eq(mints.depositId, wrongDeposit.id));
    await expect(requeueQuery).rejects.toMatchObject({ cause: { message: 'a closed mint does not go on' } });
  });

  test('works for a canceled mint', async () => {
    const row = await cancelMint(await addConfirmedMint());
    expect(await closeFailedMint(row)).toMatchObject({ mintStatus: 'closed' });
  });

  test('is refused for a mint that waits, is minted, or was minted after all', async () => {
    await expect(closeFailedMint(await addConfirmedMint())).rejects.toMatchObject(moneyRefusalOf('NOT_CLOSABLE'));
    const row = await addConfirmedMint({ state: 'failed', problem: 'REVERTED' });
    const args = [depositHash('regtest', row.txid, 0), devnetAccounts.deployer.address, 1n] as const;
    await chain.as(devnetAccounts.minter).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'mint', args });
    await expect(closeFailedMint(row)).rejects.toMatchObject(moneyRefusalOf('MINTED')); // in the newest block, not settled
  });

  test('is refused until the nonce of kept signed bytes is used', async () => {
    await chain.client.setAutomine(false);
    const { db } = app.database;
    const row = await addConfirmedMint();
    const unsentChain = { ...createMintContext().chain, send: async () => {} };
    await stepMints(createMintContext({ chain: unsentChain }));
    const [bytes] = await readSignedTransactions();
    await db.update(mints).set({ state: 'failed', problem: 'NONCE_TAKEN' });
    await db.update(deposits).set({ mintStatus: 'failed' });
    const failedRow = await readDeposit(row.id);
    await expect(closeFailedMint(failedRow)).rejects.toMatchObject(moneyRefusalOf('MAY_MINT'));
    // Another transaction uses the nonce. Only when it is settled are the signed bytes useless.
    await chain.as(devnetAccounts.minter).sendTransaction({ to: receiver, value: 0n, nonce: bytes?.nonce });
    await chain.client.mine({ blocks: 1 });
    await expect(closeFailedMint(failedRow)).rejects.toMatchObject(moneyRefusalOf('MAY_MINT'));
    await chain.client.mine({ blocks: 3 });
    expect(await closeFailedMint(failedRow)).toMatchObject({ mintStatus: 'closed' });
    await expect(
      chain.client.sendRawTransaction({ serializedTransaction: createKeySigner(minterKey).open(bytes?.raw ?? '') ?? '0x' }),
    ).rejects.toThrow(/nonce/);
  });
});
