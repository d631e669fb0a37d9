import { satoshiToWei } from '../../api/money.ts';
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
  /** The caller's own record is the only source for daily limits. */
  readonly signed: readonly SignedMint[];
  /** Ledger freezes. Each applies until an `unfreeze` names it, with its difference if any. */
  readonly freezes: readonly (string | LedgerFreeze)[];
}

export interface LedgerFreeze {
  readonly id: string;
  readonly difference: string;
}

export type MintVerdict = { readonly claim: MintClaim; readonly status: StatementStatus; readonly refusal: null } | MintRefused;

interface MintRefused {
  readonly refusal: MintRefusal;
  readonly details: string | null;
}

const day = 86_400_000;
const equalsIgnoreCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const refuse = (refusal: MintRefusal, details: string | number | null = null): MintRefused => ({
  refusal,
  details: details === null ? null : String(details),
});

const isActiveKey = (person: EnrolledPerson | undefined, key: EnrolledKey): boolean => person?.keys.includes(key) ?? false;

/** Requires an approval for exactly the requested mint, and none for something else. */
export function checkMint(authority: Authority, requestedMint: RequestedMint, input: MintCheckInput): MintVerdict {
  const activeFreezeIds = activeFreezes(authority, input);
  if (activeFreezeIds.length > 0) return refuse('FROZEN', activeFreezeIds.join(', '));

  const proposedApprovals = approvalsOf(authority, requestedMint.depositHash);
  if (proposedApprovals.length === 0) return refuse('NO_STATEMENT');
  const matchingApprovals = proposedApprovals.filter(({ statement }) => matchesRequest(statement.content, requestedMint));
  if (matchingApprovals.length === 0) return refuse('OTHER');
  const verdicts = matchingApprovals.toReversed().map((status) => checkApproval(authority, status, input));
  const verdict = verdicts.find(({ refusal }) => refusal === null) ?? verdicts[0] ?? refuse('NO_STATEMENT');
  if (verdict.refusal !== null) return verdict;
  const conflictingApproval = proposedApprovals.find(
    (item) => isInEffect(authority, item, input.now) && !isSameApproval(item, verdict.status),
  );
  return conflictingApproval ? refuse('CONFLICT', conflictingApproval.number) : verdict;
}

const approvalsOf = ({ mints, statements }: Authority, depositHash: string): Approval[] =>
  (mints.get(depositHash.toLowerCase()) ?? []).flatMap((hash) => {
    const status = statements.get(hash);
    return status && isMintApproval(status) ? [status] : [];
  });

export const isMintApproval = (status: StatementStatus): status is Approval => status.statement.kind === 'mint.approve';

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
export function countedSignersOf(
  { people }: Authority,
  { statement, signed }: Approval | RefundApproval,
  { role }: Pick<AuthorityBand, 'role'>,
  now: number,
): ApprovalSigner[] {
  return [...signed].flatMap(([person, signature]) => {
    const from = effectiveFrom(statement, signature);
    const isKeyActive = signature.key !== null && isActiveKey(people.get(person), signature.key);
    if (!isKeyActive || from > now || statement.content.authors.includes(person)) return [];
    return [{ person, at: signature.at, from, isEligible: role === null || signature.key.roles.includes(role) }];
  });
}

/** Under the rules in force, not canceled and not expired. */
export const isOpenApproval = (authority: Authority, { statement }: Pick<Approval, 'statement'>, now: number): boolean =>
  now <= Date.parse(statement.expires) &&
  !isCanceledApproval(authority, statement) &&
  statement.content.policy === rulesAt(authority.policies, now).number;

/** Ids of open freezes of the log and the ledger, and of liftings that are not in effect. */
export function activeFreezes(
  authority: Authority,
  { freezes: ledgerFreezes, now }: Pick<MintCheckInput, 'freezes' | 'now'>,
): string[] {
  const logFreezeIds = [...authority.freezes.keys()].filter((id) => !((authority.lifting.get(id) ?? Infinity) <= now));
  const ledgerFreezeIds = ledgerFreezes.flatMap((item) => {
    const freeze = typeof item === 'string' ? { id: item, difference: null } : item;
    return isLiftedFreeze(authority, freeze, now) ? [] : [freeze.id];
  });
  return [...logFreezeIds, ...ledgerFreezeIds];
}

