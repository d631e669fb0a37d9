import { canonical, hashOf } from '../../../api/authority/canonical.ts';
import type { AuthorityKey, MintClaim, Proof, Statement, StatementOf } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { developmentKey, developmentProof, enrolInDevelopment } from '../development.ts';
import { currentPolicy, keyId, LogError, neededBy, outputOf, type Authority, type Standing } from '../replay.ts';
import { appendToLog, type Draft } from '../store.ts';

// Somebody signs that a mint may be: the statement goes into the log once, and each signature of it after it.

/** How long a proposed mint can be signed for and minted. */
const expiresMs = 7 * 86_400_000;

/** What a deposit says of its mint, without what the log knows itself. */
export type DepositClaim = Omit<MintClaim, 'policy'>;

export interface Signer {
  /** Id and address of the administrator. */
  readonly person: string;
  readonly name: string;
}

/** Why nothing was signed. */
export type NotSigned =
  | 'NO_AUTHORITY' // there is no log to sign in
  | 'NO_KEY' // this person has enrolled none
  | 'SIGNATURE_NEEDED' // of a key that is not the server's to use
  | 'CHANGED' // what was signed is not what stands there now
  | 'LOG'; // the log refuses it: data says what

export class NotSignedError extends Error {
  override name = 'NotSignedError';
  readonly reason: NotSigned;
  readonly problem: string | null;
  constructor(reason: NotSigned, problem: string | null = null) {
    super(`not signed: ${reason}${problem === null ? '' : ` (${problem})`}`);
    this.reason = reason;
    this.problem = problem;
  }
}

/** What is to be signed for a claim: the statement as it stands in the log, and the person's own keys. */
export interface Proposal {
  readonly statement: StatementOf<'mint.approve'>;
  readonly hash: string;
  readonly keys: readonly AuthorityKey[];
}

/** Puts the statement for a claim into the log, unless it is there and open. Throws NotSignedError. */
export const proposeMint = (tx: Tx, services: Services, claim: DepositClaim, signer: Signer): Promise<Proposal> =>
  draft(tx, services, async (log) => {
    await enrolInDevelopment(log, signer);
    const statement = await openStatement(log, claim, signer, services.now());
    const keys =
      log
        .state()
        .people.get(signer.person)
        ?.keys.map(({ key }) => key) ?? [];
    if (keys.length === 0) throw new NotSignedError('NO_KEY');
    return { statement, hash: hashOf(statement), keys };
  });

/**
 * Adds a signature for a claim: the one given, or in a demo that of the person's software key. `enough`: as many have signed as
 * the log's rules ask for. `isNew`: they had not signed it yet. Throws NotSignedError.
 */
export const signMint = (
  tx: Tx,
  services: Services,
  claim: DepositClaim,
  signer: Signer,
  signed: { readonly statement: string; readonly proof: Proof } | null,
): Promise<{ enough: boolean; isNew: boolean; statement: string }> =>
  draft(tx, services, async (log) => {
    await enrolInDevelopment(log, signer);
    const statement = await openStatement(log, claim, signer, services.now());
    const hash = hashOf(statement);
    if (signed && signed.statement !== hash) throw new NotSignedError('CHANGED');
    const standing = () => log.state().statements.get(hash);
    const isNew = !standing()?.signed.has(signer.person);
    if (isNew) {
      const proof = signed?.proof ?? softwareProof(log.state(), signer, statement);
      await log.add({ kind: 'signature', signs: hash, person: signer.person, proof });
    }
    return { enough: typeof standing()?.passedAt === 'number', isNew, statement: hash };
  });

/**
 * Cancels in the log what was approved for an output, where the server may sign for this person (a demo). Elsewhere who has a key
 * signs it by themselves; the ledger's own cancelling stops the mint as well.
 */
export const cancelInLog = (
  tx: Tx,
  services: Services,
  { network, txid, vout }: Pick<MintClaim, 'network' | 'txid' | 'vout'>,
  signer: Signer,
  reason: string,
): Promise<boolean> =>
  draft(tx, services, async (log) => {
    await enrolInDevelopment(log, signer);
    if (!holdsSoftwareKey(log.state(), signer.person)) return false;
    const by = { person: signer.person, name: signer.name };
    const expires = new Date(services.now() + expiresMs).toISOString();
    const statement = (await log.add({
      kind: 'mint.cancel',
      by,
      expires,
      content: { network, txid, vout, reason },
    })) as Statement;
    const proof = developmentProof(signer.person, statement);
    await log.add({ kind: 'signature', signs: hashOf(statement), person: signer.person, proof });
    return true;
  });

