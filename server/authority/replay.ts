import { canonical } from '../../api/authority/canonical.ts';
import { logVersion } from '../../api/authority/statements.ts';
import type {
  AuthorityKey,
  Genesis,
  GenesisLine,
  LogStatement,
  MintClaim,
  Proof,
  Receiver,
  SignatureLine,
  Statement,
  StatementLine,
  StatementOf,
} from '../../api/authority/statements.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import {
  claimProblem,
  contractProblem,
  custodyProblem,
  minterProblem,
  receiverProblem,
  type AddressBook,
  type AddressProblem,
} from './addresses.ts';
import {
  effectiveFrom,
  expiresAt,
  outputKey,
  type Authority,
  type EnrolledKey,
  type Hashes,
  type CountedSignature,
} from './authority.ts';
import type { LayeredMap } from './layered.ts';
import { hashOfText, isProofByKey, keyId, parseLogLine } from './lines.ts';
import { beforeGenesis, commitLayers, stackLayers, type LogLayers, type LogValues, type OpenStatement } from './log-state.ts';
import { areMisleading, isMisleading } from './names.ts';
import { isUsableKey, proofProblemOf, type HashedStatement, type ProofProblem } from './proofs.ts';
import { isApproval, isBadPolicy, requiredSignatures, delayOf, type Rules } from './rules.ts';
import { maxSatoshi } from '../../api/money.ts';

export type { Authority } from './authority.ts';

// Validity depends only on the times in the log, so all readers agree. Effect depends on the
// reader: the signer counts from when it first saw a line, so that a backdated line shortens no
// waiting time.

/** Tolerance for a line ahead of the reader's clock. */
export const futureMs = 120_000;

export const maxValidityMs = 90 * 86_400_000;

/** Per person and kind. */
const maxOpen = 200;

export type LogProblem =
  | 'FORM' // no line, or not in its canonical form
  | 'VERSION' // of a version of the log that this reader does not know
  | 'GENESIS' // the first line is not the pinned genesis
  | 'ORDER' // wrong number, previous hash or time
  | 'FUTURE' // later than the reader's clock
  | 'OTHER_LOG' // for another log, or another past of this one
  | 'UNKNOWN_STATEMENT'
  | 'NOT_APPROVER' // not an approver at that time
  | 'TWICE' // same person or statement again
  | 'LATE' // a signature after the statement expired
  | 'AUTHOR' // an author signs
  | 'LIMIT' // too many open statements of this person
  | 'NAME' // confusable with another name
  | 'CONTENT' // impossible: an approver twice, a gap in the rules, another chain
  | AddressProblem
  | ProofProblem;

/** `number` counts from 0. */
export class LogError extends Error {
  override name = 'LogError';
  readonly line: number;
  readonly problem: LogProblem;
  constructor(line: number, problem: LogProblem) {
    super(
      problem === 'VERSION'
        ? `line ${line} of the authority log is of another version: this build reads version ${logVersion}`
        : `line ${line} of the authority log does not fit: ${problem}`,
    );
    this.line = line;
    this.problem = problem;
  }
}

export interface ReplayOptions {
  genesis: string;
  /** Milliseconds. */
  now: () => number;
  /** When line `number` counts; its own `at` by default. */
  timeOf?: (number: number, at: number) => number;
}

/** Lines are canonical JSON or its values. Throws LogError for the first invalid line. */
export async function replay(lines: Iterable<unknown>, options: ReplayOptions): Promise<Authority> {
  const log = new AuthorityLog(options);
  for (const line of lines) await log.add(line);
  return log.state();
}

interface Moment {
  readonly at: number;
  readonly logTime: number;
  readonly number: number;
}

export class AuthorityLog {
  readonly #options: ReplayOptions;
  readonly #base: AuthorityLog | null;
  readonly #on: LogLayers;
  #values: LogValues;

  constructor(options: ReplayOptions, base: AuthorityLog | null = null) {
    this.#options = options;
    this.#base = base;
    this.#on = stackLayers(base === null ? null : base.#on);
    this.#values = base === null ? beforeGenesis : base.#values;
  }

