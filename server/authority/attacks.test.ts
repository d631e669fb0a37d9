import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import type { Approver, Genesis, LogLine, MintClaim, Receiver, Statement } from '../../api/authority/statements.ts';
import {
  testStart,
  testBridge,
  testClaim,
  testGenesis,
  checkMintAt,
  testMinter,
  mirrorSignature,
  custodyAddress,
  custodyOfA,
  newP256KeyPair,
  passkeyPerson,
  payoutOfA,
  receiverA,
  receiverB,
  rechainLines,
  testRules,
  softwarePerson,
  TestLog,
  testToken,
  walletPerson,
  requestedMintOf,
  wholeRange,
  type ProofOverrides,
  type TestPerson,
} from '../testing/authority.ts';
import type { MintCheckInput, RequestedMint } from './check-mint.ts';
import { LogError, replay, type ReplayOptions } from './replay.ts';

// The attacker controls the web process and the database, but lacks people's keys, the pinned
// genesis and the signer's clock.

const ann = passkeyPerson('Ann', ['custody']);
const bob = walletPerson('Bob', ['custody']);
const cid = passkeyPerson('Cid', ['head']);
/** In no genesis. */
const eve = passkeyPerson('Eve', ['custody', 'head']);
const dan = walletPerson('Dan', ['custody']);
const all = [ann, bob, cid];

const hour = 3_600_000;
const day = 24 * hour;

interface Asked {
  readonly lines: readonly unknown[];
  readonly genesis: string;
  readonly wanted: RequestedMint;
  readonly now: number;
  readonly clock?: number;
  readonly timeOf?: ReplayOptions['timeOf'];
  readonly input?: Partial<MintCheckInput>;
}

async function answer({ lines, genesis, wanted, now, clock, timeOf, input }: Asked): Promise<string> {
  try {
    const authority = await replay(lines, { genesis, now: () => clock ?? now, ...(timeOf ? { timeOf } : {}) });
    return checkMintAt(authority, wanted, { now, ...input }).refusal ?? 'SIGNED';
  } catch (error) {
    if (error instanceof LogError) return `line ${error.line} ${error.problem}`;
    throw error;
  }
}

const ask = (log: TestLog, claim: MintClaim = testClaim(), over: Partial<Asked> = {}): Asked => ({
  lines: log.lines,
  genesis: log.genesisHash,
  wanted: requestedMintOf(claim),
  now: log.now,
  ...over,
});

const newLog = (over: Partial<Genesis> = {}, people: readonly TestPerson[] = all) => new TestLog(testGenesis(people, over));

/** 0 genesis, 1 approval of `claim` with Ann's signature, 2 Bob's. */
function approved(over: Partial<Genesis> = {}, claim: MintClaim = testClaim()): TestLog {
  const log = newLog(over);
  log.sign(log.propose('mint.approve', claim), ann, bob);
  return log;
}

const changed = (log: TestLog, number: number, change: (line: LogLine) => unknown): unknown[] =>
  log.lines.map((line, at) => (at === number ? change(structuredClone(line)) : line));

const rewritten = (log: TestLog, number: number, change: (line: LogLine) => unknown): unknown[] =>
  rechainLines(changed(log, number, change) as LogLine[], log.lines);

const withContent = (over: object) => (line: LogLine) =>
  line.kind === 'statement'
    ? withStatement({ content: { ...line.statement.content, ...over } })(line)
    : line.kind === 'genesis'
      ? { ...line, content: { ...line.content, ...over } }
      : line;

const withStatement = (over: object) => (line: LogLine) =>
  line.kind === 'statement' ? { ...line, statement: { ...line.statement, ...over } } : line;

function statementAt(log: TestLog, number: number): Statement {
  const line = log.lines[number];
  if (line?.kind !== 'statement') throw new Error(`line ${number} brings no statement in`);
  return line.statement;
}

const texts = (log: TestLog, number: number, change: (text: string) => string): string[] =>
  log.lines.map((line, at) => (at === number ? change(canonical(line)) : canonical(line)));

function lying(one: TestPerson, as: ProofOverrides & { person?: string }): Asked {
  const log = newLog();
  const approval = log.propose('mint.approve', testClaim());
  log.signAs(approval, one, as);
  return ask(log.sign(approval, [ann, bob].find((other) => other !== one) ?? ann));
}

function after(
  decide: (log: TestLog) => void,
  { wait = 0, claim = {} }: { wait?: number; claim?: Partial<MintClaim> } = {},
): Asked {
  const log = newLog();
  decide(log);
  log.wait(wait);
  log.sign(log.propose('mint.approve', testClaim(claim)), ann, bob);
  return ask(log, testClaim(claim));
}

const asApprover = ({ person, name, roles, key }: TestPerson): Approver => ({ person, name, roles, key });
const reason = 'a reason';

function enrollKey(log: TestLog, one: TestPerson, by: readonly TestPerson[] = [ann, bob]): Statement {
  const statement = log.propose('approver.add', asApprover(one));
  const [first, ...others] = by;
  if (first) log.sign(statement, first, one, ...others);
  return statement;
}

const output = { network: 'regtest', txid: 'ab'.repeat(32), vout: 0 } as const;
const looser = testRules({ bands: [{ ...wholeRange, approvals: 1 }] });

type Row = readonly [name: string, build: () => Asked | Promise<Asked>, expected: string];

function under(policy: Partial<Genesis['policy']>, people: readonly TestPerson[], over: Partial<Asked> = {}): Asked {
  const log = newLog({ policy: testRules(policy) });
  log.sign(log.propose('mint.approve', testClaim()), ...people);
  return ask(log, testClaim(), over);
}

const daily = { bands: [{ ...wholeRange, perDay: '200000000' }] };
const addressOfEve = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const fresh = 'bcrt1qvenxvenxvenxvenxvenxvenxvenxvenxq8rguk';
const mainnet = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const entryOf = (over: Partial<Receiver>): Receiver => ({
  address: addressOfEve,
  institution: 'Eve Capital',
  custody: [],
  payout: [],
  ...over,
});
const rpHash = createHash('sha256').update('panel.example').digest();

function frozen() {
  const log = approved();
  const freeze = log.propose('freeze', { reason });
  return { log: log.sign(freeze, cid), freeze };
}

function unfrozen(people: readonly TestPerson[], lifted?: string): Asked {
  const { log, freeze } = frozen();
  return ask(
    log.sign(log.propose('unfreeze', { freeze: lifted ?? String(log.numberOf(freeze)), difference: '', reason }), ...people),
  );
}

/** `people` accept a difference of 5 satoshi; the ledger is frozen for `difference`. */
function accepted(people: readonly TestPerson[], difference: string, id = 'ledger-1'): Asked {
  const log = approved();
  log.sign(log.propose('unfreeze', { freeze: 'ledger-1', difference: '5 satoshi', reason }), ...people);
  return ask(log, testClaim(), { input: { freezes: [{ id, difference }] } });
}

