import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import type { Services } from '../platform/services/context.ts';
import { evmChain, keySigner } from '../platform/evm/mint.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { minterKey } from '../testing/signer-process.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { deposits } from './tables.ts';
import { mints, mintTransactions } from '../mints/tables.ts';
import { administrators } from '../platform/auth/tables.ts';
import { stepMints, type MintWork } from '../mints/mints.ts';
import { storeIn } from '../../testing/factories/store.ts';

const depth = 2n;
const { ybtc, custodyBridge: bridge } = devnetContracts;
const receiver = devnetAccounts.borrower.address;
const wei = 10n ** 18n;
const satoshi = 10n ** 8n;

let chain: TestChain;
let app: TestApp;
let operator: TestSession;
let approver: TestSession;
let all: TestSession;
let confirmer: string;
beforeAll(async () => {
  chain = await startTestChain();
  app = await testApp(
    {
      EVM_RPC_URL: chain.url,
      EVM_CHAIN_ID: '31337',
      MINT_DEPTH: String(depth),
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
  [operator, approver, all] = await Promise.all([signInAs(app, 'operator'), signInAs(app, 'approver'), signInAs(app, 'all')]);
  const [found] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'approver@demo.local'));
  confirmer = found?.id ?? '';
  const band = { from: '0', below: null, approvals: 1, role: null, perDay: null, delaySeconds: 1800 };
  await keyed(all).authority.setRules({ root: 1, coolingSeconds: 0, receivers: 'any', bands: [band], refundBands: [] });
}, 60_000);
afterAll(() => chain.stop());

let next = 1;
beforeEach(async () => {
  await app.database.db.execute(sql`truncate mints, mint_transactions, signer_nonces, deposits, money_freezes cascade`);
  await chain.client.setAutomine(true);
});

const keyed = ({ headers }: TestSession, key: string = newId()) => apiOf(app, { ...headers, 'idempotency-key': key });
const refused = (reason: string) => ({ code: 'MONEY_REFUSED', data: { reason } });

const work = (more: Partial<MintWork> = {}): MintWork => {
  const { config, database, clock } = app;
  const services: Services = {
    config,
    database,
    log: createLogger({ level: 'silent' }),
    now: () => clock.now,
    ...openExternalServices(config),
  };
  const signer = keySigner(minterKey);
  const { mintLimits: limits } = config;
  const node = evmChain({ urls: [chain.url], chainId: 31_337, ybtc, bridge, signer });
  return {
    services,
    chain: node,
    depth,
    limits,
    evidence: async () => ({ verdict: 'holds', details: null }),
    permit: async () => null,
    standstill: async () => null,
    ...more,
  };
};
async function settle(how = work()): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await stepMints(how);
    await chain.client.mine({ blocks: 2 });
    app.clock.now += 61_000;
  }
}

async function confirmed(change: Partial<typeof mints.$inferInsert> = {}, txid = (next++).toString(16).padStart(64, 'c')) {
  const at = new Date(app.clock.now);
  const store = storeIn(app.database.db);
  const deposit = await store.deposit({
    userAddress: receiver,
    amount: satoshi,
    txid,
    status: 'confirmed',
    mintStatus: change.state === 'failed' ? 'failed' : 'queued',
    confirmedBy: confirmer,
    confirmedAt: at,
    createdAt: at,
  });
  await store.mint(deposit, { token: ybtc, bridge, amount: wei, ...change });
  return read(deposit.id);
}
async function read(id: string): Promise<DepositRow> {
  const [row] = await all.api.deposits.many({ ids: [id] });
  if (!row) throw new Error('the deposit is gone');
  return row;
}
const item = ({ id, version }: DepositRow) => ({ id, version, reason: 'The receiver is another one' });
const cancel = (row: DepositRow, by = operator, key?: string) => keyed(by, key).deposits.cancelMint(item(row));
const close = (row: DepositRow, by = all) => keyed(by).deposits.closeFailed(item(row));
const minted = (row: DepositRow) => work().chain.minted(depositHash('regtest', row.txid, 0));
const signed = () => app.database.db.select().from(mintTransactions);

