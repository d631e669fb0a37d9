import { canonical, hashOf } from '../../../api/authority/canonical.ts';
import type { Given, LogPlace, Proposal } from '../../../api/authority/signing.ts';
import type { AuthorityBand, Genesis, MintClaim, Proof, Statement, StatementOf } from '../../../api/authority/statements.ts';
import type { Services } from '../../platform/core/context.ts';
import type { Tx } from '../../platform/db/db.ts';
import { developmentKey, developmentProof, enrolInDevelopment } from '../development.ts';
import { isOpenApproval, signersOf, type Approval, type MintSigner } from '../judge.ts';
import { bandOf, rulesAt, keyId, LogError, neededBy, outputOf, type Authority, type Standing } from '../replay.ts';
import { appendToLog, type Draft } from '../store.ts';

// Somebody signs that a mint may be: the statement goes into the log once, and each signature of it after it.

/** How long a proposed mint can be signed for and minted, besides the delay of the rules. */
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

/** What the log asks for a mint of an amount, and who signed for it. */
export interface MintStanding {
  /** Of the rules in force; null: they have no such amount. */
  readonly band: AuthorityBand | null;
  /** Those of its signers who count now, and what they are called. */
  readonly signers: readonly (MintSigner & { readonly name: string })[];
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

type Unfreeze = StatementOf<'unfreeze'>['content'];

/** The same for lifting a freeze of the ledger: the statement that is open for just this difference, or a new one. */
export const proposeUnfreeze = (tx: Tx, services: Services, content: Unfreeze, signer: Signer): Promise<Proposal> =>
  draft(tx, services, (log) => proposing(log, signer, () => openUnfreeze(log, content, signer, services.now())));

/** Signs that a freeze of the ledger is lifted. `missing`: how many more have to sign. Throws NotSignedError. */
export const signUnfreeze = (
  tx: Tx,
  services: Services,
  content: Unfreeze,
  signer: Signer,
  given: Given | null,
): Promise<{ missing: number; isNew: boolean }> =>
  draft(tx, services, async (log) => {
    await enrolInDevelopment(tx, log, signer);
    const { freeze, difference } = content;
    if (log.state().accepted.get(freeze) === difference) return { missing: 0, isNew: false };
    const statement = await openUnfreeze(log, content, signer, services.now());
    const isNew = await sign(log, statement, signer, given);
    const standing = log.state().statements.get(hashOf(statement));
    const needed = neededBy(statement, rulesAt(log.state().policies, services.now()).policy);
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

/** Answers what somebody's own key signs; null, and nothing is put into the log, where the server has their key. */
async function proposing({ state }: Draft, { person }: Signer, open: () => Promise<Statement>): Promise<Proposal> {
  if (isServed(state(), person)) return null;
  const keys = keysOf(state(), person);
  if (keys.length === 0) throw new NotSignedError('NO_KEY');
  const statement = await open();
  return { statement, hash: hashOf(statement), keys, place: placeOf(state().genesis) };
}

const keysOf = ({ people }: Authority, person: string) => people.get(person)?.keys.map(({ key }) => key) ?? [];

/** Whether the server has all keys that somebody signs with. */
const isServed = (authority: Authority, person: string): boolean =>
  authority.genesis.development && keysOf(authority, person).every(({ type }) => type === 'software');

/** Adds the signature; false where it is there already. */
async function sign(log: Draft, statement: Statement, signer: Signer, given: Given | null): Promise<boolean> {
  const hash = hashOf(statement);
  if (given && given.statement !== hash) throw new NotSignedError('CHANGED');
  if (log.state().statements.get(hash)?.signed.has(signer.person)) return false;
  const proof = given?.proof ?? softwareProof(log.state(), signer.person, statement);
  await log.add({ kind: 'signature', signs: hash, person: signer.person, proof });
  return true;
}

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

async function openUnfreeze(
  { state, add }: Draft,
  content: Unfreeze,
  { person, name }: Signer,
  now: number,
): Promise<StatementOf<'unfreeze'>> {
  const isOpen = ({ statement, passedAt }: Standing): boolean =>
    statement.kind === 'unfreeze' &&
    passedAt === null &&
    statement.content.freeze === content.freeze &&
    statement.content.difference === content.difference &&
    Date.parse(statement.expires) > now;
  const known = [...state().statements.values()].findLast(isOpen)?.statement;
  if (known?.kind === 'unfreeze') return known;
  const expires = new Date(now + expiresMs).toISOString();
  return (await add({ kind: 'unfreeze', by: { person, name }, expires, content })) as StatementOf<'unfreeze'>;
}

const isApproval = (standing: Standing): standing is Approval => standing.statement.kind === 'mint.approve';

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
