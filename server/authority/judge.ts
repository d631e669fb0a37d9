import { depositHash } from '../../chain/deposit-hash.ts';
import { weiOfSatoshi } from '../../api/money.ts';
import type { MintClaim, StatementOf } from '../../api/authority/statements.ts';
import { bandOf, currentPolicy, outputOf, type Authority, type Standing } from './replay.ts';

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
  | 'CANCELLED'
  | 'FROZEN'
  | 'DELAY' // it can still be cancelled
  | 'CUSTODY' // the address it was paid to is none of ours, or not yet
  | 'RECEIVER' // whom it goes to stands in no entry of the address book, or not yet
  | 'NOT_ITS_CUSTODY' // paid to another institution's address
  | 'DAY_LIMIT'
  | 'OTHER'; // what is to be signed is not what people signed for

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
  /** Freezes of the ledger besides those of the log, by id; each stands until an `unfreeze` names it. */
  readonly freezes: readonly string[];
}

export type Judgement =
  | { readonly claim: MintClaim; readonly standing: Standing; readonly refusal: null }
  | { readonly refusal: JudgeRefusal; readonly details: string | null };

const day = 86_400_000;
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const refused = (refusal: JudgeRefusal, details: string | number | null = null): Judgement => ({
  refusal,
  details: details === null ? null : String(details),
});

/** The hash the contract knows a claim's deposit by. */
export const depositHashOf = ({ network, txid, vout }: Pick<MintClaim, 'network' | 'txid' | 'vout'>): string =>
  depositHash(network, txid, vout);

/** Whether `wanted` may be signed. The newest approval that people finished decides. */
export function judgeMint(authority: Authority, wanted: WantedMint, input: JudgeInput): Judgement {
  if (authority.freezes.size > 0) return refused('FROZEN', [...authority.freezes.keys()].join(', '));
  const open = input.freezes.filter((id) => !authority.accepted.has(id));
  if (open.length > 0) return refused('FROZEN', open.join(', '));

  const proposed = [...authority.statements.values()].filter(
    (standing): standing is Standing & { statement: StatementOf<'mint.approve'> } =>
      standing.statement.kind === 'mint.approve' && depositHashOf(standing.statement.content) === wanted.depositHash,
  );
  if (proposed.length === 0) return refused('NO_STATEMENT');
  const exact = proposed.filter(({ statement }) => isFor(statement.content, wanted));
  if (exact.length === 0) return refused('OTHER');
  const verdicts = exact.toReversed().map((standing) => judgeClaim(authority, standing, input));
  return verdicts.find(({ refusal }) => refusal === null) ?? verdicts[0] ?? refused('NO_STATEMENT');
}

const isFor = (claim: MintClaim, wanted: WantedMint): boolean =>
  same(claim.receiver, wanted.recipient) &&
  weiOfSatoshi(BigInt(claim.satoshi)) === wanted.amount &&
  claim.chainId === wanted.chainId &&
  same(claim.token, wanted.token) &&
  same(claim.bridge, wanted.bridge);

function judgeClaim(
  authority: Authority,
  standing: Standing & { statement: StatementOf<'mint.approve'> },
  { now, signed }: JudgeInput,
): Judgement {
  const { statement, passedAt } = standing;
  const claim = statement.content;
  const cancelled = authority.cancelled.get(outputOf(claim));
  if (cancelled !== undefined && cancelled > statement.number) return refused('CANCELLED', cancelled);
  if (now > Date.parse(statement.expires)) return refused('EXPIRED', statement.expires);

  const { number, policy } = currentPolicy(authority.policies, now);
  if (claim.policy !== number) return refused('OLD_POLICY', `${claim.policy}, now ${number}`);
  const satoshi = BigInt(claim.satoshi);
  const band = bandOf(policy, satoshi);
  if (!band) return refused('NO_BAND');

  // Counted anew: who was removed since does not count any more.
  const counting = [...standing.signed.keys()].flatMap((person) => {
    const known = authority.people.get(person);
    return known?.keys.some(({ from }) => from <= now) && !claim.authors.includes(person) ? [known] : [];
  });
  const fit = counting.filter(({ roles }) => band.role === null || roles.includes(band.role));
  if (fit.length < band.approvals)
    return counting.length >= band.approvals
      ? refused('ROLE', band.role)
      : refused('NOT_ENOUGH', `${fit.length} of ${band.approvals}`);
  if (passedAt === null) return refused('NOT_ENOUGH', `${fit.length} of ${band.approvals}`);

  const custodyFrom = authority.custody.get(claim.custody);
  if (custodyFrom === undefined || custodyFrom > now) return refused('CUSTODY', claim.custody);
  if (policy.receivers === 'listed') {
    const entry = authority.receivers.get(claim.receiver.toLowerCase());
    if (!entry || entry.from > now) return refused('RECEIVER', claim.receiver);
  }
  const owners = [...authority.receivers.values()].filter(({ receiver }) => receiver.custody.includes(claim.custody));
  if (owners.length > 0 && !owners.some(({ receiver }) => same(receiver.address, claim.receiver)))
    return refused('NOT_ITS_CUSTODY', claim.custody);

  const from = passedAt + band.delaySeconds * 1000;
  if (from > now) return refused('DELAY', new Date(from).toISOString());

  const hash = depositHashOf(claim);
  if (band.perDay !== null && !signed.some(({ depositHash: known }) => known === hash)) {
    const used = signed.reduce((sum, one) => {
      const counts = one.at > now - day && bandOf(policy, BigInt(one.satoshi)) === band;
      return counts ? sum + BigInt(one.satoshi) : sum;
    }, 0n);
    if (used + satoshi > BigInt(band.perDay)) return refused('DAY_LIMIT', `${used} + ${satoshi} > ${band.perDay}`);
  }
  return { refusal: null, claim, standing };
}
