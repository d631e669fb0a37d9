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
  type LineHashes,
  type CountedSignature,
} from './authority.ts';
import type { LayeredMap } from './layered.ts';
import { hashOfText, isProofByKey, keyId, parseLogLine } from './lines.ts';
import { emptyLogValues, commitLayers, createLayers, type LogLayers, type LogValues, type OpenStatement } from './log-state.ts';
import { hasMisleadingNames, hasMisleadingName } from './names.ts';
import { isValidPublicKey, proofProblemOf, type HashedStatement, type ProofProblem } from './proofs.ts';
import { isApproval, isInvalidPolicy, requiredSignatures, delayMsOf, type Rules } from './rules.ts';
import { maxSatoshi } from '../../api/money.ts';

export type { Authority } from './authority.ts';

// Validity depends only on the times in the log, so all readers agree. Effect depends on the
// reader: the signer counts from when it first saw a line, so that a backdated line shortens no
// waiting time.

/** Tolerance for a line ahead of the reader's clock. */
export const futureMs = 120_000;

export const maxValidityMs = 90 * 86_400_000;

/** Per person and kind. */
const maxOpenStatements = 200;

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

/** `line` counts from 0. */
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
  /** When line `number` counts; its own `instant` by default. */
  timeOf?: (number: number, instant: number) => number;
}

/** Lines are canonical JSON or its values. Throws LogError for the first invalid line. */
export async function replay(lines: Iterable<unknown>, options: ReplayOptions): Promise<Authority> {
  const log = new AuthorityLog(options);
  for (const line of lines) await log.add(line);
  return log.state();
}

