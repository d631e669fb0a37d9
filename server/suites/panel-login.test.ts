import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { commandBundle } from '../../scripts/setup.mjs';
import { demoPassword } from '../seed/roles.ts';
import { startServer, type ServerProcess } from '../testing/process.ts';
import { createTestDatabase } from '../testing/support.ts';

// The shell as a process, and a browser that is played by requests.

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'panel-login-test-')));
const state = join(folder, 'state');
let server: ServerProcess;
let origin: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let browser: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  server = startServer(join(folder, 'data'), { DATABASE_URL: database.url, DEVNET: 'off' });
  origin = await server.ready;
});
beforeEach(async () => {
  rmSync(state, { recursive: true, force: true });
  await database.pool.query('delete from rate_limits');
  browser = await openBrowser('admin@demo.local');
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

async function openBrowser(email: string): Promise<Record<string, string>> {
  const response = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  });
  const { authorization } = (await response.json()) as { authorization: string };
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { authorization, cookie, 'content-type': 'application/json' };
}

interface ShellRun {
  code: number;
  stdout: string;
  stderr: string;
  json: Record<string, unknown>;
}

class Shell {
  readonly child: ChildProcess;
  readonly run: Promise<ShellRun>;
  stderr = '';
  constructor(args: readonly string[], env: Record<string, string> = {}) {
    let resolveRun: (run: ShellRun) => void = () => {};
    this.run = new Promise((resolve) => (resolveRun = resolve));
    this.child = execFile(
      process.execPath,
      [commandBundle, ...args],
      {
        cwd: folder,
        env: { PATH: process.env['PATH'], PANEL_URL: origin, PANEL_STATE: state, BROWSER: join(folder, 'no-browser'), ...env },
      },
      (error, stdout, stderr) =>
        resolveRun({
          code: error ? Number(error.code ?? -1) : 0,
          stdout,
          stderr,
          json: stdout.startsWith('{') ? JSON.parse(stdout) : {},
        }),
    );
    this.child.stderr?.on('data', (chunk: string) => (this.stderr += chunk));
  }

  type(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }
}

/** The challenge of the address that was printed. */
async function readChallenge(shell: Shell): Promise<string> {
  await expect.poll(() => shell.stderr, { timeout: 20_000 }).toMatch(/~cli\.approve\?challenge=[\w-]{43}/);
  return /challenge=([\w-]{43})/.exec(shell.stderr)?.[1] ?? '';
}

const runShell = (args: readonly string[], env: Record<string, string> = {}) => new Shell(args, env).run;

