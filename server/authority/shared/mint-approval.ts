import { canonical, canonicalHash } from '../../../api/authority/canonical.ts';
import type { SignatureInput, Proposal } from '../../../api/authority/signing.ts';
import type { AuthorityBand, MintClaim, StatementOf } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/services/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { canSign, outputKey, type Authority } from '../authority.ts';
import { enrollInDevelopment } from '../development.ts';
import { findStatement, writeDraft } from '../drafts.ts';
import { isMintApproval, isOpenApproval, countedSignersOf, type ApprovalSigner } from '../check-mint.ts';
import { bandOf, rulesAt } from '../rules.ts';
import {
  withLogWriter,
  NotSignedError,
  openProposal,
  signOpenStatement,
  newStatementAt,
  type StatementSigner,
} from './signing.ts';

// The first signature brings the approval into the log.

/** In addition to the delay of the rules. */
const validityMs = 7 * 86_400_000;

export type DepositClaim = Omit<MintClaim, 'policy'>;

export interface MintApprovalStatus {
  /** Null: no rule covers the amount. */
  readonly band: AuthorityBand | null;
  /** Signers that currently count. */
  readonly signers: readonly (ApprovalSigner & { readonly name: string })[];
  /** 0 without a band. */
  readonly missing: number;
}

/** Status by statement hash, under the rules in force. `isOver`: complete, so its signatures count whatever the rules are now. */
export function mintApprovalStatus(
  authority: Authority,
  { statement, satoshi, isOver = false }: { statement: string | null; satoshi: bigint; isOver?: boolean },
  now: number,
): MintApprovalStatus {
  const band = bandOf(rulesAt(authority.policies, now).policy, satoshi);
  const status = statement === null ? undefined : authority.statements.get(statement);
  const countedSigners =
    status && isMintApproval(status) && (isOver || isOpenApproval(authority, status, now))
      ? countedSignersOf(authority, status, band ?? { role: null }, now)
      : [];
  const signers = countedSigners.map((signer) => ({ ...signer, name: authority.names.get(signer.person) ?? signer.person }));
  return { band, signers, missing: Math.max(0, (band?.approvals ?? 0) - signers.filter(({ isEligible }) => isEligible).length) };
}

/** Reuses `knownStatement` if content and rules match. Null: the server signs for this person (demo). Throws NotSignedError. */
export const proposeMint = (
  tx: Tx,
  services: Services,
  claim: DepositClaim,
  knownStatement: string | null,
  signer: StatementSigner,
): Promise<Proposal> =>
  withLogWriter(tx, services, async (log) => {
    requireBand(log.state(), claim, services.now());
    return openProposal(tx, services, log, signer, () => findOrCreateStatement(tx, services, log.state(), claim, knownStatement));
  });

/** Without a signature, a demo uses the software key. `isNew`: the person had not signed. Throws NotSignedError. */
export const signMint = (
  tx: Tx,
  services: Services,
  claim: DepositClaim,
  knownStatement: string | null,
  signer: StatementSigner,
  signature: SignatureInput | null,
): Promise<MintApprovalStatus & { band: AuthorityBand; isNew: boolean; statement: string }> =>
  withLogWriter(tx, services, async (log) => {
    const band = requireBand(log.state(), claim, services.now());
    await enrollInDevelopment(tx, log, signer);
    const statement = await findOrCreateStatement(tx, services, log.state(), claim, knownStatement);
    const isNew = await signOpenStatement(tx, log, statement, signer, signature);
    const hash = canonicalHash(statement);
    const status = mintApprovalStatus(log.state(), { statement: hash, satoshi: BigInt(claim.satoshi) }, services.now());
    return { ...status, band, isNew, statement: hash };
  });

type DepositOutput = Pick<MintClaim, 'network' | 'txid' | 'vout'>;

/** `waits`: a draft needs a signature. `proposal`: the caller can give it. */
export interface CancellationResult {
  readonly proposal: Proposal;
  readonly waits: boolean;
}

/**
 * A demo signs the cancellation, otherwise a draft waits for the caller or another approver. Until it is signed, only the ledger
 * stops the mint. `maySign`: the account counts for money.
 */