  /** `options` apply to new lines. */
  fork(options: ReplayOptions = this.#options): AuthorityLog {
    return new AuthorityLog(options, this);
  }

  /** Merges a fork into its origin and returns that. */
  commit(): AuthorityLog {
    const base = this.#base;
    if (!base) return this;
    commitLayers(this.#on);
    base.#values = this.#values;
    return base;
  }

  /** After a LogError the log is unusable. Use a fork. */
  async add(raw: unknown): Promise<void> {
    const number = this.#values.head.number + 1;
    const refuse = (problem: LogProblem) => new LogError(number, problem);
    const parsed = parseLogLine(raw);
    if (typeof parsed === 'string') throw refuse(parsed);
    const { line } = parsed;
    const hash = hashOfText(parsed.text);
    if (line.number !== number || line.previous !== this.#values.head.hash) throw refuse('ORDER');
    const logTime = Date.parse(line.at);
    if (logTime < this.#values.lastAt) throw refuse('ORDER');
    if (logTime > this.#options.now() + futureMs) throw refuse('FUTURE');
    if (number === 0 ? line.kind !== 'genesis' || hash !== this.#options.genesis : line.kind === 'genesis')
      throw refuse('GENESIS');
    const moment = { at: this.#options.timeOf?.(number, logTime) ?? logTime, logTime, number };
    const problem =
      line.kind === 'genesis'
        ? this.#begin(line, hash, moment)
        : line.kind === 'statement'
          ? await this.#enter(line, moment)
          : await this.#sign(line, moment);
    if (problem) throw refuse(problem);
    this.#values = { ...this.#values, head: { number, hash }, lastAt: logTime };
    this.#on.hashes.push(hash);
  }

  /** Number -1 before the genesis. */
  get head(): { readonly number: number; readonly hash: string; readonly at: number } {
    return { ...this.#values.head, at: this.#values.lastAt };
  }

  get hashes(): Hashes {
    return this.#on.hashes;
  }

  get touched(): Iterable<string> {
    return this.#on.statements.written.keys();
  }

  state(): Authority {
    const { genesis, genesisHash, head, policies, minters } = this.#values;
    if (!genesis) throw new LogError(0, 'GENESIS');
    return { ...this.#on, genesis, genesisHash, head, policies, minters };
  }

  #begin(line: GenesisLine, hash: string, { at, logTime }: Moment): LogProblem | null {
    const { content } = line;
    if (isBadPolicy(content.policy, content)) return 'CONTENT';
    if (new Set(content.approvers.map(({ person }) => person)).size < content.policy.root) return 'CONTENT';
    const contracts = contractProblem(content.token) ?? contractProblem(content.bridge);
    if (contracts) return contracts;
    if (content.token === content.bridge) return 'FORBIDDEN';
    if (areMisleading(content)) return 'NAME';
    // People checked the genesis before pinning it, so it has no waiting time.
    const from = -Infinity;
    const times = { from, saidFrom: from };
    this.#values = {
      ...this.#values,
      genesis: content,
      genesisHash: hash,
      policies: [{ number: 0, policy: content.policy, ...times }],
      minters: [{ number: 0, address: content.minter, ...times }],
    };
    const status = { statement: line, hash, number: 0, loggedAt: logTime, signed: new Map() };
    this.#on.statements.set(hash, { ...status, passedAt: at, from: at });
    for (const one of content.approvers) if (isBadKey(one.key, content) || !this.#enrol(one, times)) return 'CONTENT';
    const minter = minterProblem(content.minter, this.#book(content));
    if (minter) return minter;
    for (const address of content.custody) {
      const problem = custodyProblem(address, this.#book(content));
      if (problem) return problem;
      this.#on.custody.set(address, from);
    }
    for (const receiver of content.receivers) {
      const problem = receiverProblem(receiver, this.#book(content));
      if (problem) return problem;
      if (this.#on.receivers.has(receiver.address)) return 'TAKEN';
      this.#list(receiver, from, from);
    }
    return null;
  }

  #book(genesis: Genesis): AddressBook {
    return {
      genesis,
      minters: this.#values.minters,
      custody: this.#on.custody,
      owners: this.#on.owners,
      receivers: this.#entries(),
    };
  }

  #entries(): Receiver[] {
    return [...this.#on.receivers.values()].flatMap((listed) => listed.map(({ receiver }) => receiver));
  }

  /** Why the statement could not be proposed at the time `said`. */
  problemOf(statement: Statement, logTime: number, hash: string = hashOfText(canonical(statement))): LogProblem | null {
    const genesis = this.#values.genesis;
    if (!genesis) return 'GENESIS';
    if (this.#on.statements.has(hash)) return 'TWICE';
    if (!this.#isOfThisLog(statement, genesis)) return 'OTHER_LOG';
    const left = Date.parse(statement.expires) - logTime;
    if (left < 0) return 'LATE';
    if (left > maxValidityMs && !genesis.development) return 'CONTENT';
    return this.#contentProblem(statement, genesis);
  }

  /** The first signer must count, so that strangers add nothing. */
  async #enter({ statement, person, proof }: StatementLine, moment: Moment): Promise<LogProblem | null> {
    const hash = hashOfText(canonical(statement));
    const bad = this.problemOf(statement, moment.logTime, hash);
    if (bad) return bad;
    const others = this.#openOf(statement.kind, person, moment.logTime);
    if (others.length >= maxOpen) return 'LIMIT';
    const signed = await this.#proved({ statement, hash }, person, proof, moment);
    if (typeof signed === 'string') return signed;
    // Proving a new key admits no one. An approver must propose it.
    if (signed.key === null) return 'NOT_APPROVER';
    const { number, logTime: loggedAt } = moment;
    const open: OpenStatement = {
      statement,
      hash,
      number,
      loggedAt,
      signed: new Map([[person, signed]]),
      passedAt: null,
      from: null,
    };
    this.#on.statements.set(hash, open);
    this.#on.open.set(hash, true);
    this.#on.openBy.set(`${person} ${statement.kind}`, [...others, hash]);
    if (statement.kind === 'mint.approve') append(this.#on.mints, depositHashOf(statement.content), hash);
    if (statement.kind === 'refund.approve') append(this.#on.refunds, statement.content.txid, hash);
    return this.#settle(open, moment);
  }

  async #sign({ signs, person, proof }: SignatureLine, moment: Moment): Promise<LogProblem | null> {
    const known = this.#on.statements.get(signs);
    if (!known || known.statement.kind === 'genesis') return 'UNKNOWN_STATEMENT';
    const { statement } = known;
    if (known.signed.has(person)) return 'TWICE';
    if (moment.logTime > Date.parse(statement.expires)) return 'LATE';
    const signed = await this.#proved({ statement, hash: signs }, person, proof, moment);
    if (typeof signed === 'string') return signed;
    const open = this.#on.statements.written.get(signs) ?? { ...known, signed: new Map(known.signed) };
    this.#on.statements.set(signs, open);
    open.signed.set(person, signed);
    return this.#settle(open, moment);
  }

  async #proved(
    { statement, hash }: HashedStatement,
    person: string,
    proof: Proof,
    { at, logTime, number }: Moment,
  ): Promise<CountedSignature | LogProblem> {
    const genesis = this.#values.genesis;
    if (!genesis) return 'GENESIS';
    const found = this.#keyOf(statement, person, proof, logTime);
    if (typeof found === 'string') return found;
    if (isApproval(statement) && statement.content.authors.includes(person)) return 'AUTHOR';
    if (statement.kind === 'freeze' && this.#isFreezing(person)) return 'LIMIT';
    const problem = await proofProblemOf({ statement, hash }, proof, found.key, { ...genesis, hash: this.#values.genesisHash });
    return problem ?? { at, line: number, key: found.enrolled };
  }

  #settle(open: OpenStatement, moment: Moment): LogProblem | null {
    const { statement } = open;
    if (statement.kind === 'genesis') return 'GENESIS';
    if (open.passedAt !== null) {
      // One signature stops money, so repeating it must work.
      const stops = statement.kind === 'freeze' || statement.kind === 'mint.cancel';
      return stops ? this.#apply(open, statement, open.passedAt, moment) : null;
    }
    const passedAt = this.#passedAt(open, moment.logTime);
    if (passedAt === null) return null;
    open.passedAt = passedAt;
    open.from = passedAt + delayOf(statement, this.#believed(moment.logTime).policy);
    this.#on.open.delete(open.hash);
    if (statement.kind === 'refund.approve') this.#on.passedRefunds.push(open.hash);
    return this.#apply(open, statement, passedAt, moment);
  }

  #isOfThisLog({ log, after }: Statement, genesis: Genesis): boolean {
    const isHere = log.genesis === this.#values.genesisHash && log.chainId === genesis.chainId && log.bridge === genesis.bridge;
    return isHere && this.#on.hashes.at(after.number) === after.hash;
  }

  #openOf(kind: LogStatement['kind'], person: string, logTime: number): readonly string[] {
    const all = this.#on.openBy.get(`${person} ${kind}`) ?? [];
    const isExpired = (hash: string) => expiresAt(this.#on.statements.get(hash)?.statement ?? null) < logTime;
    for (const hash of all) if (isExpired(hash)) this.#on.open.delete(hash);
    return all.filter((hash) => this.#on.open.has(hash));
  }

  #isFreezing(person: string): boolean {
    return [...this.#on.frozenBy.values()].some((people) => people.includes(person));
  }

  /** A key that counts at this time, or the one that is being enrolled, which only proves possession. */
  #keyOf(
    statement: Statement,
    person: string,
    proof: Proof,
    logTime: number,
  ): { key: AuthorityKey; enrolled: EnrolledKey | null } | LogProblem {
    // The owner of the new key may only prove it, even with an older key.
    if (statement.kind === 'approver.add' && statement.content.person === person)
      return isProofByKey(proof, statement.content.key) ? { key: statement.content.key, enrolled: null } : 'KEY';
    const known = this.#on.people.get(person);
    const counting = known?.keys.filter(({ saidFrom }) => saidFrom <= logTime) ?? [];
    if (counting.length === 0) return 'NOT_APPROVER';
    const enrolled = counting.find(({ key }) => isProofByKey(proof, key)) ?? counting.find(({ key }) => key.type === proof.type);
    return enrolled ? { key: enrolled.key, enrolled } : 'KEY';
  }

  #passedAt({ statement, signed }: OpenStatement, logTime: number): number | null {
    // Enrollment needs proof of the key.
    if (statement.kind === 'approver.add' && !signed.has(statement.content.person)) return null;
    const rules = this.#rules(logTime);
    const status = [...signed].filter(([person, { key }]) => key !== null && this.#on.people.get(person)?.keys.includes(key));
    if (status.length < requiredSignatures(statement, rules.policy)) return null;
    const believed = this.#believed(logTime);
    if (status.length < requiredSignatures(statement, believed.policy)) return Infinity;
    return Math.max(believed.from, ...status.map(([, one]) => effectiveFrom(statement, one)));
  }

  /** By the log's own times. */
  #rules(logTime: number): Rules {
    const found = this.#values.policies.findLast(({ saidFrom }) => saidFrom <= logTime);
    if (!found) throw new Error('a log without rules');
    return found;
  }

  /** The rules that this reader accepts now or later. Rules that it saw too late never apply for it. */
  #believed(logTime: number): Rules {
    const rules = this.#rules(logTime);
    return (
      this.#values.policies.slice(0, this.#values.policies.indexOf(rules) + 1).findLast(({ from }) => from < Infinity) ?? rules
    );
  }

  /** The strictest of all rules in force or cooling. */
  #mostRoot(logTime: number): number {
    const now = this.#values.policies.indexOf(this.#rules(logTime));
    return Math.max(...this.#values.policies.slice(now).map(({ policy }) => policy.root));
  }

  #contentProblem(statement: Statement, genesis: Genesis): LogProblem | null {
    if (isMisleading(statement, { people: this.#on.people, receivers: this.#entries(), policies: this.#values.policies }))
      return 'NAME';
    switch (statement.kind) {
      case 'mint.approve': {
        const { token, receiver, custody } = statement.content;
        if (!isClaimOf(statement, genesis) || !same(token, genesis.token)) return 'CONTENT';
        return claimProblem({ account: receiver, bitcoin: custody }, this.#book(genesis));
      }
      case 'refund.approve': {
        const { account, payout } = statement.content;
        if (!isClaimOf(statement, genesis)) return 'CONTENT';
        if (this.#on.custody.has(payout)) return 'FORBIDDEN';
        return claimProblem({ account, bitcoin: payout }, this.#book(genesis));
      }
      case 'policy.set':
        return isBadPolicy(statement.content, genesis) ? 'CONTENT' : null;
      case 'approver.add':
        return isBadKey(statement.content.key, genesis) ? 'CONTENT' : null;
      case 'minter.set':
        return minterProblem(statement.content.address, this.#book(genesis));
      case 'custody.add':
        return custodyProblem(statement.content.address, this.#book(genesis));
      case 'receiver.add': {
        const isOurs = statement.content.custody.every((address) => this.#on.custody.has(address));
        return receiverProblem(statement.content, this.#book(genesis)) ?? (isOurs ? null : 'CONTENT');
      }
      case 'unfreeze':
        return isNumber(statement.content.freeze) && !this.#on.everFrozen.has(statement.content.freeze) ? 'CONTENT' : null;
      case 'approver.remove':
      case 'custody.remove':
      case 'receiver.remove':
      case 'mint.cancel':
      case 'freeze':
        return null;
    }
  }

  /** Revoking takes effect immediately for every reader, granting at `passedAt` plus the cooling time. */
  #apply(open: OpenStatement, statement: Statement, passedAt: number, { at, logTime, number: line }: Moment): LogProblem | null {
    const genesis = this.#values.genesis;
    if (!genesis) return 'GENESIS';
    // Another statement may have used the same value since.
    const problem = this.#contentProblem(statement, genesis);
    if (problem) return problem;
    const from = passedAt + delayOf(statement, this.#believed(logTime).policy);
    const effectiveFromLogTime = logTime + delayOf(statement, this.#rules(logTime).policy);
    const { number } = open;
    switch (statement.kind) {
      case 'approver.add':
        return this.#enrol(statement.content, { from, saidFrom: effectiveFromLogTime }) ? null : 'CONTENT';
      case 'approver.remove':
        // Never removes so many approvers that rules could no longer be changed.
        if (!this.#on.people.has(statement.content.person) || this.#on.people.size <= this.#mostRoot(logTime)) return 'CONTENT';
        this.#on.people.delete(statement.content.person);
        this.#liftFreezesOf(statement.content.person, passedAt, at);
        return null;
      case 'policy.set':
        if (statement.content.root > this.#on.people.size) return 'CONTENT';
        this.#values = {
          ...this.#values,
          policies: [...this.#values.policies, { number, policy: statement.content, from, saidFrom: effectiveFromLogTime }],
        };
        return null;
      case 'minter.set':
        this.#values = {
          ...this.#values,
          minters: [
            ...this.#values.minters,
            { number, address: statement.content.address, from, saidFrom: effectiveFromLogTime },
          ],
        };
        return null;
      case 'custody.add':
        this.#on.custody.set(statement.content.address, from);
        this.#on.notes.set(statement.content.address, statement.content.note);
        // An address that returns belongs to the institution whose entry still names it.
        for (const { custody, institution } of this.#entries())
          if (custody.includes(statement.content.address)) this.#on.owners.set(statement.content.address, institution);
        return null;
      case 'custody.remove':
        this.#on.owners.delete(statement.content.address);
        this.#on.notes.delete(statement.content.address);
        return this.#on.custody.delete(statement.content.address) ? null : 'CONTENT';
      case 'receiver.add':
        this.#list(statement.content, from, at);
        return null;
      case 'receiver.remove':
        return this.#on.receivers.delete(statement.content.address) ? null : 'CONTENT';
      case 'mint.cancel':
        this.#on.canceled.set(outputKey(statement.content), line);
        return null;
      case 'freeze': {
        const freeze = String(number);
        const by = [...open.signed.keys()].filter((person) => this.#on.people.has(person));
        this.#on.lifting.delete(freeze);
        this.#on.everFrozen.set(freeze, true);
        this.#on.freezes.set(freeze, { reason: statement.content.reason, by });
        this.#on.frozenBy.set(freeze, by);
        return null;
      }
      case 'unfreeze':
        this.#unfreeze(statement.content, passedAt, at);
        return null;
      case 'mint.approve':
      case 'refund.approve':
        return null;
    }
  }

  /**
   * A number is a freeze of this log, otherwise it is an id of the ledger. Lifted ones are allowed, because a reader may have
   * seen the lifting too late.
   */
  #unfreeze({ freeze, difference }: StatementOf<'unfreeze'>['content'], passedAt: number, at: number): void {
    if (!isNumber(freeze)) this.#on.accepted.set(freeze, difference);
    this.#lift(freeze, passedAt, at);
  }

  #lift(freeze: string, passedAt: number, at: number): void {
    this.#on.frozenBy.delete(freeze);
    if (passedAt > at) {
      this.#on.lifting.set(freeze, passedAt);
      return;
    }
    this.#on.lifting.delete(freeze); // replaces one that came too late
    this.#on.freezes.delete(freeze);
  }

  /** Lifts freezes that only this person signed. */
  #liftFreezesOf(person: string, passedAt: number, at: number): void {
    for (const [freeze, people] of this.#on.frozenBy) {
      if (!people.includes(person)) continue;
      const others = people.filter((one) => one !== person);
      if (others.length > 0) this.#on.frozenBy.set(freeze, others);
      else this.#lift(freeze, passedAt, at);
    }
  }

  #list(receiver: Receiver, from: number, at: number): void {
    const before = this.#on.receivers.get(receiver.address) ?? [];
    const last = before.findLastIndex((listed) => listed.from <= at);
    this.#on.receivers.set(receiver.address, [...before.slice(Math.max(last, 0)), { receiver, from }]);
    for (const address of receiver.custody) this.#on.owners.set(address, receiver.institution);
  }

  /** Refuses keys that are in use or ever belonged to someone else. */
  #enrol(
    { person, name, roles, key }: StatementOf<'approver.add'>['content'],
    times: Pick<EnrolledKey, 'from' | 'saidFrom'>,
  ): boolean {
    const ids = key.type === 'passkey' ? [keyId(key), `credential:${key.credential}`] : [keyId(key)];
    const keys = this.#on.people.get(person)?.keys ?? [];
    const isTaken = ids.some((id) => (this.#on.keyOwners.get(id) ?? person) !== person);
    if (isTaken || keys.some((known) => keyId(known.key) === keyId(key))) return false;
    for (const id of ids) this.#on.keyOwners.set(id, person);
    this.#on.names.set(person, name);
    this.#on.people.set(person, { person, name, roles, keys: [...keys, { key, roles, ...times }] });
    return true;
  }
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function append(map: LayeredMap<string, readonly string[]>, key: string, hash: string): void {
  map.set(key, [...(map.get(key) ?? []), hash]);
}

/** As the contract computes it, in lower case. */
export const depositHashOf = ({ network, txid, vout }: Pick<MintClaim, 'network' | 'txid' | 'vout'>): string =>
  depositHash(network, txid, vout).toLowerCase();

const isBadKey = (key: AuthorityKey, { development }: Pick<Genesis, 'development'>): boolean =>
  (key.type === 'software' && !development) || !isUsableKey(key);

/** For this log's chain, bridge and Bitcoin network, under rules its signers have seen. */
function isClaimOf({ content, after }: StatementOf<'mint.approve' | 'refund.approve'>, genesis: Genesis): boolean {
  const satoshi = BigInt(content.satoshi);
  return (
    content.chainId === genesis.chainId &&
    content.network === genesis.network &&
    same(content.bridge, genesis.bridge) &&
    satoshi > 0n &&
    satoshi <= maxSatoshi &&
    content.policy <= after.number
  );
}
