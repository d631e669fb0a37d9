import { weiOfSatoshi } from '../../api/money.ts';
import type { AuthorityBand, MintClaim, StatementOf } from '../../api/authority/statements.ts';
import { countsFrom, outputOf, receiverAt, type Authority, type EnrolledKey, type Person, type Standing } from './authority.ts';
import { depositHashOf } from './replay.ts';
import { bandOf, rulesAt } from './rules.ts';

// Whether people signed for a mint, enough of them, under the rules of now: what the signer asks of the log before it signs, and
// what the panel shows beforehand. It knows the log and the signer's own record, and no row of the ledger but the one it judges.

/** Why a mint is not signed for. */
export type JudgeRefusal =
  | 'NO_STATEMENT' // nobody proposed just this
  | 'NOT_ENOUGH' // signatures, of people who count now
  | 'ROLE' // not all of them are what the rules ask for
  | 'EXPIRED'
  | 'OLD_POLICY' // the rules are others than those it was signed under
  | 'NO_BAND' // the rules have no such amount
  | 'CANCELED'
  | 'FROZEN'
  | 'DELAY' // it can still be canceled
  | 'CUSTODY' // the address it was paid to is none of ours, or not yet
  | 'RECEIVER' // whom it goes to stands in no entry of the address book, or not yet
  | 'NOT_ITS_CUSTODY' // paid to another institution's address
  | 'DAY_LIMIT'
  | 'OTHER' // what is to be signed is not what people signed for
  | 'CONFLICT'; // people signed for something else of the same output too, and have not canceled it

/** What the ledger wants signed. Amount in wei. */
export interface WantedMint {
  readonly depositHash: string;
  readonly recipient: string;
  readonly amount: bigint;
  readonly chainId: number;
  readonly token: string;
  readonly bridge: string;
}

/** One mint that was signed: its deposit, satoshi, and when (milliseconds). */
export interface SignedMint {
  readonly depositHash: string;
  readonly satoshi: string;
  readonly at: number;
}

export interface JudgeInput {
  /** Milliseconds. */
  readonly now: number;
  /** What was signed before, by whoever judges: nothing else counts for the limits of a day. */
  readonly signed: readonly SignedMint[];
  /** Freezes of the ledger besides those of the log; each stands until an `unfreeze` names it, and its difference where it has one. */
  readonly freezes: readonly (string | LedgerFreeze)[];
}

/** A freeze of the ledger: its id, and the difference it was for, in the words that an `unfreeze` has to repeat. */
export interface LedgerFreeze {
  readonly id: string;
  readonly difference: string;
}

export type Judgement = { readonly claim: MintClaim; readonly standing: Standing; readonly refusal: null } | Refused;

interface Refused {
  readonly refusal: JudgeRefusal;
  readonly details: string | null;
}

const day = 86_400_000;
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const refused = (refusal: JudgeRefusal, details: string | number | null = null): Refused => ({
  refusal,
  details: details === null ? null : String(details),
});

/** Whether the key is one that its owner may still sign with. */
const isStanding = (person: Person | undefined, key: EnrolledKey): boolean => person?.keys.includes(key) ?? false;

/** Whether `wanted` may be signed: whether one of the approvals that say just this stands, and none that says something else. */
export function judgeMint(authority: Authority, wanted: WantedMint, input: JudgeInput): Judgement {
  const frozen = freezesNow(authority, input);
  if (frozen.length > 0) return refused('FROZEN', frozen.join(', '));

  const proposed = approvalsOf(authority, wanted.depositHash);
  if (proposed.length === 0) return refused('NO_STATEMENT');
  const exact = proposed.filter(({ statement }) => isFor(statement.content, wanted));
  if (exact.length === 0) return refused('OTHER');
  const verdicts = exact.toReversed().map((standing) => judgeClaim(authority, standing, input));
  const verdict = verdicts.find(({ refusal }) => refusal === null) ?? verdicts[0] ?? refused('NO_STATEMENT');
  if (verdict.refusal !== null) return verdict;
  const other = proposed.find((one) => isLive(authority, one, input.now) && !saysTheSame(one, verdict.standing));
  return other ? refused('CONFLICT', other.number) : verdict;
}

/** What people signed for a deposit, by what the contract knows it by. */
const approvalsOf = ({ mints, statements }: Authority, depositHash: string): Approval[] =>
  (mints.get(depositHash.toLowerCase()) ?? []).flatMap((hash) => {
    const standing = statements.get(hash);
    return standing && isMint(standing) ? [standing] : [];
  });

export const isMint = (standing: Standing): standing is Approval => standing.statement.kind === 'mint.approve';

/** What people sign for of a mint, and who has. */
export type Approval = Standing & { readonly statement: StatementOf<'mint.approve'> };

/** The same for bitcoin that is sent out. */
export type RefundApproval = Standing & { readonly statement: StatementOf<'refund.approve'> };

