import { canonical, hashOf } from '../../api/authority/canonical.ts';
import {
  signatureLine,
  statement as statementSchema,
  type AuthorityBand,
  type AuthorityKey,
  type AuthorityPolicy,
  type Genesis,
  type LogLine,
  type MintClaim,
  type Receiver,
  type SignatureLine,
  type Statement,
  type StatementOf,
} from '../../api/authority/statements.ts';
import { mostSatoshi } from '../../api/money.ts';
import { isUsableKey, problemOf, type ProofProblem } from './proofs.ts';

// What the log says, line by line from its genesis. Nothing else is believed: the signer, the screens and `authority:verify` all
// read it by this one function. It has two clocks and none of its own. Whether a line fits is a matter of the log alone, by the
// times it says: all readers agree on it, whenever they read. From when something counts is a matter of the reader, who may give
// each line a time of its own (the signer: when it first saw it), so that who writes the log cannot shorten a waiting time.

/** Why a line does not fit. */
export type LogProblem =
  | 'FORM' // no line, or not in its canonical form
  | 'GENESIS' // it begins with another genesis than the pinned one
  | 'ORDER' // its number, its predecessor's hash or its time
  | 'UNKNOWN_STATEMENT' // a signature of what is not in the log
  | 'NOT_APPROVER' // a signature of somebody who may not sign, or not yet, or not any more
  | 'TWICE' // a second signature of the same person
  | 'LATE' // a signature after the statement expired
  | 'AUTHOR' // who wrote the deposit signs for its mint
  | 'CONTENT' // what it says cannot be: an approver twice, rules with a gap, another chain
  | ProofProblem;

/** The first line that does not fit: its number from 0, and why. */
export class LogError extends Error {
  override name = 'LogError';
  readonly line: number;
  readonly problem: LogProblem;
  constructor(line: number, problem: LogProblem) {
    super(`line ${line} of the authority log does not fit: ${problem}`);
    this.line = line;
    this.problem = problem;
  }
}

/** A key as it was enrolled. What its owner is to the rules came with it, and cooled with it. */
export interface EnrolledKey {
  readonly key: AuthorityKey;
  readonly roles: readonly string[];
  /** Milliseconds from when it counts, by the reader's clock. */
  readonly from: number;
  /** The same by the log's own times. */
  readonly saidFrom: number;
}

/** A person who may sign; name and roles as they were enrolled last. */
export interface Person {
  readonly person: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly keys: readonly EnrolledKey[];
}

/** Somebody's signature: its line, when it came (milliseconds, by the reader's clock), and the key it is by (null: the one it enrols). */
export interface Signed {
  readonly at: number;
  readonly line: number;
  readonly key: EnrolledKey | null;
}

/** A statement, who signed it, and from when it counts. Milliseconds; null: not enough have signed. */
export interface Standing {
  readonly statement: Statement;
  readonly hash: string;
  readonly signed: ReadonlyMap<string, Signed>;
  /** When enough had signed who counted, by the reader's clock (infinite: enough for the log, but some came too late for the reader). */
  readonly passedAt: number | null;
  /** From when it is in force: after the cooling time, or a mint's delay. */
  readonly from: number | null;
}

interface Open {
  statement: Statement;
  hash: string;
  signed: Map<string, Signed>;
  passedAt: number | null;
  from: number | null;
}

/** What the log says. Times in milliseconds, by the reader's clock. */
export interface Authority {
  readonly genesis: Genesis;
  readonly genesisHash: string;
  readonly head: { readonly number: number; readonly hash: string };
  /** The hash of each line. */
  readonly hashes: readonly string[];
  readonly statements: ReadonlyMap<string, Standing>;
  readonly people: ReadonlyMap<string, Person>;
  readonly policies: readonly Rules[];
  readonly minters: readonly Minter[];
  /** Bitcoin addresses that are ours, and from when. */
  readonly custody: ReadonlyMap<string, number>;
  /** Those of them that an institution's entry named: they stay its own when the entry goes, until they are none of ours. */
  readonly owned: ReadonlySet<string>;
  /** By the address in lower case. */
  readonly receivers: ReadonlyMap<string, { readonly receiver: Receiver; readonly from: number }>;
  /** Open freezes: the number of the statement, as text. */
  readonly freezes: ReadonlyMap<string, string>;
  /** Differences of the ledger that people accepted: the freeze's id → what it was. */
  readonly accepted: ReadonlyMap<string, string>;
  /** Of freezes and accepted differences: from when they are lifted, where the reader still has to wait for it. */
  readonly lifting: ReadonlyMap<string, number>;
  /** Outputs whose mint was cancelled, as `outputOf` spells them, and in which line: approvals proposed before it do not count. */
  readonly cancelled: ReadonlyMap<string, number>;
}

