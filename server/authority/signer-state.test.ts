import { openSigningPermits } from '../signer/permit.ts';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import {
  testClaim,
  testGenesis,
  checkMintAt,
  passkeyPerson,
  testRules,
  TestLog,
  walletPerson,
  requestedMintOf,
  wholeRange,
} from '../testing/authority.ts';
import { testDatabase } from '../testing/support.ts';
import { SignerStateError, openSignerState } from './signer-state.ts';
import { insertLines } from './store.ts';

const ann = passkeyPerson('Ann');
const bob = walletPerson('Bob');
const eve = passkeyPerson('Eve');
const hour = 3_600_000;

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signer-memory-'));
  file = join(folder, 'signer.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const hashesOf = (log: TestLog) => log.lines.map(canonicalHash);

function approved(delaySeconds = 0): TestLog {
  const log = new TestLog(testGenesis([ann, bob], { policy: testRules({ bands: [{ ...wholeRange, delaySeconds }] }) }));
  return log.sign(log.propose('mint.approve', testClaim()), ann, bob);
}

const never = () => false;
const manual = (text: string) => ({ kind: 'manual', text }) as const;

function problemOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof SignerStateError) return error.problem;
    throw error;
  }
}

describe('the signer’s record and the log', () => {
  test('accept more lines, also after the record is reopened', () => {
    const log = approved();
    openSignerState(file, log.genesisHash).see(hashesOf(log), log.now);
    const cancel = log.wait(60).propose('freeze', { reason: 'x' });
    log.sign(cancel, ann);
    openSignerState(file, log.genesisHash).see(hashesOf(log), log.now);
    const memory = openSignerState(file, log.genesisHash);
    expect(memory.seenAt(2)).toBe(log.now - 60_000);
    expect(memory.seenAt(3)).toBe(log.now);
    expect(() => memory.seenAt(4)).toThrow('not seen');
  });

  test('refuse a log without its last line', () => {
    const log = approved();
    log.sign(log.propose('freeze', { reason: 'x' }), ann);
    openSignerState(file, log.genesisHash).see(hashesOf(log), log.now);
    const cut = hashesOf(log).slice(0, -1);
    expect(problemOf(() => openSignerState(file, log.genesisHash).see(cut, log.now))).toBe('TRUNCATED');
    expect(problemOf(() => openSignerState(file, log.genesisHash).see([], log.now))).toBe('TRUNCATED');
  });

  test('refuse another log from the same genesis, of any length', () => {
    const log = approved();
    openSignerState(file, log.genesisHash).see(hashesOf(log), log.now);
    const other = approved();
    other.sign(other.propose('freeze', { reason: 'x' }), ann);
    expect(problemOf(() => openSignerState(file, log.genesisHash).see(hashesOf(other), log.now))).toBe('REWRITTEN');
  });

  test('refuse a log or record of another genesis', () => {
    const log = approved();
    const other = approved(60);
    expect(problemOf(() => openSignerState(file, log.genesisHash).see(hashesOf(other), log.now))).toBe('OTHER_GENESIS');
    expect(problemOf(() => openSignerState(file, other.genesisHash))).toBe('OTHER_GENESIS');
  });
});