interface LineTime {
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
    this.#on = createLayers(base === null ? null : base.#on);
    this.#values = base === null ? emptyLogValues : base.#values;
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
  async add(rawLine: unknown): Promise<void> {
    const lineNumber = this.#values.head.number + 1;
    const createLogError = (problem: LogProblem) => new LogError(lineNumber, problem);
    const parsedLine = parseLogLine(rawLine);
    if (typeof parsedLine === 'string') throw createLogError(parsedLine);
    const { line } = parsedLine;
    const hash = hashOfText(parsedLine.text);
    if (line.number !== lineNumber || line.previous !== this.#values.head.hash) throw createLogError('ORDER');
    const logTime = Date.parse(line.at);
    if (logTime < this.#values.lastAt) throw createLogError('ORDER');
    if (logTime > this.#options.now() + futureMs) throw createLogError('FUTURE');
    if (lineNumber === 0 ? line.kind !== 'genesis' || hash !== this.#options.genesis : line.kind === 'genesis')
      throw createLogError('GENESIS');
    const lineTime = { at: this.#options.timeOf?.(lineNumber, logTime) ?? logTime, logTime, number: lineNumber };
    const problem =
      line.kind === 'genesis'
        ? this.#begin(line, hash, lineTime)
        : line.kind === 'statement'
          ? await this.#enter(line, lineTime)
          : await this.#sign(line, lineTime);
    if (problem) throw createLogError(problem);
    this.#values = { ...this.#values, head: { number: lineNumber, hash }, lastAt: logTime };
    this.#on.hashes.push(hash);
  }

  /** Number -1 before the genesis. */
  get head(): { readonly number: number; readonly hash: string; readonly at: number } {
    return { ...this.#values.head, at: this.#values.lastAt };
  }

  get hashes(): LineHashes {
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

  #begin(line: GenesisLine, hash: string, { at, logTime }: LineTime): LogProblem | null {
    const { content } = line;
    if (isInvalidPolicy(content.policy, content)) return 'CONTENT';
    if (new Set(content.approvers.map(({ person }) => person)).size < content.policy.root) return 'CONTENT';
    const contracts = contractProblem(content.token) ?? contractProblem(content.bridge);
    if (contracts) return contracts;
    if (content.token === content.bridge) return 'FORBIDDEN';
    if (hasMisleadingNames(content)) return 'NAME';
    // People checked the genesis before pinning it, so it has no waiting time.
    const from = -Infinity;
    const effectiveTimes = { from, saidFrom: from };
    this.#values = {
      ...this.#values,
      genesis: content,
      genesisHash: hash,
      policies: [{ number: 0, policy: content.policy, ...effectiveTimes }],
      minters: [{ number: 0, address: content.minter, ...effectiveTimes }],
    };
    const status = { statement: line, hash, number: 0, loggedAt: logTime, signed: new Map() };
    this.#on.statements.set(hash, { ...status, passedAt: at, from: at });
    for (const approver of content.approvers)
      if (isInvalidKey(approver.key, content) || !this.#enrol(approver, effectiveTimes)) return 'CONTENT';
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
    return [...this.#on.receivers.values()].flatMap((receiverEntries) => receiverEntries.map(({ receiver }) => receiver));
  }

  /** Why the statement could not be proposed at `logTime`. */
  problemOf(statement: Statement, logTime: number, hash: string = hashOfText(canonical(statement))): LogProblem | null {
    const genesis = this.#values.genesis;
    if (!genesis) return 'GENESIS';
    if (this.#on.statements.has(hash)) return 'TWICE';
    if (!this.#isOfThisLog(statement, genesis)) return 'OTHER_LOG';
    const remainingMs = Date.parse(statement.expires) - logTime;
    if (remainingMs < 0) return 'LATE';
    if (remainingMs > maxValidityMs && !genesis.development) return 'CONTENT';
    return this.#contentProblem(statement, genesis);
  }

  /** The first signer must count, so that strangers add nothing. */
  async #enter({ statement, person, proof }: StatementLine, lineTime: LineTime): Promise<LogProblem | null> {
    const hash = hashOfText(canonical(statement));
    const contentProblem = this.problemOf(statement, lineTime.logTime, hash);
    if (contentProblem) return contentProblem;
    const openStatements = this.#openOf(statement.kind, person, lineTime.logTime);
    if (openStatements.length >= maxOpenStatements) return 'LIMIT';
    const countedSignature = await this.#proved({ statement, hash }, person, proof, lineTime);
    if (typeof countedSignature === 'string') return countedSignature;
    // Proving a new key admits no one. An approver must propose it.
    if (countedSignature.key === null) return 'NOT_APPROVER';
    const { number, logTime: loggedAt } = lineTime;
    const openStatement: OpenStatement = {
      statement,
      hash,
      number,
      loggedAt,
      signed: new Map([[person, countedSignature]]),
      passedAt: null,
      from: null,
    };
    this.#on.statements.set(hash, openStatement);
    this.#on.open.set(hash, true);
    this.#on.openBy.set(`${person} ${statement.kind}`, [...openStatements, hash]);
    if (statement.kind === 'mint.approve') appendHash(this.#on.mints, depositHashOf(statement.content), hash);
    if (statement.kind === 'refund.approve') appendHash(this.#on.refunds, statement.content.txid, hash);
    return this.#settle(openStatement, lineTime);
  }

  async #sign({ signs, person, proof }: SignatureLine, lineTime: LineTime): Promise<LogProblem | null> {
    const status = this.#on.statements.get(signs);
    if (!status || status.statement.kind === 'genesis') return 'UNKNOWN_STATEMENT';
    const { statement } = status;
    if (status.signed.has(person)) return 'TWICE';
    if (lineTime.logTime > Date.parse(statement.expires)) return 'LATE';
    const countedSignature = await this.#proved({ statement, hash: signs }, person, proof, lineTime);
    if (typeof countedSignature === 'string') return countedSignature;
    const openStatement = this.#on.statements.written.get(signs) ?? { ...status, signed: new Map(status.signed) };
    this.#on.statements.set(signs, openStatement);
    openStatement.signed.set(person, countedSignature);
    return this.#settle(openStatement, lineTime);
  }

  async #proved(
    { statement, hash }: HashedStatement,
    person: string,
    proof: Proof,
    { at, logTime, number }: LineTime,
  ): Promise<CountedSignature | LogProblem> {
    const genesis = this.#values.genesis;
    if (!genesis) return 'GENESIS';
    const verifiedKey = this.#keyOf(statement, person, proof, logTime);
    if (typeof verifiedKey === 'string') return verifiedKey;
    if (isApproval(statement) && statement.content.authors.includes(person)) return 'AUTHOR';
    if (statement.kind === 'freeze' && this.#isFreezing(person)) return 'LIMIT';
    const problem = await proofProblemOf({ statement, hash }, proof, verifiedKey.key, {
      ...genesis,
      hash: this.#values.genesisHash,
    });
    return problem ?? { at, line: number, key: verifiedKey.enrolled };
  }

  #settle(openStatement: OpenStatement, lineTime: LineTime): LogProblem | null {
    const { statement } = openStatement;
    if (statement.kind === 'genesis') return 'GENESIS';
    if (openStatement.passedAt !== null) {
      // One signature stops money, so repeating it must work.
      const isStop = statement.kind === 'freeze' || statement.kind === 'mint.cancel';
      return isStop ? this.#apply(openStatement, statement, openStatement.passedAt, lineTime) : null;
    }
    const passedAt = this.#passedAt(openStatement, lineTime.logTime);
    if (passedAt === null) return null;
    openStatement.passedAt = passedAt;
    openStatement.from = passedAt + delayMsOf(statement, this.#believed(lineTime.logTime).policy);
    this.#on.open.delete(openStatement.hash);
    if (statement.kind === 'refund.approve') this.#on.passedRefunds.push(openStatement.hash);
    return this.#apply(openStatement, statement, passedAt, lineTime);
  }

  #isOfThisLog({ log, after }: Statement, genesis: Genesis): boolean {
    const isSameLog =
      log.genesis === this.#values.genesisHash && log.chainId === genesis.chainId && log.bridge === genesis.bridge;
    return isSameLog && this.#on.hashes.at(after.number) === after.hash;
  }

  #openOf(kind: LogStatement['kind'], person: string, logTime: number): readonly string[] {
    const openHashes = this.#on.openBy.get(`${person} ${kind}`) ?? [];
    const isExpired = (hash: string) => expiresAt(this.#on.statements.get(hash)?.statement ?? null) < logTime;
    for (const hash of openHashes) if (isExpired(hash)) this.#on.open.delete(hash);
    return openHashes.filter((hash) => this.#on.open.has(hash));
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
    const enrolledPerson = this.#on.people.get(person);
    const activeKeys = enrolledPerson?.keys.filter(({ saidFrom }) => saidFrom <= logTime) ?? [];
    if (activeKeys.length === 0) return 'NOT_APPROVER';
    const enrolled =
      activeKeys.find(({ key }) => isProofByKey(proof, key)) ?? activeKeys.find(({ key }) => key.type === proof.type);
    return enrolled ? { key: enrolled.key, enrolled } : 'KEY';
  }

  #passedAt({ statement, signed }: OpenStatement, logTime: number): number | null {
    // Enrollment needs proof of the key.
    if (statement.kind === 'approver.add' && !signed.has(statement.content.person)) return null;
    const rules = this.#rules(logTime);
    const status = [...signed].filter(([person, { key }]) => key !== null && this.#on.people.get(person)?.keys.includes(key));
    if (status.length < requiredSignatures(statement, rules.policy)) return null;
    const acceptedRules = this.#believed(logTime);
    if (status.length < requiredSignatures(statement, acceptedRules.policy)) return Infinity;
    return Math.max(acceptedRules.from, ...status.map(([, signature]) => effectiveFrom(statement, signature)));
  }

  /** By the log's own times. */
  #rules(logTime: number): Rules {
    const currentRules = this.#values.policies.findLast(({ saidFrom }) => saidFrom <= logTime);
    if (!currentRules) throw new Error('a log without rules');
    return currentRules;
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
    if (hasMisleadingName(statement, { people: this.#on.people, receivers: this.#entries(), policies: this.#values.policies }))
      return 'NAME';
    switch (statement.kind) {
      case 'mint.approve': {
        const { token, receiver, custody } = statement.content;
        if (!isClaimForLog(statement, genesis) || !equalsIgnoreCase(token, genesis.token)) return 'CONTENT';
        return claimProblem({ account: receiver, bitcoin: custody }, this.#book(genesis));
      }
      case 'refund.approve': {
        const { account, payout } = statement.content;
        if (!isClaimForLog(statement, genesis)) return 'CONTENT';
        if (this.#on.custody.has(payout)) return 'FORBIDDEN';
        return claimProblem({ account, bitcoin: payout }, this.#book(genesis));
      }
      case 'policy.set':
        return isInvalidPolicy(statement.content, genesis) ? 'CONTENT' : null;
      case 'approver.add':
        return isInvalidKey(statement.content.key, genesis) ? 'CONTENT' : null;
      case 'minter.set':
        return minterProblem(statement.content.address, this.#book(genesis));
      case 'custody.add':
        return custodyProblem(statement.content.address, this.#book(genesis));
      case 'receiver.add': {
        const isListedCustody = statement.content.custody.every((address) => this.#on.custody.has(address));
        return receiverProblem(statement.content, this.#book(genesis)) ?? (isListedCustody ? null : 'CONTENT');
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
  #apply(
    openStatement: OpenStatement,
    statement: Statement,
    passedAt: number,
    { at, logTime, number: line }: LineTime,
  ): LogProblem | null {
    const genesis = this.#values.genesis;
    if (!genesis) return 'GENESIS';
    // Another statement may have used the same value since.
    const problem = this.#contentProblem(statement, genesis);
    if (problem) return problem;
    const from = passedAt + delayMsOf(statement, this.#believed(logTime).policy);
    const effectiveFromLogTime = logTime + delayMsOf(statement, this.#rules(logTime).policy);
    const { number } = openStatement;
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
        const signers = [...openStatement.signed.keys()].filter((person) => this.#on.people.has(person));
        this.#on.lifting.delete(freeze);
        this.#on.everFrozen.set(freeze, true);
        this.#on.freezes.set(freeze, { reason: statement.content.reason, by: signers });
        this.#on.frozenBy.set(freeze, signers);
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
  #unfreeze({ freeze, difference }: StatementOf<'unfreeze'>['content'], passedAt: number, instant: number): void {
    if (!isNumber(freeze)) this.#on.accepted.set(freeze, difference);
    this.#lift(freeze, passedAt, instant);
  }

  #lift(freeze: string, passedAt: number, instant: number): void {
    this.#on.frozenBy.delete(freeze);
    if (passedAt > instant) {
      this.#on.lifting.set(freeze, passedAt);
      return;
    }
    this.#on.lifting.delete(freeze); // replaces one that came too late
    this.#on.freezes.delete(freeze);
  }

  /** Lifts freezes that only this person signed. */
  #liftFreezesOf(person: string, passedAt: number, instant: number): void {
    for (const [freeze, people] of this.#on.frozenBy) {
      if (!people.includes(person)) continue;
      const otherPeople = people.filter((candidate) => candidate !== person);
      if (otherPeople.length > 0) this.#on.frozenBy.set(freeze, otherPeople);
      else this.#lift(freeze, passedAt, instant);
    }
  }

  #list(receiver: Receiver, from: number, instant: number): void {
    const previousEntries = this.#on.receivers.get(receiver.address) ?? [];
    const lastActiveIndex = previousEntries.findLastIndex((receiverEntries) => receiverEntries.from <= instant);
    this.#on.receivers.set(receiver.address, [...previousEntries.slice(Math.max(lastActiveIndex, 0)), { receiver, from }]);
    for (const address of receiver.custody) this.#on.owners.set(address, receiver.institution);
  }

  /** Refuses keys that are in use or ever belonged to someone else. */
  #enrol(
    { person, name, roles, key }: StatementOf<'approver.add'>['content'],
    effectiveTimes: Pick<EnrolledKey, 'from' | 'saidFrom'>,
  ): boolean {
    const ids = key.type === 'passkey' ? [keyId(key), `credential:${key.credential}`] : [keyId(key)];
    const keys = this.#on.people.get(person)?.keys ?? [];
    const isKeyInUse = ids.some((id) => (this.#on.keyOwners.get(id) ?? person) !== person);
    if (isKeyInUse || keys.some((enrolledKey) => keyId(enrolledKey.key) === keyId(key))) return false;
    for (const id of ids) this.#on.keyOwners.set(id, person);
    this.#on.names.set(person, name);
    this.#on.people.set(person, { person, name, roles, keys: [...keys, { key, roles, ...effectiveTimes }] });
    return true;
  }
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const equalsIgnoreCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function appendHash(map: LayeredMap<string, readonly string[]>, key: string, hash: string): void {
  map.set(key, [...(map.get(key) ?? []), hash]);
}

/** As the contract computes it, in lower case. */
export const depositHashOf = ({ network, txid, vout }: Pick<MintClaim, 'network' | 'txid' | 'vout'>): string =>
  depositHash(network, txid, vout).toLowerCase();

const isInvalidKey = (key: AuthorityKey, { development }: Pick<Genesis, 'development'>): boolean =>
  (key.type === 'software' && !development) || !isValidPublicKey(key);

/** For this log's chain, bridge and Bitcoin network, under rules its signers have seen. */
function isClaimForLog({ content, after }: StatementOf<'mint.approve' | 'refund.approve'>, genesis: Genesis): boolean {
  const satoshi = BigInt(content.satoshi);
  return (
    content.chainId === genesis.chainId &&
    content.network === genesis.network &&
    equalsIgnoreCase(content.bridge, genesis.bridge) &&
    satoshi > 0n &&
    satoshi <= maxSatoshi &&
    content.policy <= after.number
  );
}
