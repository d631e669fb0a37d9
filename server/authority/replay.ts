import { hashOf } from '../../api/authority/canonical.ts';
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
import { problemOf, type ProofProblem } from './proofs.ts';

// What the log says, line by line from its genesis. Nothing else is believed: the signer, the screens and `authority:verify` all
// read it by this one function. It has no clock: a line counts at the time its reader gives it (the signer: when it first saw the
// line), so that who writes the log cannot shorten a waiting time.

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

/** A person who may sign. `from`: milliseconds from when each key counts. */
export interface Person {
  readonly person: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly keys: readonly { readonly key: AuthorityKey; readonly from: number }[];
}

/** A statement, who signed it, and from when it counts. Milliseconds; null: not enough have signed. */
export interface Standing {
  readonly statement: Statement;
  readonly hash: string;
  readonly signed: ReadonlyMap<string, { readonly at: number; readonly line: number }>;
  /** When the last signature it needs came. */
  readonly passedAt: number | null;
}

interface Open {
  statement: Statement;
  hash: string;
  signed: Map<string, { at: number; line: number }>;
  passedAt: number | null;
}

/** What the log says. Times in milliseconds, by the reader's clock. */
export interface Authority {
  readonly genesis: Genesis;
  readonly genesisHash: string;
  readonly head: { readonly number: number; readonly hash: string };
  readonly statements: ReadonlyMap<string, Standing>;
  readonly people: ReadonlyMap<string, Person>;
  readonly policies: readonly { readonly number: number; readonly policy: AuthorityPolicy; readonly from: number }[];
  /** Bitcoin addresses that are ours. */
  readonly custody: ReadonlyMap<string, number>;
  /** By the address in lower case. */
  readonly receivers: ReadonlyMap<string, { readonly receiver: Receiver; readonly from: number }>;
  /** Open freezes: the number of the statement, as text. */
  readonly freezes: ReadonlyMap<string, string>;
  /** Differences of the ledger that people accepted: the freeze's id → what it was. */
  readonly accepted: ReadonlyMap<string, string>;
  /** Outputs whose mint was cancelled, as `outputOf` spells them: approvals with a smaller number than this do not count. */
  readonly cancelled: ReadonlyMap<string, number>;
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

/** Reads a log from its first line. Throws LogError at the first that does not fit. */
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
  #lastAt = Number.NEGATIVE_INFINITY;
  readonly #statements = new Map<string, Open>();
  readonly #people = new Map<string, Person>();
  readonly #policies: { number: number; policy: AuthorityPolicy; from: number }[] = [];
  readonly #custody = new Map<string, number>();
  readonly #receivers = new Map<string, { receiver: Receiver; from: number }>();
  readonly #freezes = new Map<string, string>();
  readonly #accepted = new Map<string, string>();
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
    for (const [key, value] of this.#custody) other.#custody.set(key, value);
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
      statements: this.#statements,
      people: this.#people,
      policies: this.#policies,
      custody: this.#custody,
      receivers: this.#receivers,
      freezes: this.#freezes,
      accepted: this.#accepted,
      cancelled: this.#cancelled,
    };
  }

  #propose(statement: Statement, hash: string, at: number): LogProblem | null {
    if (statement.kind === 'genesis') return this.#begin(statement, hash, at);
    if (contentProblem(statement, this.#genesis)) return 'CONTENT';
    this.#statements.set(hash, { statement, hash, signed: new Map(), passedAt: null });
    return null;
  }

  #begin({ content, ...line }: StatementOf<'genesis'>, hash: string, at: number): LogProblem | null {
    if (bandsProblem(content.policy)) return 'CONTENT';
    if (new Set(content.approvers.map(({ person }) => person)).size < content.policy.root) return 'CONTENT';
    this.#genesis = content;
    this.#genesisHash = hash;
    this.#statements.set(hash, { statement: { ...line, content }, hash, signed: new Map(), passedAt: at });
    // What stands in the pinned genesis counts from the beginning of time: it was looked at before it was pinned.
    const from = Number.NEGATIVE_INFINITY;
    for (const one of content.approvers) {
      if (this.#knows(one.key) || (one.key.type === 'software' && !content.development)) return 'CONTENT';
      this.#addKey(one, from);
    }
    this.#policies.push({ number: 0, policy: content.policy, from });
    for (const address of content.custody) this.#custody.set(address, from);
    for (const receiver of content.receivers) this.#receivers.set(receiver.address.toLowerCase(), { receiver, from });
    return null;
  }

  async #sign({ signs, person, proof, number }: SignatureLine, at: number, said: number): Promise<LogProblem | null> {
    const open = this.#statements.get(signs);
    const genesis = this.#genesis;
    if (!open || !genesis || open.statement.kind === 'genesis') return 'UNKNOWN_STATEMENT';
    const { statement } = open;
    if (open.signed.has(person)) return 'TWICE';
    if (said > Date.parse(statement.expires)) return 'LATE';
    const key = this.#keyOf(statement, person, proof, at);
    if (typeof key === 'string') return key;
    const problem = await problemOf(statement, proof, key, genesis);
    if (problem) return problem;
    if (statement.kind === 'mint.approve' && statement.content.authors.includes(person)) return 'AUTHOR';
    open.signed.set(person, { at, line: number });
    if (open.passedAt === null && this.#isEnough(open, at)) {
      open.passedAt = at;
      return this.#apply(statement, at);
    }
    return null;
  }

  /** The key of `person` that `proof` is by: one that counts at `at`, or the very one that is being enrolled (which proves its owner has it, and counts for nothing). */
  #keyOf(statement: Statement, person: string, proof: SignatureLine['proof'], at: number): AuthorityKey | LogProblem {
    if (statement.kind === 'approver.add' && statement.content.person === person && isBy(proof, statement.content.key))
      return statement.content.key;
    const known = this.#people.get(person);
    const counting = known?.keys.filter(({ from }) => from <= at) ?? [];
    if (counting.length === 0) return 'NOT_APPROVER';
    const found = counting.find(({ key }) => isBy(proof, key)) ?? counting.find(({ key }) => key.type === proof.type);
    return found?.key ?? 'KEY';
  }

  #isEnough({ statement, signed }: Open, at: number): boolean {
    const policy = currentPolicy(this.#policies, at).policy;
    const people = [...signed.keys()];
    const counting = people.filter((person) => {
      const enrols = statement.kind === 'approver.add' && statement.content.person === person;
      return !enrols && (this.#people.get(person)?.keys.some(({ from }) => from <= at) ?? false);
    });
    // Nobody is let in with a key that its owner has not shown to have.
    if (statement.kind === 'approver.add' && !signed.has(statement.content.person)) return false;
    return counting.length >= neededBy(statement, policy);
  }

  #apply(statement: Statement, at: number): LogProblem | null {
    const policy = currentPolicy(this.#policies, at).policy;
    const cooled = at + policy.coolingSeconds * 1000;
    switch (statement.kind) {
      case 'approver.add': {
        if (this.#knows(statement.content.key)) return 'CONTENT';
        this.#addKey(statement.content, cooled);
        return null;
      }
      case 'approver.remove': {
        // The last ones stay: without them nothing could ever be changed again.
        if (!this.#people.has(statement.content.person) || this.#people.size <= policy.root) return 'CONTENT';
        this.#people.delete(statement.content.person);
        return null;
      }
      case 'policy.set': {
        if (statement.content.root > this.#people.size) return 'CONTENT';
        this.#policies.push({ number: statement.number, policy: statement.content, from: cooled });
        return null;
      }
      case 'custody.add':
        if (!this.#custody.has(statement.content.address)) this.#custody.set(statement.content.address, cooled);
        return null;
      case 'custody.remove':
        this.#custody.delete(statement.content.address);
        return null;
      case 'receiver.add':
        this.#receivers.set(statement.content.address.toLowerCase(), { receiver: statement.content, from: cooled });
        return null;
      case 'receiver.remove':
        this.#receivers.delete(statement.content.address.toLowerCase());
        return null;
      case 'mint.cancel':
        this.#cancelled.set(outputOf(statement.content), statement.number);
        return null;
      case 'freeze':
        this.#freezes.set(String(statement.number), statement.content.reason);
        return null;
      case 'unfreeze':
        this.#freezes.delete(statement.content.freeze);
        this.#accepted.set(statement.content.freeze, statement.content.difference);
        return null;
      case 'mint.approve':
        return null;
      case 'genesis':
        return 'GENESIS';
    }
  }

  #addKey({ person, name, roles, key }: StatementOf<'approver.add'>['content'], from: number): void {
    const keys = this.#people.get(person)?.keys ?? [];
    this.#people.set(person, { person, name, roles, keys: [...keys, { key, from }] });
  }

  /** Whether anybody signs with it already: one key is one person's. */
  #knows(key: AuthorityKey): boolean {
    return [...this.#people.values()].some(({ keys }) => keys.some((known) => keyId(known.key) === keyId(key)));
  }
}

/** The line a text or object is, when it is one and nothing more. */
function parse(raw: unknown): LogLine | null {
  for (const schema of [statementSchema, signatureLine]) {
    const { success, data } = schema.safeParse(raw);
    if (success) {
      try {
        hashOf(data);
        return data;
      } catch {
        return null;
      }
    }
  }
  return null;
}

/** What a key is known by. */
export const keyId = (key: AuthorityKey): string =>
  key.type === 'wallet'
    ? `wallet:${key.address.toLowerCase()}`
    : `${key.type === 'passkey' ? key.credential : 'software'}:${key.publicKey}`;

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
      return bandOf(policy, BigInt(statement.content.satoshi))?.approvals ?? Number.POSITIVE_INFINITY;
    case 'approver.add':
    case 'approver.remove':
    case 'policy.set':
    case 'custody.add':
    case 'custody.remove':
      return policy.root;
  }
}

/** The rules in force at a time. */
export function currentPolicy(policies: Authority['policies'], at: number): Authority['policies'][number] {
  const found = policies.findLast(({ from }) => from <= at);
  if (!found) throw new Error('a log without rules');
  return found;
}

/** The band of an amount in satoshi; null: nothing of it is minted. */
export const bandOf = ({ bands }: AuthorityPolicy, satoshi: bigint): AuthorityBand | null =>
  bands.find(({ from, below }) => BigInt(from) <= satoshi && (below === null || satoshi < BigInt(below))) ?? null;

/** Bands may not overlap, and each has room. */
function bandsProblem({ bands }: AuthorityPolicy): boolean {
  const ordered = bands.toSorted((a, b) => (BigInt(a.from) < BigInt(b.from) ? -1 : 1));
  return ordered.some(({ from, below }, at) => {
    const next = ordered[at + 1];
    if (below !== null && BigInt(below) <= BigInt(from)) return true;
    return next !== undefined && (below === null || BigInt(below) > BigInt(next.from));
  });
}

/** What can be said of a statement by itself and the genesis. */
function contentProblem(statement: Statement, genesis: Genesis | null): boolean {
  if (!genesis) return true;
  switch (statement.kind) {
    case 'mint.approve': {
      const { chainId, token, bridge, network, satoshi } = statement.content;
      const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
      return (
        chainId !== genesis.chainId ||
        network !== genesis.network ||
        !same(token, genesis.token) ||
        !same(bridge, genesis.bridge) ||
        BigInt(satoshi) === 0n
      );
    }
    case 'policy.set':
      return bandsProblem(statement.content);
    case 'approver.add':
      return statement.content.key.type === 'software' && !genesis.development;
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
