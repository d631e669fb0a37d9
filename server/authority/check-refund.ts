import type { AuthorityBand, RefundClaim } from '../../api/authority/statements.ts';
import { activeFreezes, countedSignersOf, type MintCheckInput, type RefundApproval } from './check-mint.ts';
import { outputKey, receiverAt, type Authority, type StatementStatus } from './authority.ts';
import { refundBandOf, rulesAt } from './rules.ts';

// Checked before a wallet opens, and for every request on chain.

export type RefundCheckRefusal =
  | 'NO_STATEMENT'
  | 'OTHER' // differs from the approval
  | 'NOT_ENOUGH' // valid signatures are missing
  | 'ROLE' // too few signers have the role
  | 'EXPIRED'
  | 'OLD_POLICY' // the rules have changed since it was proposed
  | 'NO_BAND' // the rules have no such amount
  | 'FROZEN'
  | 'DELAY' // the delay of the rules is not over
  | 'ACCOUNT' // not in the address book, or cooling
  | 'PAYOUT' // not a payout address of the institution, or cooling
  | 'DAY_LIMIT';

/** Satoshi as decimal text. */
export interface RequestedRefund {
  readonly txid: string;
  readonly satoshi: string;
  readonly account: string;
  readonly receiver: string;
  readonly chainId: number;
  readonly bridge: string;
  /** Null before the request. */
  readonly nonce: number | null;
}

export type RefundVerdict =
  | { readonly refusal: null; readonly status: RefundApproval; readonly details: null }
  | { readonly refusal: RefundCheckRefusal; readonly details: string | null };

const day = 86_400_000;
const equalsIgnoreCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const refuse = (refusal: RefundCheckRefusal, details: string | null = null): RefundVerdict => ({ refusal, details });

export const isRefundApproval = (status: StatementStatus): status is RefundApproval => status.statement.kind === 'refund.approve';

export const matchesRefundRequest = (claim: RefundClaim, requestedRefund: RequestedRefund): boolean =>
  claim.txid === requestedRefund.txid &&
  claim.satoshi === requestedRefund.satoshi &&
  claim.payout === requestedRefund.receiver &&
  claim.chainId === requestedRefund.chainId &&
  equalsIgnoreCase(claim.account, requestedRefund.account) &&
  equalsIgnoreCase(claim.bridge, requestedRefund.bridge) &&
  (requestedRefund.nonce === null || requestedRefund.nonce >= claim.nonce);

/** Requires an approval for exactly the requested refund, and checks its signers again. */
export function checkRefund(
  authority: Authority,
  requestedRefund: RequestedRefund,
  input: Pick<MintCheckInput, 'now' | 'freezes'>,
): RefundVerdict {
  const activeFreezeIds = activeFreezes(authority, input);
  if (activeFreezeIds.length > 0) return refuse('FROZEN', activeFreezeIds.join(', '));
  const proposedApprovals = refundsOf(authority, requestedRefund.txid);
  if (proposedApprovals.length === 0) return refuse('NO_STATEMENT');
  const matchingApprovals = proposedApprovals.filter(({ statement }) => matchesRefundRequest(statement.content, requestedRefund));
  const verdicts = matchingApprovals.toReversed().map((status) => checkApproval(authority, status, input.now));
  return verdicts.find(({ refusal }) => refusal === null) ?? verdicts[0] ?? refuse('OTHER');
}

const refundsOf = ({ refunds, statements }: Authority, txid: string): RefundApproval[] =>
  (refunds.get(txid) ?? []).flatMap((hash) => {
    const status = statements.get(hash);
    return status && isRefundApproval(status) ? [status] : [];
  });

function checkApproval(authority: Authority, status: RefundApproval, now: number): RefundVerdict {
  const { statement } = status;
  const claim = statement.content;
  if (now > Date.parse(statement.expires)) return refuse('EXPIRED', statement.expires);
  const { number, policy } = rulesAt(authority.policies, now);
  if (claim.policy !== number) return refuse('OLD_POLICY', `${claim.policy}, now ${number}`);
  const band = refundBandOf(policy, BigInt(claim.satoshi));
  if (!band) return refuse('NO_BAND');

  const countedSigners = countedSignersOf(authority, status, band, now);
  const eligibleSigners = countedSigners.filter(({ isEligible }) => isEligible);
  const decisiveSigner = eligibleSigners.toSorted((a, b) => a.from - b.from)[band.approvals - 1];
  if (!decisiveSigner)
    return countedSigners.length >= band.approvals
      ? refuse('ROLE', band.role)
      : refuse('NOT_ENOUGH', `${eligibleSigners.length} of ${band.approvals}`);

  const entry = receiverAt(authority, claim.account, now);
  if (!entry) return refuse('ACCOUNT', claim.account);
  if (!entry.payout.includes(claim.payout)) return refuse('PAYOUT', claim.payout);

  const usedAmount = sumRefundsInWindow(authority, band, status);
  if (band.perDay !== null && usedAmount + BigInt(claim.satoshi) > BigInt(band.perDay))
    return refuse('DAY_LIMIT', `${usedAmount} + ${claim.satoshi} > ${band.perDay}`);
  const from = decisiveSigner.from + band.delaySeconds * 1000;
  if (from > now) return refuse('DELAY', new Date(from).toISOString());
  return { refusal: null, status, details: null };
}

/** Satoshi of a band approved in the 24 hours before the approval was complete, each deposit once. */
function sumRefundsInWindow(authority: Authority, band: AuthorityBand, { statement, passedAt }: RefundApproval): bigint {
  const windowEnd = passedAt ?? Infinity;
  const approvalOutput = outputKey(statement.content);
  const isInBand = (satoshi: bigint) => BigInt(band.from) <= satoshi && (band.below === null || satoshi < BigInt(band.below));
  const countedAmounts = new Map<string, bigint>();
  for (let index = authority.passedRefunds.length - 1; index >= 0; index--) {
    const otherApproval = authority.statements.get(authority.passedRefunds.at(index) ?? '');
    if (!otherApproval || !isRefundApproval(otherApproval) || otherApproval.passedAt === null) continue;
    if (otherApproval.passedAt <= windowEnd - day) break;
    const { satoshi } = otherApproval.statement.content;
    const output = outputKey(otherApproval.statement.content);
    if (output !== approvalOutput && otherApproval.passedAt <= windowEnd && isInBand(BigInt(satoshi)))
      countedAmounts.set(output, BigInt(satoshi));
  }
  return [...countedAmounts.values()].reduce((sum, amount) => sum + amount, 0n);
}

/**
 * Approvals that were complete and valid when the request was made (`at`, milliseconds). Later removals and rule changes do not
 * matter.
 */
export const findCoveringRefunds = (authority: Authority, requestedRefund: RequestedRefund, requestTime: number): string[] =>
  refundsOf(authority, requestedRefund.txid).flatMap(({ from, statement, hash }) => {
    if (!matchesRefundRequest(statement.content, requestedRefund)) return [];
    return from !== null && from <= requestTime && requestTime <= Date.parse(statement.expires) ? [hash] : [];
  });