async function allow(challenge: string): Promise<{ code: string; port: number | null }> {
  const response = await fetch(`${origin}/api/cli/approve`, {
    method: 'POST',
    headers: browser,
    body: JSON.stringify({ challenge }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { code: string; port: number | null };
}

async function signInByPaste(): Promise<ShellRun> {
  const shell = new Shell(['login', '--paste']);
  const { code } = await allow(await readChallenge(shell));
  shell.type(code);
  return shell.run;
}

const newsFields = (title: string) => [
  '--title',
  title,
  '--description',
  'd',
  '--image',
  'https://example.com/a.png',
  '--link',
  'https://example.com',
];
const timeout = 120_000;

test('a terminal signs in through the loopback address, works, and signs out', { timeout }, async () => {
  const shell = new Shell(['login', '--name', 'build-01']);
  const challenge = await readChallenge(shell);
  const { code, port } = await allow(challenge);
  // A wrong path, a wrong host and a wrong code change nothing.
  const base = `http://127.0.0.1:${port}`;
  expect((await fetch(`${base}/?code=${code}`)).status).toBe(404);
  expect((await fetch(`http://localhost:${port}/${challenge}?code=${code}`).catch(() => ({ status: 404 }))).status).toBe(404);
  expect((await fetch(`${base}/${challenge}?code=00000-00000-00000-00000`)).status).toBe(400);
  const page = await fetch(`${base}/${challenge}?code=${code}`);
  expect([page.status, new URL(page.url).pathname, await page.text()]).toEqual([
    200,
    '/done',
    expect.stringContaining('终端已登录'),
  ]);
  const signedIn = await shell.run;
  expect(signedIn).toMatchObject({ code: 0, json: { status: 'done', email: 'admin@demo.local' } });
  expect(signedIn.stderr).toContain('Couldn’t start a browser');

  const [file = ''] = readdirSync(state);
  expect(statSync(join(state, file)).mode & 0o777).toBe(0o600);
  const stored = JSON.parse(readFileSync(join(state, file), 'utf8')) as { authorization: string; cookie: { value: string } };
  for (const secret of [code, stored.authorization, stored.cookie.value])
    expect(signedIn.stdout + signedIn.stderr).not.toContain(secret);

  expect(await runShell(['news.add', ...newsFields('From a login')])).toMatchObject({ code: 0, json: { status: 'done' } });
  expect(await runShell(['whoami'])).toMatchObject({ code: 0, json: { email: 'admin@demo.local', by: 'login' } });
  const guarded = await runShell(['alarms.test', '--confirm']);
  expect(guarded).toMatchObject({ code: 3, json: { status: 'failed', code: 'NOT_HERE' } });

  expect(await runShell(['logout'])).toMatchObject({ code: 0, json: { email: 'admin@demo.local' } });
  expect(existsSync(join(state, file))).toBe(false);
  expect((await fetch(`${origin}/api/session`, { headers: { authorization: stored.authorization } })).status).toBe(401);
  expect(await runShell(['whoami'])).toMatchObject({ code: 7, json: { code: 'SIGNED_OUT' } });
  expect(await runShell(['news.add', ...newsFields('x')])).toMatchObject({ code: 7, json: { code: 'SIGNED_OUT' } });
});

test('a pasted code signs in, also after a wrong one, and the code of another terminal does not', { timeout }, async () => {
  const [mine, other] = [
    new Shell(['login', '--paste']),
    new Shell(['login', '--paste'], { PANEL_STATE: join(folder, 'other') }),
  ];
  const [myCode, otherCode] = [await allow(await readChallenge(mine)), await allow(await readChallenge(other))];
  expect(myCode.port).toBe(null);
  mine.type(otherCode.code);
  await expect.poll(() => mine.stderr).toContain('The code is wrong');
  mine.type(myCode.code.toLowerCase().replaceAll('-', ' '));
  expect(await mine.run).toMatchObject({ code: 0, json: { status: 'done' } });
  other.child.stdin?.end();
  expect(await other.run).toMatchObject({ code: 7, json: { code: 'CANCELED' } });
  expect(existsSync(join(folder, 'other'))).toBe(false);
});

test('five wrong codes end the login', { timeout }, async () => {
  const shell = new Shell(['login', '--paste']);
  await allow(await readChallenge(shell));
  for (let attempt = 1; attempt <= 5; attempt++) shell.type('00000-00000-00000-00000');
  expect(await shell.run).toMatchObject({ code: 7, json: { code: 'CODE_WRONG' } });
});

test('an ended session is deleted, and the message says to run panel login again', { timeout }, async () => {
  expect((await signInByPaste()).code).toBe(0);
  await fetch(`${origin}/api/account/sessions/end-others`, { method: 'POST', headers: browser, body: '{}' });
  const run = await runShell(['go.home']);
  expect(run).toMatchObject({ code: 7, json: { code: 'SIGNED_OUT' } });
  expect(run.stderr).toContain('Run panel login again');
  expect(readdirSync(state)).toEqual([]);
});

test('another login ends the session of the earlier one', { timeout }, async () => {
  expect((await signInByPaste()).code).toBe(0);
  const [file = ''] = readdirSync(state);
  const { authorization, cookie } = JSON.parse(readFileSync(join(state, file), 'utf8'));
  const earlier = { authorization, cookie: `${cookie.name}=${cookie.value}` };
  expect((await fetch(`${origin}/api/session`, { headers: earlier })).status).toBe(200);
  expect((await signInByPaste()).code).toBe(0);
  expect((await fetch(`${origin}/api/session`, { headers: earlier })).status).toBe(401);
  expect(await runShell(['whoami'])).toMatchObject({ code: 0 });
});

test('a state file of another form is ignored, and one that others can read is replaced', { timeout }, async () => {
  expect((await signInByPaste()).code).toBe(0);
  const [file = ''] = readdirSync(state);
  writeFileSync(join(state, file), '{"authorization": 1}', { mode: 0o644 });
  expect(await runShell(['whoami'])).toMatchObject({ code: 7 });
  expect((await signInByPaste()).code).toBe(0);
  expect(statSync(join(state, file)).mode & 0o777).toBe(0o600);
});

test('a port in use, a panel that is down and wrong arguments each have their exit code', { timeout }, async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  expect(await runShell(['login', '--port', String(port)])).toMatchObject({ code: 2, json: { code: 'PORT_IN_USE' } });
  blocker.close();
  await once(blocker, 'close');
  expect(await runShell(['login', '--paste'], { PANEL_URL: `http://127.0.0.1:${port}` })).toMatchObject({
    code: 6,
    json: { code: 'UNREACHABLE' },
  });
  for (const args of [['--port', '80'], ['--port', 'x'], ['--name', 'a\u202Eb'], ['--name', ''], ['--else']])
    expect(await runShell(['login', ...args])).toMatchObject({ code: 2, json: { code: 'USAGE' } });
});

test('the program in BROWSER opens the address', { timeout }, async () => {
  const program = join(folder, 'browser.sh');
  writeFileSync(program, `#!/bin/sh\necho "$1" > ${join(folder, 'opened')}\n`, { mode: 0o755 });
  const shell = new Shell(['login'], { BROWSER: program });
  const challenge = await readChallenge(shell);
  await expect
    .poll(() => existsSync(join(folder, 'opened')) && readFileSync(join(folder, 'opened'), 'utf8'))
    .toContain(challenge);
  shell.child.kill('SIGTERM');
  await shell.run;
});
