import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import type { Approver, Genesis, LogLine, MintClaim, Receiver, Statement } from '../../api/authority/statements.ts';
import {
  testStart,
  testBridge,
  buildMintClaim,
  buildTestGenesis,
  checkMintAtTime,
  testMinter,
  mirrorSignature,
  custodyAddress,
  custodyAddressOfA,
  createP256KeyPair,
  createPasskeyPerson,
  payoutAddressOfA,
  receiverA,
  receiverB,
  rechainLines,
  buildTestRules,
  createSoftwarePerson,
  TestLog,
  testToken,
  createWalletPerson,
  buildRequestedMint,
  wholeRangeBand,
  type ProofOverrides,
  type TestPerson,
} from '../testing/authority.ts';
import type { MintCheckInput, RequestedMint } from './check-mint.ts';
import { LogError, replay, type ReplayOptions } from './replay.ts';

// The attacker controls the web process and the database, but lacks people's keys, the pinned
// genesis and the signer's clock.

const ann = createPasskeyPerson('Ann', ['custody']);
const bob = createWalletPerson('Bob', ['custody']);
const cid = createPasskeyPerson('Cid', ['head']);
/** In no genesis. */
const eve = createPasskeyPerson('Eve', ['custody', 'head']);
const dan = createWalletPerson('Dan', ['custody']);
const approvers = [ann, bob, cid];

const hour = 3_600_000;
const day = 24 * hour;

interface MintQuestion {
  readonly lines: readonly unknown[];
  readonly genesis: string;
  readonly wanted: RequestedMint;
  readonly now: number;
  readonly clock?: number;
  readonly timeOf?: ReplayOptions['timeOf'];
  readonly input?: Partial<MintCheckInput>;
}

async function judge({ lines, genesis, wanted, now, clock, timeOf, input }: MintQuestion): Promise<string> {
  try {
    const authority = await replay(lines, { genesis, now: () => clock ?? now, ...(timeOf ? { timeOf } : {}) });
    return checkMintAtTime(authority, wanted, { now, ...input }).refusal ?? 'SIGNED';
  } catch (error) {
    if (error instanceof LogError) return `line ${error.line} ${error.problem}`;
    throw error;
  }
}

const mintQuestion = (
  log: TestLog,
  claim: MintClaim = buildMintClaim(),
  overrides: Partial<MintQuestion> = {},
): MintQuestion => ({
  lines: log.lines,
  genesis: log.genesisHash,
  wanted: buildRequestedMint(claim),
  now: log.now,
  ...overrides,
});

const newLog = (overrides: Partial<Genesis> = {}, people: readonly TestPerson[] = approvers) =>
  new TestLog(buildTestGenesis(people, overrides));

/** 0 genesis, 1 approval of `claim` with Ann's signature, 2 Bob's. */
function approvedLog(overrides: Partial<Genesis> = {}, claim: MintClaim = buildMintClaim()): TestLog {
  const log = newLog(overrides);
  log.sign(log.propose('mint.approve', claim), ann, bob);
  return log;
}

const withChangedLine = (log: TestLog, number: number, changeLine: (line: LogLine) => unknown): unknown[] =>
  log.lines.map((line, at) => (at === number ? changeLine(structuredClone(line)) : line));

const withRechainedLine = (log: TestLog, number: number, changeLine: (line: LogLine) => unknown): unknown[] =>
  rechainLines(withChangedLine(log, number, changeLine) as LogLine[], log.lines);

const withContent = (overrides: object) => (line: LogLine) =>
  line.kind === 'statement'
    ? withStatement({ content: { ...line.statement.content, ...overrides } })(line)
    : line.kind === 'genesis'
      ? { ...line, content: { ...line.content, ...overrides } }
      : line;

const withStatement = (overrides: object) => (line: LogLine) =>
  line.kind === 'statement' ? { ...line, statement: { ...line.statement, ...overrides } } : line;

function statementAt(log: TestLog, number: number): Statement {
  const line = log.lines[number];
  if (line?.kind !== 'statement') throw new Error(`line ${number} brings no statement in`);
  return line.statement;
}

const withChangedText = (log: TestLog, number: number, changeLine: (text: string) => string): string[] =>
  log.lines.map((line, at) => (at === number ? changeLine(canonical(line)) : canonical(line)));

function signedWithFalseProof(testPerson: TestPerson, proofOverrides: ProofOverrides & { person?: string }): MintQuestion {
  const log = newLog();
  const approval = log.propose('mint.approve', buildMintClaim());
  log.signAs(approval, testPerson, proofOverrides);
  return mintQuestion(log.sign(approval, [ann, bob].find((coSigner) => coSigner !== testPerson) ?? ann));
}

function mintAfter(
  prepareLog: (log: TestLog) => void,
  { wait = 0, claim = {} }: { wait?: number; claim?: Partial<MintClaim> } = {},
): MintQuestion {
  const log = newLog();
  prepareLog(log);
  log.wait(wait);
  log.sign(log.propose('mint.approve', buildMintClaim(claim)), ann, bob);
  return mintQuestion(log, buildMintClaim(claim));
}

const toApprover = ({ person, name, roles, key }: TestPerson): Approver => ({ person, name, roles, key });
const reason = 'a reason';

function enrollKey(log: TestLog, testPerson: TestPerson, signers: readonly TestPerson[] = [ann, bob]): Statement {
  const statement = log.propose('approver.add', toApprover(testPerson));
  const [first, ...otherSigners] = signers;
  if (first) log.sign(statement, first, testPerson, ...otherSigners);
  return statement;
}

const output = { network: 'regtest', txid: 'ab'.repeat(32), vout: 0 } as const;
const looserRules = buildTestRules({ bands: [{ ...wholeRangeBand, approvals: 1 }] });

type AttackCase = readonly [name: string, build: () => MintQuestion | Promise<MintQuestion>, expected: string];

function mintUnderPolicy(
  policy: Partial<Genesis['policy']>,
  people: readonly TestPerson[],
  overrides: Partial<MintQuestion> = {},
): MintQuestion {
  const log = newLog({ policy: buildTestRules(policy) });
  log.sign(log.propose('mint.approve', buildMintClaim()), ...people);
  return mintQuestion(log, buildMintClaim(), overrides);
}

const dailyLimitRules = { bands: [{ ...wholeRangeBand, perDay: '200000000' }] };
const addressOfEve = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const unusedAddress = 'bcrt1qvenxvenxvenxvenxvenxvenxvenxvenxq8rguk';
const mainnetAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const createReceiver = (overrides: Partial<Receiver>): Receiver => ({
  address: addressOfEve,
  institution: 'Eve Capital',
  custody: [],
  payout: [],
  ...overrides,
});
const rpHash = createHash('sha256').update('panel.example').digest();

function frozenLog() {
  const log = approvedLog();
  const freeze = log.propose('freeze', { reason });
  return { log: log.sign(freeze, cid), freeze };
}

function unfrozenMint(people: readonly TestPerson[], liftedFreeze?: string): MintQuestion {
  const { log, freeze } = frozenLog();
  return mintQuestion(
    log.sign(
      log.propose('unfreeze', { freeze: liftedFreeze ?? String(log.numberOf(freeze)), difference: '', reason }),
      ...people,
    ),
  );
}

/** `people` accept a difference of 5 satoshi; the ledger is frozen for `difference`. */
function mintAfterDifference(people: readonly TestPerson[], difference: string, id = 'ledger-1'): MintQuestion {
  const log = approvedLog();
  log.sign(log.propose('unfreeze', { freeze: 'ledger-1', difference: '5 satoshi', reason }), ...people);
  return mintQuestion(log, buildMintClaim(), { input: { freezes: [{ id, difference }] } });
}

const mintWithRequest = (overrides: Partial<RequestedMint>) =>
  mintQuestion(approvedLog(), buildMintClaim(), { wanted: buildRequestedMint(buildMintClaim(), overrides) });