describe('the signer measures waiting times itself', () => {
  test('does not shorten a delay for a backdated line', async () => {
    const log = approved(3600);
    const memory = openSignerState(file, log.genesisHash);
    const now = log.now + 2 * hour; // lines claim to be two hours old but arrive now
    memory.see(hashesOf(log), now);
    const judge = async (at: number) =>
      checkMintAt(await log.read({ timeOf: memory.timeOf(at) }), requestedMintOf(testClaim()), { now: at }).refusal;
    expect(await judge(now)).toBe('DELAY');
    expect(await judge(now + hour - 1)).toBe('DELAY');
    expect(await judge(now + hour)).toBeNull();
    expect(checkMintAt(await log.read(), requestedMintOf(testClaim()), { now }).refusal).toBeNull();
  });

  test('counts unseen lines from now', async () => {
    const log = approved(3600);
    const memory = openSignerState(file, log.genesisHash);
    const now = log.now + 2 * hour;
    const authority = await log.read({ timeOf: memory.timeOf(now) });
    expect(checkMintAt(authority, requestedMintOf(testClaim()), { now }).refusal).toBe('DELAY');
  });

  test('counts lines seen with a clock a year ahead from the correction', async () => {
    const log = approved(3600);
    const memory = openSignerState(file, log.genesisHash);
    const ahead = log.now + 365 * 24 * hour;
    memory.see(hashesOf(log), ahead, log.now);
    memory.remember({ depositHash: '0x1', satoshi: '5', at: ahead });
    const now = log.wait(60).now;
    expect(memory.correct(now)).toBe(true);
    expect(memory.correct(now)).toBe(false);
    expect([memory.seenAt(2), memory.signed[0]?.at]).toEqual([now, now]);
    expect(openSignerState(file, log.genesisHash).seenAt(2)).toBe(now);
    const judge = async (at: number) =>
      checkMintAt(await log.read({ timeOf: memory.timeOf(at) }), requestedMintOf(testClaim()), { now: at }).refusal;
    expect(await judge(now)).toBe('DELAY');
    expect(await judge(now + hour)).toBeNull();
  });

  test('counts signatures made after a clock correction immediately', async () => {
    const database = await testDatabase();
    const log = new TestLog(testGenesis([ann, bob]));
    await insertLines(database.db, log.lines);
    let now = log.now + 365 * 24 * hour;
    const memory = openSignerState(file, log.genesisHash);
    const clock = { trustedNow: async () => now, isRight: true };
    const permits = openSigningPermits({ database }, { genesis: log.genesisHash, development: true, memory, clock });
    await permits.authority();
    log.wait(60).sign(log.propose('mint.approve', testClaim()), ann, bob);
    await insertLines(database.db, log.lines.slice(1));
    now = log.now;
    expect(checkMintAt(await permits.authority(), requestedMintOf(testClaim()), { now }).refusal).toBeNull();
  });

  test('forgets a removed line that was seen with a wrong clock', () => {
    const log = approved();
    const memory = openSignerState(file, log.genesisHash);
    memory.see(hashesOf(log), log.now, log.now);
    const ahead = log.now + 365 * 24 * hour;
    memory.see([...hashesOf(log), 'ab'.repeat(32)], ahead, ahead);
    expect(memory.correct(log.now)).toBe(true);
    log.wait(60).sign(log.propose('freeze', { reason: 'x' }), ann);
    memory.see(hashesOf(log), log.now);
    expect(memory.seenAt(3)).toBe(log.now);
  });

  test('counts from its return after the signer was down', async () => {
    const log = new TestLog(testGenesis([ann, bob]));
    const memory = openSignerState(file, log.genesisHash);
    memory.see(hashesOf(log), log.now);
    log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: [], key: eve.key }), ann, eve, bob);
    log.wait(90_000).sign(log.propose('mint.approve', testClaim()), ann, eve);
    memory.see(hashesOf(log), log.now);
    const judge = async (at: number) =>
      checkMintAt(await log.read({ timeOf: memory.timeOf(at) }), requestedMintOf(testClaim()), { now: at }).refusal;
    expect(await judge(log.now)).toBe('NOT_ENOUGH');
    expect(await judge(log.now + 24 * hour)).toBeNull();
  });

  test('lets later rules take effect after rules that it saw too late', async () => {
    const log = new TestLog(testGenesis([ann, bob]));
    const memory = openSignerState(file, log.genesisHash);
    memory.see(hashesOf(log), log.now);
    const set = (over = {}) => log.propose('policy.set', testRules(over));
    log.sign(set({ coolingSeconds: 0 }), ann, bob);
    log.wait(8 * 86_400);
    memory.see(hashesOf(log), log.now);
    const next = set({ coolingSeconds: 60 });
    log.sign(next, ann, bob);
    memory.see(hashesOf(log), log.now);
    const at = log.now;
    log.wait(120);
    const claim = testClaim({ policy: log.numberOf(next) });
    log.sign(log.propose('mint.approve', claim), ann, bob);
    memory.see(hashesOf(log), log.now);
    const judge = async (now: number) =>
      checkMintAt(await log.read({ timeOf: memory.timeOf(now) }), requestedMintOf(claim), { now }).refusal;
    // The limit counts the day of the rules it believes, not the moment of the others.
    expect(await judge(at + 24 * hour - 1)).toBe('OLD_POLICY');
    expect(await judge(at + 24 * hour)).toBeNull();
  });

  test.each(['of the ledger', 'of the log'])('a freeze %s whose lifting it saw too late is lifted by another', async (whose) => {
    const log = new TestLog(testGenesis([ann, bob]));
    const memory = openSignerState(file, log.genesisHash);
    log.sign(log.propose('mint.approve', testClaim(), { valid: 90 * 24 * hour }), ann, bob);
    const own = log.propose('freeze', { reason: 'x' });
    if (whose === 'of the log') log.sign(own, ann);
    const freeze = whose === 'of the log' ? String(log.numberOf(own)) : 'a1b2';
    const lift = () => log.sign(log.propose('unfreeze', { freeze, difference: '', reason: 'looked at' }), ann, bob);
    lift().wait(8 * 86_400);
    const judge = async () => {
      memory.see(hashesOf(log), log.now);
      const authority = await log.read({ timeOf: memory.timeOf(log.now) });
      const freezes = whose === 'of the log' ? [] : [freeze];
      return checkMintAt(authority, requestedMintOf(testClaim()), { now: log.now, freezes }).refusal;
    };
    expect(await judge()).toBe('FROZEN');
    lift();
    expect(await judge()).toBeNull();
  });

  test('accepts the times of vouched-for lines on a new machine', async () => {
    const log = new TestLog(testGenesis([ann, bob]));
    log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: [], key: eve.key }), ann, eve, bob);
    const trusted = canonicalHash(log.lines.at(-1));
    log.wait(30 * 86_400).sign(log.propose('mint.approve', testClaim()), ann, eve);
    const memory = openSignerState(file, log.genesisHash, { trusted });
    memory.see(hashesOf(log), log.now);
    expect([memory.seenAt(3), memory.seenAt(4)]).toEqual([0, log.now]);
    const authority = await log.read({ timeOf: memory.timeOf(log.now) });
    expect(checkMintAt(authority, requestedMintOf(testClaim()), { now: log.now }).refusal).toBeNull();
  });

  test('accepts vouched-for times in the process that begins the record', async () => {
    const log = new TestLog(testGenesis([ann, bob]));
    log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: [], key: eve.key }), ann, eve, bob);
    const trusted = canonicalHash(log.lines.at(-1));
    log.wait(30 * 86_400).sign(log.propose('mint.approve', testClaim()), ann, eve);
    const rows = log.lines.map((line) => ({ line: canonical(line) }));
    const lines = { where: () => ({ orderBy: () => Promise.resolve(rows.splice(0)) }) };
    const database = { db: { select: () => ({ from: () => lines }) } } as never;
    const memory = openSignerState(file, log.genesisHash, { trusted });
    const clock = { trustedNow: async () => log.now, isRight: true };
    const permits = openSigningPermits({ database }, { genesis: log.genesisHash, development: true, memory, clock });
    const requested = requestedMintOf(testClaim());
    expect(checkMintAt(await permits.authority(), requested, { now: log.now }).refusal).toBeNull();
    expect(checkMintAt(await permits.authority(), requested, { now: log.now }).refusal).toBeNull();
  });

  test('refuses a log that does not reach the vouched-for line', () => {
    const log = approved();
    const memory = openSignerState(file, log.genesisHash, { trusted: 'ab'.repeat(32) });
    expect(problemOf(() => memory.see(hashesOf(log), log.now))).toBe('TRUNCATED');
  });
});