export const proposeCancellation = (
  tx: Tx,
  services: Services,
  { network, txid, vout }: DepositOutput,
  signer: StatementSigner,
  { reason, maySign }: { readonly reason: string; readonly maySign: boolean },
): Promise<CancellationResult> =>
  withLogWriter(tx, services, async (log) => {
    await enrollInDevelopment(tx, log, signer);
    const statement = newStatementAt(services, log.state(), 'mint.cancel', { network, txid, vout, reason }, validityMs);
    if (!maySign || !canSign(log.state(), signer.person, services.now())) {
      await writeDraft(tx, services, log, statement, signer.person);
      return { proposal: null, waits: true };
    }
    const proposal = await openProposal(tx, services, log, signer, async () => statement);
    if (proposal === null) await signOpenStatement(tx, log, statement, signer, null);
    return { proposal, waits: proposal !== null };
  });

/** Throws NotSignedError. */
export const signCancellation = (
  tx: Tx,
  services: Services,
  output: DepositOutput,
  signer: StatementSigner,
  signature: SignatureInput,
): Promise<{ isNew: boolean; number: number | null }> =>
  withLogWriter(tx, services, async (log) => {
    const statement = await findStatement(tx, log.state(), signature.statement);
    if (statement?.kind !== 'mint.cancel' || outputKey(statement.content) !== outputKey(output))
      throw new NotSignedError('CHANGED');
    const isNew = await signOpenStatement(tx, log, statement, signer, signature);
    return { isNew, number: log.state().statements.get(signature.statement)?.number ?? null };
  });

/** Only of the only signer, while the approval is open. Throws NotSignedError. Null: the server signs for this person (demo). */
export const proposeRevocation = (
  tx: Tx,
  services: Services,
  approval: SignedApproval,
  signer: StatementSigner,
  reason: string,
): Promise<Proposal> =>
  withLogWriter(tx, services, async (log) => {
    requireOnlySigner(log.state(), approval, signer, services.now());
    return openProposal(tx, services, log, signer, async () => newRevocation(services, log.state(), approval, reason));
  });

/** Cancels the approval in the log, so that no change of the ledger revives the signature. Throws NotSignedError. */
export const signRevocation = (
  tx: Tx,
  services: Services,
  approval: SignedApproval,
  signer: StatementSigner,
  { reason, signature }: { readonly reason: string; readonly signature: SignatureInput | null },
): Promise<{ number: number | null }> =>
  withLogWriter(tx, services, async (log) => {
    requireOnlySigner(log.state(), approval, signer, services.now());
    const statement = signature
      ? await findStatement(tx, log.state(), signature.statement)
      : newRevocation(services, log.state(), approval, reason);
    const isForApproval =
      statement?.kind === 'mint.cancel' &&
      outputKey(statement.content) === outputKey(approval) &&
      statement.content.reason === reason;
    // A statement that is already in the log canceled only earlier approvals.
    if (!isForApproval || log.state().statements.has(canonicalHash(statement))) throw new NotSignedError('CHANGED');
    await signOpenStatement(tx, log, statement, signer, signature);
    return { number: log.state().statements.get(canonicalHash(statement))?.number ?? null };
  });

export type SignedApproval = DepositOutput & { readonly statement: string | null; readonly satoshi: bigint };

const newRevocation = (services: Services, authority: Authority, { network, txid, vout }: DepositOutput, reason: string) =>
  newStatementAt(services, authority, 'mint.cancel', { network, txid, vout, reason }, validityMs);

function requireOnlySigner(authority: Authority, approval: SignedApproval, { person }: StatementSigner, now: number): void {
  const { signers } = mintApprovalStatus(authority, approval, now);
  if (!signers.some((signer) => signer.person === person)) throw new NotSignedError('NOT_YOUR_SIGNATURE');
  if (signers.some((signer) => signer.person !== person)) throw new NotSignedError('OTHERS_SIGNED');
}

function requireBand({ policies }: Authority, { satoshi }: DepositClaim, now: number): AuthorityBand {
  const band = bandOf(rulesAt(policies, now).policy, BigInt(satoshi));
  if (!band) throw new NotSignedError('NO_POLICY');
  return band;
}

async function findOrCreateStatement(
  tx: Tx,
  services: Services,
  authority: Authority,
  claim: DepositClaim,
  knownStatement: string | null,
): Promise<StatementOf<'mint.approve'>> {
  const now = services.now();
  const content: MintClaim = { ...claim, policy: rulesAt(authority.policies, now).number };
  const statement = knownStatement === null ? null : await findStatement(tx, authority, knownStatement);
  const isSameClaim = statement?.kind === 'mint.approve' && canonical(statement.content) === canonical(content);
  if (isSameClaim && isOpenApproval(authority, { statement }, now)) return statement;
  // The delay starts after the last signature, so it extends the expiry.
  const { delaySeconds } = requireBand(authority, claim, now);
  return newStatementAt(services, authority, 'mint.approve', content, validityMs + delaySeconds * 1000);
}