const mintWithLines = (buildLines: (log: TestLog) => readonly unknown[], log = approvedLog()) =>
  mintQuestion(log, buildMintClaim(), { lines: buildLines(log) });

const acceptedCases: readonly AttackCase[] = [
  ['two of two signed', () => mintQuestion(approvedLog()), 'SIGNED'],
  ['as texts, as they are exported', () => mintWithLines((log) => log.lines.map(canonical)), 'SIGNED'],
  [
    'a member that browsers add to what they sign',
    () => signedWithFalseProof(ann, { extra: ',"other_keys":{"type":["{"]}' }),
    'SIGNED',
  ],
  [
    'an origin with its slashes escaped, as Android writes it',
    () => signedWithFalseProof(ann, { clientDataJSON: (text) => text.replaceAll('/', '\\/') }),
    'SIGNED',
  ],
];

const attackCases: readonly AttackCase[] = [
  ['ledger: another amount', () => mintWithRequest({ amount: 1n }), 'OTHER'],
  ['ledger: a part of a satoshi more', () => mintWithRequest({ amount: 1_500_000_000_000_000_001n }), 'OTHER'],
  ['ledger: another receiver', () => mintWithRequest({ recipient: receiverA }), 'OTHER'],
  ['ledger: another chain', () => mintWithRequest({ chainId: 1 }), 'OTHER'],
  ['ledger: another token', () => mintWithRequest({ token: receiverA }), 'OTHER'],
  ['ledger: another bridge', () => mintWithRequest({ bridge: receiverA }), 'OTHER'],
  ['ledger: another output', () => mintQuestion(approvedLog(), buildMintClaim({ vout: 1 })), 'NO_STATEMENT'],
  [
    'ledger: the output of another Bitcoin network',
    () => mintQuestion(approvedLog(), buildMintClaim({ network: 'mainnet' })),
    'NO_STATEMENT',
  ],

  [
    'line: amount',
    () => mintWithLines((log) => withChangedLine(log, 1, withContent({ satoshi: '250000000' }))),
    'line 1 CHALLENGE',
  ],
  [
    'line: receiver',
    () => mintWithLines((log) => withChangedLine(log, 1, withContent({ receiver: receiverA }))),
    'line 1 CHALLENGE',
  ],
  [
    'line: rule in the genesis',
    () => mintWithLines((log) => withChangedLine(log, 0, withContent({ policy: looserRules }))),
    'line 0 GENESIS',
  ],
  [
    'line: a signature of other bytes',
    () =>
      mintWithLines((log) =>
        withChangedLine(log, 1, (line) => ({ ...line, proof: ann.prove(log.propose('freeze', { reason }), log.genesis) })),
      ),
    'line 1 CHALLENGE',
  ],
  ['line: text that is no JSON', () => mintWithLines((log) => withChangedText(log, 1, () => 'drop table')), 'line 1 FORM'],
  ['line: null', () => mintWithLines((log) => [log.lines[0], null]), 'line 1 FORM'],
  [
    'line: an unknown kind',
    () => mintWithLines((log) => withChangedLine(log, 1, (line) => ({ ...line, kind: 'mint.now' }))),
    'line 1 FORM',
  ],

  [
    'rehashed: amount',
    () => mintWithLines((log) => withRechainedLine(log, 1, withContent({ satoshi: '250000000' }))),
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: receiver',
    () => mintWithLines((log) => withRechainedLine(log, 1, withContent({ receiver: receiverA }))),
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: custody address',
    () => mintWithLines((log) => withRechainedLine(log, 1, withContent({ custody: custodyAddressOfA }))),
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: authors left out',
    () =>
      mintWithLines(
        (log) => withRechainedLine(log, 1, withContent({ authors: [] })),
        approvedLog({}, buildMintClaim({ authors: [cid.person] })),
      ),
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: who signed it',
    () => mintWithLines((log) => withRechainedLine(log, 1, (line) => ({ ...line, person: eve.person }))),
    'line 1 NOT_APPROVER',
  ],
  [
    'rehashed: its expiry',
    () => mintWithLines((log) => withRechainedLine(log, 1, withStatement({ expires: log.time(30 * day) }))),
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: its time',
    () => mintWithLines((log) => withRechainedLine(log, 1, (line) => ({ ...line, at: log.time(1) }))),
    'line 2 ORDER',
  ],
  [
    'rehashed: an approver of the genesis',
    () => mintWithLines((log) => withRechainedLine(log, 0, withContent({ approvers: [eve, bob].map(toApprover) }))),
    'line 0 GENESIS',
  ],
  [
    "rehashed: an approver's name",
    () =>
      mintWithLines((log) =>
        withRechainedLine(log, 0, withContent({ approvers: [{ ...toApprover(ann), name: 'Eve' }, toApprover(bob)] })),
      ),
    'line 0 GENESIS',
  ],
  [
    'rehashed: the wallet alone, before the passkey',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', buildMintClaim()), bob, ann);
      return mintQuestion(log, buildMintClaim(), { lines: withRechainedLine(log, 1, withContent({ satoshi: '250000000' })) });
    },
    'line 1 SIGNATURE',
  ],
  [
    'rehashed: the key of an enrolment',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      return mintQuestion(log, buildMintClaim(), { lines: withRechainedLine(log, 1, withContent({ key: dan.key })) });
    },
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: the amount of a rule',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', buildTestRules()), ann, bob);
      return mintQuestion(log, buildMintClaim(), { lines: withRechainedLine(log, 1, withContent({ bands: looserRules.bands })) });
    },
    'line 1 CHALLENGE',
  ],

  [
    'another genesis than the pinned one',
    () => mintQuestion(approvedLog(), buildMintClaim(), { genesis: 'ab'.repeat(32) }),
    'line 0 GENESIS',
  ],
  ['no line at all', () => mintWithLines(() => []), 'line 0 GENESIS'],
  ['without its genesis', () => mintWithLines((log) => log.lines.slice(1)), 'line 0 ORDER'],
  ['a second genesis', () => mintWithLines((log) => [...log.lines, { ...log.lines[0], ...log.place() }]), 'line 3 GENESIS'],
  ['two lines exchanged', () => mintWithLines(({ lines: [genesis, first, second] }) => [genesis, second, first]), 'line 1 ORDER'],
  [
    'the second signature as the first, and the first as the second',
    () => {
      const log = newLog();
      return mintQuestion(log.sign(log.propose('mint.approve', buildMintClaim()), bob, ann));
    },
    'SIGNED',
  ],
  ['a line left out', () => mintWithLines((log) => log.lines.filter((_line, at) => at !== 1)), 'line 1 ORDER'],
  [
    'a signature left out, rehashed',
    () => mintWithLines((log) => rechainLines(log.lines.filter((_line, at) => at !== 2))),
    'NOT_ENOUGH',
  ],
  [
    'the statement left out, rehashed',
    () => mintWithLines((log) => rechainLines(log.lines.filter((_line, at) => at !== 1))),
    'line 1 UNKNOWN_STATEMENT',
  ],
  [
    'a line that came before left out, rehashed: who signed later signed that as well',
    () => {
      const log = newLog();
      log.sign(log.propose('freeze', { reason }), cid).sign(log.propose('mint.approve', buildMintClaim()), ann, bob);
      const stored = log.lines.filter((_line, at) => at !== 1);
      return mintQuestion(log, buildMintClaim(), { lines: rechainLines(stored, stored) });
    },
    'line 1 OTHER_LOG',
  ],
  ['a line twice', () => mintWithLines((log) => [...log.lines, log.lines[2]]), 'line 3 ORDER'],
  ['cut after the first signature', () => mintWithLines((log) => log.lines.slice(0, 2)), 'NOT_ENOUGH'],
  [
    'lines of two logs',
    () => mintWithLines((log) => [...log.lines.slice(0, 2), ...approvedLog({}, buildMintClaim({ vout: 1 })).lines.slice(2)]),
    'line 2 ORDER',
  ],
  [
    'a time before the line before',
    () => {
      const log = newLog();
      log.wait(60);
      log.sign(log.propose('mint.approve', buildMintClaim()), ann);
      log.signAs(statementAt(log, 1), bob, { at: new Date(testStart).toISOString() });
      return mintQuestion(log);
    },
    'line 2 ORDER',
  ],
  [
    'a time three minutes after the reader’s clock',
    () => {
      const log = newLog();
      log.signAs(log.propose('mint.approve', buildMintClaim()), ann, { at: log.time(180_000) });
      return mintQuestion(log);
    },
    'line 1 FUTURE',
  ],
  [
    'a time in the year 9999, of a line that nobody signed',
    () => {
      const log = approvedLog();
      const forgedFreeze = log.propose('freeze', { reason }, { expires: '9999-12-31T23:59:59.999Z' });
      log.signAs(forgedFreeze, eve, { at: '9999-12-31T00:00:00.000Z' });
      return mintQuestion(log);
    },
    'line 3 FUTURE',
  ],
  [
    'a time a minute after the reader’s clock',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', buildMintClaim());
      log.sign(approval, ann);
      log.signAs(approval, bob, { at: log.time(60_000) });
      return mintQuestion(log, buildMintClaim(), { now: log.now + 60_000, clock: log.now });
    },
    'SIGNED',
  ],

  [
    'a signature copied onto another statement',
    () => {
      const log = approvedLog();
      const copiedLine = log.lines[1];
      if (copiedLine?.kind === 'statement')
        log.append({ ...copiedLine, ...log.place(), statement: log.propose('mint.approve', buildMintClaim({ vout: 1 })) });
      return mintQuestion(log);
    },
    'line 3 CHALLENGE',
  ],
  [
    "a wallet's signature copied onto another statement",
    () => {
      const log = approvedLog();
      const otherStatement = log.propose('mint.approve', buildMintClaim({ vout: 1 }));
      log.sign(otherStatement, ann);
      const copiedLine = log.lines[2];
      if (copiedLine?.kind === 'signature') log.append({ ...copiedLine, ...log.place(), signs: canonicalHash(otherStatement) });
      return mintQuestion(log);
    },
    'line 4 SIGNATURE',
  ],
  [
    'a finished statement once more, with its signatures',
    () => {
      const log = approvedLog();
      log.sign(log.propose('mint.cancel', { ...output, reason }), cid);
      const finishedLine = log.lines[1];
      if (finishedLine) log.append({ ...finishedLine, ...log.place() } as LogLine);
      return mintQuestion(log);
    },
    'line 4 TWICE',
  ],
  [
    'a statement and its signatures of another log',
    () => {
      const otherLog = approvedLog({ chainId: 5 }, buildMintClaim({ chainId: 5 }));
      const log = newLog();
      return mintQuestion(log, buildMintClaim(), { lines: rechainLines([...log.lines, ...otherLog.lines.slice(1)]) });
    },
    'line 1 OTHER_LOG',
  ],
  [
    'signatures of a log with the same people and another rule',
    () => {
      const log = newLog();
      const otherLog = approvedLog({ policy: buildTestRules({ bands: [{ ...wholeRangeBand, approvals: 3 }] }) });
      return mintQuestion(log, buildMintClaim(), { lines: rechainLines([...log.lines, ...otherLog.lines.slice(1)]) });
    },
    'line 1 OTHER_LOG',
  ],
  [
    'a signature of a signature',
    () => {
      const log = approvedLog();
      log.signAs(statementAt(log, 1), cid, { signs: canonicalHash(log.lines[2]) });
      return mintQuestion(log);
    },
    'line 3 UNKNOWN_STATEMENT',
  ],
  [
    'a signature of the genesis',
    () => {
      const log = approvedLog();
      log.signAs(statementAt(log, 1), cid, { signs: log.genesisHash });
      return mintQuestion(log);
    },
    'line 3 UNKNOWN_STATEMENT',
  ],
  [
    'signed after it expired',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', buildMintClaim(), { valid: hour });
      log.sign(approval, ann).wait(3601);
      return mintQuestion(log.sign(approval, bob));
    },
    'line 2 LATE',
  ],
  [
    'signed after it expired, dated back',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', buildMintClaim(), { valid: hour });
      log.sign(approval, ann, bob);
      return mintQuestion(log, buildMintClaim(), { timeOf: (line, at) => (line < 2 ? at : at + 2 * hour) });
    },
    'NOT_ENOUGH',
  ],
  ['asked for after it expired', () => mintQuestion(approvedLog(), buildMintClaim(), { now: testStart + 8 * day }), 'EXPIRED'],
  [
    'an expiry that is no moment',
    () => mintWithLines((log) => withChangedLine(log, 1, withStatement({ expires: '9999-99-99T99:99:99.999Z' }))),
    'line 1 FORM',
  ],
  [
    'the 31st of February',
    () => mintWithLines((log) => withChangedLine(log, 1, withStatement({ expires: '2027-02-31T00:00:00.000Z' }))),
    'line 1 FORM',
  ],
  [
    'valid for a thousand years',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', buildMintClaim(), { valid: 365_000 * day }), ann);
      return mintQuestion(log);
    },
    'line 1 CONTENT',
  ],
  [
    'expired when it was proposed',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', buildMintClaim(), { valid: -1 }), ann);
      return mintQuestion(log);
    },
    'line 1 LATE',
  ],

  [
    'one signs twice',
    () => {
      const log = approvedLog();
      return mintQuestion(log.sign(statementAt(log, 1), ann));
    },
    'line 3 TWICE',
  ],
  ['somebody of no genesis', () => mintUnderPolicy({}, [eve]), 'line 1 NOT_APPROVER'],
  ['somebody else with a colleague’s name', () => signedWithFalseProof(eve, { person: ann.person }), 'line 1 KEY'],
  ['a passkey in a wallet’s place', () => signedWithFalseProof(ann, { person: bob.person }), 'line 1 KEY'],
  [
    'a removed approver',
    () => mintAfter((log) => log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid)),
    'line 3 NOT_APPROVER',
  ],
  [
    'an approver who was removed after signing',
    () => {
      const log = approvedLog();
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid);
      return mintQuestion(log);
    },
    'NOT_ENOUGH',
  ],
  [
    'who was removed and came back with another key brings no signature along',
    () => {
      const log = approvedLog();
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid);
      enrollKey(log, { ...createPasskeyPerson('Ann', ['custody']), person: ann.person }, [bob, cid]);
      return mintQuestion(log, buildMintClaim(), { now: log.now + 2 * day });
    },
    'NOT_ENOUGH',
  ],
  [
    'nor with the same key',
    () => {
      const log = approvedLog();
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid);
      enrollKey(log, ann, [bob, cid]);
      return mintQuestion(log, buildMintClaim(), { now: log.now + 2 * day });
    },
    'NOT_ENOUGH',
  ],
  [
    'an approver who is still cooling',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      log.wait(3600).sign(log.propose('mint.approve', buildMintClaim()), ann, eve);
      return mintQuestion(log);
    },
    'line 5 NOT_APPROVER',
  ],
  [
    'an approver whose cooling was dated back',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      log.wait(90_000).sign(log.propose('mint.approve', buildMintClaim()), ann, eve);
      return mintQuestion(log, buildMintClaim(), { timeOf: () => log.now });
    },
    'NOT_ENOUGH',
  ],
  [
    '… counts when it is over by the reader’s clock',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      log.wait(90_000).sign(log.propose('mint.approve', buildMintClaim()), ann, eve);
      return mintQuestion(log, buildMintClaim(), { timeOf: () => log.now, now: log.now + day });
    },
    'SIGNED',
  ],
  [
    'an approver enrolled without having shown the key',
    () => {
      const log = newLog();
      log.sign(log.propose('approver.add', toApprover(eve)), ann, bob);
      log.wait(90_000).sign(log.propose('mint.approve', buildMintClaim()), ann, eve);
      return mintQuestion(log);
    },
    'line 4 NOT_APPROVER',
  ],
  [
    'an approver enrolled by one',
    () => {
      const log = newLog();
      enrollKey(log, eve, [ann]);
      log.wait(90_000).sign(log.propose('mint.approve', buildMintClaim()), ann, eve);
      return mintQuestion(log);
    },
    'line 4 NOT_APPROVER',
  ],
  [
    'an approver who enrols a second key with the first',
    () => {
      const log = newLog();
      const secondKeyPerson = { ...createPasskeyPerson('Ann'), person: ann.person };
      log.sign(log.propose('approver.add', toApprover(secondKeyPerson)), ann);
      return mintQuestion(log);
    },
    'line 1 KEY',
  ],
  [
    'one key for two people',
    () => {
      const log = newLog();
      const sameKeyPerson = { ...ann, person: eve.person, name: 'Eve' };
      enrollKey(log, sameKeyPerson, [bob, cid]);
      return mintQuestion(log);
    },
    'line 3 CONTENT',
  ],
  [
    'one public key under two credentials',
    () => {
      const keyPair = createP256KeyPair();
      const log = newLog({}, [createPasskeyPerson('Ann', [], keyPair), bob, cid]);
      enrollKey(log, createPasskeyPerson('Eve', [], keyPair), [bob, cid]);
      return mintQuestion(log);
    },
    'line 3 CONTENT',
  ],
  [
    'a removed colleague’s key',
    () => {
      const log = newLog();
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid);
      enrollKey(log, { ...ann, person: eve.person, name: 'Eve' }, [bob, cid]);
      return mintQuestion(log);
    },
    'line 5 CONTENT',
  ],
  [
    'a key that is no point of P-256',
    () => {
      const log = newLog();
      const otherKeyPair = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
      log.sign(log.propose('approver.add', toApprover(createPasskeyPerson('Eve', [], otherKeyPair))), ann);
      return mintQuestion(log);
    },
    'line 1 CONTENT',
  ],
  [
    'a software key where money is real',
    () => {
      const log = newLog();
      log.sign(log.propose('approver.add', toApprover(createSoftwarePerson('Eve'))), ann);
      return mintQuestion(log);
    },
    'line 1 CONTENT',
  ],
  [
    'a software key in a genesis where money is real',
    () => mintQuestion(newLog({}, [createSoftwarePerson('Eve'), bob])),
    'line 0 CONTENT',
  ],
  [
    'who wrote the deposit signs',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', buildMintClaim({ authors: [bob.person] })), ann, bob);
      return mintQuestion(log, buildMintClaim({ authors: [bob.person] }));
    },
    'line 2 AUTHOR',
  ],
  [
    'who wrote the deposit, in capitals',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', buildMintClaim({ authors: [bob.person.toUpperCase()] })), ann, bob);
      return mintQuestion(log);
    },
    'line 1 FORM',
  ],
  ['one of two', () => mintUnderPolicy({}, [ann]), 'NOT_ENOUGH'],
  ['none of the role', () => mintUnderPolicy({ bands: [{ ...wholeRangeBand, role: 'head' }] }, [ann, bob]), 'ROLE'],
  ['one of two of the role', () => mintUnderPolicy({ bands: [{ ...wholeRangeBand, role: 'head' }] }, [ann, cid]), 'ROLE'],
  [
    'a role that a second key brought, before it cooled',
    () => {
      const log = newLog({ policy: buildTestRules({ bands: [{ ...wholeRangeBand, approvals: 1, role: 'head' }] }) });
      enrollKey(log, { ...createPasskeyPerson('Ann', ['head']), person: ann.person }, [bob, cid]);
      log.sign(log.propose('mint.approve', buildMintClaim()), ann);
      return mintQuestion(log, buildMintClaim(), { now: log.now + 2 * day });
    },
    'ROLE',
  ],

  [
    'passkey: asked by another page',
    () => signedWithFalseProof(ann, { origin: 'https://panel.example.evil.test' }),
    'line 1 ORIGIN',
  ],
  ['passkey: asked without TLS', () => signedWithFalseProof(ann, { origin: 'http://panel.example' }), 'line 1 ORIGIN'],
  ['passkey: of another domain', () => signedWithFalseProof(ann, { rpId: 'evil.test' }), 'line 1 RP'],
  ['passkey: another challenge', () => signedWithFalseProof(ann, { hash: 'ab'.repeat(32) }), 'line 1 CHALLENGE'],
  ['passkey: nobody there', () => signedWithFalseProof(ann, { flags: 0x04 }), 'line 1 NOT_VERIFIED'],
  ['passkey: nobody verified', () => signedWithFalseProof(ann, { flags: 0x01 }), 'line 1 NOT_VERIFIED'],
  ['passkey: an enrolment as a signature', () => signedWithFalseProof(ann, { type: 'webauthn.create' }), 'line 1 SIGNATURE'],
  ['passkey: a payment', () => signedWithFalseProof(ann, { type: 'payment.get' }), 'line 1 SIGNATURE'],
  ['passkey: in a frame of another page', () => signedWithFalseProof(ann, { crossOrigin: true }), 'line 1 ORIGIN'],
  ['passkey: in a frame, put otherwise', () => signedWithFalseProof(ann, { crossOrigin: 'true' }), 'line 1 ORIGIN'],
  ['passkey: a page around it', () => signedWithFalseProof(ann, { extra: ',"topOrigin":"https://evil.test"' }), 'line 1 ORIGIN'],
  [
    'passkey: cut authenticator data',
    () => signedWithFalseProof(ann, { authenticatorData: Buffer.alloc(36, 5) }),
    'line 1 SIGNATURE',
  ],
  [
    'passkey: bytes behind its authenticator data',
    () => signedWithFalseProof(ann, { authenticatorData: Buffer.concat([rpHash, Buffer.from([5, 0, 0, 0, 1, 9])]) }),
    'line 1 SIGNATURE',
  ],
  [
    'passkey: another credential',
    () => signedWithFalseProof(ann, { credential: Buffer.alloc(32, 7).toString('base64url') }),
    'line 1 KEY',
  ],
  ['passkey: another key', () => signedWithFalseProof(ann, { privateKey: createP256KeyPair().privateKey }), 'line 1 SIGNATURE'],
  [
    'passkey: another curve',
    () => signedWithFalseProof(ann, { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey }),
    'line 1 SIGNATURE',
  ],
  ['passkey: no signature', () => signedWithFalseProof(ann, { signature: 'AAAA' }), 'line 1 SIGNATURE'],
  ['passkey: a signature with spare bits', () => signedWithFalseProof(ann, { signature: 'AAB' }), 'line 1 FORM'],
  ['passkey: an empty object', () => signedWithFalseProof(ann, { clientDataJSON: () => '{}' }), 'line 1 SIGNATURE'],
  ['passkey: null', () => signedWithFalseProof(ann, { clientDataJSON: () => 'null' }), 'line 1 SIGNATURE'],
  ['passkey: a list', () => signedWithFalseProof(ann, { clientDataJSON: () => '[]' }), 'line 1 SIGNATURE'],
  [
    'passkey: its origin twice',
    () => signedWithFalseProof(ann, { extra: ',"origin":"https://panel.example"' }),
    'line 1 SIGNATURE',
  ],
  [
    'passkey: its challenge twice, once in disguise',
    () => signedWithFalseProof(ann, { extra: ',"\\u0063hallenge":"AAAA"' }),
    'line 1 SIGNATURE',
  ],
  [
    'passkey: a byte order mark',
    () => signedWithFalseProof(ann, { clientDataJSON: (text) => `\ufeff${text}` }),
    'line 1 SIGNATURE',
  ],

  [
    'wallet: another chain',
    () =>
      signedWithFalseProof(bob, { typedData: (typedData) => ({ ...typedData, domain: { ...typedData.domain, chainId: 1 } }) }),
    'line 1 SIGNATURE',
  ],
  [
    'wallet: another domain',
    () =>
      signedWithFalseProof(bob, {
        typedData: (typedData) => ({ ...typedData, domain: { ...typedData.domain, name: 'Airdrop' } }),
      }),
    'line 1 SIGNATURE',
  ],
  [
    'wallet: another amount was shown',
    () =>
      signedWithFalseProof(bob, {
        typedData: (typedData) => ({ ...typedData, message: { ...typedData.message, satoshi: '1' } }),
      }),
    'line 1 SIGNATURE',
  ],
  [
    'wallet: another statement was shown',
    () =>
      signedWithFalseProof(bob, {
        typedData: (typedData) => ({ ...typedData, message: { ...typedData.message, statementHash: '00'.repeat(32) } }),
      }),
    'line 1 SIGNATURE',
  ],
  [
    'wallet: another kind was shown',
    () =>
      signedWithFalseProof(bob, {
        typedData: (typedData) => ({
          ...typedData,
          primaryType: 'MintCancel',
          types: { MintCancel: typedData.types['MintApprove'] ?? [] },
        }),
      }),
    'line 1 SIGNATURE',
  ],
  ['wallet: another’s address', () => signedWithFalseProof(dan, { person: bob.person }), 'line 1 KEY'],
  [
    'wallet: s mirrored',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', buildMintClaim());
      const proof = bob.prove(approval, log.genesis);
      if (proof.type === 'wallet') log.signAs(approval, bob, { signature: mirrorSignature(proof.signature) });
      return mintQuestion(log.sign(approval, ann));
    },
    'line 1 SIGNATURE',
  ],
  [
    'wallet: v of 0 or 1',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', buildMintClaim());
      const proof = bob.prove(approval, log.genesis);
      if (proof.type === 'wallet')
        log.signAs(approval, bob, { signature: `${proof.signature.slice(0, -2)}0${proof.signature.endsWith('1b') ? 0 : 1}` });
      return mintQuestion(log.sign(approval, ann));
    },
    'line 1 SIGNATURE',
  ],
  ['wallet: zeros', () => signedWithFalseProof(bob, { signature: `0x${'00'.repeat(64)}1b` }), 'line 1 SIGNATURE'],

  [
    'text: members in another order',
    () =>
      mintWithLines((log) =>
        withChangedText(log, 1, (text) =>
          JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).toReversed())),
        ),
      ),
    'line 1 FORM',
  ],
  ['text: a space', () => mintWithLines((log) => withChangedText(log, 1, (text) => text.replace(',', ', '))), 'line 1 FORM'],
  ['text: a byte order mark', () => mintWithLines((log) => withChangedText(log, 1, (text) => `\ufeff${text}`)), 'line 1 FORM'],
  [
    'text: a member twice',
    () => mintWithLines((log) => withChangedText(log, 1, (text) => text.replace('"satoshi":', '"satoshi":"1","satoshi":'))),
    'line 1 FORM',
  ],
  [
    'text: 0 with a sign',
    () => mintWithLines((log) => withChangedText(log, 1, (text) => text.replace('"vout":0', '"vout":-0'))),
    'line 1 FORM',
  ],
  [
    'text: 0 with a fraction',
    () => mintWithLines((log) => withChangedText(log, 1, (text) => text.replace('"vout":0', '"vout":0.0'))),
    'line 1 FORM',
  ],
  [
    'text: an exponent',
    () => mintWithLines((log) => withChangedText(log, 1, (text) => text.replace('"number":1,', '"number":1e0,'))),
    'line 1 FORM',
  ],
  [
    'text: a letter escaped',
    () => mintWithLines((log) => withChangedText(log, 1, (text) => text.replace('regtest', '\\u0072egtest'))),
    'line 1 FORM',
  ],
  [
    'text: __proto__',
    () => mintWithLines((log) => withChangedText(log, 1, (text) => text.replace('{"at"', '{"__proto__":{"kind":"freeze"},"at"'))),
    'line 1 FORM',
  ],
  [
    'value: __proto__',
    () =>
      mintWithLines((log) =>
        withChangedLine(log, 1, (line) => JSON.parse(`{"__proto__":{"x":1},${JSON.stringify(line).slice(1)}`)),
      ),
    'line 1 FORM',
  ],
  [
    'value: one member more',
    () => mintWithLines((log) => withChangedLine(log, 1, (line) => ({ ...line, note: '' }))),
    'line 1 FORM',
  ],
  [
    'value: one member more in the content',
    () => mintWithLines((log) => withChangedLine(log, 1, withContent({ fee: '1' }))),
    'line 1 FORM',
  ],
  [
    'value: half a letter in a name',
    () => mintWithLines((log) => withChangedLine(log, 1, (line) => ({ ...line, by: { person: ann.person, name: 'Ann\ud800' } }))),
    'line 1 FORM',
  ],
  [
    'value: turned writing in a name',
    () =>
      mintWithLines((log) => withChangedLine(log, 1, (line) => ({ ...line, by: { person: ann.person, name: 'Ann\u202eevE' } }))),
    'line 1 FORM',
  ],
  [
    'value: an amount with a zero before it',
    () => mintWithLines((log) => withChangedLine(log, 1, withContent({ satoshi: '0150000000' }))),
    'line 1 FORM',
  ],
  [
    'value: an amount as a number',
    () => mintWithLines((log) => withChangedLine(log, 1, withContent({ satoshi: 150_000_000 }))),
    'line 1 FORM',
  ],
  [
    'value: a negative amount',
    () => mintWithLines((log) => withChangedLine(log, 1, withContent({ satoshi: '-1' }))),
    'line 1 FORM',
  ],

  [
    'nothing is minted',
    () => mintQuestion(approvedLog({}, buildMintClaim({ satoshi: '0' })), buildMintClaim({ satoshi: '0' })),
    'line 1 CONTENT',
  ],
  ['more than there is', () => mintQuestion(approvedLog({}, buildMintClaim({ satoshi: '2100000000000001' }))), 'line 1 CONTENT'],
  ['a claim of another chain', () => mintQuestion(approvedLog({}, buildMintClaim({ chainId: 1 }))), 'line 1 CONTENT'],
  ['a claim of another token', () => mintQuestion(approvedLog({}, buildMintClaim({ token: receiverA }))), 'line 1 CONTENT'],
  ['a claim of another bridge', () => mintQuestion(approvedLog({}, buildMintClaim({ bridge: receiverA }))), 'line 1 CONTENT'],
  ['a claim of another Bitcoin', () => mintQuestion(approvedLog({}, buildMintClaim({ network: 'mainnet' }))), 'line 1 CONTENT'],
  [
    'a custody address that is none of ours',
    () => {
      const claim = buildMintClaim({ custody: 'bcrt1q2424242424242424242424242424242406xw5p' });
      return mintQuestion(approvedLog({}, claim), claim);
    },
    'CUSTODY',
  ],
  [
    'a custody address, removed',
    () => mintAfter((log) => log.sign(log.propose('custody.remove', { address: custodyAddress, reason }), ann, bob)),
    'CUSTODY',
  ],
  [
    'a custody address that is still cooling',
    () =>
      mintAfter(
        (log) =>
          log.sign(log.propose('custody.add', { address: 'bcrt1qvenxvenxvenxvenxvenxvenxvenxvenxq8rguk', note: '' }), ann, bob),
        {
          claim: { custody: 'bcrt1qvenxvenxvenxvenxvenxvenxvenxvenxq8rguk' },
        },
      ),
    'CUSTODY',
  ],
  [
    'a custody address that nobody added',
    () =>
      mintAfter(
        (log) => log.sign(log.propose('custody.add', { address: 'bcrt1qvenxvenxvenxvenxvenxvenxvenxvenxq8rguk', note: '' }), ann),
        {
          wait: 90_000,
          claim: { custody: 'bcrt1qvenxvenxvenxvenxvenxvenxvenxvenxq8rguk' },
        },
      ),
    'CUSTODY',
  ],
  [
    'another institution’s own address',
    () => {
      const claim = buildMintClaim({ custody: custodyAddressOfA });
      return mintQuestion(approvedLog({}, claim), claim);
    },
    'NOT_ITS_CUSTODY',
  ],
  [
    '… whose entry was removed before',
    () =>
      mintAfter((log) => log.sign(log.propose('receiver.remove', { address: receiverA, reason }), ann, bob), {
        claim: { custody: custodyAddressOfA },
      }),
    'NOT_ITS_CUSTODY',
  ],
  [
    '… that was taken off the list and put on it again',
    () =>
      mintAfter(
        (log) => {
          log.sign(log.propose('custody.remove', { address: custodyAddressOfA, reason }), ann, bob);
          log.sign(log.propose('custody.add', { address: custodyAddressOfA, note: '' }), ann, bob);
        },
        { wait: 90_000, claim: { custody: custodyAddressOfA } },
      ),
    'NOT_ITS_CUSTODY',
  ],
  [
    '… whose entry was emptied before',
    () =>
      mintAfter(
        (log) =>
          log.sign(
            log.propose('receiver.add', { address: receiverA, institution: 'Alpha Bank', custody: [], payout: [] }),
            ann,
            bob,
          ),
        { wait: 90_000, claim: { custody: custodyAddressOfA } },
      ),
    'NOT_ITS_CUSTODY',
  ],
  [
    'a receiver in no entry',
    () => {
      const claim = buildMintClaim({ receiver: addressOfEve });
      return mintQuestion(approvedLog({}, claim), claim);
    },
    'RECEIVER',
  ],
  [
    'a receiver whose entry is still cooling',
    () =>
      mintAfter(
        (log) =>
          log.sign(log.propose('receiver.add', { address: addressOfEve, institution: 'Eve', custody: [], payout: [] }), ann, bob),
        { claim: { receiver: addressOfEve } },
      ),
    'RECEIVER',
  ],
  [
    'a receiver whose cooling was dated back',
    () => {
      const question = mintAfter(
        (log) =>
          log.sign(log.propose('receiver.add', { address: addressOfEve, institution: 'Eve', custody: [], payout: [] }), ann, bob),
        { wait: 90_000, claim: { receiver: addressOfEve } },
      );
      return { ...question, timeOf: () => question.now };
    },
    'RECEIVER',
  ],
  [
    'a receiver whom one entered',
    () =>
      mintAfter(
        (log) =>
          log.sign(log.propose('receiver.add', { address: addressOfEve, institution: 'Eve', custody: [], payout: [] }), ann),
        {
          wait: 90_000,
          claim: { receiver: addressOfEve },
        },
      ),
    'RECEIVER',
  ],
  [
    'a receiver, removed',
    () => mintAfter((log) => log.sign(log.propose('receiver.remove', { address: receiverB, reason }), ann, bob)),
    'RECEIVER',
  ],
  [
    'a receiver removed that is not there',
    () => mintAfter((log) => log.sign(log.propose('receiver.remove', { address: addressOfEve, reason }), ann, bob)),
    'line 2 CONTENT',
  ],
  ['everybody is a receiver', () => mintQuestion(newLog({ policy: buildTestRules({ receivers: 'any' }) })), 'line 0 CONTENT'],

  ...(
    [
      ['a custody address in capitals', 'custody.add', { address: custodyAddress.toUpperCase(), note: '' }, 'ADDRESS'],
      ['a custody address that is ours already', 'custody.add', { address: custodyAddress, note: '' }, 'TAKEN'],
      ['a custody address of another network', 'custody.add', { address: mainnetAddress, note: '' }, 'ADDRESS'],
      [
        'a custody address with a wrong checksum',
        'custody.add',
        { address: `${unusedAddress.slice(0, -1)}q`, note: '' },
        'ADDRESS',
      ],
      ['an institution’s payout address as custody', 'custody.add', { address: payoutAddressOfA, note: '' }, 'TAKEN'],
      [
        'a custody address called by an institution’s name',
        'custody.add',
        { address: unusedAddress, note: 'Alpha Bank' },
        'NAME',
      ],
      ['another institution’s custody address', 'receiver.add', createReceiver({ custody: [custodyAddressOfA] }), 'TAKEN'],
      ['another institution’s payout address', 'receiver.add', createReceiver({ payout: [payoutAddressOfA] }), 'TAKEN'],
      ['another institution’s account', 'receiver.add', createReceiver({ address: receiverA }), 'TAKEN'],
      ['a payout address that is our custody', 'receiver.add', createReceiver({ payout: [custodyAddress] }), 'TAKEN'],
      ['a payout address twice', 'receiver.add', createReceiver({ payout: [unusedAddress, unusedAddress] }), 'TAKEN'],
      ['a payout address of another network', 'receiver.add', createReceiver({ payout: [mainnetAddress] }), 'ADDRESS'],
      [
        'a custody address that is none of ours for an institution',
        'receiver.add',
        createReceiver({ custody: [unusedAddress] }),
        'CONTENT',
      ],
      ['a receiver without its checksum', 'receiver.add', createReceiver({ address: addressOfEve.toLowerCase() }), 'ADDRESS'],
      [
        'a receiver with another checksum',
        'receiver.add',
        createReceiver({ address: addressOfEve.replace('E', 'e') }),
        'ADDRESS',
      ],
      ['the zero address as a receiver', 'receiver.add', createReceiver({ address: `0x${'0'.repeat(40)}` }), 'FORBIDDEN'],
      ['the token as a receiver', 'receiver.add', createReceiver({ address: testToken }), 'FORBIDDEN'],
      ['the bridge as a receiver', 'receiver.add', createReceiver({ address: testBridge }), 'FORBIDDEN'],
      ['the minter as a receiver', 'receiver.add', createReceiver({ address: testMinter }), 'FORBIDDEN'],
      ['the zero address as the minter', 'minter.set', { address: `0x${'0'.repeat(40)}`, reason }, 'FORBIDDEN'],
      ['the bridge as the minter', 'minter.set', { address: testBridge, reason }, 'FORBIDDEN'],
      ['an institution’s account as the minter', 'minter.set', { address: receiverA, reason }, 'TAKEN'],
      ['an institution called like another', 'receiver.add', createReceiver({ institution: 'Αlpha Bank' }), 'NAME'],
      ['an institution in other letters', 'receiver.add', createReceiver({ institution: 'ALPHA-BANK' }), 'NAME'],
      ['an approver called like another', 'approver.add', { ...toApprover(eve), name: 'Аnn' }, 'NAME'],
      [
        'an approver with a role that looks like one of the rules',
        'approver.add',
        { ...toApprover(eve), roles: ['неаd'] },
        'NAME',
      ],
      ['a removal under another name', 'approver.remove', { person: ann.person, name: 'Bob', reason }, 'NAME'],
    ] as const
  ).map(([name, kind, content, problem]): AttackCase => [
    name,
    () => {
      const log = newLog({ policy: buildTestRules({ bands: [{ ...wholeRangeBand, role: 'head' }] }) });
      return mintQuestion(log.sign(log.propose(kind, content as never), ann));
    },
    `line 1 ${problem}`,
  ]),
  [
    'the same custody address by two proposals',
    () => {
      const log = newLog();
      const [first, second] = [1, 2].map(() => log.propose('custody.add', { address: unusedAddress, note: '' }));
      if (first && second) log.sign(first, ann).sign(second, ann).sign(first, bob).sign(second, bob);
      return mintQuestion(log);
    },
    'line 4 TAKEN',
  ],
  [
    'an entry that is changed counts as it was until the change has cooled',
    () =>
      mintAfter((log) =>
        log.sign(
          log.propose('receiver.add', { address: receiverB, institution: 'Beta Fund', custody: [], payout: [unusedAddress] }),
          ann,
          bob,
        ),
      ),
    'SIGNED',
  ],
  [
    'a mint to the zero address',
    () => mintQuestion(approvedLog({}, buildMintClaim({ receiver: `0x${'0'.repeat(40)}` }))),
    'line 1 FORBIDDEN',
  ],
  ['a mint to the bridge', () => mintQuestion(approvedLog({}, buildMintClaim({ receiver: testBridge }))), 'line 1 FORBIDDEN'],

  [
    'signatures of two wallets for a log with another genesis',
    () => {
      const log = new TestLog(buildTestGenesis([bob, dan]));
      const stagingLog = new TestLog(buildTestGenesis([bob, dan], { origin: 'https://staging.example' }));
      const approval = log.propose('mint.approve', buildMintClaim());
      const domain = { genesis: stagingLog.genesisHash, chainId: 31_337, bridge: testBridge };
      log.signAs(approval, bob, { domain });
      return mintQuestion(log);
    },
    'line 1 SIGNATURE',
  ],
  [
    'signatures of two wallets for another bridge',
    () => {
      const log = new TestLog(buildTestGenesis([bob, dan]));
      const approval = log.propose('mint.approve', buildMintClaim());
      log.signAs(approval, bob, { domain: { ...approval.log, bridge: receiverA } });
      return mintQuestion(log);
    },
    'line 1 SIGNATURE',
  ],
  [
    'a statement that names another genesis',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', buildMintClaim());
      return mintQuestion(log.sign({ ...approval, log: { ...approval.log, genesis: 'ab'.repeat(32) } }, ann));
    },
    'line 1 OTHER_LOG',
  ],
  [
    'a statement written after a line that is not there',
    () => {
      const log = newLog();
      return mintQuestion(
        log.sign(log.propose('mint.approve', buildMintClaim(), { after: { number: 0, hash: 'ab'.repeat(32) } }), ann),
      );
    },
    'line 1 OTHER_LOG',
  ],
  [
    'a line of another version',
    () => mintWithLines((log) => withChangedLine(log, 1, (line) => ({ ...line, v: 1 }))),
    'line 1 VERSION',
  ],
  [
    'a log of the first version',
    () =>
      mintWithLines((log) =>
        withChangedLine(log, 0, (line) => Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'v'))),
      ),
    'line 0 VERSION',
  ],

  [
    'a looser rule, used immediately',
    () => {
      const log = newLog();
      const policyChange = log.propose('policy.set', looserRules);
      log.sign(policyChange, ann, bob);
      log.sign(log.propose('mint.approve', buildMintClaim({ policy: log.numberOf(policyChange) })), cid);
      return mintQuestion(log, buildMintClaim({ policy: log.numberOf(policyChange) }));
    },
    'OLD_POLICY',
  ],
  [
    'a looser rule whose cooling was dated back',
    () => {
      const log = newLog();
      const policyChange = log.propose('policy.set', looserRules);
      log.sign(policyChange, ann, bob).wait(90_000);
      log.sign(log.propose('mint.approve', buildMintClaim({ policy: log.numberOf(policyChange) })), cid);
      return mintQuestion(log, buildMintClaim({ policy: log.numberOf(policyChange) }), { timeOf: () => log.now });
    },
    'OLD_POLICY',
  ],
  [
    'a looser rule that one signed',
    () => {
      const log = newLog();
      const policyChange = log.propose('policy.set', looserRules);
      log.sign(policyChange, ann).wait(90_000);
      log.sign(log.propose('mint.approve', buildMintClaim({ policy: log.numberOf(policyChange) })), cid);
      return mintQuestion(log, buildMintClaim({ policy: log.numberOf(policyChange) }));
    },
    'OLD_POLICY',
  ],
  [
    'signed under rules that changed since',
    () => {
      const log = approvedLog();
      log.sign(log.propose('policy.set', buildTestRules({ bands: [{ ...wholeRangeBand, approvals: 3 }] })), ann, bob);
      return mintQuestion(log, buildMintClaim(), { now: log.now + 2 * day });
    },
    'OLD_POLICY',
  ],
  [
    'rules for one alone',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', buildTestRules({ root: 1 })), ann);
      return mintQuestion(log);
    },
    'line 1 CONTENT',
  ],
  [
    'bands over one another',
    () => {
      const log = newLog();
      log.sign(
        log.propose(
          'policy.set',
          buildTestRules({
            bands: [
              { ...wholeRangeBand, below: '100' },
              { ...wholeRangeBand, from: '99', approvals: 1 },
            ],
          }),
        ),
        ann,
      );
      return mintQuestion(log);
    },
    'line 1 CONTENT',
  ],
  [
    'two bands without an end',
    () => {
      const log = newLog();
      log.sign(
        log.propose('policy.set', buildTestRules({ bands: [wholeRangeBand, { ...wholeRangeBand, from: '99', approvals: 1 }] })),
        ann,
      );
      return mintQuestion(log);
    },
    'line 1 CONTENT',
  ],
  [
    'a band without room',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', buildTestRules({ bands: [{ ...wholeRangeBand, from: '5', below: '5' }] })), ann);
      return mintQuestion(log);
    },
    'line 1 CONTENT',
  ],
  [
    'an amount between two bands',
    () =>
      mintUnderPolicy(
        {
          bands: [
            { ...wholeRangeBand, below: '100' },
            { ...wholeRangeBand, from: '200000000' },
          ],
        },
        [ann, bob],
      ),
    'NO_BAND',
  ],
  [
    'an amount above every band',
    () => mintUnderPolicy({ bands: [{ ...wholeRangeBand, below: '150000000' }] }, [ann, bob]),
    'NO_BAND',
  ],
  [
    'rules that more people are needed for than there are',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', buildTestRules({ root: 4 })), ann, bob);
      return mintQuestion(log);
    },
    'line 2 CONTENT',
  ],
  [
    'a genesis with fewer people than change its rules',
    () => mintQuestion(newLog({ policy: buildTestRules({ root: 4 }) })),
    'line 0 CONTENT',
  ],
  [
    'a genesis with the same person three times',
    () => mintQuestion(newLog({ policy: buildTestRules({ root: 2 }) }, [ann, ann, ann])),
    'line 0 CONTENT',
  ],
  [
    'the last approvers are removed',
    () => {
      const log = newLog({}, [ann, bob]);
      log.sign(log.propose('approver.remove', { person: bob.person, name: 'Bob', reason }), ann, bob);
      return mintQuestion(log);
    },
    'line 2 CONTENT',
  ],
  [
    'the last approvers of rules to come are removed',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', buildTestRules({ root: 3 })), ann, bob);
      log.sign(log.propose('approver.remove', { person: cid.person, name: 'Cid', reason }), ann, bob);
      return mintQuestion(log);
    },
    'line 4 CONTENT',
  ],
  ['within the delay', () => mintUnderPolicy({ bands: [{ ...wholeRangeBand, delaySeconds: 3600 }] }, [ann, bob]), 'DELAY'],
  [
    'within the delay, dated back',
    () =>
      mintUnderPolicy({ bands: [{ ...wholeRangeBand, delaySeconds: 3600 }] }, [ann, bob], {
        now: testStart + hour,
        timeOf: () => testStart + hour,
      }),
    'DELAY',
  ],
  [
    'within the delay of those who still count',
    () => {
      const log = newLog({ policy: buildTestRules({ bands: [{ ...wholeRangeBand, delaySeconds: 3600 }] }) });
      const approval = log.propose('mint.approve', buildMintClaim());
      log.sign(approval, ann, bob);
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid).wait(3600);
      return mintQuestion(log.sign(approval, cid));
    },
    'DELAY',
  ],
  [
    'over the limit of the day',
    () =>
      mintUnderPolicy(dailyLimitRules, [ann, bob], {
        input: { signed: [{ depositHash: '0x1', satoshi: '100000000', at: testStart - hour }] },
      }),
    'DAY_LIMIT',
  ],
  [
    'over the limit of the day, by a clock that was put back',
    () =>
      mintUnderPolicy(dailyLimitRules, [ann, bob], {
        input: { signed: [{ depositHash: '0x1', satoshi: '100000000', at: testStart + 2 * day }] },
      }),
    'DAY_LIMIT',
  ],
  [
    'over the limit of the day by itself',
    () => mintUnderPolicy({ bands: [{ ...wholeRangeBand, perDay: '149999999' }] }, [ann, bob]),
    'DAY_LIMIT',
  ],
  [
    'signed before with another amount',
    () =>
      mintUnderPolicy(dailyLimitRules, [ann, bob], {
        input: {
          signed: [{ depositHash: buildRequestedMint(buildMintClaim()).depositHash, satoshi: '100000000', at: testStart - hour }],
        },
      }),
    'DAY_LIMIT',
  ],
  [
    'signed before, and once more',
    () =>
      mintUnderPolicy(dailyLimitRules, [ann, bob], {
        input: {
          signed: [{ depositHash: buildRequestedMint(buildMintClaim()).depositHash, satoshi: '150000000', at: testStart - hour }],
        },
      }),
    'SIGNED',
  ],
  [
    'within the limit of the day',
    () =>
      mintUnderPolicy(dailyLimitRules, [ann, bob], {
        input: { signed: [{ depositHash: '0x1', satoshi: '100000000', at: testStart - day }] },
      }),
    'SIGNED',
  ],

  [
    'canceled by one',
    () => {
      const log = approvedLog();
      return mintQuestion(log.sign(log.propose('mint.cancel', { ...output, reason }), cid));
    },
    'CANCELED',
  ],
  [
    'a cancel signed by somebody who may not sign',
    () => {
      const log = approvedLog();
      log.sign(log.propose('mint.cancel', { ...output, reason }), eve);
      return mintQuestion(log);
    },
    'line 3 NOT_APPROVER',
  ],
  [
    'signed once more after it was canceled',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', buildMintClaim());
      log.sign(log.propose('mint.cancel', { ...output, reason }), cid);
      return mintQuestion(log.sign(approval, ann, bob));
    },
    'CANCELED',
  ],
  [
    'a cancel proposed before the approval and signed after it',
    () => {
      const log = newLog();
      const cancellation = log.propose('mint.cancel', { ...output, reason });
      log.sign(log.propose('mint.approve', buildMintClaim()), ann, bob);
      return mintQuestion(log.sign(cancellation, cid));
    },
    'CANCELED',
  ],
  [
    'a cancel that a second one signs after the new approval',
    () => {
      const log = newLog();
      const cancellation = log.propose('mint.cancel', { ...output, reason });
      log.sign(cancellation, cid).sign(log.propose('mint.approve', buildMintClaim()), ann, bob);
      return mintQuestion(log.sign(cancellation, ann));
    },
    'CANCELED',
  ],
  [
    'approved again after it was canceled',
    () => {
      const log = approvedLog();
      log.sign(log.propose('mint.cancel', { ...output, reason }), cid);
      return mintQuestion(log.sign(log.propose('mint.approve', buildMintClaim()), ann, bob));
    },
    'SIGNED',
  ],
  [
    'approved for two receivers',
    () => {
      const log = approvedLog();
      return mintQuestion(log.sign(log.propose('mint.approve', buildMintClaim({ receiver: receiverA })), bob, cid));
    },
    'CONFLICT',
  ],
  [
    'approved for another receiver, canceled, approved',
    () => {
      const log = approvedLog({}, buildMintClaim({ receiver: receiverA }));
      log.sign(log.propose('mint.cancel', { ...output, reason }), cid);
      return mintQuestion(log.sign(log.propose('mint.approve', buildMintClaim()), ann, bob));
    },
    'SIGNED',
  ],

  [
    'one freezes',
    () => {
      const log = approvedLog();
      return mintQuestion(log.sign(log.propose('freeze', { reason }), cid));
    },
    'FROZEN',
  ],
  ['one lifts the freeze', () => unfrozenMint([ann]), 'FROZEN'],
  ['two lift the freeze', () => unfrozenMint([ann, bob]), 'SIGNED'],
  ['another freeze is lifted than the open one', () => unfrozenMint([ann, bob], '99'), 'line 4 CONTENT'],
  ['a freeze of the ledger is lifted, but not this', () => unfrozenMint([ann, bob], 'ledger-1'), 'FROZEN'],
  [
    'the freeze is signed again after it was lifted',
    () => {
      const { log, freeze } = frozenLog();
      log.sign(log.propose('unfreeze', { freeze: String(log.numberOf(freeze)), difference: '', reason }), ann, bob);
      return mintQuestion(log.sign(freeze, bob));
    },
    'FROZEN',
  ],
  [
    'somebody still cooling for this reader lifts the freeze',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      log.wait(90_000).sign(log.propose('mint.approve', buildMintClaim()), ann, bob);
      const freeze = log.propose('freeze', { reason });
      log.sign(freeze, cid);
      log.sign(log.propose('unfreeze', { freeze: String(log.numberOf(freeze)), difference: '', reason }), ann, eve);
      return mintQuestion(log, buildMintClaim(), { timeOf: () => log.now });
    },
    'FROZEN',
  ],
  [
    'one person who freezes a second time while the first freeze is open',
    () => {
      const { log } = frozenLog();
      return mintQuestion(log.sign(log.propose('freeze', { reason }), cid));
    },
    'line 4 LIMIT',
  ],
  [
    'one person who signs a colleague’s freeze while their own is open',
    () => {
      const { log, freeze } = frozenLog();
      log.sign(log.propose('freeze', { reason }), ann);
      return mintQuestion(log.sign(freeze, ann));
    },
    'line 5 LIMIT',
  ],
  [
    'a freeze of an approver whom the root quorum removes is lifted with them',
    () => {
      const { log } = frozenLog();
      return mintQuestion(log.sign(log.propose('approver.remove', { person: cid.person, name: 'Cid', reason }), ann, bob));
    },
    'SIGNED',
  ],
  [
    'a freeze that a colleague signed as well stays when one of them is removed',
    () => {
      const { log, freeze } = frozenLog();
      log.sign(freeze, bob);
      return mintQuestion(log.sign(log.propose('approver.remove', { person: cid.person, name: 'Cid', reason }), ann, bob));
    },
    'FROZEN',
  ],
  [
    'a freeze of an approver whom one alone would remove stays',
    () => {
      const { log } = frozenLog();
      return mintQuestion(log.sign(log.propose('approver.remove', { person: cid.person, name: 'Cid', reason }), ann));
    },
    'FROZEN',
  ],
  [
    'two hundred and one open statements of a kind by one person',
    () => {
      const log = newLog();
      for (let vout = 0; vout <= 200; vout++) log.sign(log.propose('mint.approve', buildMintClaim({ vout })), ann);
      return mintQuestion(log);
    },
    'line 201 LIMIT',
  ],
  [
    '… whose earlier ones expired takes more',
    () => {
      const log = newLog();
      for (let vout = 1; vout <= 200; vout++) log.sign(log.propose('mint.approve', buildMintClaim({ vout })), ann);
      return mintQuestion(log.wait(8 * 86_400).sign(log.propose('mint.approve', buildMintClaim()), ann, bob));
    },
    'SIGNED',
  ],
  ['the ledger is frozen', () => mintQuestion(approvedLog(), buildMintClaim(), { input: { freezes: ['ledger-1'] } }), 'FROZEN'],
  ['a difference of the ledger, accepted by one', () => mintAfterDifference([ann], '5 satoshi'), 'FROZEN'],
  ['a difference of the ledger, accepted by two', () => mintAfterDifference([ann, bob], '5 satoshi'), 'SIGNED'],
  ['another difference than was accepted', () => mintAfterDifference([ann, bob], '500000 satoshi'), 'FROZEN'],
  ['another freeze of the ledger than was accepted', () => mintAfterDifference([ann, bob], '5 satoshi', 'ledger-2'), 'FROZEN'],
];

test.each(acceptedCases)('the log accepts and judges: %s', async (_name, buildLines, expectedVerdict) => {
  expect(await judge(await buildLines())).toBe(expectedVerdict);
});

test.each(attackCases)('the attack is stopped: %s', async (_name, buildLines, expectedVerdict) => {
  expect(await judge(await buildLines())).toBe(expectedVerdict);
});

test('no two cases have the same name', () => {
  expect(new Set(attackCases.map(([name]) => name)).size).toBe(attackCases.length);
});
