import { createStore } from '../../testing/factories/store.ts';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { devnetAccounts } from '../../chain/deploy.ts';
import { recordAccountChange } from '../platform/auth/account-changes.ts';
import { administrators } from '../platform/auth/tables.ts';
import type { RequestContext, Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import type { Tx } from '../platform/db/db.ts';
import { payoutAddressOfA, payoutAddressOfB } from '../testing/authority.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createApi, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import {
  findApprovedRefund,
  readPayoutAddresses,
  readRefundStatus,
  readRefundVerdict,
  signRefund,
  type RefundFields,
} from './shared/refund-approval.ts';

const account = devnetAccounts.borrower.address;
let app: TestApp;
let services: Services;
let adminSession: TestSession;
let operator: RequestContext;
let approver: RequestContext;

const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });

async function createContext(email: string): Promise<RequestContext> {
  const [administrator] = await app.database.db.select().from(administrators).where(eq(administrators.email, email));
  if (!administrator) throw new Error(`nobody is ${email}`);
  const actor = { kind: 'person', id: administrator.id, email, sessionId: '', granted: new Set<string>() };
  return { services, db: app.database.db, log: services.log, ip: '127.0.0.1', actor } as unknown as RequestContext;
}

const withTransaction = <T>(runInTransaction: (tx: Tx) => Promise<T>) => app.database.db.transaction(runInTransaction);
const readRefusalReason = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => 'done',
    (error: { code?: string; data?: { reason?: string } }) => error.data?.reason ?? error.code,
  );

let salt = 0;
/** `amount` in BTC. */
const createRefundFields = (overrides: Partial<RefundFields> = {}): RefundFields => {
  const { evm, bitcoinNetwork: network } = app.config;
  if (!evm) throw new Error('there is a chain');
  const txid = (++salt).toString(16).padStart(64, 'e');
  const bridgeFields = { chainId: evm.chainId, bridge: evm.contracts.custodyBridge, network };
  return {
    txid,
    vout: 0,
    satoshi: '5000',
    account,
    payout: payoutAddressOfA,
    ...bridgeFields,
    nonce: 0,
    authors: [],
    ...overrides,
  };
};
const requestedRefundOf = ({ txid, satoshi, payout, chainId, bridge }: RefundFields) => ({
  txid,
  satoshi,
  account,
  receiver: payout,
  chainId,
  bridge,
  nonce: null,
});

beforeAll(async () => {
  app = await createTestApp({ ...buildChainEnv('http://127.0.0.1:9'), BITCOIN_NETWORK: 'regtest' }, { jobs: false });
  const { config, database, clock } = app;
  services = { config, database, log: createLogger({ level: 'silent' }), now: () => clock.now, ...openExternalServices(config) };
  adminSession = await signInAs(app, 'all');
  const entry = { address: account, institution: 'Alpha Bank', custody: [], payout: [payoutAddressOfA] };
  const { id } = await idempotentApi(adminSession).authority.addReceiver(entry);
  await idempotentApi(await signInAs(app, 'approver')).authority.sign({ id });
  [operator, approver] = await Promise.all([createContext('operator@demo.local'), createContext('approver@demo.local')]);
});