/** A person whose signature counts: when they signed and from when it counts (milliseconds), and whether they have the band's role. */
export interface ApprovalSigner {
  readonly person: string;
  readonly at: number;
  readonly from: number;
  readonly isFit: boolean;
}

/** Who of its signers count now. Counted anew each time: who was removed since does not any more, nor who wrote the deposit. */
export function signersOf(
  { people }: Authority,
  { statement, signed }: Approval | RefundApproval,
  { role }: Pick<AuthorityBand, 'role'>,
  now: number,
): ApprovalSigner[] {
  return [...signed].flatMap(([person, one]) => {
    const from = countsFrom(statement, one);
    const stands = one.key !== null && isStanding(people.get(person), one.key);
    if (!stands || from > now || statement.content.authors.includes(person)) return [];
    return [{ person, at: one.at, from, isFit: role === null || one.key.roles.includes(role) }];
  });
}

/** Whether people may still sign it and rely on it: under the rules of now, not canceled and not expired. */
export const isOpenApproval = (authority: Authority, { statement }: Pick<Approval, 'statement'>, now: number): boolean =>
  now <= Date.parse(statement.expires) &&
  !isCanceled(authority, statement) &&
  statement.content.policy === rulesAt(authority.policies, now).number;

/** What stops every mint now, by id: freezes of the log and of the ledger that nobody lifted, or not yet. */
export function freezesNow(authority: Authority, { freezes: ofLedger, now }: Pick<JudgeInput, 'freezes' | 'now'>): string[] {
  const own = [...authority.freezes.keys()].filter((id) => !((authority.lifting.get(id) ?? Infinity) <= now));
  const others = ofLedger.flatMap((one) => {
    const freeze = typeof one === 'string' ? { id: one, difference: null } : one;
    return isLiftedFreeze(authority, freeze, now) ? [] : [freeze.id];
  });
  return [...own, ...others];
}

/** Whether people lifted a freeze of the ledger by its id, and by its difference where that is known. */
export function isLiftedFreeze(
  { accepted, lifting }: Pick<Authority, 'accepted' | 'lifting'>,
  { id, difference }: { readonly id: string; readonly difference: string | null },
  now: number,
): boolean {
  const said = accepted.get(id);
  return said !== undefined && (difference === null || said === difference) && (lifting.get(id) ?? -Infinity) <= now;
}

/** Whether people finished it and may still rely on it. */
const isLive = (authority: Authority, { statement, passedAt }: Approval, now: number): boolean =>
  passedAt !== null && now <= Date.parse(statement.expires) && !isCanceled(authority, statement);

/** Whether it was written before its mint was canceled: who signed it had not seen that. */
const isCanceled = ({ canceled }: Authority, { after, content }: Approval['statement']): boolean =>
  after.number < (canceled.get(outputOf(content)) ?? 0);

const saysTheSame = ({ statement: { content } }: Approval, { statement }: Standing): boolean =>
  statement.kind === 'mint.approve' &&
  same(content.receiver, statement.content.receiver) &&
  content.satoshi === statement.content.satoshi &&
  content.custody === statement.content.custody;

const isFor = (claim: MintClaim, wanted: WantedMint): boolean =>
  same(claim.receiver, wanted.recipient) &&
  weiOfSatoshi(BigInt(claim.satoshi)) === wanted.amount &&
  claim.chainId === wanted.chainId &&
  same(claim.token, wanted.token) &&
  same(claim.bridge, wanted.bridge);

function judgeClaim(authority: Authority, standing: Approval, { now, signed }: JudgeInput): Judgement {
  const { statement } = standing;
  const claim = statement.content;
  if (isCanceled(authority, statement)) return refused('CANCELED', authority.canceled.get(outputOf(claim)));
  if (now > Date.parse(statement.expires)) return refused('EXPIRED', statement.expires);

  const { number, policy } = rulesAt(authority.policies, now);
  if (claim.policy !== number) return refused('OLD_POLICY', `${claim.policy}, now ${number}`);
  const satoshi = BigInt(claim.satoshi);
  const band = bandOf(policy, satoshi);
  if (!band) return refused('NO_BAND');

  const counting = signersOf(authority, standing, band, now);
  const fit = counting.filter(({ isFit }) => isFit);
  const passed = fit.toSorted((a, b) => a.from - b.from)[band.approvals - 1];
  if (!passed)
    return counting.length >= band.approvals
      ? refused('ROLE', band.role)
      : refused('NOT_ENOUGH', `${fit.length} of ${band.approvals}`);

  const custodyFrom = authority.custody.get(claim.custody);
  if (custodyFrom === undefined || custodyFrom > now) return refused('CUSTODY', claim.custody);
  const entry = receiverAt(authority, claim.receiver, now);
  if (policy.receivers === 'listed' && !entry) return refused('RECEIVER', claim.receiver);
  if (authority.owners.has(claim.custody) && !entry?.custody.includes(claim.custody))
    return refused('NOT_ITS_CUSTODY', claim.custody);

  // The time to cancel begins when enough of those who still count had signed.
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
  return { refusal: null, claim, standing };
}
