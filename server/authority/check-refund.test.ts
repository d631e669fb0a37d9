import { describe, expect, test } from 'vitest';
import type { RefundClaim } from '../../api/authority/statements.ts';
import {
  testGenesis,
  passkeyPerson,
  payoutOfA,
  payoutOfB,
  receiverA,
  receiverB,
  refundOf,
  testRules,
  TestLog,
  walletPerson,
  wantedRefundOf,
  wholeRange,
} from '../testing/authority.ts';
import { coveringRefunds, checkRefund, type RequestedRefund } from './check-refund.ts';
import { LogError } from './replay.ts';

const ann = passkeyPerson('Ann', ['custody']);
const bob = walletPerson('Bob', ['custody']);
const cid = passkeyPerson('Cid', ['head']);
const day = 86_400_000;
const reason = 'a reason';

const newLog = (policy: Parameters<typeof testRules>[0] = {}) =>
  new TestLog(testGenesis([ann, bob, cid], { policy: testRules(policy) }));

function approved(claim: RefundClaim = refundOf(), policy: Parameters<typeof testRules>[0] = {}): TestLog {
  const log = newLog(policy);
  return log.sign(log.propose('refund.approve', claim), ann, bob);
}

async function refusal(
  log: TestLog,
  requested: RequestedRefund = wantedRefundOf(refundOf()),
  { now = log.now, freezes = [] as readonly string[] } = {},
): Promise<string | null> {
  try {
    return checkRefund(await log.read(), requested, { now, freezes }).refusal;
  } catch (error) {
    if (error instanceof LogError) return `line ${error.problem}`;
    throw error;
  }
}

const band = (over: Partial<typeof wholeRange>) => ({ refundBands: [{ ...wholeRange, ...over }] });

describe('a request of a refund by a wallet', () => {
  test('is allowed when enough people signed for exactly this deposit, amount, account and payout address', async () => {
    expect(await refusal(approved())).toBeNull();
  });

  test('is refused for another payout address, amount, account, deposit, chain or bridge', async () => {
    const log = approved();
    const requested = wantedRefundOf(refundOf());
    for (const over of [
      { receiver: payoutOfA },
      { receiver: payoutOfB.toUpperCase() },
      { satoshi: '150000001' },
      { account: receiverA },
      { chainId: 1 },
      { bridge: receiverA },
    ])
      expect(await refusal(log, { ...requested, ...over }), JSON.stringify(over)).toBe('OTHER');
    expect(await refusal(log, { ...requested, txid: 'cd'.repeat(32) })).toBe('NO_STATEMENT');
  });

  test('is refused with one signature, or one of a removed person', async () => {
    const one = newLog();
    expect(await refusal(one.sign(one.propose('refund.approve', refundOf()), ann))).toBe('NOT_ENOUGH');
    const log = approved();
    log.sign(log.propose('approver.remove', { person: bob.person, name: 'Bob', reason }), ann, cid);
    expect(await refusal(log)).toBe('NOT_ENOUGH');
  });

  test('is refused with a signature of an author of the withdrawal', async () => {
    expect(await refusal(approved(refundOf({ authors: [bob.person] })))).toBe('line AUTHOR');
  });

  test('is refused when the signers lack the role of the refund band', async () => {
    expect(await refusal(approved(refundOf(), band({ role: 'head' })))).toBe('ROLE');
    expect(await refusal(approved(refundOf(), band({ role: 'custody' })))).toBeNull();
  });

  test('is refused for an amount without a refund band, regardless of the mint bands', async () => {
    expect(await refusal(approved(refundOf(), { refundBands: [] }))).toBe('NO_BAND');
  });

  test('is refused after the approval expired or the rules changed', async () => {
    const log = approved();
    expect(await refusal(log, wantedRefundOf(refundOf()), { now: log.now + 8 * day })).toBe('EXPIRED');
    log.sign(log.propose('policy.set', testRules(band({ approvals: 3 }))), ann, bob);
    expect(await refusal(log, wantedRefundOf(refundOf()), { now: log.now + 2 * day })).toBe('OLD_POLICY');
  });

  test('is refused before the delay of its band is over', async () => {
    const log = approved(refundOf(), band({ delaySeconds: 3600 }));
    expect(await refusal(log)).toBe('DELAY');
    expect(await refusal(log.wait(3600))).toBeNull();
  });

  test('is refused while the log or the ledger is frozen', async () => {
    const log = approved();
    expect(await refusal(log, wantedRefundOf(refundOf()), { freezes: ['ledger-1'] })).toBe('FROZEN');
    expect(await refusal(log.sign(log.propose('freeze', { reason }), cid))).toBe('FROZEN');
  });

  test('is refused for an address that is not, or no longer, a payout address of the institution', async () => {
    const claim = refundOf({ payout: payoutOfA });
    expect(await refusal(approved(claim), wantedRefundOf(claim))).toBe('PAYOUT');
    const log = approved();
    const entry = { address: receiverB, institution: 'Beta Fund', custody: [], payout: [] };
    log.sign(log.propose('receiver.add', entry), ann, bob);
    expect(await refusal(log, wantedRefundOf(refundOf()), { now: log.now + 2 * day })).toBe('PAYOUT');
    log.sign(log.propose('receiver.remove', { address: receiverB, reason }), ann, bob);
    expect(await refusal(log)).toBe('ACCOUNT');
  });

  test('is refused above the daily limit, counting each deposit once', async () => {
    const log = newLog(band({ perDay: '300000000' }));
    const claims = [0, 1, 2].map((vout) => refundOf({ vout, txid: `${vout}`.repeat(64) }));
    for (const claim of claims) log.sign(log.wait(60).propose('refund.approve', claim), ann, bob);
    const [first, second, third] = await Promise.all(claims.map((claim) => refusal(log, wantedRefundOf(claim))));
    expect([first, second, third]).toEqual([null, null, 'DAY_LIMIT']);
    const [again] = claims;
    if (!again) throw new Error('no claim');
    log.sign(log.wait(60).propose('refund.approve', { ...again, nonce: 9 }), ann, bob);
    expect(await refusal(log, wantedRefundOf(again))).toBeNull();
  });
});