/** By id, and by difference if known. */
export function isLiftedFreeze(
  { accepted, lifting }: Pick<Authority, 'accepted' | 'lifting'>,
  { id, difference }: { readonly id: string; readonly difference: string | null },
  now: number,
): boolean {
  const acceptedDifference = accepted.get(id);
  return (
    acceptedDifference !== undefined &&
    (difference === null || acceptedDifference === difference) &&
    (lifting.get(id) ?? -Infinity) <= now
  );
}

const isInEffect = (authority: Authority, { statement, passedAt }: Approval, now: number): boolean =>
  passedAt !== null && now <= Date.parse(statement.expires) && !isCanceledApproval(authority, statement);

/** The signers of an earlier approval had not seen the cancellation. */
export const isCanceledApproval = ({ canceled }: Authority, { after, content }: Approval['statement']): boolean =>
  after.number < (canceled.get(outputKey(content)) ?? 0);

const isSameApproval = ({ statement: { content } }: Approval, { statement }: StatementStatus): boolean =>
  statement.kind === 'mint.approve' &&
  equalsIgnoreCase(content.receiver, statement.content.receiver) &&
  content.satoshi === statement.content.satoshi &&
  content.custody === statement.content.custody;

const matchesRequest = (claim: MintClaim, requestedMint: RequestedMint): boolean =>
  equalsIgnoreCase(claim.receiver, requestedMint.recipient) &&
  satoshiToWei(BigInt(claim.satoshi)) === requestedMint.amount &&
  claim.chainId === requestedMint.chainId &&
  equalsIgnoreCase(claim.token, requestedMint.token) &&
  equalsIgnoreCase(claim.bridge, requestedMint.bridge);

function checkApproval(authority: Authority, status: Approval, { now, signed }: MintCheckInput): MintVerdict {
  const { statement } = status;
  const claim = statement.content;
  if (isCanceledApproval(authority, statement)) return refuse('CANCELED', authority.canceled.get(outputKey(claim)));
  if (now > Date.parse(statement.expires)) return refuse('EXPIRED', statement.expires);

  const { number, policy } = rulesAt(authority.policies, now);
  if (claim.policy !== number) return refuse('OLD_POLICY', `${claim.policy}, now ${number}`);
  const satoshi = BigInt(claim.satoshi);
  const band = bandOf(policy, satoshi);
  if (!band) return refuse('NO_BAND');

  const countedSigners = countedSignersOf(authority, status, band, now);
  const eligibleSigners = countedSigners.filter(({ isEligible }) => isEligible);
  const decisiveSigner = eligibleSigners.toSorted((a, b) => a.from - b.from)[band.approvals - 1];
  if (!decisiveSigner)
    return countedSigners.length >= band.approvals
      ? refuse('ROLE', band.role)
      : refuse('NOT_ENOUGH', `${eligibleSigners.length} of ${band.approvals}`);

  const custodyFrom = authority.custody.get(claim.custody);
  if (custodyFrom === undefined || custodyFrom > now) return refuse('CUSTODY', claim.custody);
  const entry = receiverAt(authority, claim.receiver, now);
  if (policy.receivers === 'listed' && !entry) return refuse('RECEIVER', claim.receiver);
  if (authority.owners.has(claim.custody) && !entry?.custody.includes(claim.custody))
    return refuse('NOT_ITS_CUSTODY', claim.custody);

  // The time to cancel begins when enough current signers had signed.
  const from = decisiveSigner.from + band.delaySeconds * 1000;
  if (from > now) return refuse('DELAY', new Date(from).toISOString());

  const hash = depositHashOf(claim);
  if (
    band.perDay !== null &&
    !signed.some((item) => equalsIgnoreCase(item.depositHash, hash) && item.satoshi === claim.satoshi)
  ) {
    const usedAmount = signed.reduce((sum, item) => {
      const isCounted = item.at > now - day && bandOf(policy, BigInt(item.satoshi)) === band;
      return isCounted ? sum + BigInt(item.satoshi) : sum;
    }, 0n);
    if (usedAmount + satoshi > BigInt(band.perDay)) return refuse('DAY_LIMIT', `${usedAmount} + ${satoshi} > ${band.perDay}`);
  }
  return { refusal: null, claim, status };
}
