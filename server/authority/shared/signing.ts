import { canonicalHash } from '../../../api/authority/canonical.ts';
import type { SignatureInput, LogPosition, Proposal } from '../../../api/authority/signing.ts';
import type { Proof, SignedKind, Statement, StatementOf } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/services/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Authority } from '../authority.ts';
import { developmentKey, developmentProof } from '../development.ts';
import { storeOwnerProof, newStatement, parseOwnerProof, writeDraft } from '../drafts.ts';
import { keyId } from '../lines.ts';
import { proofProblemOf } from '../proofs.ts';
import { LogError } from '../replay.ts';
import { findDraft } from '../statement-index.ts';
import { appendToLog, type LogWriter } from '../store.ts';

export interface StatementSigner {
  readonly person: string;
  readonly name: string;
}

/** Why nothing was signed. */
export type SigningRefusal =
  | 'NO_AUTHORITY' // there is no log to sign in
  | 'OTHER_SYSTEM' // the log is for another origin
  | 'NO_POLICY' // the rules have no such amount
  | 'NO_KEY' // this person has enrolled none
  | 'SIGNATURE_NEEDED' // the server does not hold the key
  | 'CHANGED' // differs from the reviewed content
  | 'NOT_YOUR_SIGNATURE' // this person has no signature to revoke
  | 'OTHERS_SIGNED' // a revocation would clear another person's signature
  | 'LOG'; // refused by the log, see data

export class NotSignedError extends Error {
  override name = 'NotSignedError';
  readonly reason: SigningRefusal;
  readonly problem: string | null;
  constructor(reason: SigningRefusal, problem: string | null = null) {
    super(`not signed: ${reason}${problem === null ? '' : ` (${problem})`}`);
    this.reason = reason;
    this.problem = problem;
  }
}

/** Throws NotSignedError. */
export async function withLogWriter<T>(tx: Tx, services: Services, append: (log: LogWriter) => Promise<T>): Promise<T> {
  try {
    const appendResult = await appendToLog(tx, services, async (log) => {
      requireGenesisOrigin(services, log.state());
      return { answer: await append(log) };
    });
    if (!appendResult) throw new NotSignedError('NO_AUTHORITY');
    return appendResult.answer;
  } catch (error) {
    if (error instanceof LogError) throw new NotSignedError('LOG', error.problem);
    throw error;
  }
}

/** A copy of the log, as on staging, must not collect signatures that count in production. */
function requireGenesisOrigin({ config }: Services, { genesis }: Authority): void {
  if (!genesis.development && new URL(config.publicUrl).origin !== genesis.origin) throw new NotSignedError('OTHER_SYSTEM');
}

/** Null without a draft: the server holds the person's key. */
export async function openProposal(
  tx: Tx,
  services: Services,
  log: LogWriter,
  { person }: StatementSigner,
  createStatement: () => Promise<Statement>,
): Promise<Proposal> {
  const authority = log.state();
  if (isDevelopmentSigner(authority, person)) return null;
  const keys = keysOf(authority, person);
  if (keys.length === 0) throw new NotSignedError('NO_KEY');
  const statement = await createStatement();
  const hash = canonicalHash(statement);
  const isKnown = authority.statements.has(hash) || (await findDraft(tx, hash)) !== null;
  if (!isKnown) await writeDraft(tx, services, log, statement, person);
  return { statement, hash, keys, place: genesisPositionOf(authority) };
}

const keysOf = ({ people }: Authority, person: string) => people.get(person)?.keys.map(({ key }) => key) ?? [];

const isDevelopmentSigner = (authority: Authority, person: string): boolean =>
  authority.genesis.development && keysOf(authority, person).every(({ type }) => type === 'software');

export const newStatementAt = <K extends SignedKind>(
  { now }: Services,
  authority: Authority,
  kind: K,
  content: StatementOf<K>['content'],
  validMs: number,
): StatementOf<K> => newStatement(authority, kind, content, now() + validMs);

/** False: already signed. Throws NotSignedError. */
export async function signOpenStatement(
  tx: Tx,
  log: LogWriter,
  statement: Statement,
  { person }: StatementSigner,
  signature: SignatureInput | null,
): Promise<boolean> {
  const hash = canonicalHash(statement);
  if (signature && signature.statement !== hash) throw new NotSignedError('CHANGED');
  if (log.state().statements.get(hash)?.signed.has(person)) return false;
  await addSignature(tx, log, statement, person, signature?.proof ?? null);
  return true;
}

/**
 * The first signature adds the statement. Without a proof a demo's software key signs. The owner's proof of a new key waits with
 * the draft until someone approves it.
 */
export async function addSignature(
  tx: Tx,
  log: LogWriter,
  statement: Statement,
  person: string,
  signature: Proof | null,
): Promise<void> {
  const authority = log.state();
  const hash = canonicalHash(statement);
  const proof = signature ?? softwareProof(authority, person, statement);
  if (statement.kind !== 'approver.add' || authority.statements.has(hash)) return log.sign(statement, person, proof);
  const { genesis, genesisHash, head } = authority;
  const { content } = statement;
  if (content.person === person) {
    const problem =
      log.problemOf(statement) ??
      (await proofProblemOf({ statement, hash }, proof, content.key, { ...genesis, hash: genesisHash }));
    if (problem) throw new LogError(head.number + 1, problem);
    return storeOwnerProof(tx, hash, proof);
  }
  const draft = await findDraft(tx, hash);
  const ownerProof = draft && parseOwnerProof(draft);
  if (!ownerProof) throw new NotSignedError('CHANGED');
  await log.sign(statement, person, proof);
  await log.sign(statement, content.person, ownerProof);
}

export const genesisPositionOf = ({ genesis, genesisHash }: Pick<Authority, 'genesis' | 'genesisHash'>): LogPosition => {
  const { chainId, network, token, bridge, rpId } = genesis;
  return { genesis: genesisHash, chainId, network, token, bridge, rpId };
};

/** Throws NotSignedError if the server does not hold the key. */
export function softwareProof(authority: Authority, person: string, statement: Statement): Proof {
  if (!authority.people.has(person)) throw new NotSignedError('NO_KEY');
  if (!holdsSoftwareKey(authority, person)) throw new NotSignedError('SIGNATURE_NEEDED');
  return developmentProof(person, statement);
}

export const holdsSoftwareKey = ({ genesis, people }: Authority, person: string): boolean =>
  genesis.development && (people.get(person)?.keys.some(({ key }) => keyId(key) === keyId(developmentKey(person))) ?? false);
