import type { AuthorityBand, RefundClaim } from '../../api/authority/statements.ts';
import { activeFreezes, signersOf, type MintCheckInput, type RefundApproval } from './check-mint.ts';
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
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const refused = (refusal: RefundCheckRefusal, details: string | null = null): RefundVerdict => ({ refusal, details });

export const isRefund = (status: StatementStatus): status is RefundApproval => status.statement.kind === 'refund.approve';

export const isForRefund = (claim: RefundClaim, requested: RequestedRefund): boolean =>
  claim.txid === requested.txid &&
  claim.satoshi === requested.satoshi &&
  claim.payout === requested.receiver &&
  claim.chainId === requested.chainId &&
  same(claim.account, requested.account) &&
  same(claim.bridge, requested.bridge) &&
  (requested.nonce === null || requested.nonce >= claim.nonce);

/** Requires an approval for exactly `wanted`, and checks its signers again. */
export function checkRefund(
  authority: Authority,
  requested: RequestedRefund,
  input: Pick<MintCheckInput, 'now' | 'freezes'>,
): RefundVerdict {
  const frozen = activeFreezes(authority, input);
  if (frozen.length > 0) return refused('FROZEN', frozen.join(', '));
  const proposed = refundsOf(authority, requested.txid);
  if (proposed.length === 0) return refused('NO_STATEMENT');
  const exact = proposed.filter(({ statement }) => isForRefund(statement.content, requested));
  const verdicts = exact.toReversed().map((status) => checkApproval(authority, status, input.now));
  return verdicts.find(({ refusal }) => refusal === null) ?? verdicts[0] ?? refused('OTHER');
}

const refundsOf = ({ refunds, statements }: Authority, txid: string): RefundApproval[] =>
  (refunds.get(txid) ?? []).flatMap((hash) => {
    const status = statements.get(hash);
    return status && isRefund(status) ? [status] : [];
  });

function checkApproval(authority: Authority, status: RefundApproval, now: number): RefundVerdict {
  const { statement } = status;
  const claim = statement.content;
  if (now > Date.parse(statement.expires)) return refused('EXPIRED', statement.expires);
  const { number, policy } = rulesAt(authority.policies, now);
  if (claim.policy !== number) return refused('OLD_POLICY', `${claim.policy}, now ${number}`);
  const band = refundBandOf(policy, BigInt(claim.satoshi));
  if (!band) return refused('NO_BAND');

  const counting = signersOf(authority, status, band, now);
  const eligible = counting.filter(({ isEligible }) => isEligible);
  const passed = eligible.toSorted((a, b) => a.from - b.from)[band.approvals - 1];
  if (!passed)
    return counting.length >= band.approvals
      ? refused('ROLE', band.role)
      : refused('NOT_ENOUGH', `${eligible.length} of ${band.approvals}`);

  const entry = receiverAt(authority, claim.account, now);
  if (!entry) return refused('ACCOUNT', claim.account);
  if (!entry.payout.includes(claim.payout)) return refused('PAYOUT', claim.payout);

  const used = refundedToday(authority, band, status);
  if (band.perDay !== null && used + BigInt(claim.satoshi) > BigInt(band.perDay))
    return refused('DAY_LIMIT', `${used} + ${claim.satoshi} > ${band.perDay}`);
  const from = passed.from + band.delaySeconds * 1000;
  if (from > now) return refused('DELAY', new Date(from).toISOString());
  return { refusal: null, status, details: null };
}

/** Satoshi of a band approved in the 24 hours before the approval was complete, each deposit once. */
function refundedToday(authority: Authority, band: AuthorityBand, { statement, passedAt }: RefundApproval): bigint {
  const until = passedAt ?? Infinity;
  const own = outputKey(statement.content);
  const isOf = (satoshi: bigint) => BigInt(band.from) <= satoshi && (band.below === null || satoshi < BigInt(band.below));
  const counted = new Map<string, bigint>();
  for (let at = authority.passedRefunds.length - 1; at >= 0; at--) {
    const other = authority.statements.get(authority.passedRefunds.at(at) ?? '');
    if (!other || !isRefund(other) || other.passedAt === null) continue;
    if (other.passedAt <= until - day) break;
    const { satoshi } = other.statement.content;
    const output = outputKey(other.statement.content);
    if (output !== own && other.passedAt <= until && isOf(BigInt(satoshi))) counted.set(output, BigInt(satoshi));
  }
  return [...counted.values()].reduce((sum, one) => sum + one, 0n);
}

/**
 * Approvals that were complete and valid when the request was made (`at`, milliseconds). Later removals and rule changes do not
 * matter.
 */
export const coveringRefunds = (authority: Authority, requested: RequestedRefund, at: number): string[] =>
  refundsOf(authority, requested.txid).flatMap(({ from, statement, hash }) => {
    if (!isForRefund(statement.content, requested)) return [];
    return from !== null && from <= at && at <= Date.parse(statement.expires) ? [hash] : [];
  });