describe('the record’s file', () => {
  const genesis = 'ab'.repeat(32);

  test('is refused and kept if it is unreadable', () => {
    openSignerState(file, genesis).remember({ depositHash: '0x1', satoshi: '5', at: 1 });
    const whole = readFileSync(file, 'utf8');
    for (const text of [
      '',
      whole.slice(0, 20),
      '{}',
      'null',
      whole.replace('"satoshi":"5"', '"satoshi":"-5"'),
      `${whole} `.replace('"at":1', '"at":1.5'),
    ]) {
      writeFileSync(file, text);
      expect(problemOf(() => openSignerState(file, genesis))).toBe('UNREADABLE');
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  test('is not created where it must exist', () => {
    expect(problemOf(() => openSignerState(file, genesis, { begin: false }))).toBe('MISSING');
    openSignerState(file, genesis);
    expect(problemOf(() => openSignerState(file, genesis, { begin: false }))).toBeNull();
  });

  test('is complete after every change, readable by its owner only', () => {
    const memory = openSignerState(file, genesis);
    memory.see([genesis, 'cd'.repeat(32)], 5);
    memory.remember({ depositHash: '0x1', satoshi: '5', at: 1 });
    memory.seeFreezes([manual('a')], never);
    expect(readdirSync(folder)).toEqual(['signer.json']);
    expect(openSignerState(file, genesis).signed).toEqual([{ depositHash: '0x1', satoshi: '5', at: 1 }]);
  });

  test('does not remember what could not be written', () => {
    const memory = openSignerState(file, genesis);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, ''); // the folder is now a file
    expect(() => memory.see([genesis], 5)).toThrow();
    expect(() => memory.remember({ depositHash: '0x1', satoshi: '5', at: 1 })).toThrow();
    expect(memory.signed).toEqual([]);
    expect(() => memory.seenAt(0)).toThrow('not seen');
  });

  test('is not overwritten by a suspended signer after another took over', () => {
    const genesis = canonicalHash(approved().lines[0]);
    const sleeper = openSignerState(file, genesis);
    const mint = { depositHash: '0x1', satoshi: '5', at: 1 };
    openSignerState(file, genesis).remember(mint);
    expect(problemOf(() => sleeper.remember({ ...mint, depositHash: '0x2' }))).toBe('TAKEN');
    expect(openSignerState(file, genesis).signed).toEqual([mint]);
  });

  test('is not treated as empty when truncated', () => {
    openSignerState(file, genesis);
    truncateSync(file, 0);
    expect(problemOf(() => openSignerState(file, genesis))).toBe('UNREADABLE');
  });

  test('counts each deposit once with its latest amount, and keeps a freeze', () => {
    const memory = openSignerState(file, genesis);
    const mint = { depositHash: '0x1', satoshi: '5', at: 1 };
    memory.remember(mint);
    memory.remember({ ...mint, at: 2 });
    memory.remember({ ...mint, satoshi: '6', at: 3 });
    expect(memory.signed.map(({ at }) => at)).toEqual([1, 3]);
    expect(memory.seeFreezes([manual('a')], never)).toEqual(['a']);
    expect(openSignerState(file, genesis).seeFreezes([], never)).toEqual(['a']);
  });

  test('keeps one of each kind of two thousand invented freezes, and none after they are lifted', () => {
    const memory = openSignerState(file, genesis);
    const invented = Array.from({ length: 1000 }, (_, at) => [manual(`m${at}`), { kind: 'difference', text: `d${at}` } as const]);
    expect(memory.seeFreezes(invented.flat(), never)).toHaveLength(2000);
    expect(memory.seeFreezes([], never)).toEqual(['m0', 'd0']);
    expect(memory.seeFreezes([], (text) => text === 'm0')).toEqual(['d0']);
    expect(openSignerState(file, genesis).seeFreezes([], (text) => text === 'd0')).toEqual([]);
  });
});
