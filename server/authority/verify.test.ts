import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import { bundleOf, ensureBuild, root } from '../../scripts/setup.mjs';
import {
  buildMintClaim,
  buildTestGenesis,
  custodyAddress,
  createPasskeyPerson,
  receiverB,
  buildTestRules,
  TestLog,
  createWalletPerson,
} from '../testing/authority.ts';
import { createTestDatabase } from '../testing/support.ts';
import { insertLines } from './store.ts';
import { verifyLog } from './verify-log.ts';

const ann = createPasskeyPerson('Ann', ['custody']);
const bob = createWalletPerson('Bob');
const eve = createPasskeyPerson('Eve');

function buildSampleLog(): TestLog {
  const log = new TestLog(buildTestGenesis([ann, bob]));
  log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: ['head'], key: eve.key }), ann, eve, bob);
  log.wait(60).sign(log.propose('policy.set', buildTestRules({ coolingSeconds: 3600 })), bob, ann);
  log.sign(log.propose('custody.remove', { address: custodyAddress, reason: 'lost' }), ann, bob);
  log.sign(log.propose('mint.approve', buildMintClaim()), ann);
  log.sign(log.propose('freeze', { reason: 'a difference' }), bob);
  return log;
}

async function runVerify(
  lines: readonly string[],
  ...args: string[]
): Promise<{ code: number; said: string; complained: string }> {
  const outputLines: string[] = [];
  const errorLines: string[] = [];
  const code = await verifyLog(args, {
    command: 'verify',
    fromDatabase: async () => lines,
    say: (line) => outputLines.push(line),
    complain: (line) => errorLines.push(line),
    now: buildSampleLog().now,
  });
  return { code, said: outputLines.join('\n'), complained: errorLines.join('\n') };
}

const serializeLines = (log: TestLog) => log.lines.map(canonical);

describe('the report', () => {
  test('lists who signed what, when, with which key, and when it takes effect', async () => {
    const log = buildSampleLog();
    const { code, said } = await runVerify(serializeLines(log), '--genesis', log.genesisHash);
    expect(code).toBe(0);
    expect(said).toContain(`#1 2026-11-02T08:00:00.000Z approver.add: Eve (${eve.person}) can sign as head with passkey …`);
    expect(said).toMatch(/signed by Ann \(.+\) at 2026-11-02T08:00:00\.000Z with passkey …\S{12}, line 1/);
    expect(said).toContain(
      `signed by Bob (${bob.person}) at 2026-11-02T08:01:00.000Z with wallet ${bob.key.type === 'wallet' ? bob.key.address : ''}`,
    );
    expect(said).toContain('fully signed at 2026-11-02T08:00:00.000Z, in force from 2026-11-03T08:00:00.000Z');
    expect(said).toContain(
      `mint.approve: mint 1.50000000 YBTC to ${receiverB} for output regtest:${'ab'.repeat(32)}:0 paid to ${custodyAddress}, under rules #0`,
    );
    expect(said).toContain('awaiting signatures until 2026-11-09T08:01:00.000Z');
    expect(said).toContain(`All ${log.lines.length} lines are valid.`);
  });

  test('ends with the current state', async () => {
    const log = buildSampleLog();
    const { said } = await runVerify(serializeLines(log), '--genesis', log.genesisHash);
    const state = said.slice(said.indexOf('Approvers:'));
    expect(state).toMatch(/Eve \(.+\) as head: passkey …\S{12} FROM 2026-11-03T08:00:00\.000Z/);
    expect(state).toContain('Rules in force (#0): changing rules, people or addresses takes 2 signatures');
    expect(state).toContain(
      'Upcoming rules (#4) FROM 2026-11-03T08:01:00.000Z: changing rules, people or addresses takes 2 signatures, cooling time 3600 s',
    );
    expect(state).not.toContain(`${custodyAddress}\n`);
    expect(state).toContain(`Beta Fund: ${receiverB}`);
    expect(state).toContain('FROZEN: #9 "a difference"');
    expect(state).toContain(`Head: line 9, ${canonicalHash(log.lines.at(-1))}`);
  });
});