test('the log refuses an approval for another chain, network or bridge, or without an amount', async () => {
  for (const over of [{ chainId: 1 }, { network: 'mainnet' }, { bridge: receiverA }, { satoshi: '0' }] as const)
    expect(await refusal(approved(refundOf(over))), JSON.stringify(over)).toBe('line CONTENT');
});

describe('a refund request on chain', () => {
  const covers = async (log: TestLog, over: Partial<RequestedRefund> = {}, at = log.now) =>
    coveringRefunds(await log.read(), wantedRefundOf(refundOf(), { nonce: 7, ...over }), at).length;

  test('is covered by an approval of exactly this, made with its nonce or a later one', async () => {
    const log = approved();
    expect(await covers(log)).toBe(1);
    expect(await covers(log, { nonce: 8 })).toBe(1);
    expect(await covers(log, { nonce: 6 })).toBe(0);
    expect(await covers(log, { receiver: payoutOfA })).toBe(0);
  });

  test('is not covered by an approval that was incomplete, delayed or expired at its time', async () => {
    const log = approved(refundOf(), band({ delaySeconds: 3600 }));
    const signed = log.now;
    expect(await covers(log, {}, signed - 1)).toBe(0);
    expect(await covers(log, {}, signed + 3_599_000)).toBe(0);
    expect(await covers(log, {}, signed + 3_600_000)).toBe(1);
    expect(await covers(log, {}, signed + 8 * day)).toBe(0);
  });

  test('stays covered if a signer was removed after the request', async () => {
    const log = approved();
    const requested = log.now;
    log.wait(60).sign(log.propose('approver.remove', { person: bob.person, name: 'Bob', reason }), ann, cid);
    expect(await covers(log, {}, requested)).toBe(1);
  });
});
