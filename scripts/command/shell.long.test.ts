import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '../suite/long-test.ts';

// The shell as a process, with a fake panel. server/suites/shell.test.ts uses a real one.

const mainPath = fileURLToPath(new URL('main.ts', import.meta.url));
const recoveryCodes = ['aaaa-1111', 'bbbb-2222'];
const account = {
  email: 'qa@example.com',
  codes: [{ code: 'points.import' }],
  permittedRoutes: [{ path: '/' }, { path: '/points' }],
};
const responsesByPath: Readonly<Record<string, unknown>> = {
  '/api/session': { authorization: 'token', access: account },
  '/rpc/account/newRecoveryCodes': { json: { recoveryCodes } },
  '/rpc/session/signOut': { json: null },
};

const timeout = 30_000; // starts Node with all commands up to twice

let panelServer: Server;
let folder: string;
let requestedPaths: string[];

beforeAll(async () => {
  panelServer = createServer(({ url = '' }, response) => {
    requestedPaths.push(url);
    response.writeHead(url in responsesByPath ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(responsesByPath[url] ?? { code: 'NOT_FOUND' }));
  }).listen(0, '127.0.0.1');
  await once(panelServer, 'listening');
});
afterAll(() => void panelServer.close());
beforeEach(() => {
  requestedPaths = [];
  folder = mkdtempSync(join(tmpdir(), 'shell-unit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function runShell(...args: string[]): Promise<{ code: number; out: string; said: string }> {
  const { port } = panelServer.address() as AddressInfo;
  const env = {
    PATH: process.env['PATH'],
    PANEL_URL: `http://127.0.0.1:${port}`,
    PANEL_EMAIL: account.email,
    PANEL_PASSWORD: 'x',
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), mainPath, ...args],
      { cwd: folder, env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? -1) : 0, out: stdout, said: stderr }),
    );
  });
}

const writeBatch = (...ids: string[]): string => {
  const file = join(folder, 'batch.jsonl');
  writeFileSync(file, ids.map((id) => JSON.stringify({ id })).join('\n'));
  return file;
};
const linesOf = (stdout: string): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test('prints new recovery codes only on standard error, not in the result or the report', { timeout }, async () => {
  const { code, out, said } = await runShell('account.newRecoveryCodes', '--confirm', '--junit', 'report.xml');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ status: 'done', failed: [] });
  for (const recoveryCode of recoveryCodes) {
    expect(said).toContain(recoveryCode);
    expect(out).not.toContain(recoveryCode);
    expect(readFileSync(join(folder, 'report.xml'), 'utf8')).not.toContain(recoveryCode);
  }
});

longTest('refuses a command that needs a page, before any request', { timeout }, async () => {
  const { code, out } = await runShell('account.addTotp');
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({ code: 'BLOCKED' });
  expect(requestedPaths.filter((url) => url.startsWith('/rpc/'))).toEqual(['/rpc/session/signOut']);
});

test('an existing file fails only its command, and the batch, report and session end normally', { timeout }, async () => {
  const batch = writeBatch('points.importTemplate', 'points.importTemplate', 'go.home');
  const keptRun = await runShell('--batch', batch, '--keep-going', '--junit', 'report.xml');
  expect(keptRun.code).toBe(1);
  expect(linesOf(keptRun.out)).toMatchObject([
    { line: 1, status: 'done' },
    { line: 2, status: 'failed', code: 'NOT_SAVED', message: expect.stringContaining('EEXIST') },
    { line: 3, status: 'done' },
  ]);
  expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toMatch(/tests="3" failures="1">[^]*<failure type="NOT_SAVED"/);
  expect(requestedPaths.filter((url) => url === '/rpc/session/signOut')).toHaveLength(1);

  const stoppedRun = await runShell('--batch', batch, '--junit', 'stopped.xml');
  expect(stoppedRun.code).toBe(1);
  expect(linesOf(stoppedRun.out)).toMatchObject([{ line: 1, status: 'failed', code: 'NOT_SAVED' }]);
  expect(readFileSync(join(folder, 'stopped.xml'), 'utf8')).toContain('tests="1" failures="1"');
});

test('reports a report file that cannot be written, with one result and a failure code', { timeout }, async () => {
  const { code, out, said } = await runShell('points.importTemplate', '--junit', join('nowhere', 'report.xml'));
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ status: 'done' });
  expect(said).toMatch(/could not write the JUnit report nowhere\/report\.xml: ENOENT/);
  expect(readdirSync(folder).filter((name) => name.endsWith('.csv'))).toHaveLength(1);
});

longTest('a closed output pipe is not a failure', { timeout }, async () => {
  const stderr = await new Promise<string>((resolve) => {
    const listPipeline = `{ "${process.execPath}" --import "${import.meta.resolve('tsx')}" "${mainPath}" --list; echo "exit $?" >&2; } | head -n 1`;
    execFile('/bin/sh', ['-c', listPipeline], { cwd: folder }, (_, stdout, exitText) =>
      resolve(stdout.replace(/\t.*/, '') + exitText),
    );
  });
  expect(stderr).toMatch(/^[a-zA-Z]+\.[a-zA-Z]+\nexit 0\n$/);
});
