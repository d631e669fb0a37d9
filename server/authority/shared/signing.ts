import { hashOf } from '../../../api/authority/canonical.ts';
import type { Given, LogPlace, Proposal } from '../../../api/authority/signing.ts';
import type { Genesis, Proof, Statement } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { developmentKey, developmentProof } from '../development.ts';
import { keyId, LogError, type Authority } from '../replay.ts';
import { appendToLog, type Draft } from '../store.ts';

// How a person's signature gets into the log, whatever it is for.

export interface Signer {
  /** Id and address of the administrator. */
  readonly person: string;
  readonly name: string;
}

/** Why nothing was signed. */
export type NotSigned =
  | 'NO_AUTHORITY' // there is no log to sign in
  | 'NO_POLICY' // the rules have no such amount
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

export async function draft<T>(tx: Tx, services: Services, make: (log: Draft) => Promise<T>): Promise<T> {
  try {
    const answer = await appendToLog(tx, services, async (log) => ({ answer: await make(log) }));
    if (!answer) throw new NotSignedError('NO_AUTHORITY');
    return answer.answer;
  } catch (error) {
    if (error instanceof LogError) throw new NotSignedError('LOG', error.problem);
    throw error;
  }
}

/** Answers what somebody's own key signs; null, and nothing is put into the log, where the server has their key. */
export async function proposing({ state }: Draft, { person }: Signer, open: () => Promise<Statement>): Promise<Proposal> {
  if (isServed(state(), person)) return null;
  const keys = keysOf(state(), person);
  if (keys.length === 0) throw new NotSignedError('NO_KEY');
  const statement = await open();
  return { statement, hash: hashOf(statement), keys, place: placeOf(state().genesis) };
}

export const keysOf = ({ people }: Authority, person: string) => people.get(person)?.keys.map(({ key }) => key) ?? [];

/** Whether the server has all keys that somebody signs with. */
const isServed = (authority: Authority, person: string): boolean =>
  authority.genesis.development && keysOf(authority, person).every(({ type }) => type === 'software');

/** Adds the signature; false where it is there already. */
export async function sign(log: Draft, statement: Statement, signer: Signer, given: Given | null): Promise<boolean> {
  const hash = hashOf(statement);
  if (given && given.statement !== hash) throw new NotSignedError('CHANGED');
  if (log.state().statements.get(hash)?.signed.has(signer.person)) return false;
  const proof = given?.proof ?? softwareProof(log.state(), signer.person, statement);
  await log.add({ kind: 'signature', signs: hash, person: signer.person, proof });
  return true;
}

/** What of the genesis a browser compares with, and asks passkeys for. */
export const placeOf = ({ chainId, network, token, bridge, rpId }: Genesis): LogPlace => ({
  chainId,
  network,
  token,
  bridge,
  rpId,
});

/** A demo's signature for somebody. Throws NotSignedError where the key is not the server's to use. */
export function softwareProof(authority: Authority, person: string, statement: Statement): Proof {
  if (!authority.people.has(person)) throw new NotSignedError('NO_KEY');
  if (!holdsSoftwareKey(authority, person)) throw new NotSignedError('SIGNATURE_NEEDED');
  return developmentProof(person, statement);
}

/** Whether the server may sign for somebody: with the software key of a demo. */
export const holdsSoftwareKey = ({ genesis, people }: Authority, person: string): boolean =>
  genesis.development && (people.get(person)?.keys.some(({ key }) => keyId(key) === keyId(developmentKey(person))) ?? false);
