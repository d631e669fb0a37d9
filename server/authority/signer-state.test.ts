import { openSigningPermits } from '../signer/permit.ts';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import {
  buildMintClaim,
  buildTestGenesis,
  checkMintAtTime,
  createPasskeyPerson,
  buildTestRules,
  TestLog,
  createWalletPerson,
  buildRequestedMint,
  wholeRangeBand,
} from '../testing/authority.ts';
import { createTestDatabase } from '../testing/support.ts';
import { SignerStateError, openSignerState } from './signer-state.ts';
import { insertLines } from './store.ts';

const ann = createPasskeyPerson('Ann');
const bob = createWalletPerson('Bob');
const eve = createPasskeyPerson('Eve');
const hour = 3_600_000;

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signer-memory-'));
  file = join(folder, 'signer.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const hashesOf = (log: TestLog) => log.lines.map(canonicalHash);

function approvedLog(delaySeconds = 0): TestLog {
  const log = new TestLog(
    buildTestGenesis([ann, bob], { policy: buildTestRules({ bands: [{ ...wholeRangeBand, delaySeconds }] }) }),
  );
  return log.sign(log.propose('mint.approve', buildMintClaim()), ann, bob);
}

const isNeverLifted = () => false;
const manualFreeze = (text: string) => ({ kind: 'manual', text }) as const;

function catchProblem(runAction: () => unknown): string | null {
  try {
    runAction();
    return null;
  } catch (error) {
    if (error instanceof SignerStateError) return error.problem;
    throw error;
  }
}

describe('the signer’s record and the log', () => {
  test('accept more lines, also after the record is reopened', () => {
    const log = approvedLog();
    openSignerState(file, log.genesisHash).see(hashesOf(log), log.now);
    const freezeStatement = log.wait(60).propose('freeze', { reason: 'x' });
    log.sign(freezeStatement, ann);
    openSignerState(file, log.genesisHash).see(hashesOf(log), log.now);
    const signerState = openSignerState(file, log.genesisHash);
    expect(signerState.seenAt(2)).toBe(log.now - 60_000);
    expect(signerState.seenAt(3)).toBe(log.now);
    expect(() => signerState.seenAt(4)).toThrow('not seen');
  });

  test('refuse a log without its last line', () => {
    const log = approvedLog();
    log.sign(log.propose('freeze', { reason: 'x' }), ann);
    openSignerState(file, log.genesisHash).see(hashesOf(log), log.now);
    const truncatedHashes = hashesOf(log).slice(0, -1);
    expect(catchProblem(() => openSignerState(file, log.genesisHash).see(truncatedHashes, log.now))).toBe('TRUNCATED');
    expect(catchProblem(() => openSignerState(file, log.genesisHash).see([], log.now))).toBe('TRUNCATED');
  });

  test('refuse another log from the same genesis, of any length', () => {
    const log = approvedLog();
    openSignerState(file, log.genesisHash).see(hashesOf(log), log.now);
    const otherLog = approvedLog();
    otherLog.sign(otherLog.propose('freeze', { reason: 'x' }), ann);
    expect(catchProblem(() => openSignerState(file, log.genesisHash).see(hashesOf(otherLog), log.now))).toBe('REWRITTEN');
  });

  test('refuse a log or record of another genesis', () => {
    const log = approvedLog();
    const otherLog = approvedLog(60);
    expect(catchProblem(() => openSignerState(file, log.genesisHash).see(hashesOf(otherLog), log.now))).toBe('OTHER_GENESIS');
    expect(catchProblem(() => openSignerState(file, otherLog.genesisHash))).toBe('OTHER_GENESIS');
  });
});

describe('the signer measures waiting times itself', () => {
  test('does not shorten a delay for a backdated line', async () => {
    const log = approvedLog(3600);
    const signerState = openSignerState(file, log.genesisHash);
    const now = log.now + 2 * hour; // lines claim to be two hours old but arrive now
    signerState.see(hashesOf(log), now);
    const judgeMint = async (instant: number) =>
      checkMintAtTime(await log.read({ timeOf: signerState.timeOf(instant) }), buildRequestedMint(buildMintClaim()), {
        now: instant,
      }).refusal;
    expect(await judgeMint(now)).toBe('DELAY');
    expect(await judgeMint(now + hour - 1)).toBe('DELAY');
    expect(await judgeMint(now + hour)).toBeNull();
    expect(checkMintAtTime(await log.read(), buildRequestedMint(buildMintClaim()), { now }).refusal).toBeNull();
  });

  test('counts unseen lines from now', async () => {
    const log = approvedLog(3600);
    const signerState = openSignerState(file, log.genesisHash);
    const now = log.now + 2 * hour;
    const authority = await log.read({ timeOf: signerState.timeOf(now) });
    expect(checkMintAtTime(authority, buildRequestedMint(buildMintClaim()), { now }).refusal).toBe('DELAY');
  });

  test('counts lines seen with a clock a year ahead from the correction', async () => {
    const log = approvedLog(3600);
    const signerState = openSignerState(file, log.genesisHash);
    const futureTime = log.now + 365 * 24 * hour;
    signerState.see(hashesOf(log), futureTime, log.now);
    signerState.remember({ depositHash: '0x1', satoshi: '5', at: futureTime });
    const now = log.wait(60).now;
    expect(signerState.correct(now)).toBe(true);
    expect(signerState.correct(now)).toBe(false);
    expect([signerState.seenAt(2), signerState.signed[0]?.at]).toEqual([now, now]);
    expect(openSignerState(file, log.genesisHash).seenAt(2)).toBe(now);
    const judgeMint = async (instant: number) =>
      checkMintAtTime(await log.read({ timeOf: signerState.timeOf(instant) }), buildRequestedMint(buildMintClaim()), {
        now: instant,
      }).refusal;
    expect(await judgeMint(now)).toBe('DELAY');
    expect(await judgeMint(now + hour)).toBeNull();
  });

  test('counts signatures made after a clock correction immediately', async () => {
    const database = await createTestDatabase();
    const log = new TestLog(buildTestGenesis([ann, bob]));
    await insertLines(database.db, log.lines);
    let now = log.now + 365 * 24 * hour;
    const signerState = openSignerState(file, log.genesisHash);
    const clock = { trustedNow: async () => now, isRight: true };
    const permits = openSigningPermits({ database }, { genesis: log.genesisHash, development: true, memory: signerState, clock });
    await permits.authority();
    log.wait(60).sign(log.propose('mint.approve', buildMintClaim()), ann, bob);
    await insertLines(database.db, log.lines.slice(1));
    now = log.now;
    expect(checkMintAtTime(await permits.authority(), buildRequestedMint(buildMintClaim()), { now }).refusal).toBeNull();
  });

  test('forgets a removed line that was seen with a wrong clock', () => {
    const log = approvedLog();
    const signerState = openSignerState(file, log.genesisHash);
    signerState.see(hashesOf(log), log.now, log.now);
    const futureTime = log.now + 365 * 24 * hour;
    signerState.see([...hashesOf(log), 'ab'.repeat(32)], futureTime, futureTime);
    expect(signerState.correct(log.now)).toBe(true);
    log.wait(60).sign(log.propose('freeze', { reason: 'x' }), ann);
    signerState.see(hashesOf(log), log.now);
    expect(signerState.seenAt(3)).toBe(log.now);
  });

  test('counts from its return after the signer was down', async () => {
    const log = new TestLog(buildTestGenesis([ann, bob]));
    const signerState = openSignerState(file, log.genesisHash);
    signerState.see(hashesOf(log), log.now);
    log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: [], key: eve.key }), ann, eve, bob);
    log.wait(90_000).sign(log.propose('mint.approve', buildMintClaim()), ann, eve);
    signerState.see(hashesOf(log), log.now);
    const judgeMint = async (instant: number) =>
      checkMintAtTime(await log.read({ timeOf: signerState.timeOf(instant) }), buildRequestedMint(buildMintClaim()), {
        now: instant,
      }).refusal;
    expect(await judgeMint(log.now)).toBe('NOT_ENOUGH');
    expect(await judgeMint(log.now + 24 * hour)).toBeNull();
  });

  test('lets later rules take effect after rules that it saw too late', async () => {
    const log = new TestLog(buildTestGenesis([ann, bob]));
    const signerState = openSignerState(file, log.genesisHash);
    signerState.see(hashesOf(log), log.now);
    const proposePolicy = (overrides = {}) => log.propose('policy.set', buildTestRules(overrides));
    log.sign(proposePolicy({ coolingSeconds: 0 }), ann, bob);
    log.wait(8 * 86_400);
    signerState.see(hashesOf(log), log.now);
    const nextPolicy = proposePolicy({ coolingSeconds: 60 });
    log.sign(nextPolicy, ann, bob);
    signerState.see(hashesOf(log), log.now);
    const at = log.now;
    log.wait(120);
    const claim = buildMintClaim({ policy: log.numberOf(nextPolicy) });
    log.sign(log.propose('mint.approve', claim), ann, bob);
    signerState.see(hashesOf(log), log.now);
    const judgeMint = async (now: number) =>
      checkMintAtTime(await log.read({ timeOf: signerState.timeOf(now) }), buildRequestedMint(claim), { now }).refusal;
    // The limit counts the day of the rules it believes, not the moment of the others.
    expect(await judgeMint(at + 24 * hour - 1)).toBe('OLD_POLICY');
    expect(await judgeMint(at + 24 * hour)).toBeNull();
  });

  test.each(['of the ledger', 'of the log'])(
    'a freeze %s whose lifting it saw too late is lifted by another',
    async (freezeOrigin) => {
      const log = new TestLog(buildTestGenesis([ann, bob]));
      const signerState = openSignerState(file, log.genesisHash);
      log.sign(log.propose('mint.approve', buildMintClaim(), { valid: 90 * 24 * hour }), ann, bob);
      const freezeStatement = log.propose('freeze', { reason: 'x' });
      if (freezeOrigin === 'of the log') log.sign(freezeStatement, ann);
      const freeze = freezeOrigin === 'of the log' ? String(log.numberOf(freezeStatement)) : 'a1b2';
      const liftFreeze = () => log.sign(log.propose('unfreeze', { freeze, difference: '', reason: 'looked at' }), ann, bob);
      liftFreeze().wait(8 * 86_400);
      const judgeMint = async () => {
        signerState.see(hashesOf(log), log.now);
        const authority = await log.read({ timeOf: signerState.timeOf(log.now) });
        const freezes = freezeOrigin === 'of the log' ? [] : [freeze];
        return checkMintAtTime(authority, buildRequestedMint(buildMintClaim()), { now: log.now, freezes }).refusal;
      };
      expect(await judgeMint()).toBe('FROZEN');
      liftFreeze();
      expect(await judgeMint()).toBeNull();
    },
  );

  test('accepts the times of vouched-for lines on a new machine', async () => {
    const log = new TestLog(buildTestGenesis([ann, bob]));
    log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: [], key: eve.key }), ann, eve, bob);
    const trustedHead = canonicalHash(log.lines.at(-1));
    log.wait(30 * 86_400).sign(log.propose('mint.approve', buildMintClaim()), ann, eve);
    const signerState = openSignerState(file, log.genesisHash, { trusted: trustedHead });
    signerState.see(hashesOf(log), log.now);
    expect([signerState.seenAt(3), signerState.seenAt(4)]).toEqual([0, log.now]);
    const authority = await log.read({ timeOf: signerState.timeOf(log.now) });
    expect(checkMintAtTime(authority, buildRequestedMint(buildMintClaim()), { now: log.now }).refusal).toBeNull();
  });

  test('accepts vouched-for times in the process that begins the record', async () => {
    const log = new TestLog(buildTestGenesis([ann, bob]));
    log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: [], key: eve.key }), ann, eve, bob);
    const trustedHead = canonicalHash(log.lines.at(-1));
    log.wait(30 * 86_400).sign(log.propose('mint.approve', buildMintClaim()), ann, eve);
    const rows = log.lines.map((line) => ({ line: canonical(line) }));
    const lines = { where: () => ({ orderBy: () => Promise.resolve(rows.splice(0)) }) };
    const database = { db: { select: () => ({ from: () => lines }) } } as never;
    const signerState = openSignerState(file, log.genesisHash, { trusted: trustedHead });
    const clock = { trustedNow: async () => log.now, isRight: true };
    const permits = openSigningPermits({ database }, { genesis: log.genesisHash, development: true, memory: signerState, clock });
    const requestedMint = buildRequestedMint(buildMintClaim());
    expect(checkMintAtTime(await permits.authority(), requestedMint, { now: log.now }).refusal).toBeNull();
    expect(checkMintAtTime(await permits.authority(), requestedMint, { now: log.now }).refusal).toBeNull();
  });

  test('refuses a log that does not reach the vouched-for line', () => {
    const log = approvedLog();
    const signerState = openSignerState(file, log.genesisHash, { trusted: 'ab'.repeat(32) });
    expect(catchProblem(() => signerState.see(hashesOf(log), log.now))).toBe('TRUNCATED');
  });
});

