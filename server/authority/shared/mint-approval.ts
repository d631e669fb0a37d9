import { canonical, hashOf } from '../../../api/authority/canonical.ts';
import type { Given, Proposal } from '../../../api/authority/signing.ts';
import type { AuthorityBand, MintClaim, Statement, StatementOf } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { enrolInDevelopment } from '../development.ts';
import { isOpenApproval, signersOf, type Approval, type ApprovalSigner } from '../judge.ts';
import { bandOf, outputOf, rulesAt, type Authority, type Standing } from '../replay.ts';
import type { Draft } from '../store.ts';
import { draft, keysOf, NotSignedError, proposing, sign, type Signer } from './signing.ts';

// Somebody signs that a mint may be: the statement goes into the log once, and each signature of it after it.

/** How long a proposed mint can be signed for and minted, besides the delay of the rules. */
const expiresMs = 7 * 86_400_000;

/** What a deposit says of its mint, without what the log knows itself. */
export type DepositClaim = Omit<MintClaim, 'policy'>;

/** What the log asks for a mint of an amount, and who signed for it. */
export interface MintStanding {
  /** Of the rules in force; null: they have no such amount. */
  readonly band: AuthorityBand | null;
  /** Those of its signers who count now, and what they are called. */
  readonly signers: readonly (ApprovalSigner & { readonly name: string })[];
  /** How many more have to sign; 0 where there is no band. */
  readonly missing: number;
}

/** How a mint stands: by the statement (its hash) that people sign for it, under the rules of now. `isOver`: they have, whatever the rules are by now. */
export function mintStanding(
  authority: Authority,
  { statement, satoshi, isOver = false }: { statement: string | null; satoshi: bigint; isOver?: boolean },
  now: number,
): MintStanding {
  const band = bandOf(rulesAt(authority.policies, now).policy, satoshi);
  const standing = statement === null ? undefined : authority.statements.get(statement);
  const counting =
    standing && isApproval(standing) && (isOver || isOpenApproval(authority, standing, now))
      ? signersOf(authority, standing, band ?? { role: null }, now)
      : [];
  const signers = counting.map((one) => ({ ...one, name: authority.people.get(one.person)?.name ?? one.person }));
  return { band, signers, missing: Math.max(0, (band?.approvals ?? 0) - signers.filter(({ isFit }) => isFit).length) };
}

/**
 * Puts the statement for a claim into the log, unless `known` says just this and can still be signed. Null where the server signs for
 * this person (a demo). Throws NotSignedError.
 */
export const proposeMint = (
  tx: Tx,
  services: Services,
  claim: DepositClaim,
  known: string | null,
  signer: Signer,
): Promise<Proposal> =>
  draft(tx, services, async (log) => {
    requireBand(log.state(), claim, services.now());
    return proposing(log, signer, () => openStatement(log, claim, known, signer, services.now()));
  });

/**
 * Adds a signature for a claim: the one given, or in a demo that of the person's software key. `isNew`: they had not signed it yet.
 * Throws NotSignedError.
 */
export const signMint = (
  tx: Tx,
  services: Services,
  claim: DepositClaim,
  known: string | null,
  signer: Signer,
  given: Given | null,
): Promise<MintStanding & { band: AuthorityBand; isNew: boolean; statement: string }> =>
  draft(tx, services, async (log) => {
    const band = requireBand(log.state(), claim, services.now());
    await enrolInDevelopment(tx, log, signer);
    const statement = await openStatement(log, claim, known, signer, services.now());
    const isNew = await sign(log, statement, signer, given);
    const hash = hashOf(statement);
    const standing = mintStanding(log.state(), { statement: hash, satoshi: BigInt(claim.satoshi) }, services.now());
    return { ...standing, band, isNew, statement: hash };
  });

type Output = Pick<MintClaim, 'network' | 'txid' | 'vout'>;

/** A statement that stands in the log; `waits`: for somebody's signature, `proposal`: which may be this person's. */
export interface Cancelled {
  readonly proposal: Proposal;
  readonly waits: boolean;
}

/**
 * Puts into the log that what was approved for an output is cancelled: signed where the server may sign for this person (a demo),
 * else for their own key to sign, or another approver's. Until somebody has, the ledger alone stops the mint.
 */
export const cancelInLog = (
  tx: Tx,
  services: Services,
  { network, txid, vout }: Output,
  signer: Signer,
  reason: string,
): Promise<Cancelled> =>
  draft(tx, services, async (log) => {
    await enrolInDevelopment(tx, log, signer);
    const { person, name } = signer;
    const expires = new Date(services.now() + expiresMs).toISOString();
    const content = { network, txid, vout, reason };
    const statement = (await log.add({ kind: 'mint.cancel', by: { person, name }, expires, content })) as Statement;
    if (keysOf(log.state(), person).length === 0) return { proposal: null, waits: true };
    const proposal = await proposing(log, signer, async () => statement);
    if (proposal === null) await sign(log, statement, signer, null);
    return { proposal, waits: proposal !== null };
  });

/** Signs what `cancelInLog` put there for the same output. Throws NotSignedError. */
export const signCancelInLog = (
  tx: Tx,
  services: Services,
  output: Output,
  signer: Signer,
  given: Given,
): Promise<{ isNew: boolean; number: number }> =>
  draft(tx, services, async (log) => {
    const statement = log.state().statements.get(given.statement)?.statement;
    if (statement?.kind !== 'mint.cancel' || outputOf(statement.content) !== outputOf(output))
      throw new NotSignedError('CHANGED');
    return { isNew: await sign(log, statement, signer, given), number: statement.number };
  });

function requireBand({ policies }: Authority, { satoshi }: DepositClaim, now: number): AuthorityBand {
  const band = bandOf(rulesAt(policies, now).policy, BigInt(satoshi));
  if (!band) throw new NotSignedError('NO_POLICY');
  return band;
}

/** `known`, when it says just this under the rules of now and can still be signed; else proposed anew. */
async function openStatement(
  { state, add }: Draft,
  claim: DepositClaim,
  known: string | null,
  { person, name }: Signer,
  now: number,
): Promise<StatementOf<'mint.approve'>> {
  const authority = state();
  const content: MintClaim = { ...claim, policy: rulesAt(authority.policies, now).number };
  const standing = known === null ? undefined : authority.statements.get(known);
  const isOpen = standing && isApproval(standing) && isOpenApproval(authority, standing, now);
  if (isOpen && canonical(standing.statement.content) === canonical(content)) return standing.statement;
  // The delay of the rules begins when enough have signed: it takes nothing of the time to sign in.
  const { delaySeconds } = requireBand(authority, claim, now);
  const expires = new Date(now + expiresMs + delaySeconds * 1000).toISOString();
  return (await add({ kind: 'mint.approve', by: { person, name }, expires, content })) as StatementOf<'mint.approve'>;
}

const isApproval = (standing: Standing): standing is Approval => standing.statement.kind === 'mint.approve';