/**
 * Signs that a freeze of the ledger is lifted: the statement that is open for just this difference, or a new one. `missing`: how many
 * more have to sign. Throws NotSignedError.
 */
export const signUnfreeze = (
  tx: Tx,
  services: Services,
  content: StatementOf<'unfreeze'>['content'],
  { person, name }: Signer,
): Promise<{ missing: number; isNew: boolean }> =>
  draft(tx, services, async (log) => {
    await enrolInDevelopment(log, { person, name });
    const { freeze, difference } = content;
    if (log.state().accepted.get(freeze) === difference) return { missing: 0, isNew: false };
    const isOpen = ({ statement, passedAt }: Standing) =>
      statement.kind === 'unfreeze' &&
      passedAt === null &&
      statement.content.freeze === freeze &&
      statement.content.difference === difference &&
      Date.parse(statement.expires) > services.now();
    const known = [...log.state().statements.values()].findLast(isOpen)?.statement;
    const expires = new Date(services.now() + expiresMs).toISOString();
    const statement = known ?? ((await log.add({ kind: 'unfreeze', by: { person, name }, expires, content })) as Statement);
    const hash = hashOf(statement);
    const isNew = !log.state().statements.get(hash)?.signed.has(person);
    if (isNew) {
      const proof = softwareProof(log.state(), { person, name }, statement);
      await log.add({ kind: 'signature', signs: hash, person, proof });
    }
    const standing = log.state().statements.get(hash);
    const needed = neededBy(statement, currentPolicy(log.state().policies, services.now()).policy);
    return { missing: standing?.passedAt === null ? needed - standing.signed.size : 0, isNew };
  });

async function draft<T>(tx: Tx, services: Services, make: (log: Draft) => Promise<T>): Promise<T> {
  try {
    const answer = await appendToLog(tx, services, async (log) => ({ answer: await make(log) }));
    if (!answer) throw new NotSignedError('NO_AUTHORITY');
    return answer.answer;
  } catch (error) {
    if (error instanceof LogError) throw new NotSignedError('LOG', error.problem);
    throw error;
  }
}

/** The statement that says just this under the rules of now, and can still be signed; proposed when there is none. */
async function openStatement(
  { state, add }: Draft,
  claim: DepositClaim,
  { person, name }: Signer,
  now: number,
): Promise<StatementOf<'mint.approve'>> {
  const authority = state();
  const content: MintClaim = { ...claim, policy: currentPolicy(authority.policies, now).number };
  const found = openFor(authority, content, now);
  if (found) return found;
  const expires = new Date(now + expiresMs).toISOString();
  return (await add({ kind: 'mint.approve', by: { person, name }, expires, content })) as StatementOf<'mint.approve'>;
}

function openFor(authority: Authority, content: MintClaim, now: number): StatementOf<'mint.approve'> | null {
  const text = canonical(content);
  const cancelled = authority.cancelled.get(outputOf(content)) ?? -1;
  const isOpen = (statement: Statement): statement is StatementOf<'mint.approve'> =>
    statement.kind === 'mint.approve' &&
    statement.number > cancelled &&
    Date.parse(statement.expires) > now &&
    canonical(statement.content) === text;
  for (const { statement } of [...authority.statements.values()].toReversed()) if (isOpen(statement)) return statement;
  return null;
}

function softwareProof(authority: Authority, { person }: Signer, statement: Statement): Proof {
  if (!authority.people.has(person)) throw new NotSignedError('NO_KEY');
  if (!holdsSoftwareKey(authority, person)) throw new NotSignedError('SIGNATURE_NEEDED');
  return developmentProof(person, statement);
}

/** Whether the server may sign for somebody: with the software key of a demo. */
export const holdsSoftwareKey = ({ genesis, people }: Authority, person: string): boolean =>
  genesis.development && (people.get(person)?.keys.some(({ key }) => keyId(key) === keyId(developmentKey(person))) ?? false);