const wanted = (over: Partial<RequestedMint>) => ask(approved(), testClaim(), { wanted: requestedMintOf(testClaim(), over) });
const lines = (build: (log: TestLog) => readonly unknown[], log = approved()) => ask(log, testClaim(), { lines: build(log) });

const honest: readonly Row[] = [
  ['two of two signed', () => ask(approved()), 'SIGNED'],
  ['as texts, as they are exported', () => lines((log) => log.lines.map(canonical)), 'SIGNED'],
  ['a member that browsers add to what they sign', () => lying(ann, { extra: ',"other_keys":{"type":["{"]}' }), 'SIGNED'],
  [
    'an origin with its slashes escaped, as Android writes it',
    () => lying(ann, { clientDataJSON: (text) => text.replaceAll('/', '\\/') }),
    'SIGNED',
  ],
];

const rows: readonly Row[] = [
  ['ledger: another amount', () => wanted({ amount: 1n }), 'OTHER'],
  ['ledger: a part of a satoshi more', () => wanted({ amount: 1_500_000_000_000_000_001n }), 'OTHER'],
  ['ledger: another receiver', () => wanted({ recipient: receiverA }), 'OTHER'],
  ['ledger: another chain', () => wanted({ chainId: 1 }), 'OTHER'],
  ['ledger: another token', () => wanted({ token: receiverA }), 'OTHER'],
  ['ledger: another bridge', () => wanted({ bridge: receiverA }), 'OTHER'],
  ['ledger: another output', () => ask(approved(), testClaim({ vout: 1 })), 'NO_STATEMENT'],
  ['ledger: the output of another Bitcoin network', () => ask(approved(), testClaim({ network: 'mainnet' })), 'NO_STATEMENT'],

  ['line: amount', () => lines((log) => changed(log, 1, withContent({ satoshi: '250000000' }))), 'line 1 CHALLENGE'],
  ['line: receiver', () => lines((log) => changed(log, 1, withContent({ receiver: receiverA }))), 'line 1 CHALLENGE'],
  ['line: rule in the genesis', () => lines((log) => changed(log, 0, withContent({ policy: looser }))), 'line 0 GENESIS'],
  [
    'line: a signature of other bytes',
    () =>
      lines((log) => changed(log, 1, (line) => ({ ...line, proof: ann.prove(log.propose('freeze', { reason }), log.genesis) }))),
    'line 1 CHALLENGE',
  ],
  ['line: text that is no JSON', () => lines((log) => texts(log, 1, () => 'drop table')), 'line 1 FORM'],
  ['line: null', () => lines((log) => [log.lines[0], null]), 'line 1 FORM'],
  ['line: an unknown kind', () => lines((log) => changed(log, 1, (line) => ({ ...line, kind: 'mint.now' }))), 'line 1 FORM'],

  ['rehashed: amount', () => lines((log) => rewritten(log, 1, withContent({ satoshi: '250000000' }))), 'line 1 CHALLENGE'],
  ['rehashed: receiver', () => lines((log) => rewritten(log, 1, withContent({ receiver: receiverA }))), 'line 1 CHALLENGE'],
  [
    'rehashed: custody address',
    () => lines((log) => rewritten(log, 1, withContent({ custody: custodyOfA }))),
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: authors left out',
    () => lines((log) => rewritten(log, 1, withContent({ authors: [] })), approved({}, testClaim({ authors: [cid.person] }))),
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: who signed it',
    () => lines((log) => rewritten(log, 1, (line) => ({ ...line, person: eve.person }))),
    'line 1 NOT_APPROVER',
  ],
  [
    'rehashed: its expiry',
    () => lines((log) => rewritten(log, 1, withStatement({ expires: log.time(30 * day) }))),
    'line 1 CHALLENGE',
  ],
  ['rehashed: its time', () => lines((log) => rewritten(log, 1, (line) => ({ ...line, at: log.time(1) }))), 'line 2 ORDER'],
  [
    'rehashed: an approver of the genesis',
    () => lines((log) => rewritten(log, 0, withContent({ approvers: [eve, bob].map(asApprover) }))),
    'line 0 GENESIS',
  ],
  [
    "rehashed: an approver's name",
    () => lines((log) => rewritten(log, 0, withContent({ approvers: [{ ...asApprover(ann), name: 'Eve' }, asApprover(bob)] }))),
    'line 0 GENESIS',
  ],
  [
    'rehashed: the wallet alone, before the passkey',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', testClaim()), bob, ann);
      return ask(log, testClaim(), { lines: rewritten(log, 1, withContent({ satoshi: '250000000' })) });
    },
    'line 1 SIGNATURE',
  ],
  [
    'rehashed: the key of an enrolment',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      return ask(log, testClaim(), { lines: rewritten(log, 1, withContent({ key: dan.key })) });
    },
    'line 1 CHALLENGE',
  ],
  [
    'rehashed: the amount of a rule',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', testRules()), ann, bob);
      return ask(log, testClaim(), { lines: rewritten(log, 1, withContent({ bands: looser.bands })) });
    },
    'line 1 CHALLENGE',
  ],

  ['another genesis than the pinned one', () => ask(approved(), testClaim(), { genesis: 'ab'.repeat(32) }), 'line 0 GENESIS'],
  ['no line at all', () => lines(() => []), 'line 0 GENESIS'],
  ['without its genesis', () => lines((log) => log.lines.slice(1)), 'line 0 ORDER'],
  ['a second genesis', () => lines((log) => [...log.lines, { ...log.lines[0], ...log.place() }]), 'line 3 GENESIS'],
  ['two lines exchanged', () => lines(({ lines: [genesis, first, second] }) => [genesis, second, first]), 'line 1 ORDER'],
  [
    'the second signature as the first, and the first as the second',
    () => {
      const log = newLog();
      return ask(log.sign(log.propose('mint.approve', testClaim()), bob, ann));
    },
    'SIGNED',
  ],
  ['a line left out', () => lines((log) => log.lines.filter((_line, at) => at !== 1)), 'line 1 ORDER'],
  ['a signature left out, rehashed', () => lines((log) => rechainLines(log.lines.filter((_line, at) => at !== 2))), 'NOT_ENOUGH'],
  [
    'the statement left out, rehashed',
    () => lines((log) => rechainLines(log.lines.filter((_line, at) => at !== 1))),
    'line 1 UNKNOWN_STATEMENT',
  ],
  [
    'a line that came before left out, rehashed: who signed later signed that as well',
    () => {
      const log = newLog();
      log.sign(log.propose('freeze', { reason }), cid).sign(log.propose('mint.approve', testClaim()), ann, bob);
      const stored = log.lines.filter((_line, at) => at !== 1);
      return ask(log, testClaim(), { lines: rechainLines(stored, stored) });
    },
    'line 1 OTHER_LOG',
  ],
  ['a line twice', () => lines((log) => [...log.lines, log.lines[2]]), 'line 3 ORDER'],
  ['cut after the first signature', () => lines((log) => log.lines.slice(0, 2)), 'NOT_ENOUGH'],
  [
    'lines of two logs',
    () => lines((log) => [...log.lines.slice(0, 2), ...approved({}, testClaim({ vout: 1 })).lines.slice(2)]),
    'line 2 ORDER',
  ],
  [
    'a time before the line before',
    () => {
      const log = newLog();
      log.wait(60);
      log.sign(log.propose('mint.approve', testClaim()), ann);
      log.signAs(statementAt(log, 1), bob, { at: new Date(testStart).toISOString() });
      return ask(log);
    },
    'line 2 ORDER',
  ],
  [
    'a time three minutes after the reader’s clock',
    () => {
      const log = newLog();
      log.signAs(log.propose('mint.approve', testClaim()), ann, { at: log.time(180_000) });
      return ask(log);
    },
    'line 1 FUTURE',
  ],
  [
    'a time in the year 9999, of a line that nobody signed',
    () => {
      const log = approved();
      const forged = log.propose('freeze', { reason }, { expires: '9999-12-31T23:59:59.999Z' });
      log.signAs(forged, eve, { at: '9999-12-31T00:00:00.000Z' });
      return ask(log);
    },
    'line 3 FUTURE',
  ],
  [
    'a time a minute after the reader’s clock',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', testClaim());
      log.sign(approval, ann);
      log.signAs(approval, bob, { at: log.time(60_000) });
      return ask(log, testClaim(), { now: log.now + 60_000, clock: log.now });
    },
    'SIGNED',
  ],

  [
    'a signature copied onto another statement',
    () => {
      const log = approved();
      const copied = log.lines[1];
      if (copied?.kind === 'statement')
        log.append({ ...copied, ...log.place(), statement: log.propose('mint.approve', testClaim({ vout: 1 })) });
      return ask(log);
    },
    'line 3 CHALLENGE',
  ],
  [
    "a wallet's signature copied onto another statement",
    () => {
      const log = approved();
      const other = log.propose('mint.approve', testClaim({ vout: 1 }));
      log.sign(other, ann);
      const copied = log.lines[2];
      if (copied?.kind === 'signature') log.append({ ...copied, ...log.place(), signs: canonicalHash(other) });
      return ask(log);
    },
    'line 4 SIGNATURE',
  ],
  [
    'a finished statement once more, with its signatures',
    () => {
      const log = approved();
      log.sign(log.propose('mint.cancel', { ...output, reason }), cid);
      const finished = log.lines[1];
      if (finished) log.append({ ...finished, ...log.place() } as LogLine);
      return ask(log);
    },
    'line 4 TWICE',
  ],
  [
    'a statement and its signatures of another log',
    () => {
      const other = approved({ chainId: 5 }, testClaim({ chainId: 5 }));
      const log = newLog();
      return ask(log, testClaim(), { lines: rechainLines([...log.lines, ...other.lines.slice(1)]) });
    },
    'line 1 OTHER_LOG',
  ],
  [
    'signatures of a log with the same people and another rule',
    () => {
      const log = newLog();
      const other = approved({ policy: testRules({ bands: [{ ...wholeRange, approvals: 3 }] }) });
      return ask(log, testClaim(), { lines: rechainLines([...log.lines, ...other.lines.slice(1)]) });
    },
    'line 1 OTHER_LOG',
  ],
  [
    'a signature of a signature',
    () => {
      const log = approved();
      log.signAs(statementAt(log, 1), cid, { signs: canonicalHash(log.lines[2]) });
      return ask(log);
    },
    'line 3 UNKNOWN_STATEMENT',
  ],
  [
    'a signature of the genesis',
    () => {
      const log = approved();
      log.signAs(statementAt(log, 1), cid, { signs: log.genesisHash });
      return ask(log);
    },
    'line 3 UNKNOWN_STATEMENT',
  ],
  [
    'signed after it expired',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', testClaim(), { valid: hour });
      log.sign(approval, ann).wait(3601);
      return ask(log.sign(approval, bob));
    },
    'line 2 LATE',
  ],
  [
    'signed after it expired, dated back',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', testClaim(), { valid: hour });
      log.sign(approval, ann, bob);
      return ask(log, testClaim(), { timeOf: (line, at) => (line < 2 ? at : at + 2 * hour) });
    },
    'NOT_ENOUGH',
  ],
  ['asked for after it expired', () => ask(approved(), testClaim(), { now: testStart + 8 * day }), 'EXPIRED'],
  [
    'an expiry that is no moment',
    () => lines((log) => changed(log, 1, withStatement({ expires: '9999-99-99T99:99:99.999Z' }))),
    'line 1 FORM',
  ],
  [
    'the 31st of February',
    () => lines((log) => changed(log, 1, withStatement({ expires: '2027-02-31T00:00:00.000Z' }))),
    'line 1 FORM',
  ],
  [
    'valid for a thousand years',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', testClaim(), { valid: 365_000 * day }), ann);
      return ask(log);
    },
    'line 1 CONTENT',
  ],
  [
    'expired when it was proposed',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', testClaim(), { valid: -1 }), ann);
      return ask(log);
    },
    'line 1 LATE',
  ],

  [
    'one signs twice',
    () => {
      const log = approved();
      return ask(log.sign(statementAt(log, 1), ann));
    },
    'line 3 TWICE',
  ],
  ['somebody of no genesis', () => under({}, [eve]), 'line 1 NOT_APPROVER'],
  ['somebody else with a colleague’s name', () => lying(eve, { person: ann.person }), 'line 1 KEY'],
  ['a passkey in a wallet’s place', () => lying(ann, { person: bob.person }), 'line 1 KEY'],
  [
    'a removed approver',
    () => after((log) => log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid)),
    'line 3 NOT_APPROVER',
  ],
  [
    'an approver who was removed after signing',
    () => {
      const log = approved();
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid);
      return ask(log);
    },
    'NOT_ENOUGH',
  ],
  [
    'who was removed and came back with another key brings no signature along',
    () => {
      const log = approved();
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid);
      enrollKey(log, { ...passkeyPerson('Ann', ['custody']), person: ann.person }, [bob, cid]);
      return ask(log, testClaim(), { now: log.now + 2 * day });
    },
    'NOT_ENOUGH',
  ],
  [
    'nor with the same key',
    () => {
      const log = approved();
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid);
      enrollKey(log, ann, [bob, cid]);
      return ask(log, testClaim(), { now: log.now + 2 * day });
    },
    'NOT_ENOUGH',
  ],
  [
    'an approver who is still cooling',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      log.wait(3600).sign(log.propose('mint.approve', testClaim()), ann, eve);
      return ask(log);
    },
    'line 5 NOT_APPROVER',
  ],
  [
    'an approver whose cooling was dated back',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      log.wait(90_000).sign(log.propose('mint.approve', testClaim()), ann, eve);
      return ask(log, testClaim(), { timeOf: () => log.now });
    },
    'NOT_ENOUGH',
  ],
  [
    '… counts when it is over by the reader’s clock',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      log.wait(90_000).sign(log.propose('mint.approve', testClaim()), ann, eve);
      return ask(log, testClaim(), { timeOf: () => log.now, now: log.now + day });
    },
    'SIGNED',
  ],
  [
    'an approver enrolled without having shown the key',
    () => {
      const log = newLog();
      log.sign(log.propose('approver.add', asApprover(eve)), ann, bob);
      log.wait(90_000).sign(log.propose('mint.approve', testClaim()), ann, eve);
      return ask(log);
    },
    'line 4 NOT_APPROVER',
  ],
  [
    'an approver enrolled by one',
    () => {
      const log = newLog();
      enrollKey(log, eve, [ann]);
      log.wait(90_000).sign(log.propose('mint.approve', testClaim()), ann, eve);
      return ask(log);
    },
    'line 4 NOT_APPROVER',
  ],
  [
    'an approver who enrols a second key with the first',
    () => {
      const log = newLog();
      const second = { ...passkeyPerson('Ann'), person: ann.person };
      log.sign(log.propose('approver.add', asApprover(second)), ann);
      return ask(log);
    },
    'line 1 KEY',
  ],
  [
    'one key for two people',
    () => {
      const log = newLog();
      const twin = { ...ann, person: eve.person, name: 'Eve' };
      enrollKey(log, twin, [bob, cid]);
      return ask(log);
    },
    'line 3 CONTENT',
  ],
  [
    'one public key under two credentials',
    () => {
      const pair = newP256KeyPair();
      const log = newLog({}, [passkeyPerson('Ann', [], pair), bob, cid]);
      enrollKey(log, passkeyPerson('Eve', [], pair), [bob, cid]);
      return ask(log);
    },
    'line 3 CONTENT',
  ],
  [
    'a removed colleague’s key',
    () => {
      const log = newLog();
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid);
      enrollKey(log, { ...ann, person: eve.person, name: 'Eve' }, [bob, cid]);
      return ask(log);
    },
    'line 5 CONTENT',
  ],
  [
    'a key that is no point of P-256',
    () => {
      const log = newLog();
      const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
      log.sign(log.propose('approver.add', asApprover(passkeyPerson('Eve', [], other))), ann);
      return ask(log);
    },
    'line 1 CONTENT',
  ],
  [
    'a software key where money is real',
    () => {
      const log = newLog();
      log.sign(log.propose('approver.add', asApprover(softwarePerson('Eve'))), ann);
      return ask(log);
    },
    'line 1 CONTENT',
  ],
  ['a software key in a genesis where money is real', () => ask(newLog({}, [softwarePerson('Eve'), bob])), 'line 0 CONTENT'],
  [
    'who wrote the deposit signs',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', testClaim({ authors: [bob.person] })), ann, bob);
      return ask(log, testClaim({ authors: [bob.person] }));
    },
    'line 2 AUTHOR',
  ],
  [
    'who wrote the deposit, in capitals',
    () => {
      const log = newLog();
      log.sign(log.propose('mint.approve', testClaim({ authors: [bob.person.toUpperCase()] })), ann, bob);
      return ask(log);
    },
    'line 1 FORM',
  ],
  ['one of two', () => under({}, [ann]), 'NOT_ENOUGH'],
  ['none of the role', () => under({ bands: [{ ...wholeRange, role: 'head' }] }, [ann, bob]), 'ROLE'],
  ['one of two of the role', () => under({ bands: [{ ...wholeRange, role: 'head' }] }, [ann, cid]), 'ROLE'],
  [
    'a role that a second key brought, before it cooled',
    () => {
      const log = newLog({ policy: testRules({ bands: [{ ...wholeRange, approvals: 1, role: 'head' }] }) });
      enrollKey(log, { ...passkeyPerson('Ann', ['head']), person: ann.person }, [bob, cid]);
      log.sign(log.propose('mint.approve', testClaim()), ann);
      return ask(log, testClaim(), { now: log.now + 2 * day });
    },
    'ROLE',
  ],

  ['passkey: asked by another page', () => lying(ann, { origin: 'https://panel.example.evil.test' }), 'line 1 ORIGIN'],
  ['passkey: asked without TLS', () => lying(ann, { origin: 'http://panel.example' }), 'line 1 ORIGIN'],
  ['passkey: of another domain', () => lying(ann, { rpId: 'evil.test' }), 'line 1 RP'],
  ['passkey: another challenge', () => lying(ann, { hash: 'ab'.repeat(32) }), 'line 1 CHALLENGE'],
  ['passkey: nobody there', () => lying(ann, { flags: 0x04 }), 'line 1 NOT_VERIFIED'],
  ['passkey: nobody verified', () => lying(ann, { flags: 0x01 }), 'line 1 NOT_VERIFIED'],
  ['passkey: an enrolment as a signature', () => lying(ann, { type: 'webauthn.create' }), 'line 1 SIGNATURE'],
  ['passkey: a payment', () => lying(ann, { type: 'payment.get' }), 'line 1 SIGNATURE'],
  ['passkey: in a frame of another page', () => lying(ann, { crossOrigin: true }), 'line 1 ORIGIN'],
  ['passkey: in a frame, put otherwise', () => lying(ann, { crossOrigin: 'true' }), 'line 1 ORIGIN'],
  ['passkey: a page around it', () => lying(ann, { extra: ',"topOrigin":"https://evil.test"' }), 'line 1 ORIGIN'],
  ['passkey: cut authenticator data', () => lying(ann, { authenticatorData: Buffer.alloc(36, 5) }), 'line 1 SIGNATURE'],
  [
    'passkey: bytes behind its authenticator data',
    () => lying(ann, { authenticatorData: Buffer.concat([rpHash, Buffer.from([5, 0, 0, 0, 1, 9])]) }),
    'line 1 SIGNATURE',
  ],
  ['passkey: another credential', () => lying(ann, { credential: Buffer.alloc(32, 7).toString('base64url') }), 'line 1 KEY'],
  ['passkey: another key', () => lying(ann, { privateKey: newP256KeyPair().privateKey }), 'line 1 SIGNATURE'],
  [
    'passkey: another curve',
    () => lying(ann, { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey }),
    'line 1 SIGNATURE',
  ],
  ['passkey: no signature', () => lying(ann, { signature: 'AAAA' }), 'line 1 SIGNATURE'],
  ['passkey: a signature with spare bits', () => lying(ann, { signature: 'AAB' }), 'line 1 FORM'],
  ['passkey: an empty object', () => lying(ann, { clientDataJSON: () => '{}' }), 'line 1 SIGNATURE'],
  ['passkey: null', () => lying(ann, { clientDataJSON: () => 'null' }), 'line 1 SIGNATURE'],
  ['passkey: a list', () => lying(ann, { clientDataJSON: () => '[]' }), 'line 1 SIGNATURE'],
  ['passkey: its origin twice', () => lying(ann, { extra: ',"origin":"https://panel.example"' }), 'line 1 SIGNATURE'],
  [
    'passkey: its challenge twice, once in disguise',
    () => lying(ann, { extra: ',"\\u0063hallenge":"AAAA"' }),
    'line 1 SIGNATURE',
  ],
  ['passkey: a byte order mark', () => lying(ann, { clientDataJSON: (text) => `\ufeff${text}` }), 'line 1 SIGNATURE'],

  [
    'wallet: another chain',
    () => lying(bob, { typedData: (truth) => ({ ...truth, domain: { ...truth.domain, chainId: 1 } }) }),
    'line 1 SIGNATURE',
  ],
  [
    'wallet: another domain',
    () => lying(bob, { typedData: (truth) => ({ ...truth, domain: { ...truth.domain, name: 'Airdrop' } }) }),
    'line 1 SIGNATURE',
  ],
  [
    'wallet: another amount was shown',
    () => lying(bob, { typedData: (truth) => ({ ...truth, message: { ...truth.message, satoshi: '1' } }) }),
    'line 1 SIGNATURE',
  ],
  [
    'wallet: another statement was shown',
    () => lying(bob, { typedData: (truth) => ({ ...truth, message: { ...truth.message, statementHash: '00'.repeat(32) } }) }),
    'line 1 SIGNATURE',
  ],
  [
    'wallet: another kind was shown',
    () =>
      lying(bob, {
        typedData: (truth) => ({ ...truth, primaryType: 'MintCancel', types: { MintCancel: truth.types['MintApprove'] ?? [] } }),
      }),
    'line 1 SIGNATURE',
  ],
  ['wallet: another’s address', () => lying(dan, { person: bob.person }), 'line 1 KEY'],
  [
    'wallet: s mirrored',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', testClaim());
      const proof = bob.prove(approval, log.genesis);
      if (proof.type === 'wallet') log.signAs(approval, bob, { signature: mirrorSignature(proof.signature) });
      return ask(log.sign(approval, ann));
    },
    'line 1 SIGNATURE',
  ],
  [
    'wallet: v of 0 or 1',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', testClaim());
      const proof = bob.prove(approval, log.genesis);
      if (proof.type === 'wallet')
        log.signAs(approval, bob, { signature: `${proof.signature.slice(0, -2)}0${proof.signature.endsWith('1b') ? 0 : 1}` });
      return ask(log.sign(approval, ann));
    },
    'line 1 SIGNATURE',
  ],
  ['wallet: zeros', () => lying(bob, { signature: `0x${'00'.repeat(64)}1b` }), 'line 1 SIGNATURE'],

  [
    'text: members in another order',
    () =>
      lines((log) =>
        texts(log, 1, (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).toReversed()))),
      ),
    'line 1 FORM',
  ],
  ['text: a space', () => lines((log) => texts(log, 1, (text) => text.replace(',', ', '))), 'line 1 FORM'],
  ['text: a byte order mark', () => lines((log) => texts(log, 1, (text) => `\ufeff${text}`)), 'line 1 FORM'],
  [
    'text: a member twice',
    () => lines((log) => texts(log, 1, (text) => text.replace('"satoshi":', '"satoshi":"1","satoshi":'))),
    'line 1 FORM',
  ],
  ['text: 0 with a sign', () => lines((log) => texts(log, 1, (text) => text.replace('"vout":0', '"vout":-0'))), 'line 1 FORM'],
  [
    'text: 0 with a fraction',
    () => lines((log) => texts(log, 1, (text) => text.replace('"vout":0', '"vout":0.0'))),
    'line 1 FORM',
  ],
  [
    'text: an exponent',
    () => lines((log) => texts(log, 1, (text) => text.replace('"number":1,', '"number":1e0,'))),
    'line 1 FORM',
  ],
  [
    'text: a letter escaped',
    () => lines((log) => texts(log, 1, (text) => text.replace('regtest', '\\u0072egtest'))),
    'line 1 FORM',
  ],
  [
    'text: __proto__',
    () => lines((log) => texts(log, 1, (text) => text.replace('{"at"', '{"__proto__":{"kind":"freeze"},"at"'))),
    'line 1 FORM',
  ],
  [
    'value: __proto__',
    () => lines((log) => changed(log, 1, (line) => JSON.parse(`{"__proto__":{"x":1},${JSON.stringify(line).slice(1)}`))),
    'line 1 FORM',
  ],
  ['value: one member more', () => lines((log) => changed(log, 1, (line) => ({ ...line, note: '' }))), 'line 1 FORM'],
  ['value: one member more in the content', () => lines((log) => changed(log, 1, withContent({ fee: '1' }))), 'line 1 FORM'],
  [
    'value: half a letter in a name',
    () => lines((log) => changed(log, 1, (line) => ({ ...line, by: { person: ann.person, name: 'Ann\ud800' } }))),
    'line 1 FORM',
  ],
  [
    'value: turned writing in a name',
    () => lines((log) => changed(log, 1, (line) => ({ ...line, by: { person: ann.person, name: 'Ann\u202eevE' } }))),
    'line 1 FORM',
  ],
  [
    'value: an amount with a zero before it',
    () => lines((log) => changed(log, 1, withContent({ satoshi: '0150000000' }))),
    'line 1 FORM',
  ],
  ['value: an amount as a number', () => lines((log) => changed(log, 1, withContent({ satoshi: 150_000_000 }))), 'line 1 FORM'],
  ['value: a negative amount', () => lines((log) => changed(log, 1, withContent({ satoshi: '-1' }))), 'line 1 FORM'],

  ['nothing is minted', () => ask(approved({}, testClaim({ satoshi: '0' })), testClaim({ satoshi: '0' })), 'line 1 CONTENT'],
  ['more than there is', () => ask(approved({}, testClaim({ satoshi: '2100000000000001' }))), 'line 1 CONTENT'],
  ['a claim of another chain', () => ask(approved({}, testClaim({ chainId: 1 }))), 'line 1 CONTENT'],
  ['a claim of another token', () => ask(approved({}, testClaim({ token: receiverA }))), 'line 1 CONTENT'],
  ['a claim of another bridge', () => ask(approved({}, testClaim({ bridge: receiverA }))), 'line 1 CONTENT'],
  ['a claim of another Bitcoin', () => ask(approved({}, testClaim({ network: 'mainnet' }))), 'line 1 CONTENT'],
  [
    'a custody address that is none of ours',
    () => {
      const claim = testClaim({ custody: 'bcrt1q2424242424242424242424242424242406xw5p' });
      return ask(approved({}, claim), claim);
    },
    'CUSTODY',
  ],
  [
    'a custody address, removed',
    () => after((log) => log.sign(log.propose('custody.remove', { address: custodyAddress, reason }), ann, bob)),
    'CUSTODY',
  ],
  [
    'a custody address that is still cooling',
    () =>
      after(
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
      after(
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
      const claim = testClaim({ custody: custodyOfA });
      return ask(approved({}, claim), claim);
    },
    'NOT_ITS_CUSTODY',
  ],
  [
    '… whose entry was removed before',
    () =>
      after((log) => log.sign(log.propose('receiver.remove', { address: receiverA, reason }), ann, bob), {
        claim: { custody: custodyOfA },
      }),
    'NOT_ITS_CUSTODY',
  ],
  [
    '… that was taken off the list and put on it again',
    () =>
      after(
        (log) => {
          log.sign(log.propose('custody.remove', { address: custodyOfA, reason }), ann, bob);
          log.sign(log.propose('custody.add', { address: custodyOfA, note: '' }), ann, bob);
        },
        { wait: 90_000, claim: { custody: custodyOfA } },
      ),
    'NOT_ITS_CUSTODY',
  ],
  [
    '… whose entry was emptied before',
    () =>
      after(
        (log) =>
          log.sign(
            log.propose('receiver.add', { address: receiverA, institution: 'Alpha Bank', custody: [], payout: [] }),
            ann,
            bob,
          ),
        { wait: 90_000, claim: { custody: custodyOfA } },
      ),
    'NOT_ITS_CUSTODY',
  ],
  [
    'a receiver in no entry',
    () => {
      const claim = testClaim({ receiver: addressOfEve });
      return ask(approved({}, claim), claim);
    },
    'RECEIVER',
  ],
  [
    'a receiver whose entry is still cooling',
    () =>
      after(
        (log) =>
          log.sign(log.propose('receiver.add', { address: addressOfEve, institution: 'Eve', custody: [], payout: [] }), ann, bob),
        { claim: { receiver: addressOfEve } },
      ),
    'RECEIVER',
  ],
  [
    'a receiver whose cooling was dated back',
    () => {
      const requested = after(
        (log) =>
          log.sign(log.propose('receiver.add', { address: addressOfEve, institution: 'Eve', custody: [], payout: [] }), ann, bob),
        { wait: 90_000, claim: { receiver: addressOfEve } },
      );
      return { ...requested, timeOf: () => requested.now };
    },
    'RECEIVER',
  ],
  [
    'a receiver whom one entered',
    () =>
      after(
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
    () => after((log) => log.sign(log.propose('receiver.remove', { address: receiverB, reason }), ann, bob)),
    'RECEIVER',
  ],
  [
    'a receiver removed that is not there',
    () => after((log) => log.sign(log.propose('receiver.remove', { address: addressOfEve, reason }), ann, bob)),
    'line 2 CONTENT',
  ],
  ['everybody is a receiver', () => ask(newLog({ policy: testRules({ receivers: 'any' }) })), 'line 0 CONTENT'],

  ...(
    [
      ['a custody address in capitals', 'custody.add', { address: custodyAddress.toUpperCase(), note: '' }, 'ADDRESS'],
      ['a custody address that is ours already', 'custody.add', { address: custodyAddress, note: '' }, 'TAKEN'],
      ['a custody address of another network', 'custody.add', { address: mainnet, note: '' }, 'ADDRESS'],
      ['a custody address with a wrong checksum', 'custody.add', { address: `${fresh.slice(0, -1)}q`, note: '' }, 'ADDRESS'],
      ['an institution’s payout address as custody', 'custody.add', { address: payoutOfA, note: '' }, 'TAKEN'],
      ['a custody address called by an institution’s name', 'custody.add', { address: fresh, note: 'Alpha Bank' }, 'NAME'],
      ['another institution’s custody address', 'receiver.add', entryOf({ custody: [custodyOfA] }), 'TAKEN'],
      ['another institution’s payout address', 'receiver.add', entryOf({ payout: [payoutOfA] }), 'TAKEN'],
      ['another institution’s account', 'receiver.add', entryOf({ address: receiverA }), 'TAKEN'],
      ['a payout address that is our custody', 'receiver.add', entryOf({ payout: [custodyAddress] }), 'TAKEN'],
      ['a payout address twice', 'receiver.add', entryOf({ payout: [fresh, fresh] }), 'TAKEN'],
      ['a payout address of another network', 'receiver.add', entryOf({ payout: [mainnet] }), 'ADDRESS'],
      ['a custody address that is none of ours for an institution', 'receiver.add', entryOf({ custody: [fresh] }), 'CONTENT'],
      ['a receiver without its checksum', 'receiver.add', entryOf({ address: addressOfEve.toLowerCase() }), 'ADDRESS'],
      ['a receiver with another checksum', 'receiver.add', entryOf({ address: addressOfEve.replace('E', 'e') }), 'ADDRESS'],
      ['the zero address as a receiver', 'receiver.add', entryOf({ address: `0x${'0'.repeat(40)}` }), 'FORBIDDEN'],
      ['the token as a receiver', 'receiver.add', entryOf({ address: testToken }), 'FORBIDDEN'],
      ['the bridge as a receiver', 'receiver.add', entryOf({ address: testBridge }), 'FORBIDDEN'],
      ['the minter as a receiver', 'receiver.add', entryOf({ address: testMinter }), 'FORBIDDEN'],
      ['the zero address as the minter', 'minter.set', { address: `0x${'0'.repeat(40)}`, reason }, 'FORBIDDEN'],
      ['the bridge as the minter', 'minter.set', { address: testBridge, reason }, 'FORBIDDEN'],
      ['an institution’s account as the minter', 'minter.set', { address: receiverA, reason }, 'TAKEN'],
      ['an institution called like another', 'receiver.add', entryOf({ institution: 'Αlpha Bank' }), 'NAME'],
      ['an institution in other letters', 'receiver.add', entryOf({ institution: 'ALPHA-BANK' }), 'NAME'],
      ['an approver called like another', 'approver.add', { ...asApprover(eve), name: 'Аnn' }, 'NAME'],
      [
        'an approver with a role that looks like one of the rules',
        'approver.add',
        { ...asApprover(eve), roles: ['неаd'] },
        'NAME',
      ],
      ['a removal under another name', 'approver.remove', { person: ann.person, name: 'Bob', reason }, 'NAME'],
    ] as const
  ).map(([name, kind, content, problem]): Row => [
    name,
    () => {
      const log = newLog({ policy: testRules({ bands: [{ ...wholeRange, role: 'head' }] }) });
      return ask(log.sign(log.propose(kind, content as never), ann));
    },
    `line 1 ${problem}`,
  ]),
  [
    'the same custody address by two proposals',
    () => {
      const log = newLog();
      const [first, second] = [1, 2].map(() => log.propose('custody.add', { address: fresh, note: '' }));
      if (first && second) log.sign(first, ann).sign(second, ann).sign(first, bob).sign(second, bob);
      return ask(log);
    },
    'line 4 TAKEN',
  ],
  [
    'an entry that is changed counts as it was until the change has cooled',
    () =>
      after((log) =>
        log.sign(
          log.propose('receiver.add', { address: receiverB, institution: 'Beta Fund', custody: [], payout: [fresh] }),
          ann,
          bob,
        ),
      ),
    'SIGNED',
  ],
  ['a mint to the zero address', () => ask(approved({}, testClaim({ receiver: `0x${'0'.repeat(40)}` }))), 'line 1 FORBIDDEN'],
  ['a mint to the bridge', () => ask(approved({}, testClaim({ receiver: testBridge }))), 'line 1 FORBIDDEN'],

  [
    'signatures of two wallets for a log with another genesis',
    () => {
      const log = new TestLog(testGenesis([bob, dan]));
      const staging = new TestLog(testGenesis([bob, dan], { origin: 'https://staging.example' }));
      const approval = log.propose('mint.approve', testClaim());
      const domain = { genesis: staging.genesisHash, chainId: 31_337, bridge: testBridge };
      log.signAs(approval, bob, { domain });
      return ask(log);
    },
    'line 1 SIGNATURE',
  ],
  [
    'signatures of two wallets for another bridge',
    () => {
      const log = new TestLog(testGenesis([bob, dan]));
      const approval = log.propose('mint.approve', testClaim());
      log.signAs(approval, bob, { domain: { ...approval.log, bridge: receiverA } });
      return ask(log);
    },
    'line 1 SIGNATURE',
  ],
  [
    'a statement that names another genesis',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', testClaim());
      return ask(log.sign({ ...approval, log: { ...approval.log, genesis: 'ab'.repeat(32) } }, ann));
    },
    'line 1 OTHER_LOG',
  ],
  [
    'a statement written after a line that is not there',
    () => {
      const log = newLog();
      return ask(log.sign(log.propose('mint.approve', testClaim(), { after: { number: 0, hash: 'ab'.repeat(32) } }), ann));
    },
    'line 1 OTHER_LOG',
  ],
  ['a line of another version', () => lines((log) => changed(log, 1, (line) => ({ ...line, v: 1 }))), 'line 1 VERSION'],
  [
    'a log of the first version',
    () => lines((log) => changed(log, 0, (line) => Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'v')))),
    'line 0 VERSION',
  ],

  [
    'a looser rule, used immediately',
    () => {
      const log = newLog();
      const set = log.propose('policy.set', looser);
      log.sign(set, ann, bob);
      log.sign(log.propose('mint.approve', testClaim({ policy: log.numberOf(set) })), cid);
      return ask(log, testClaim({ policy: log.numberOf(set) }));
    },
    'OLD_POLICY',
  ],
  [
    'a looser rule whose cooling was dated back',
    () => {
      const log = newLog();
      const set = log.propose('policy.set', looser);
      log.sign(set, ann, bob).wait(90_000);
      log.sign(log.propose('mint.approve', testClaim({ policy: log.numberOf(set) })), cid);
      return ask(log, testClaim({ policy: log.numberOf(set) }), { timeOf: () => log.now });
    },
    'OLD_POLICY',
  ],
  [
    'a looser rule that one signed',
    () => {
      const log = newLog();
      const set = log.propose('policy.set', looser);
      log.sign(set, ann).wait(90_000);
      log.sign(log.propose('mint.approve', testClaim({ policy: log.numberOf(set) })), cid);
      return ask(log, testClaim({ policy: log.numberOf(set) }));
    },
    'OLD_POLICY',
  ],
  [
    'signed under rules that changed since',
    () => {
      const log = approved();
      log.sign(log.propose('policy.set', testRules({ bands: [{ ...wholeRange, approvals: 3 }] })), ann, bob);
      return ask(log, testClaim(), { now: log.now + 2 * day });
    },
    'OLD_POLICY',
  ],
  [
    'rules for one alone',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', testRules({ root: 1 })), ann);
      return ask(log);
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
          testRules({
            bands: [
              { ...wholeRange, below: '100' },
              { ...wholeRange, from: '99', approvals: 1 },
            ],
          }),
        ),
        ann,
      );
      return ask(log);
    },
    'line 1 CONTENT',
  ],
  [
    'two bands without an end',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', testRules({ bands: [wholeRange, { ...wholeRange, from: '99', approvals: 1 }] })), ann);
      return ask(log);
    },
    'line 1 CONTENT',
  ],
  [
    'a band without room',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', testRules({ bands: [{ ...wholeRange, from: '5', below: '5' }] })), ann);
      return ask(log);
    },
    'line 1 CONTENT',
  ],
  [
    'an amount between two bands',
    () =>
      under(
        {
          bands: [
            { ...wholeRange, below: '100' },
            { ...wholeRange, from: '200000000' },
          ],
        },
        [ann, bob],
      ),
    'NO_BAND',
  ],
  ['an amount above every band', () => under({ bands: [{ ...wholeRange, below: '150000000' }] }, [ann, bob]), 'NO_BAND'],
  [
    'rules that more people are needed for than there are',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', testRules({ root: 4 })), ann, bob);
      return ask(log);
    },
    'line 2 CONTENT',
  ],
  ['a genesis with fewer people than change its rules', () => ask(newLog({ policy: testRules({ root: 4 }) })), 'line 0 CONTENT'],
  [
    'a genesis with the same person three times',
    () => ask(newLog({ policy: testRules({ root: 2 }) }, [ann, ann, ann])),
    'line 0 CONTENT',
  ],
  [
    'the last approvers are removed',
    () => {
      const log = newLog({}, [ann, bob]);
      log.sign(log.propose('approver.remove', { person: bob.person, name: 'Bob', reason }), ann, bob);
      return ask(log);
    },
    'line 2 CONTENT',
  ],
  [
    'the last approvers of rules to come are removed',
    () => {
      const log = newLog();
      log.sign(log.propose('policy.set', testRules({ root: 3 })), ann, bob);
      log.sign(log.propose('approver.remove', { person: cid.person, name: 'Cid', reason }), ann, bob);
      return ask(log);
    },
    'line 4 CONTENT',
  ],
  ['within the delay', () => under({ bands: [{ ...wholeRange, delaySeconds: 3600 }] }, [ann, bob]), 'DELAY'],
  [
    'within the delay, dated back',
    () =>
      under({ bands: [{ ...wholeRange, delaySeconds: 3600 }] }, [ann, bob], {
        now: testStart + hour,
        timeOf: () => testStart + hour,
      }),
    'DELAY',
  ],
  [
    'within the delay of those who still count',
    () => {
      const log = newLog({ policy: testRules({ bands: [{ ...wholeRange, delaySeconds: 3600 }] }) });
      const approval = log.propose('mint.approve', testClaim());
      log.sign(approval, ann, bob);
      log.sign(log.propose('approver.remove', { person: ann.person, name: 'Ann', reason }), bob, cid).wait(3600);
      return ask(log.sign(approval, cid));
    },
    'DELAY',
  ],
  [
    'over the limit of the day',
    () => under(daily, [ann, bob], { input: { signed: [{ depositHash: '0x1', satoshi: '100000000', at: testStart - hour }] } }),
    'DAY_LIMIT',
  ],
  [
    'over the limit of the day, by a clock that was put back',
    () =>
      under(daily, [ann, bob], { input: { signed: [{ depositHash: '0x1', satoshi: '100000000', at: testStart + 2 * day }] } }),
    'DAY_LIMIT',
  ],
  [
    'over the limit of the day by itself',
    () => under({ bands: [{ ...wholeRange, perDay: '149999999' }] }, [ann, bob]),
    'DAY_LIMIT',
  ],
  [
    'signed before with another amount',
    () =>
      under(daily, [ann, bob], {
        input: {
          signed: [{ depositHash: requestedMintOf(testClaim()).depositHash, satoshi: '100000000', at: testStart - hour }],
        },
      }),
    'DAY_LIMIT',
  ],
  [
    'signed before, and once more',
    () =>
      under(daily, [ann, bob], {
        input: {
          signed: [{ depositHash: requestedMintOf(testClaim()).depositHash, satoshi: '150000000', at: testStart - hour }],
        },
      }),
    'SIGNED',
  ],
  [
    'within the limit of the day',
    () => under(daily, [ann, bob], { input: { signed: [{ depositHash: '0x1', satoshi: '100000000', at: testStart - day }] } }),
    'SIGNED',
  ],

  [
    'canceled by one',
    () => {
      const log = approved();
      return ask(log.sign(log.propose('mint.cancel', { ...output, reason }), cid));
    },
    'CANCELED',
  ],
  [
    'a cancel signed by somebody who may not sign',
    () => {
      const log = approved();
      log.sign(log.propose('mint.cancel', { ...output, reason }), eve);
      return ask(log);
    },
    'line 3 NOT_APPROVER',
  ],
  [
    'signed once more after it was canceled',
    () => {
      const log = newLog();
      const approval = log.propose('mint.approve', testClaim());
      log.sign(log.propose('mint.cancel', { ...output, reason }), cid);
      return ask(log.sign(approval, ann, bob));
    },
    'CANCELED',
  ],
  [
    'a cancel proposed before the approval and signed after it',
    () => {
      const log = newLog();
      const cancel = log.propose('mint.cancel', { ...output, reason });
      log.sign(log.propose('mint.approve', testClaim()), ann, bob);
      return ask(log.sign(cancel, cid));
    },
    'CANCELED',
  ],
  [
    'a cancel that a second one signs after the new approval',
    () => {
      const log = newLog();
      const cancel = log.propose('mint.cancel', { ...output, reason });
      log.sign(cancel, cid).sign(log.propose('mint.approve', testClaim()), ann, bob);
      return ask(log.sign(cancel, ann));
    },
    'CANCELED',
  ],
  [
    'approved again after it was canceled',
    () => {
      const log = approved();
      log.sign(log.propose('mint.cancel', { ...output, reason }), cid);
      return ask(log.sign(log.propose('mint.approve', testClaim()), ann, bob));
    },
    'SIGNED',
  ],
  [
    'approved for two receivers',
    () => {
      const log = approved();
      return ask(log.sign(log.propose('mint.approve', testClaim({ receiver: receiverA })), bob, cid));
    },
    'CONFLICT',
  ],
  [
    'approved for another receiver, canceled, approved',
    () => {
      const log = approved({}, testClaim({ receiver: receiverA }));
      log.sign(log.propose('mint.cancel', { ...output, reason }), cid);
      return ask(log.sign(log.propose('mint.approve', testClaim()), ann, bob));
    },
    'SIGNED',
  ],

  [
    'one freezes',
    () => {
      const log = approved();
      return ask(log.sign(log.propose('freeze', { reason }), cid));
    },
    'FROZEN',
  ],
  ['one lifts the freeze', () => unfrozen([ann]), 'FROZEN'],
  ['two lift the freeze', () => unfrozen([ann, bob]), 'SIGNED'],
  ['another freeze is lifted than the open one', () => unfrozen([ann, bob], '99'), 'line 4 CONTENT'],
  ['a freeze of the ledger is lifted, but not this', () => unfrozen([ann, bob], 'ledger-1'), 'FROZEN'],
  [
    'the freeze is signed again after it was lifted',
    () => {
      const { log, freeze } = frozen();
      log.sign(log.propose('unfreeze', { freeze: String(log.numberOf(freeze)), difference: '', reason }), ann, bob);
      return ask(log.sign(freeze, bob));
    },
    'FROZEN',
  ],
  [
    'somebody still cooling for this reader lifts the freeze',
    () => {
      const log = newLog();
      enrollKey(log, eve);
      log.wait(90_000).sign(log.propose('mint.approve', testClaim()), ann, bob);
      const freeze = log.propose('freeze', { reason });
      log.sign(freeze, cid);
      log.sign(log.propose('unfreeze', { freeze: String(log.numberOf(freeze)), difference: '', reason }), ann, eve);
      return ask(log, testClaim(), { timeOf: () => log.now });
    },
    'FROZEN',
  ],
  [
    'one person who freezes a second time while the first freeze is open',
    () => {
      const { log } = frozen();
      return ask(log.sign(log.propose('freeze', { reason }), cid));
    },
    'line 4 LIMIT',
  ],
  [
    'one person who signs a colleague’s freeze while their own is open',
    () => {
      const { log, freeze } = frozen();
      log.sign(log.propose('freeze', { reason }), ann);
      return ask(log.sign(freeze, ann));
    },
    'line 5 LIMIT',
  ],
  [
    'a freeze of an approver whom the root quorum removes is lifted with them',
    () => {
      const { log } = frozen();
      return ask(log.sign(log.propose('approver.remove', { person: cid.person, name: 'Cid', reason }), ann, bob));
    },
    'SIGNED',
  ],
  [
    'a freeze that a colleague signed as well stays when one of them is removed',
    () => {
      const { log, freeze } = frozen();
      log.sign(freeze, bob);
      return ask(log.sign(log.propose('approver.remove', { person: cid.person, name: 'Cid', reason }), ann, bob));
    },
    'FROZEN',
  ],
  [
    'a freeze of an approver whom one alone would remove stays',
    () => {
      const { log } = frozen();
      return ask(log.sign(log.propose('approver.remove', { person: cid.person, name: 'Cid', reason }), ann));
    },
    'FROZEN',
  ],
  [
    'two hundred and one open statements of a kind by one person',
    () => {
      const log = newLog();
      for (let vout = 0; vout <= 200; vout++) log.sign(log.propose('mint.approve', testClaim({ vout })), ann);
      return ask(log);
    },
    'line 201 LIMIT',
  ],
  [
    '… whose earlier ones expired takes more',
    () => {
      const log = newLog();
      for (let vout = 1; vout <= 200; vout++) log.sign(log.propose('mint.approve', testClaim({ vout })), ann);
      return ask(log.wait(8 * 86_400).sign(log.propose('mint.approve', testClaim()), ann, bob));
    },
    'SIGNED',
  ],
  ['the ledger is frozen', () => ask(approved(), testClaim(), { input: { freezes: ['ledger-1'] } }), 'FROZEN'],
  ['a difference of the ledger, accepted by one', () => accepted([ann], '5 satoshi'), 'FROZEN'],
  ['a difference of the ledger, accepted by two', () => accepted([ann, bob], '5 satoshi'), 'SIGNED'],
  ['another difference than was accepted', () => accepted([ann, bob], '500000 satoshi'), 'FROZEN'],
  ['another freeze of the ledger than was accepted', () => accepted([ann, bob], '5 satoshi', 'ledger-2'), 'FROZEN'],
];

test.each(honest)('the log accepts and judges: %s', async (_name, build, expected) => {
  expect(await answer(await build())).toBe(expected);
});

test.each(rows)('the attack is stopped: %s', async (_name, build, expected) => {
  expect(await answer(await build())).toBe(expected);
});

test('no two cases have the same name', () => {
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
});