describe('the record’s file', () => {
  const genesis = 'ab'.repeat(32);

  test('is refused and kept if it is unreadable', () => {
    openSignerState(file, genesis).remember({ depositHash: '0x1', satoshi: '5', at: 1 });
    const fullRecord = readFileSync(file, 'utf8');
    for (const text of [
      '',
      fullRecord.slice(0, 20),
      '{}',
      'null',
      fullRecord.replace('"satoshi":"5"', '"satoshi":"-5"'),
      `${fullRecord} `.replace('"at":1', '"at":1.5'),
    ]) {
      writeFileSync(file, text);
      expect(catchProblem(() => openSignerState(file, genesis))).toBe('UNREADABLE');
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  test('is not created where it must exist', () => {
    expect(catchProblem(() => openSignerState(file, genesis, { begin: false }))).toBe('MISSING');
    openSignerState(file, genesis);
    expect(catchProblem(() => openSignerState(file, genesis, { begin: false }))).toBeNull();
  });

  test('is complete after every change, readable by its owner only', () => {
    const signerState = openSignerState(file, genesis);
    signerState.see([genesis, 'cd'.repeat(32)], 5);
    signerState.remember({ depositHash: '0x1', satoshi: '5', at: 1 });
    signerState.seeFreezes([manualFreeze('a')], isNeverLifted);
    expect(readdirSync(folder)).toEqual(['signer.json']);
    expect(openSignerState(file, genesis).signed).toEqual([{ depositHash: '0x1', satoshi: '5', at: 1 }]);
  });

  test('does not remember what could not be written', () => {
    const signerState = openSignerState(file, genesis);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, ''); // the folder is now a file
    expect(() => signerState.see([genesis], 5)).toThrow();
    expect(() => signerState.remember({ depositHash: '0x1', satoshi: '5', at: 1 })).toThrow();
    expect(signerState.signed).toEqual([]);
    expect(() => signerState.seenAt(0)).toThrow('not seen');
  });

  test('is not overwritten by a suspended signer after another took over', () => {
    const genesis = canonicalHash(approvedLog().lines[0]);
    const suspendedSigner = openSignerState(file, genesis);
    const mint = { depositHash: '0x1', satoshi: '5', at: 1 };
    openSignerState(file, genesis).remember(mint);
    expect(catchProblem(() => suspendedSigner.remember({ ...mint, depositHash: '0x2' }))).toBe('TAKEN');
    expect(openSignerState(file, genesis).signed).toEqual([mint]);
  });

  test('is not treated as empty when truncated', () => {
    openSignerState(file, genesis);
    truncateSync(file, 0);
    expect(catchProblem(() => openSignerState(file, genesis))).toBe('UNREADABLE');
  });

  test('counts each deposit once with its latest amount, and keeps a freeze', () => {
    const signerState = openSignerState(file, genesis);
    const mint = { depositHash: '0x1', satoshi: '5', at: 1 };
    signerState.remember(mint);
    signerState.remember({ ...mint, at: 2 });
    signerState.remember({ ...mint, satoshi: '6', at: 3 });
    expect(signerState.signed.map(({ at }) => at)).toEqual([1, 3]);
    expect(signerState.seeFreezes([manualFreeze('a')], isNeverLifted)).toEqual(['a']);
    expect(openSignerState(file, genesis).seeFreezes([], isNeverLifted)).toEqual(['a']);
  });

  test('keeps one of each kind of two thousand invented freezes, and none after they are lifted', () => {
    const signerState = openSignerState(file, genesis);
    const inventedFreezes = Array.from({ length: 1000 }, (_, index) => [
      manualFreeze(`m${index}`),
      { kind: 'difference', text: `d${index}` } as const,
    ]);
    expect(signerState.seeFreezes(inventedFreezes.flat(), isNeverLifted)).toHaveLength(2000);
    expect(signerState.seeFreezes([], isNeverLifted)).toEqual(['m0', 'd0']);
    expect(signerState.seeFreezes([], (text) => text === 'm0')).toEqual(['d0']);
    expect(openSignerState(file, genesis).seeFreezes([], (text) => text === 'd0')).toEqual([]);
  });
});