describe('an invalid log', () => {
  test('is reported with its first invalid line, after what precedes it', async () => {
    const log = buildSampleLog();
    const lines = serializeLines(log).map((line, index) => (index === 6 ? line.replace('"number":6', '"number":7') : line));
    const { code, said } = await runVerify(lines, '--genesis', log.genesisHash);
    expect(code).toBe(1);
    expect(said).toContain('approver.add: Eve');
    expect(said).toContain('FOUND: line 6 is invalid');
    expect(said).not.toContain('custody.remove');
  });

  test('is refused for another genesis, no line, and invalid JSON', async () => {
    const log = buildSampleLog();
    expect(await runVerify(serializeLines(log), '--genesis', 'ab'.repeat(32))).toMatchObject({
      code: 1,
      said: expect.stringContaining('line 0 is invalid'),
    });
    expect(await runVerify([], '--genesis', log.genesisHash)).toMatchObject({ code: 1 });
    expect(await runVerify(['x'])).toMatchObject({ code: 1, said: expect.stringContaining('(FORM)') });
    expect(await runVerify(['', ...serializeLines(log)])).toMatchObject({ code: 1, said: expect.stringContaining('line 0') });
  });

  test('is refused when it ends before a known head', async () => {
    const log = buildSampleLog();
    const head = canonicalHash(log.lines.at(-1));
    expect(await runVerify(serializeLines(log), '--head', head)).toMatchObject({ code: 0 });
    expect(await runVerify(serializeLines(log).slice(0, -1), '--head', head)).toMatchObject({
      code: 1,
      said: expect.stringContaining('Lines are missing'),
    });
  });

  test('of the first version is refused with the supported version', async () => {
    const log = buildSampleLog();
    const oldVersionLines = serializeLines(log).map((line) => line.replace('"v":2', '"v":1'));
    const { code, said } = await runVerify(oldVersionLines, '--genesis', log.genesisHash);
    expect(code).toBe(1);
    expect(said).toContain('FOUND: line 0 is invalid: written for another version of the log than version 2');
  });

  test('is checked without a genesis by printing what to compare', async () => {
    const log = buildSampleLog();
    const { code, said } = await runVerify(serializeLines(log));
    expect(code).toBe(0);
    expect(said).toContain(`no genesis was given. This log begins with ${log.genesisHash}`);
  });

  test('exits with 2 for invalid arguments', async () => {
    expect(await runVerify([], '--genesis', 'x')).toMatchObject({
      code: 2,
      complained: '--genesis must be 64 lowercase hexadecimal digits',
    });
    expect(await runVerify([], '--nothing')).toMatchObject({ code: 2 });
    expect(await runVerify([], '--file', '/there/is/no/such/file')).toMatchObject({ code: 2 });
  });
});

test('authority:verify reads the database and the file it exports', async () => {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'authority-export-'));
  const log = buildSampleLog();
  try {
    await insertLines(database.db, log.lines);
    const file = join(folder, 'log.jsonl');
    const { status, stdout } = spawnSync(
      process.execPath,
      [bundleOf('authority-verify-own'), '--genesis', log.genesisHash, '--export', file],
      { env: { PATH: process.env['PATH'], DATABASE_URL: database.url, DATA_DIR: folder }, encoding: 'utf8' },
    );
    expect(stdout).toContain('All 10 lines are valid.');
    expect(status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`${serializeLines(log).join('\n')}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('the standalone verifier, with nothing but Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authority-verify-'));
  const log = buildSampleLog();
  beforeAll(async () => {
    await ensureBuild(['server']);
    copyFileSync(join(root, '.cache/server/authority-verify.mjs'), join(folder, 'authority-verify.mjs'));
    writeFileSync(join(folder, 'log.jsonl'), `${serializeLines(log).join('\n')}\n`);
    writeFileSync(
      join(folder, 'forged.jsonl'),
      `${serializeLines(log).join('\n').replace('"satoshi":"150000000"', '"satoshi":"950000000"')}\n`,
    );
    writeFileSync(join(folder, 'windows.jsonl'), serializeLines(log).join('\r\n'));
    writeFileSync(join(folder, 'bytes.jsonl'), Buffer.from([0xff, 0xfe, 0x0a]));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const runNode = (...args: string[]) =>
    spawnSync(process.execPath, ['authority-verify.mjs', ...args], { cwd: folder, env: {}, encoding: 'utf8' });

  test('reports who signed what', () => {
    const outputLines = execFileSync(
      process.execPath,
      ['authority-verify.mjs', '--file', 'log.jsonl', '--genesis', log.genesisHash],
      {
        cwd: folder,
        env: {},
        encoding: 'utf8',
      },
    );
    expect(outputLines).toContain('can sign as head');
    expect(outputLines).toContain('All 10 lines are valid.');
  });

  test('names the changed line', () => {
    const { status, stdout } = runNode('--file', 'forged.jsonl', '--genesis', log.genesisHash);
    expect(status).toBe(1);
    expect(stdout).toContain('FOUND: line 8 is invalid: the passkey signed a different statement');
  });

  test('refuses other line endings as another log', () => {
    expect(runNode('--file', 'windows.jsonl')).toMatchObject({ status: 1, stdout: expect.stringContaining('(FORM)') });
  });

  test('exits with 2 for a file that is missing or no log', () => {
    expect(runNode('--file', 'bytes.jsonl')).toMatchObject({ status: 2, stderr: expect.stringContaining('isn’t UTF-8 text') });
    expect(runNode('--file', 'none.jsonl')).toMatchObject({ status: 2 });
    expect(runNode()).toMatchObject({ status: 2, stdout: expect.stringContaining('(required)') });
  });
});
