import { describe, expect, test } from 'vitest';
import type { RefundClaim } from '../../api/authority/statements.ts';
import {
  buildTestGenesis,
  createPasskeyPerson,
  payoutAddressOfA,
  payoutAddressOfB,
  receiverA,
  receiverB,
  buildRefundClaim,
  buildTestRules,
  TestLog,
  createWalletPerson,
  buildRequestedRefund,
  wholeRangeBand,
} from '../testing/authority.ts';
import { findCoveringRefunds, checkRefund, type RequestedRefund } from './check-refund.ts';
import { LogError } from './replay.ts';

const ann = createPasskeyPerson('Ann', ['custody']);
const bob = createWalletPerson('Bob', ['custody']);
const cid = createPasskeyPerson('Cid', ['head']);
const day = 86_400_000;
const reason = 'a reason';

const newLog = (policy: Parameters<typeof buildTestRules>[0] = {}) =>
  new TestLog(buildTestGenesis([ann, bob, cid], { policy: buildTestRules(policy) }));

function approvedLog(claim: RefundClaim = buildRefundClaim(), policy: Parameters<typeof buildTestRules>[0] = {}): TestLog {
  const log = newLog(policy);
  return log.sign(log.propose('refund.approve', claim), ann, bob);
}

async function refusalOf(
  log: TestLog,
  requestedRefund: RequestedRefund = buildRequestedRefund(buildRefundClaim()),
  { now = log.now, freezes = [] as readonly string[] } = {},
): Promise<string | null> {
  try {
    return checkRefund(await log.read(), requestedRefund, { now, freezes }).refusal;
  } catch (error) {
    if (error instanceof LogError) return `line ${error.problem}`;
    throw error;
  }
}

const policyWithBand = (overrides: Partial<typeof wholeRangeBand>) => ({ refundBands: [{ ...wholeRangeBand, ...overrides }] });

describe('a request of a refund by a wallet', () => {
  test('is allowed when enough people signed for exactly this deposit, amount, account and payout address', async () => {
    expect(await refusalOf(approvedLog())).toBeNull();
  });

  test('is refused for another payout address, amount, account, deposit, chain or bridge', async () => {
    const log = approvedLog();
    const requestedRefund = buildRequestedRefund(buildRefundClaim());
    for (const overrides of [
      { receiver: payoutAddressOfA },
      { receiver: payoutAddressOfB.toUpperCase() },
      { satoshi: '150000001' },
      { account: receiverA },
      { chainId: 1 },
      { bridge: receiverA },
    ])
      expect(await refusalOf(log, { ...requestedRefund, ...overrides }), JSON.stringify(overrides)).toBe('OTHER');
    expect(await refusalOf(log, { ...requestedRefund, txid: 'cd'.repeat(32) })).toBe('NO_STATEMENT');
  });

  test('is refused with one signature, or one of a removed person', async () => {
    const unsignedLog = newLog();
    expect(await refusalOf(unsignedLog.sign(unsignedLog.propose('refund.approve', buildRefundClaim()), ann))).toBe('NOT_ENOUGH');
    const log = approvedLog();
    log.sign(log.propose('approver.remove', { person: bob.person, name: 'Bob', reason }), ann, cid);
    expect(await refusalOf(log)).toBe('NOT_ENOUGH');
  });

  test('is refused with a signature of an author of the withdrawal', async () => {
    expect(await refusalOf(approvedLog(buildRefundClaim({ authors: [bob.person] })))).toBe('line AUTHOR');
  });

  test('is refused when the signers lack the role of the refund band', async () => {
    expect(await refusalOf(approvedLog(buildRefundClaim(), policyWithBand({ role: 'head' })))).toBe('ROLE');
    expect(await refusalOf(approvedLog(buildRefundClaim(), policyWithBand({ role: 'custody' })))).toBeNull();
  });

  test('is refused for an amount without a refund band, regardless of the mint bands', async () => {
    expect(await refusalOf(approvedLog(buildRefundClaim(), { refundBands: [] }))).toBe('NO_BAND');
  });

  test('is refused after the approval expired or the rules changed', async () => {
    const log = approvedLog();
    expect(await refusalOf(log, buildRequestedRefund(buildRefundClaim()), { now: log.now + 8 * day })).toBe('EXPIRED');
    log.sign(log.propose('policy.set', buildTestRules(policyWithBand({ approvals: 3 }))), ann, bob);
    expect(await refusalOf(log, buildRequestedRefund(buildRefundClaim()), { now: log.now + 2 * day })).toBe('OLD_POLICY');
  });

  test('is refused before the delay of its band is over', async () => {
    const log = approvedLog(buildRefundClaim(), policyWithBand({ delaySeconds: 3600 }));
    expect(await refusalOf(log)).toBe('DELAY');
    expect(await refusalOf(log.wait(3600))).toBeNull();
  });

  test('is refused while the log or the ledger is frozen', async () => {
    const log = approvedLog();
    expect(await refusalOf(log, buildRequestedRefund(buildRefundClaim()), { freezes: ['ledger-1'] })).toBe('FROZEN');
    expect(await refusalOf(log.sign(log.propose('freeze', { reason }), cid))).toBe('FROZEN');
  });

  test('is refused for an address that is not, or no longer, a payout address of the institution', async () => {
    const claim = buildRefundClaim({ payout: payoutAddressOfA });
    expect(await refusalOf(approvedLog(claim), buildRequestedRefund(claim))).toBe('PAYOUT');
    const log = approvedLog();
    const entry = { address: receiverB, institution: 'Beta Fund', custody: [], payout: [] };
    log.sign(log.propose('receiver.add', entry), ann, bob);
    expect(await refusalOf(log, buildRequestedRefund(buildRefundClaim()), { now: log.now + 2 * day })).toBe('PAYOUT');
    log.sign(log.propose('receiver.remove', { address: receiverB, reason }), ann, bob);
    expect(await refusalOf(log)).toBe('ACCOUNT');
  });

  test('is refused above the daily limit, counting each deposit once', async () => {
    const log = newLog(policyWithBand({ perDay: '300000000' }));
    const claims = [0, 1, 2].map((vout) => buildRefundClaim({ vout, txid: `${vout}`.repeat(64) }));
    for (const claim of claims) log.sign(log.wait(60).propose('refund.approve', claim), ann, bob);
    const [firstRefusal, secondRefusal, thirdRefusal] = await Promise.all(
      claims.map((claim) => refusalOf(log, buildRequestedRefund(claim))),
    );
    expect([firstRefusal, secondRefusal, thirdRefusal]).toEqual([null, null, 'DAY_LIMIT']);
    const [firstClaim] = claims;
    if (!firstClaim) throw new Error('no claim');
    log.sign(log.wait(60).propose('refund.approve', { ...firstClaim, nonce: 9 }), ann, bob);
    expect(await refusalOf(log, buildRequestedRefund(firstClaim))).toBeNull();
  });
});

