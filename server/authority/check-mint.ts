import { weiOfSatoshi } from '../../api/money.ts';
import type { AuthorityBand, MintClaim, StatementOf } from '../../api/authority/statements.ts';
import {
  effectiveFrom,
  outputKey,
  receiverAt,
  type Authority,
  type EnrolledKey,
  type EnrolledPerson,
  type StatementStatus,
} from './authority.ts';
import { depositHashOf } from './replay.ts';
import { bandOf, rulesAt } from './rules.ts';

// Trusts the log and the signer's own record, never the ledger.

export type MintRefusal =
  | 'NO_STATEMENT' // no approval for exactly this
  | 'NOT_ENOUGH' // valid signatures are missing
  | 'ROLE' // too few signers have the role
  | 'EXPIRED'
  | 'OLD_POLICY' // rules changed since the signatures
  | 'NO_BAND' // the rules have no such amount
  | 'CANCELED'
  | 'FROZEN'
  | 'DELAY' // it can still be canceled
  | 'CUSTODY' // not a custody address, or cooling
  | 'RECEIVER' // not in the address book, or cooling
  | 'NOT_ITS_CUSTODY' // paid to another institution's address
  | 'DAY_LIMIT'
  | 'OTHER' // differs from the approval
  | 'CONFLICT'; // an approval for something else of this output is still open

/** Amount in wei. */
export interface RequestedMint {
  readonly depositHash: string;
  readonly recipient: string;
  readonly amount: bigint;
  readonly chainId: number;
  readonly token: string;
  readonly bridge: string;
}

/** Satoshi, and milliseconds. */
export interface SignedMint {
  readonly depositHash: string;
  readonly satoshi: string;
  readonly at: number;
}

export interface MintCheckInput {
  readonly now: number;
  /** The judge's own record is the only source for daily limits. */
  readonly signed: readonly SignedMint[];
  /** Ledger freezes. Each applies until an `unfreeze` names it, with its difference if any. */
  readonly freezes: readonly (string | LedgerFreeze)[];
}

export interface LedgerFreeze {
  readonly id: string;
  readonly difference: string;
}

export type MintVerdict = { readonly claim: MintClaim; readonly status: StatementStatus; readonly refusal: null } | Refused;

interface Refused {
  readonly refusal: MintRefusal;
  readonly details: string | null;
}

const day = 86_400_000;
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const refused = (refusal: MintRefusal, details: string | number | null = null): Refused => ({
  refusal,
  details: details === null ? null : String(details),
});

const isStanding = (person: EnrolledPerson | undefined, key: EnrolledKey): boolean => person?.keys.includes(key) ?? false;

/** Requires an approval for exactly `wanted`, and none for something else. */
export function checkMint(authority: Authority, requested: RequestedMint, input: MintCheckInput): MintVerdict {
  const frozen = activeFreezes(authority, input);
  if (frozen.length > 0) return refused('FROZEN', frozen.join(', '));

  const proposed = approvalsOf(authority, requested.depositHash);
  if (proposed.length === 0) return refused('NO_STATEMENT');
  const exact = proposed.filter(({ statement }) => isFor(statement.content, requested));
  if (exact.length === 0) return refused('OTHER');
  const verdicts = exact.toReversed().map((status) => checkClaim(authority, status, input));
  const verdict = verdicts.find(({ refusal }) => refusal === null) ?? verdicts[0] ?? refused('NO_STATEMENT');
  if (verdict.refusal !== null) return verdict;
  const other = proposed.find((one) => isLive(authority, one, input.now) && !isSameApproval(one, verdict.status));
  return other ? refused('CONFLICT', other.number) : verdict;
}

const approvalsOf = ({ mints, statements }: Authority, depositHash: string): Approval[] =>
  (mints.get(depositHash.toLowerCase()) ?? []).flatMap((hash) => {
    const status = statements.get(hash);
    return status && isMint(status) ? [status] : [];
  });

export const isMint = (status: StatementStatus): status is Approval => status.statement.kind === 'mint.approve';

export type Approval = StatementStatus & { readonly statement: StatementOf<'mint.approve'> };

export type RefundApproval = StatementStatus & { readonly statement: StatementOf<'refund.approve'> };

/** Milliseconds. */
export interface ApprovalSigner {
  readonly person: string;
  readonly at: number;
  readonly from: number;
  readonly isEligible: boolean;
}

/** Evaluated each time: removed people and authors of the deposit do not count. */
export function signersOf(
  { people }: Authority,
  { statement, signed }: Approval | RefundApproval,
  { role }: Pick<AuthorityBand, 'role'>,
  now: number,
): ApprovalSigner[] {
  return [...signed].flatMap(([person, one]) => {
    const from = effectiveFrom(statement, one);
    const stands = one.key !== null && isStanding(people.get(person), one.key);
    if (!stands || from > now || statement.content.authors.includes(person)) return [];
    return [{ person, at: one.at, from, isEligible: role === null || one.key.roles.includes(role) }];
  });
}