/** Rules, by the number of their statement, and from when they are in force: by the reader's clock, and by the log's own times. */
export interface Rules {
  readonly number: number;
  readonly policy: AuthorityPolicy;
  readonly from: number;
  readonly saidFrom: number;
}

/** The account that signs mints and proofs of reserve, and from when: by the reader's clock, and by the log's own times. */
export interface Minter {
  /** Of its statement. */
  readonly number: number;
  readonly address: string;
  readonly from: number;
  readonly saidFrom: number;
}

export interface ReplayOptions {
  /** The hash of the first line; anything else is another log. */
  genesis: string;
  /** The time at which line `number` counts; its own `at` unless said. */
  timeOf?: (number: number, at: number) => number;
}

/** One output of Bitcoin, in a word. */
export const outputOf = ({ network, txid, vout }: Pick<MintClaim, 'network' | 'txid' | 'vout'>): string =>
  `${network}:${txid}:${vout}`;

/** Reads a log from its first line, each a JSON text in canonical form or its value. Throws LogError at the first that does not fit. */
export async function replay(lines: Iterable<unknown>, options: ReplayOptions): Promise<Authority> {
  const log = new Log(options);
  for (const line of lines) await log.add(line);
  return log.state();
}

/** A log that is read on: lines are added at its end, each checked. */
export class Log {
  readonly #options: ReplayOptions;
  #genesis: Genesis | null = null;
  #genesisHash = '';
  #head = { number: -1, hash: '' };
  #lastAt = -Infinity;
  readonly #statements = new Map<string, Open>();
  readonly #people = new Map<string, Person>();
  readonly #hashes: string[] = [];
  readonly #policies: Rules[] = [];
  readonly #minters: Minter[] = [];
  readonly #custody = new Map<string, number>();
  readonly #owned = new Set<string>();
  readonly #receivers = new Map<string, { receiver: Receiver; from: number }>();
  readonly #freezes = new Map<string, string>();
  readonly #accepted = new Map<string, string>();
  readonly #lifting = new Map<string, number>();
  /** Whose each key ever was: it is never somebody else's. */
  readonly #owners = new Map<string, string>();
  readonly #cancelled = new Map<string, number>();

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  async add(raw: unknown): Promise<void> {
    const number = this.#head.number + 1;
    const refuse = (problem: LogProblem) => new LogError(number, problem);
    const line = parse(raw);
    if (!line) throw refuse('FORM');
    const hash = hashOf(line);
    if (line.number !== number || line.previous !== this.#head.hash) throw refuse('ORDER');
    const said = Date.parse(line.at);
    if (said < this.#lastAt) throw refuse('ORDER');
    if (number === 0 ? line.kind !== 'genesis' || hash !== this.#options.genesis : line.kind === 'genesis')
      throw refuse('GENESIS');
    const at = this.#options.timeOf?.(number, said) ?? said;
    const problem = line.kind === 'signature' ? await this.#sign(line, at, said) : this.#propose(line, hash, at);
    if (problem) throw refuse(problem);
    this.#head = { number, hash };
    this.#hashes.push(hash);
    this.#lastAt = said;
  }

  /** The same log again, so that lines can be tried without changing this one; `options` are for those to come. */
  copy(options: ReplayOptions = this.#options): Log {
    const other = new Log(options);
    other.#genesis = this.#genesis;
    other.#genesisHash = this.#genesisHash;
    other.#head = this.#head;
    other.#lastAt = this.#lastAt;
    for (const [hash, open] of this.#statements) other.#statements.set(hash, { ...open, signed: new Map(open.signed) });
    for (const [key, value] of this.#people) other.#people.set(key, value);
    other.#policies.push(...this.#policies);
    other.#minters.push(...this.#minters);
    other.#hashes.push(...this.#hashes);
    for (const [key, value] of this.#custody) other.#custody.set(key, value);
    for (const address of this.#owned) other.#owned.add(address);
    for (const [key, value] of this.#owners) other.#owners.set(key, value);
    for (const [key, value] of this.#lifting) other.#lifting.set(key, value);
    for (const [key, value] of this.#receivers) other.#receivers.set(key, value);
    for (const [key, value] of this.#freezes) other.#freezes.set(key, value);
    for (const [key, value] of this.#accepted) other.#accepted.set(key, value);
    for (const [key, value] of this.#cancelled) other.#cancelled.set(key, value);
    return other;
  }

  /** The number and hash of the last line, and its time; number -1 before the genesis. */
  get head(): { readonly number: number; readonly hash: string; readonly at: number } {
    return { ...this.#head, at: this.#lastAt };
  }

  state(): Authority {
    if (!this.#genesis) throw new LogError(0, 'GENESIS');
    return {
      genesis: this.#genesis,
      genesisHash: this.#genesisHash,
      head: this.#head,
      hashes: this.#hashes,
      statements: this.#statements,
      people: this.#people,
      policies: this.#policies,
      minters: this.#minters,
      custody: this.#custody,
      owned: this.#owned,
      receivers: this.#receivers,
      freezes: this.#freezes,
      accepted: this.#accepted,
      lifting: this.#lifting,
      cancelled: this.#cancelled,
    };
  }

  #propose(statement: Statement, hash: string, at: number): LogProblem | null {
    if (statement.kind === 'genesis') return this.#begin(statement, hash, at);
    if (isBadContent(statement, this.#genesis)) return 'CONTENT';
    this.#statements.set(hash, { statement, hash, signed: new Map(), passedAt: null, from: null });
    return null;
  }

  #begin({ content, ...line }: StatementOf<'genesis'>, hash: string, at: number): LogProblem | null {
    if (isBadPolicy(content.policy, content)) return 'CONTENT';
    if (isNobody(content.minter) && !content.development) return 'CONTENT';
    if (new Set(content.approvers.map(({ person }) => person)).size < content.policy.root) return 'CONTENT';
    this.#genesis = content;
    this.#genesisHash = hash;
    this.#statements.set(hash, { statement: { ...line, content }, hash, signed: new Map(), passedAt: at, from: at });
    // What stands in the pinned genesis counts from the beginning of time: it was looked at before it was pinned.
    const from = -Infinity;
    for (const one of content.approvers) {
      if (isBadKey(one.key, content) || !this.#enrol(one, { from, saidFrom: from })) return 'CONTENT';
    }
    this.#policies.push({ number: 0, policy: content.policy, from, saidFrom: from });
    this.#minters.push({ number: 0, address: content.minter, from, saidFrom: from });
    for (const address of content.custody) this.#custody.set(address, from);
    for (const receiver of content.receivers) {
      if (this.#receivers.has(receiver.address.toLowerCase())) return 'CONTENT';
      this.#list(receiver, from);
    }
    return null;
  }

  async #sign({ signs, person, proof, number }: SignatureLine, at: number, said: number): Promise<LogProblem | null> {
    const open = this.#statements.get(signs);
    const genesis = this.#genesis;
    if (!open || !genesis || open.statement.kind === 'genesis') return 'UNKNOWN_STATEMENT';
    const { statement } = open;
    if (open.signed.has(person)) return 'TWICE';
    if (said > Date.parse(statement.expires)) return 'LATE';
    const found = this.#keyOf(statement, person, proof, said);
    if (typeof found === 'string') return found;
    const problem = await problemOf(statement, proof, found.key, genesis);
    if (problem) return problem;
    if (isApproval(statement) && statement.content.authors.includes(person)) return 'AUTHOR';
    open.signed.set(person, { at, line: number, key: found.enrolled });
    if (open.passedAt !== null) {
      // One is enough for these, so each one stops anew, whatever came in between.
      return statement.kind === 'freeze' || statement.kind === 'mint.cancel'
        ? this.#apply(statement, open.passedAt, at, said)
        : null;
    }
    const passedAt = this.#passedAt(open, said);
    if (passedAt === null) return null;
    open.passedAt = passedAt;
    open.from = passedAt + waitingFor(statement, this.#believed(said).policy);
    return this.#apply(statement, passedAt, at, said);
  }

  /** The key of `person` that `proof` is by: one that counts by now, or the very one that is being enrolled (which proves its owner has it, and counts for nothing). */
  #keyOf(
    statement: Statement,
    person: string,
    proof: SignatureLine['proof'],
    said: number,
  ): { key: AuthorityKey; enrolled: EnrolledKey | null } | LogProblem {
    // Whose key is enrolled shows that they have it, and says nothing else: with no older key of theirs either.
    if (statement.kind === 'approver.add' && statement.content.person === person)
      return isBy(proof, statement.content.key) ? { key: statement.content.key, enrolled: null } : 'KEY';
    const known = this.#people.get(person);
    const counting = known?.keys.filter(({ saidFrom }) => saidFrom <= said) ?? [];
    if (counting.length === 0) return 'NOT_APPROVER';
    const enrolled = counting.find(({ key }) => isBy(proof, key)) ?? counting.find(({ key }) => key.type === proof.type);
    return enrolled ? { key: enrolled.key, enrolled } : 'KEY';
  }

  /** When the statement had enough signatures; null when it has not. */
  #passedAt({ statement, signed }: Open, said: number): number | null {
    // Nobody is let in with a key that its owner has not shown to have.
    if (statement.kind === 'approver.add' && !signed.has(statement.content.person)) return null;
    const rules = this.#rules(said);
    const standing = [...signed].filter(([person, { key }]) => key !== null && this.#people.get(person)?.keys.includes(key));
    if (standing.length < neededBy(statement, rules.policy)) return null;
    const believed = this.#believed(said);
    if (standing.length < neededBy(statement, believed.policy)) return Infinity;
    return Math.max(believed.from, ...standing.map(([, one]) => countsFrom(statement, one)));
  }

  /** The rules in force by the log's own times. */
  #rules(said: number): Rules {
    const found = this.#policies.findLast(({ saidFrom }) => saidFrom <= said);
    if (!found) throw new Error('a log without rules');
    return found;
  }

  /** Those of them that this reader believes, or will: rules that it saw too late never count for it, and what follows goes by the ones before. */
  #believed(said: number): Rules {
    const rules = this.#rules(said);
    return this.#policies.slice(0, this.#policies.indexOf(rules) + 1).findLast(({ from }) => from < Infinity) ?? rules;
  }

  /** As many people as every set of rules needs that is in force or will be. */
  #mostRoot(said: number): number {
    const now = this.#policies.indexOf(this.#rules(said));
    return Math.max(...this.#policies.slice(now).map(({ policy }) => policy.root));
  }

  /** What takes something away counts at once, for every reader; what gives counts from `passedAt` on, and the cooling time later. */
  #apply(statement: Statement, passedAt: number, at: number, said: number): LogProblem | null {
    const from = passedAt + waitingFor(statement, this.#believed(said).policy);
    const saidFrom = said + waitingFor(statement, this.#rules(said).policy);
    switch (statement.kind) {
      case 'approver.add':
        return this.#enrol(statement.content, { from, saidFrom }) ? null : 'CONTENT';
      case 'approver.remove':
        // The last ones stay: without them nothing could ever be changed again.
        if (!this.#people.has(statement.content.person) || this.#people.size <= this.#mostRoot(said)) return 'CONTENT';
        this.#people.delete(statement.content.person);
        return null;
      case 'policy.set':
        if (statement.content.root > this.#people.size) return 'CONTENT';
        this.#policies.push({ number: statement.number, policy: statement.content, from, saidFrom });
        return null;
      case 'minter.set':
        this.#minters.push({ number: statement.number, address: statement.content.address, from, saidFrom });
        return null;
      case 'custody.add':
        if (this.#custody.has(statement.content.address)) return 'CONTENT';
        this.#custody.set(statement.content.address, from);
        // One that comes back while an institution's entry still names it is that institution's own again.
        for (const { receiver } of this.#receivers.values())
          if (receiver.custody.includes(statement.content.address)) this.#owned.add(statement.content.address);
        return null;
      case 'custody.remove':
        this.#owned.delete(statement.content.address);
        return this.#custody.delete(statement.content.address) ? null : 'CONTENT';
      case 'receiver.add':
        this.#list(statement.content, from);
        return null;
      case 'receiver.remove':
        return this.#receivers.delete(statement.content.address.toLowerCase()) ? null : 'CONTENT';
      case 'mint.cancel':
        this.#cancelled.set(outputOf(statement.content), this.#head.number + 1);
        return null;
      case 'freeze':
        this.#lifting.delete(String(statement.number));
        this.#freezes.set(String(statement.number), statement.content.reason);
        return null;
      case 'unfreeze':
        return this.#lift(statement.content, passedAt, at);
      case 'mint.approve':
      case 'refund.approve':
        return null;
      case 'genesis':
        return 'GENESIS';
    }
  }

  /** A number is a freeze of this log, lifted or not: a reader may have seen its lifting too late. Everything else is an id that the ledger gave. */
  #lift({ freeze, difference }: StatementOf<'unfreeze'>['content'], passedAt: number, at: number): LogProblem | null {
    const isOwn = /^\d+$/.test(freeze);
    if (isOwn && !this.#wasFrozen(freeze)) return 'CONTENT';
    if (!isOwn) this.#accepted.set(freeze, difference);
    if (passedAt > at) {
      this.#lifting.set(freeze, passedAt);
      return null;
    }
    this.#lifting.delete(freeze); // one that came too late is made good by another
    if (isOwn) this.#freezes.delete(freeze);
    return null;
  }

  #wasFrozen(number: string): boolean {
    const all = [...this.#statements.values()];
    return all.some(
      ({ statement, passedAt }) => statement.kind === 'freeze' && passedAt !== null && String(statement.number) === number,
    );
  }

  #list(receiver: Receiver, from: number): void {
    this.#receivers.set(receiver.address.toLowerCase(), { receiver, from });
    for (const address of receiver.custody) this.#owned.add(address);
  }

  /** Whether the key can be theirs: not one that somebody signs with, or that was ever another's. */
  #enrol(
    { person, name, roles, key }: StatementOf<'approver.add'>['content'],
    times: Pick<EnrolledKey, 'from' | 'saidFrom'>,
  ): boolean {
    const ids = key.type === 'passkey' ? [keyId(key), `credential:${key.credential}`] : [keyId(key)];
    const keys = this.#people.get(person)?.keys ?? [];
    const isTaken = ids.some((id) => (this.#owners.get(id) ?? person) !== person);
    if (isTaken || keys.some((known) => keyId(known.key) === keyId(key))) return false;
    for (const id of ids) this.#owners.set(id, person);
    this.#people.set(person, { person, name, roles, keys: [...keys, { key, roles, ...times }] });
    return true;
  }
}

/** The line a text or value is, when it is one and nothing more. */
function parse(raw: unknown): LogLine | null {
  try {
    const value: unknown = typeof raw === 'string' ? JSON.parse(raw) : raw;
    for (const schema of [statementSchema, signatureLine]) {
      const { success, data } = schema.safeParse(value);
      // As it came, to the letter: nothing twice, nothing besides, no other spelling.
      if (success) return canonical(data) === (typeof raw === 'string' ? raw : canonical(raw)) ? data : null;
    }
  } catch {
    return null; // no JSON, or none that has a canonical form
  }
  return null;
}

/** What a key is known by: its public half, whatever it is used as. */
export const keyId = (key: AuthorityKey): string =>
  key.type === 'wallet' ? `wallet:${key.address.toLowerCase()}` : `p256:${key.publicKey}`;

/** From when a signature counts by the reader's clock: once its key does; never when the reader saw it after the statement expired. */
export const countsFrom = ({ expires }: Pick<Statement, 'expires'>, { at, key }: Signed): number =>
  key === null || at > Date.parse(expires) ? Infinity : Math.max(at, key.from);

const isBy = (proof: SignatureLine['proof'], key: AuthorityKey): boolean => {
  if (proof.type === 'passkey') return key.type === 'passkey' && key.credential === proof.credential;
  if (proof.type === 'wallet') return key.type === 'wallet' && key.address.toLowerCase() === proof.address.toLowerCase();
  return key.type === 'software';
};

/** How many people a statement needs under the rules. */
export function neededBy(statement: Statement, policy: AuthorityPolicy): number {
  switch (statement.kind) {
    case 'genesis':
      return 0;
    case 'freeze':
    case 'mint.cancel':
      return 1;
    case 'unfreeze':
    case 'receiver.add':
    case 'receiver.remove':
      return 2;
    case 'mint.approve':
    case 'refund.approve':
      return bandFor(statement, policy)?.approvals ?? Infinity;
    case 'approver.add':
    case 'approver.remove':
    case 'policy.set':
    case 'minter.set':
    case 'custody.add':
    case 'custody.remove':
      return policy.root;
  }
}

/** How long a statement that enough have signed waits until it is in force, in milliseconds. */
function waitingFor(statement: Statement, policy: AuthorityPolicy): number {
  switch (statement.kind) {
    case 'approver.add':
    case 'policy.set':
    case 'minter.set':
    case 'custody.add':
    case 'receiver.add':
      return policy.coolingSeconds * 1000;
    case 'mint.approve':
    case 'refund.approve':
      return (bandFor(statement, policy)?.delaySeconds ?? 0) * 1000;
    case 'genesis':
    case 'approver.remove':
    case 'custody.remove':
    case 'receiver.remove':
    case 'mint.cancel':
    case 'freeze':
    case 'unfreeze':
      return 0;
  }
}

/** The rules in force at a time. */
export function rulesAt(policies: Authority['policies'], at: number): Authority['policies'][number] {
  const found = policies.findLast(({ from }) => from <= at);
  if (!found) throw new Error('a log without rules');
  return found;
}

const bandIn = (bands: readonly AuthorityBand[], satoshi: bigint): AuthorityBand | null =>
  bands.find(({ from, below }) => BigInt(from) <= satoshi && (below === null || satoshi < BigInt(below))) ?? null;

/** The mint band of an amount in satoshi; null: nothing of it is minted. */
export const bandOf = ({ bands }: Pick<AuthorityPolicy, 'bands'>, satoshi: bigint): AuthorityBand | null =>
  bandIn(bands, satoshi);

/** The refund band of an amount in satoshi; null: nothing of it is sent out. */
export const refundBandOf = ({ refundBands }: Pick<AuthorityPolicy, 'refundBands'>, satoshi: bigint): AuthorityBand | null =>
  bandIn(refundBands, satoshi);

type ApprovalStatement = StatementOf<'mint.approve' | 'refund.approve'>;

const isApproval = (statement: Statement): statement is ApprovalStatement =>
  statement.kind === 'mint.approve' || statement.kind === 'refund.approve';

const bandFor = ({ kind, content: { satoshi } }: ApprovalStatement, policy: AuthorityPolicy): AuthorityBand | null =>
  (kind === 'mint.approve' ? bandOf : refundBandOf)(policy, BigInt(satoshi));

/** Bands may not overlap, and each has room. Where money is at stake no one changes the rules alone, and every receiver is listed. */
function isBadPolicy(
  { bands, refundBands, root, receivers }: AuthorityPolicy,
  { development }: Pick<Genesis, 'development'>,
): boolean {
  if (!development && (root < 2 || receivers !== 'listed')) return true;
  return areBadBands(bands) || areBadBands(refundBands);
}

function areBadBands(bands: readonly AuthorityBand[]): boolean {
  const ordered = bands.toSorted((a, b) => (BigInt(a.from) < BigInt(b.from) ? -1 : 1));
  return ordered.some(({ from, below }, at) => {
    const next = ordered[at + 1];
    if (below !== null && BigInt(below) <= BigInt(from)) return true;
    return next !== undefined && (below === null || BigInt(below) > BigInt(next.from));
  });
}

const isNobody = (address: string): boolean => /^0x0{40}$/.test(address);

const isBadKey = (key: AuthorityKey, { development }: Pick<Genesis, 'development'>): boolean =>
  (key.type === 'software' && !development) || !isUsableKey(key);

/** What can be said of a statement by itself and the genesis. */
function isBadContent(statement: Statement, genesis: Genesis | null): boolean {
  if (!genesis || !isValidFor(statement, genesis)) return true;
  switch (statement.kind) {
    case 'mint.approve': {
      const { chainId, token, bridge, network, satoshi } = statement.content;
      const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
      return (
        chainId !== genesis.chainId ||
        network !== genesis.network ||
        !same(token, genesis.token) ||
        !same(bridge, genesis.bridge) ||
        BigInt(satoshi) === 0n ||
        BigInt(satoshi) > mostSatoshi
      );
    }
    case 'policy.set':
      return isBadPolicy(statement.content, genesis);
    case 'approver.add':
      return isBadKey(statement.content.key, genesis);
    case 'refund.approve': {
      const { chainId, network, bridge, satoshi } = statement.content;
      const isHere =
        chainId === genesis.chainId && network === genesis.network && bridge.toLowerCase() === genesis.bridge.toLowerCase();
      return !isHere || BigInt(satoshi) === 0n || BigInt(satoshi) > mostSatoshi;
    }
    case 'minter.set':
      return isNobody(statement.content.address);
    case 'genesis':
    case 'approver.remove':
    case 'custody.add':
    case 'custody.remove':
    case 'receiver.add':
    case 'receiver.remove':
    case 'mint.cancel':
    case 'freeze':
    case 'unfreeze':
      return false;
  }
}

/** The longest a statement waits for signatures: one that waits for ever would be signed for when nobody remembers it. */
export const longestValidity = 90 * 86_400_000;

const isValidFor = ({ at, expires }: Statement, { development }: Pick<Genesis, 'development'>): boolean => {
  const wait = Date.parse(expires) - Date.parse(at);
  return wait > 0 && (wait <= longestValidity || development);
};