describe('a signed refund', () => {
  test('can be requested, covers the request on chain, and names the signers', async () => {
    const refund = createRefundFields();
    expect(await readPayoutAddresses(services, services.database.db, account)).toEqual([payoutAddressOfA]);
    expect(await readRefundVerdict(services, services.database.db, requestedRefundOf(refund))).toMatchObject({
      refusal: 'NO_STATEMENT',
    });
    const signedRefund = await withTransaction((tx) => signRefund(approver, tx, refund, null, null));
    expect(signedRefund).toMatchObject({ isNew: true, missing: 0, signers: [{ name: 'approver@demo.local', isEligible: true }] });
    expect(await readRefundVerdict(services, services.database.db, requestedRefundOf(refund))).toMatchObject({ refusal: null });
    const requestedRefund = { ...requestedRefundOf(refund), nonce: 3 };
    expect(await findApprovedRefund(services, services.database.db, requestedRefund, app.clock.now)).toEqual([
      signedRefund.statement,
    ]);
    const status = await readRefundStatus(services, services.database.db);
    expect(status({ statement: signedRefund.statement, satoshi: 5000n })).toMatchObject({ missing: 0 });
  });

  test('waits for a second signature if its band requires two', async () => {
    const refund = createRefundFields({ satoshi: '1500000000' });
    const firstSignature = await withTransaction((tx) => signRefund(approver, tx, refund, null, null));
    expect(firstSignature.missing).toBe(1);
    expect(await readRefundVerdict(services, services.database.db, requestedRefundOf(refund))).toMatchObject({
      refusal: 'NOT_ENOUGH',
    });
    const repeatedSignature = await withTransaction((tx) => signRefund(approver, tx, refund, firstSignature.statement, null));
    expect(repeatedSignature).toMatchObject({ isNew: false, missing: 1, statement: firstSignature.statement });
    const secondSignature = await withTransaction((tx) => signRefund(operator, tx, refund, firstSignature.statement, null));
    expect(secondSignature).toMatchObject({ missing: 0, statement: firstSignature.statement });
  });
});

describe('a signature of a refund', () => {
  const signRefundAs = (context: RequestContext, refund: RefundFields) =>
    readRefusalReason(withTransaction((tx) => signRefund(context, tx, refund, null, null)));

  test('is refused to people who recorded or edited the withdrawal', async () => {
    expect(await signRefundAs(approver, createRefundFields({ authors: [approver.actor?.id ?? ''] }))).toBe('REFUND_AUTHOR');
  });

  test('is refused for an address that is not a payout address, or an account without an entry', async () => {
    expect(await signRefundAs(approver, createRefundFields({ payout: payoutAddressOfB }))).toBe('PAYOUT');
    expect(await signRefundAs(approver, createRefundFields({ account: devnetAccounts.minter.address }))).toBe('ACCOUNT');
  });

  test('is refused above the daily limit', async () => {
    const createLargeRefund = () => createRefundFields({ satoshi: '600000000' });
    const largeRefunds = Array.from({ length: 8 }, createLargeRefund);
    for (const refund of largeRefunds) expect(await signRefundAs(approver, refund)).toBe('done');
    expect(await signRefundAs(approver, createLargeRefund())).toBe('REFUND_DAY_LIMIT');
  });

  test('is refused to an account changed lately, and together with the person who changed it', async () => {
    const adminContext = await createContext('admin@demo.local');
    const approverId = approver.actor?.id ?? '';
    await withTransaction((tx) => recordAccountChange(tx, adminContext, [approverId], 'email'));
    expect(await signRefundAs(approver, createRefundFields())).toBe('COOLING');
    app.clock.now += 25 * 3_600_000;
    const refund = createRefundFields({ satoshi: '1500000000' });
    const firstSignature = await withTransaction((tx) => signRefund(approver, tx, refund, null, null));
    expect(
      await readRefusalReason(withTransaction((tx) => signRefund(adminContext, tx, refund, firstSignature.statement, null))),
    ).toBe('TOGETHER');
    expect(await withTransaction((tx) => signRefund(operator, tx, refund, firstSignature.statement, null))).toMatchObject({
      missing: 0,
    });
  });

  test('is refused to the second of two people whom one colleague vouched for', async () => {
    const adminContext = await createContext('admin@demo.local');
    const store = createStore(app.database.db);
    const at = new Date(app.clock.now - 1_000 * 3_600_000);
    for (const of of ['operator@demo.local', 'admin@demo.local'])
      await store.accountChange({ of, by: 'access@demo.local', at, vouches: true });
    const refund = createRefundFields({ satoshi: '1500000000' });
    const { statement } = await withTransaction((tx) => signRefund(operator, tx, refund, null, null));
    expect(await readRefusalReason(withTransaction((tx) => signRefund(adminContext, tx, refund, statement, null)))).toBe(
      'TOGETHER',
    );
    await app.database.pool.query('delete from account_changes where by_enrollment_code');
  });

  test('is refused while money is frozen', async () => {
    await idempotentApi(await signInAs(app, 'all')).authority.freeze({ reason: 'looked at' });
    expect(await signRefundAs(operator, createRefundFields())).toBe('MONEY_FROZEN');
  });
});