/** Under the rules in force, not canceled and not expired. */
export const isOpenApproval = (authority: Authority, { statement }: Pick<Approval, 'statement'>, now: number): boolean =>
  now <= Date.parse(statement.expires) &&
  !isCanceled(authority, statement) &&
  statement.content.policy === rulesAt(authority.policies, now).number;

/** Ids of open freezes of the log and the ledger, and of liftings that are not in effect. */
export function activeFreezes(
  authority: Authority,
  { freezes: ofLedger, now }: Pick<MintCheckInput, 'freezes' | 'now'>,
): string[] {
  const own = [...authority.freezes.keys()].filter((id) => !((authority.lifting.get(id) ?? Infinity) <= now));
  const others = ofLedger.flatMap((one) => {
    const freeze = typeof one === 'string' ? { id: one, difference: null } : one;
    return isLiftedFreeze(authority, freeze, now) ? [] : [freeze.id];
  });
  return [...own, ...others];
}

/** By id, and by difference if known. */
export function isLiftedFreeze(
  { accepted, lifting }: Pick<Authority, 'accepted' | 'lifting'>,
  { id, difference }: { readonly id: string; readonly difference: string | null },
  now: number,
): boolean {
  const reported = accepted.get(id);
  return reported !== undefined && (difference === null || reported === difference) && (lifting.get(id) ?? -Infinity) <= now;
}

const isLive = (authority: Authority, { statement, passedAt }: Approval, now: number): boolean =>
  passedAt !== null && now <= Date.parse(statement.expires) && !isCanceled(authority, statement);

/** The signers of an earlier approval had not seen the cancellation. */
const isCanceled = ({ canceled }: Authority, { after, content }: Approval['statement']): boolean =>
  after.number < (canceled.get(outputKey(content)) ?? 0);

const isSameApproval = ({ statement: { content } }: Approval, { statement }: StatementStatus): boolean =>
  statement.kind === 'mint.approve' &&
  same(content.receiver, statement.content.receiver) &&
  content.satoshi === statement.content.satoshi &&
  content.custody === statement.content.custody;

const isFor = (claim: MintClaim, requested: RequestedMint): boolean =>
  same(claim.receiver, requested.recipient) &&
  weiOfSatoshi(BigInt(claim.satoshi)) === requested.amount &&
  claim.chainId === requested.chainId &&
  same(claim.token, requested.token) &&
  same(claim.bridge, requested.bridge);

function checkClaim(authority: Authority, status: Approval, { now, signed }: MintCheckInput): MintVerdict {
  const { statement } = status;
  const claim = statement.content;
  if (isCanceled(authority, statement)) return refused('CANCELED', authority.canceled.get(outputKey(claim)));
  if (now > Date.parse(statement.expires)) return refused('EXPIRED', statement.expires);

  const { number, policy } = rulesAt(authority.policies, now);
  if (claim.policy !== number) return refused('OLD_POLICY', `${claim.policy}, now ${number}`);
  const satoshi = BigInt(claim.satoshi);
  const band = bandOf(policy, satoshi);
  if (!band) return refused('NO_BAND');

  const counting = signersOf(authority, status, band, now);
  const eligible = counting.filter(({ isEligible }) => isEligible);
  const passed = eligible.toSorted((a, b) => a.from - b.from)[band.approvals - 1];
  if (!passed)
    return counting.length >= band.approvals
      ? refused('ROLE', band.role)
      : refused('NOT_ENOUGH', `${eligible.length} of ${band.approvals}`);

  const custodyFrom = authority.custody.get(claim.custody);
  if (custodyFrom === undefined || custodyFrom > now) return refused('CUSTODY', claim.custody);
  const entry = receiverAt(authority, claim.receiver, now);
  if (policy.receivers === 'listed' && !entry) return refused('RECEIVER', claim.receiver);
  if (authority.owners.has(claim.custody) && !entry?.custody.includes(claim.custody))
    return refused('NOT_ITS_CUSTODY', claim.custody);

  // The time to cancel begins when enough current signers had signed.
  const from = passed.from + band.delaySeconds * 1000;
  if (from > now) return refused('DELAY', new Date(from).toISOString());

  const hash = depositHashOf(claim);
  if (band.perDay !== null && !signed.some((one) => same(one.depositHash, hash) && one.satoshi === claim.satoshi)) {
    const used = signed.reduce((sum, one) => {
      const counts = one.at > now - day && bandOf(policy, BigInt(one.satoshi)) === band;
      return counts ? sum + BigInt(one.satoshi) : sum;
    }, 0n);
    if (used + satoshi > BigInt(band.perDay)) return refused('DAY_LIMIT', `${used} + ${satoshi} > ${band.perDay}`);
  }
  return { refusal: null, claim, status };
}
