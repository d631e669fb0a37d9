import { canonical, hashOf } from '../../../api/authority/canonical.ts';
import type { Given, Proposal } from '../../../api/authority/signing.ts';
import type { AuthorityBand, MintClaim, StatementOf } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { canSign, outputOf, type Authority } from '../authority.ts';
import { enrolInDevelopment } from '../development.ts';
import { statementBy, writeDraft } from '../drafts.ts';
import { isMint, isOpenApproval, signersOf, type ApprovalSigner } from '../judge.ts';
import { bandOf, rulesAt } from '../rules.ts';
import { draft, NotSignedError, proposing, sign, statementNow, type Signer } from './signing.ts';

// Somebody signs that a mint may be: the statement comes into the log with the first signature, and the others after it.

/** How long a proposed mint can be signed for and minted, besides the delay of the rules. */
const validMs = 7 * 86_400_000;

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
    standing && isMint(standing) && (isOver || isOpenApproval(authority, standing, now))
      ? signersOf(authority, standing, band ?? { role: null }, now)
      : [];
  const signers = counting.map((one) => ({ ...one, name: authority.names.get(one.person) ?? one.person }));
  return { band, signers, missing: Math.max(0, (band?.approvals ?? 0) - signers.filter(({ isFit }) => isFit).length) };
}

/**
 * The statement for a claim that somebody can sign: `known`, where it says just this and can still be signed, else a new one. Null where
 * the server signs for this person (a demo). Throws NotSignedError.
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
    return proposing(tx, services, log, signer, () => openStatement(tx, services, log.state(), claim, known));
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
    const statement = await openStatement(tx, services, log.state(), claim, known);
    const isNew = await sign(tx, log, statement, signer, given);
    const hash = hashOf(statement);
    const standing = mintStanding(log.state(), { statement: hash, satoshi: BigInt(claim.satoshi) }, services.now());
    return { ...standing, band, isNew, statement: hash };
  });

type Output = Pick<MintClaim, 'network' | 'txid' | 'vout'>;

/** `waits`: a draft waits for somebody's signature, `proposal`: which may be this person's. */
export interface Canceled {
  readonly proposal: Proposal;
  readonly waits: boolean;
}

/**
 * Cancels in the log what was approved for an output: signed where the server may sign for this person (a demo), else a draft for their
 * own key to sign, or another approver's. Until somebody has, the ledger alone stops the mint. `maySign`: their account counts for money.
 */
export const cancelInLog = (
  tx: Tx,
  services: Services,
  { network, txid, vout }: Output,
  signer: Signer,
  { reason, maySign }: { readonly reason: string; readonly maySign: boolean },
): Promise<Canceled> =>
  draft(tx, services, async (log) => {
    await enrolInDevelopment(tx, log, signer);
    const statement = statementNow(services, log.state(), 'mint.cancel', { network, txid, vout, reason }, validMs);
    if (!maySign || !canSign(log.state(), signer.person, services.now())) {
      await writeDraft(tx, services, log, statement, signer.person);
      return { proposal: null, waits: true };
    }
    const proposal = await proposing(tx, services, log, signer, async () => statement);
    if (proposal === null) await sign(tx, log, statement, signer, null);
    return { proposal, waits: proposal !== null };
  });

/** Signs what `cancelInLog` drafted for the same output. Throws NotSignedError. */
export const signCancelInLog = (
  tx: Tx,
  services: Services,
  output: Output,
  signer: Signer,
  given: Given,
): Promise<{ isNew: boolean; number: number | null }> =>
  draft(tx, services, async (log) => {
    const statement = await statementBy(tx, log.state(), given.statement);
    if (statement?.kind !== 'mint.cancel' || outputOf(statement.content) !== outputOf(output))
      throw new NotSignedError('CHANGED');
    const isNew = await sign(tx, log, statement, signer, given);
    return { isNew, number: log.state().statements.get(given.statement)?.number ?? null };
  });

function requireBand({ policies }: Authority, { satoshi }: DepositClaim, now: number): AuthorityBand {
  const band = bandOf(rulesAt(policies, now).policy, BigInt(satoshi));
  if (!band) throw new NotSignedError('NO_POLICY');
  return band;
}

/** `known`, when it says just this under the rules of now and can still be signed; else proposed anew. */
async function openStatement(
  tx: Tx,
  services: Services,
  authority: Authority,
  claim: DepositClaim,
  known: string | null,
): Promise<StatementOf<'mint.approve'>> {
  const now = services.now();
  const content: MintClaim = { ...claim, policy: rulesAt(authority.policies, now).number };
  const statement = known === null ? null : await statementBy(tx, authority, known);
  const isSame = statement?.kind === 'mint.approve' && canonical(statement.content) === canonical(content);
  if (isSame && isOpenApproval(authority, { statement }, now)) return statement;
  // The delay of the rules begins when enough have signed: it takes nothing of the time to sign in.
  const { delaySeconds } = requireBand(authority, claim, now);
  return statementNow(services, authority, 'mint.approve', content, validMs + delaySeconds * 1000);
}
