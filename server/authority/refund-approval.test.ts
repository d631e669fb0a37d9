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
import { payoutOfA, payoutOfB } from '../testing/authority.ts';
import { chainEnv } from '../testing/crsm.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import {
  approvedRefund,
  payoutsOf,
  readRefundStatus,
  refundApproval,
  signRefund,
  type RefundFields,
} from './shared/refund-approval.ts';

const account = devnetAccounts.borrower.address;
let app: TestApp;
let services: Services;
let all: TestSession;
let operator: RequestContext;
let approver: RequestContext;

const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });

async function contextOf(email: string): Promise<RequestContext> {
  const [found] = await app.database.db.select().from(administrators).where(eq(administrators.email, email));
  if (!found) throw new Error(`nobody is ${email}`);
  const actor = { id: found.id, email, sessionId: '', granted: new Set<string>() };
  return { services, db: app.database.db, log: services.log, ip: '127.0.0.1', actor } as unknown as RequestContext;
}

const inTx = <T>(act: (tx: Tx) => Promise<T>) => app.database.db.transaction(act);
const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string; data?: { reason?: string } }) => error.data?.reason ?? error.code,
  );

let salt = 0;
/** `amount` in BTC. */
const fields = (over: Partial<RefundFields> = {}): RefundFields => {
  const { evm, bitcoinNetwork: network } = app.config;
  if (!evm) throw new Error('there is a chain');
  const txid = (++salt).toString(16).padStart(64, 'e');
  const place = { chainId: evm.chainId, bridge: evm.contracts.custodyBridge, network };
  return { txid, vout: 0, satoshi: '5000', account, payout: payoutOfA, ...place, nonce: 0, authors: [], ...over };
};
const wanted = ({ txid, satoshi, payout, chainId, bridge }: RefundFields) => ({
  txid,
  satoshi,
  account,
  receiver: payout,
  chainId,
  bridge,
  nonce: null,
});

beforeAll(async () => {
  app = await testApp({ ...chainEnv('http://127.0.0.1:9'), BITCOIN_NETWORK: 'regtest' }, { jobs: false });
  const { config, database, clock } = app;
  services = { config, database, log: createLogger({ level: 'silent' }), now: () => clock.now, ...openExternalServices(config) };
  all = await signInAs(app, 'all');
  const entry = { address: account, institution: 'Alpha Bank', custody: [], payout: [payoutOfA] };
  const { id } = await keyed(all).authority.addReceiver(entry);
  await keyed(await signInAs(app, 'approver')).authority.sign({ id });
  [operator, approver] = await Promise.all([contextOf('operator@demo.local'), contextOf('approver@demo.local')]);
});

describe('a signed refund', () => {
  test('can be requested, covers the request on chain, and names the signers', async () => {
    const refund = fields();
    expect(await payoutsOf(services, services.database.db, account)).toEqual([payoutOfA]);
    expect(await refundApproval(services, services.database.db, wanted(refund))).toMatchObject({ refusal: 'NO_STATEMENT' });
    const signed = await inTx((tx) => signRefund(approver, tx, refund, null, null));
    expect(signed).toMatchObject({ isNew: true, missing: 0, signers: [{ name: 'approver@demo.local', isEligible: true }] });
    expect(await refundApproval(services, services.database.db, wanted(refund))).toMatchObject({ refusal: null });
    const requested = { ...wanted(refund), nonce: 3 };
    expect(await approvedRefund(services, services.database.db, requested, app.clock.now)).toEqual([signed.statement]);
    const status = await readRefundStatus(services, services.database.db);
    expect(status({ statement: signed.statement, satoshi: 5000n })).toMatchObject({ missing: 0 });
  });

  test('waits for a second signature if its band requires two', async () => {
    const refund = fields({ satoshi: '1500000000' });
    const first = await inTx((tx) => signRefund(approver, tx, refund, null, null));
    expect(first.missing).toBe(1);
    expect(await refundApproval(services, services.database.db, wanted(refund))).toMatchObject({ refusal: 'NOT_ENOUGH' });
    const again = await inTx((tx) => signRefund(approver, tx, refund, first.statement, null));
    expect(again).toMatchObject({ isNew: false, missing: 1, statement: first.statement });
    const second = await inTx((tx) => signRefund(operator, tx, refund, first.statement, null));
    expect(second).toMatchObject({ missing: 0, statement: first.statement });
  });
});

describe('a signature of a refund', () => {
  const signing = (context: RequestContext, refund: RefundFields) =>
    reasonOf(inTx((tx) => signRefund(context, tx, refund, null, null)));

  test('is refused to people who recorded or edited the withdrawal', async () => {
    expect(await signing(approver, fields({ authors: [approver.actor?.id ?? ''] }))).toBe('REFUND_AUTHOR');
  });

  test('is refused for an address that is not a payout address, or an account without an entry', async () => {
    expect(await signing(approver, fields({ payout: payoutOfB }))).toBe('PAYOUT');
    expect(await signing(approver, fields({ account: devnetAccounts.minter.address }))).toBe('ACCOUNT');
  });

  test('is refused above the daily limit', async () => {
    const big = () => fields({ satoshi: '600000000' });
    const tenMore = Array.from({ length: 8 }, big);
    for (const refund of tenMore) expect(await signing(approver, refund)).toBe('done');
    expect(await signing(approver, big())).toBe('REFUND_DAY_LIMIT');
  });

  test('is refused to an account changed lately, and together with the person who changed it', async () => {
    const admin = await contextOf('admin@demo.local');
    const victim = approver.actor?.id ?? '';
    await inTx((tx) => recordAccountChange(tx, admin, [victim], 'email'));
    expect(await signing(approver, fields())).toBe('COOLING');
    app.clock.now += 25 * 3_600_000;
    const refund = fields({ satoshi: '1500000000' });
    const first = await inTx((tx) => signRefund(approver, tx, refund, null, null));
    expect(await reasonOf(inTx((tx) => signRefund(admin, tx, refund, first.statement, null)))).toBe('TOGETHER');
    expect(await inTx((tx) => signRefund(operator, tx, refund, first.statement, null))).toMatchObject({ missing: 0 });
  });

  test('is refused while money is frozen', async () => {
    await keyed(await signInAs(app, 'all')).authority.freeze({ reason: 'looked at' });
    expect(await signing(operator, fields())).toBe('MONEY_FROZEN');
  });
});