describe('canceling a mint', () => {
  test('prevents its signature, and its deposit shows it', async () => {
    const row = await confirmed();
    const key = newId();
    const at = async (point: string) => {
      if (point === 'queued: asked') await cancel(row, operator, key);
    };
    await stepMints(work({ at }));
    expect(await read(row.id)).toMatchObject({
      mintStatus: 'canceled',
      mint: { state: 'canceled', problem: 'CANCELED', details: 'The receiver is another one' },
    });
    expect(await cancel(row, operator, key)).toMatchObject({ mintStatus: 'canceled' }); // the double click
    const after = await read(row.id);
    await expect(cancel(after)).rejects.toMatchObject(refused('SIGNED'));
    await expect(keyed(approver).deposits.retryMint({ id: after.id, version: after.version })).rejects.toMatchObject(
      refused('NOT_FAILED'),
    );
    await settle();
    expect([await signed(), await minted(row)]).toEqual([[], 0n]);
    const { entries } = await all.api.deposits.history({ id: row.id });
    expect(entries[0]).toMatchObject({ actorEmail: 'operator@demo.local', after: { reason: 'The receiver is another one' } });
  });

  test('is enforced by the database for states and signed bytes', async () => {
    const row = await confirmed();
    await cancel(row);
    const { db } = app.database;
    const wakes = db.update(mints).set({ state: 'queued' }).where(eq(mints.depositId, row.id));
    await expect(wakes).rejects.toMatchObject({ cause: { message: 'a canceled mint does not go on' } });
    const [mint] = await db.select().from(mints);
    const bytes = { hash: '0x1', mintId: mint?.id ?? '', nonce: 0, raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
    await expect(db.insert(mintTransactions).values({ ...bytes, createdAt: new Date() })).rejects.toMatchObject({
      cause: { message: 'this mint is not signed for' },
    });
  });

  test('races with the signature, and exactly one of both happens', async () => {
    for (let round = 0; round < 6; round++) {
      const row = await confirmed();
      const [answer] = await Promise.allSettled([cancel(row), stepMints(work())]);
      const bytes = (await signed()).length;
      const { mintStatus } = await read(row.id);
      if (answer.status === 'fulfilled') expect([mintStatus, bytes]).toEqual(['canceled', 0]);
      else expect(bytes).toBe(1);
      await app.database.db.execute(sql`truncate mints, mint_transactions, deposits cascade`);
      await chain.client.mine({ blocks: 1 });
    }
  });

  test('is refused for a signed or outdated mint, and without reason, key or permission', async () => {
    const row = await confirmed();
    const analyst = await signInAs(app, 'analyst');
    await expect(cancel(row, analyst)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(operator.api.deposits.cancelMint(item(row))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(keyed(operator).deposits.cancelMint({ ...item(row), reason: ' ' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await stepMints(work());
    await expect(cancel(row)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(cancel(await read(row.id))).rejects.toMatchObject(refused('SIGNED'));
    await settle();
  });

  test('is possible during the delay, also of a retried mint', async () => {
    const failed = await confirmed({ state: 'failed', problem: 'REVERTED' });
    const row = await keyed(approver).deposits.retryMint({ id: failed.id, version: failed.version });
    const mint = async () => {
      const [found] = await app.database.db.select().from(mints).where(eq(mints.depositId, row.id));
      if (!found) throw new Error('the mint is gone');
      return found;
    };
    const from = app.clock.now + 30 * 60_000;
    expect(row.mint).toMatchObject({ state: 'queued', signFrom: new Date(from).toISOString() });
    // The mint is checked repeatedly until then.
    for (let round = 0; round < 3; round++) {
      const { attempts } = await mint();
      await stepMints(work());
      expect((await mint()).attempts).toBe(attempts + 1);
      app.clock.now += 60_000;
    }
    app.clock.now = from - 1;
    await stepMints(work());
    expect(await signed()).toEqual([]);
    app.clock.now = from;
    await stepMints(work());
    expect(await signed()).toHaveLength(1);
    await settle();
    expect(await read(row.id)).toMatchObject({ mintStatus: 'done' });
  });
});

describe('closing a deposit that was not minted', () => {
  test('by another person lets its output be recorded again and minted once', async () => {
    const wrong = await confirmed({ state: 'failed', problem: 'EVIDENCE' });
    await expect(close(wrong, approver)).rejects.toMatchObject(refused('CONFIRMED_BY_YOU'));
    await expect(close(wrong, operator)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const typed = { userAddress: devnetAccounts.deployer.address, type: 'cobo', lockTime: null, remarks: '' } as const;
    const coboAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
    const fields = { ...typed, coboAddress, amount: String(satoshi), txid: wrong.txid, vout: 0 };
    await expect(operator.api.deposits.add(fields)).rejects.toMatchObject({ code: 'DEPOSIT_KNOWN' });

    const answers = await Promise.allSettled([close(wrong), close(wrong)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await read(wrong.id)).toMatchObject({ mintStatus: 'closed', mint: { state: 'closed' } });
    const right = await operator.api.deposits.add(fields);
    await expect(operator.api.deposits.add(fields)).rejects.toMatchObject({ code: 'DEPOSIT_KNOWN', data: { ids: [right.id] } });
    await operator.api.deposits.remove({ items: [{ id: right.id, version: right.version }] });

    const again = await confirmed({ recipient: typed.userAddress }, wrong.txid);
    await expect(confirmed({}, wrong.txid)).rejects.toMatchObject({ cause: { constraint: 'deposits_output' } });
    await settle();
    expect(await read(again.id)).toMatchObject({ mintStatus: 'done' });
    expect(await read(wrong.id)).toMatchObject({ mintStatus: 'closed' });
    const args = [typed.userAddress] as const;
    expect(await chain.client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'balanceOf', args })).toBe(wei);
    const wakes = app.database.db.update(mints).set({ state: 'queued' }).where(eq(mints.depositId, wrong.id));
    await expect(wakes).rejects.toMatchObject({ cause: { message: 'a closed mint does not go on' } });
  });

  test('works for a canceled mint', async () => {
    const row = await cancel(await confirmed());
    expect(await close(row)).toMatchObject({ mintStatus: 'closed' });
  });

  test('is refused for a mint that waits, is minted, or was minted after all', async () => {
    await expect(close(await confirmed())).rejects.toMatchObject(refused('NOT_CLOSABLE'));
    const row = await confirmed({ state: 'failed', problem: 'REVERTED' });
    const args = [depositHash('regtest', row.txid, 0), devnetAccounts.deployer.address, 1n] as const;
    await chain.as(devnetAccounts.minter).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'mint', args });
    await expect(close(row)).rejects.toMatchObject(refused('MINTED')); // in the newest block, not settled
  });

  test('is refused until the nonce of kept signed bytes is used', async () => {
    await chain.client.setAutomine(false);
    const { db } = app.database;
    const row = await confirmed();
    const keep = { ...work().chain, send: async () => {} };
    await stepMints(work({ chain: keep }));
    const [bytes] = await signed();
    await db.update(mints).set({ state: 'failed', problem: 'NONCE_TAKEN' });
    await db.update(deposits).set({ mintStatus: 'failed' });
    const failed = await read(row.id);
    await expect(close(failed)).rejects.toMatchObject(refused('MAY_MINT'));
    // Another transaction uses the nonce. Only when it is settled are the signed bytes useless.
    await chain.as(devnetAccounts.minter).sendTransaction({ to: receiver, value: 0n, nonce: bytes?.nonce });
    await chain.client.mine({ blocks: 1 });
    await expect(close(failed)).rejects.toMatchObject(refused('MAY_MINT'));
    await chain.client.mine({ blocks: 3 });
    expect(await close(failed)).toMatchObject({ mintStatus: 'closed' });
    await expect(
      chain.client.sendRawTransaction({ serializedTransaction: keySigner(minterKey).open(bytes?.raw ?? '') ?? '0x' }),
    ).rejects.toThrow(/nonce/);
  });
});