test('the log refuses an approval for another chain, network or bridge, or without an amount', async () => {
  for (const overrides of [{ chainId: 1 }, { network: 'mainnet' }, { bridge: receiverA }, { satoshi: '0' }] as const)
    expect(await refusalOf(approvedLog(buildRefundClaim(overrides))), JSON.stringify(overrides)).toBe('line CONTENT');
});

describe('a refund request on chain', () => {
  const isCovered = async (log: TestLog, overrides: Partial<RequestedRefund> = {}, instant = log.now) =>
    findCoveringRefunds(await log.read(), buildRequestedRefund(buildRefundClaim(), { nonce: 7, ...overrides }), instant).length;

  test('is covered by an approval of exactly this, made with its nonce or a later one', async () => {
    const log = approvedLog();
    expect(await isCovered(log)).toBe(1);
    expect(await isCovered(log, { nonce: 8 })).toBe(1);
    expect(await isCovered(log, { nonce: 6 })).toBe(0);
    expect(await isCovered(log, { receiver: payoutAddressOfA })).toBe(0);
  });

  test('is not covered by an approval that was incomplete, delayed or expired at its time', async () => {
    const log = approvedLog(buildRefundClaim(), policyWithBand({ delaySeconds: 3600 }));
    const signedAt = log.now;
    expect(await isCovered(log, {}, signedAt - 1)).toBe(0);
    expect(await isCovered(log, {}, signedAt + 3_599_000)).toBe(0);
    expect(await isCovered(log, {}, signedAt + 3_600_000)).toBe(1);
    expect(await isCovered(log, {}, signedAt + 8 * day)).toBe(0);
  });

  test('stays covered if a signer was removed after the request', async () => {
    const log = approvedLog();
    const requestedAt = log.now;
    log.wait(60).sign(log.propose('approver.remove', { person: bob.person, name: 'Bob', reason }), ann, cid);
    expect(await isCovered(log, {}, requestedAt)).toBe(1);
  });
});
