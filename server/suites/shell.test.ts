import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandBundle } from '../../scripts/setup.mjs';
import { cookieStoreOf } from '../../qa/kit/sign-in.ts';
import { startServer, type ServerProcess } from '../testing/process.ts';
import { createTestDatabase } from '../testing/support.ts';
import { demoPassword } from '../seed/roles.ts';
import { longTest } from '../../scripts/suite/long-test.ts';

// Runs `npm run command` as a separate process against a real server.

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shell-test-')));
let server: ServerProcess;
let origin: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  server = startServer(join(folder, 'data'), { DATABASE_URL: database.url, NEW_BROWSER_CODE: 'on', DEVNET: 'off' });
  origin = await server.ready;
});

afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

interface CommandRun {
  code: number;
  lines: Record<string, unknown>[];
  said: string;
  json: { status?: string; code?: string; issues?: unknown; message?: string; done?: readonly unknown[] };
}

function runCommand(
  email: string,
  args: readonly string[],
  { env = {}, input }: { env?: Record<string, string>; input?: string } = {},
): Promise<CommandRun> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [commandBundle, ...args],
      {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          PANEL_URL: origin,
          PANEL_EMAIL: email,
          ...(input === undefined && { PANEL_PASSWORD: demoPassword }),
          PANEL_STATE: join(folder, 'state'),
          ...env,
        },
      },
      (error, stdout, stderr) =>
        resolve({
          code: error ? Number(error.code ?? -1) : 0,
          said: stderr,
          json: stdout.startsWith('{\n') ? JSON.parse(stdout) : {},
          lines: stdout.startsWith('{"')
            ? stdout
                .trim()
                .split('\n')
                .map((line) => JSON.parse(line))
            : [],
        }),
    );
    child.stdin?.end(input ?? '');
  });
}

const queryRows = async (query: string, ...values: unknown[]) => (await database.pool.query(query, values)).rows;
const newsArguments = [
  '--title',
  'From a shell',
  '--description',
  'd',
  '--image',
  'https://example.com/a.png',
  '--link',
  'https://example.com',
];
const editorEmail = 'editor@demo.local';
let addedItem: { id: string; version: number };

/** Confirms this device with the mailed code, once per account. */
async function signInFirstTime(email: string): Promise<void> {
  const firstRun = await runCommand(email, ['go.home']);
  expect(firstRun).toMatchObject({
    code: 7,
    json: { code: 'CODE_REQUIRED' },
    said: expect.stringContaining(`mailed a code to ${email}`),
  });
  const [mail] = await queryRows(`select subject from mails where recipient = $1 order by created_at desc limit 1`, email);
  const code = /(\d{6})$/.exec(mail.subject)?.[1] ?? '';
  expect(await runCommand(email, ['go.home'], { env: { PANEL_CODE: code } })).toMatchObject({ code: 0 });
}

test('a shell command asks for the mailed code once, and is audited with person and command', async () => {
  await signInFirstTime(editorEmail);
  const addRun = await runCommand(editorEmail, ['news.add', ...newsArguments, '--password-stdin'], {
    input: `${demoPassword}\n`,
  });
  expect(addRun).toMatchObject({
    code: 0,
    json: { status: 'done', done: [{ title: 'From a shell', shown: false }], failed: [] },
  });
  addedItem = addRun.json.done?.[0] as typeof addedItem;
  expect(await queryRows(`select actor_email, command, route from audit where entity_id = $1`, addedItem.id)).toEqual([
    { actor_email: editorEmail, command: 'news.add', route: 'news.add' },
  ]);
  const openSessions = await queryRows(
    `select count(*)::int as open from sessions join administrators a on a.id = administrator_id where a.email = $1 and revoked_at is null`,
    editorEmail,
  );
  expect(openSessions).toEqual([{ open: 0 }]); // it leaves nothing open behind it
});

test('a shell command without permission is refused and writes nothing', async () => {
  await signInFirstTime('analyst@demo.local');
  const rowsBefore = await queryRows('select count(*) from news');
  expect(await runCommand('analyst@demo.local', ['news.add', ...newsArguments])).toMatchObject({
    code: 3,
    json: { code: 'NOT_PERMITTED' },
  });
  expect(await queryRows('select count(*) from news')).toEqual(rowsBefore);
});

longTest('a shell command that asks is refused until it is confirmed', async () => {
  expect(await runCommand(editorEmail, ['news.delete', '--target', addedItem.id])).toMatchObject({
    code: 3,
    json: { code: 'UNCONFIRMED' },
  });
  expect(await queryRows('select id from news where id = $1', addedItem.id)).toHaveLength(1);
});

longTest(
  'a wrong shell value is reported with its field and the form’s rule, and a wrong name or visible secret is not sent',
  async () => {
    expect(await runCommand(editorEmail, ['news.add', ...newsArguments.slice(0, -1), 'javascript:alert(1)'])).toMatchObject({
      code: 2,
      json: { code: 'INVALID', issues: [{ path: 'link', rule: 'url' }] },
    });
    expect(await runCommand(editorEmail, ['news.add', '--titel', 'x'])).toMatchObject({
      code: 2,
      json: { code: 'USAGE' },
      said: expect.stringContaining('no parameter titel'),
    });
    expect(await runCommand(editorEmail, ['administrators.add', '--password', 'x'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('PANEL_PARAM_PASSWORD'),
    });
  },
);

longTest('a shell command on a record that someone changed since is a conflict and overwrites nothing', async () => {
  const editNews = (title: string) =>
    runCommand(editorEmail, ['news.edit', '--target', `${addedItem.id}@${addedItem.version}`, '--title', title]);
  expect(await editNews('First')).toMatchObject({ code: 0, json: { done: [{ title: 'First' }] } });
  expect(await editNews('Second')).toMatchObject({
    code: 4,
    json: { code: 'CONFLICT', current: { title: 'First' }, requestId: expect.stringMatching(/./) },
  });
  expect(await queryRows('select title from news where id = $1', addedItem.id)).toEqual([{ title: 'First' }]);
});

longTest('a shell error before the command is one line of JSON with its own exit code', async () => {
  const unreachableOrigin = 'http://127.0.0.1:61321'; // unused: Linux assigns no ports above 60999
  expect(await runCommand(editorEmail, ['go.home'], { env: { PANEL_URL: unreachableOrigin } })).toMatchObject({
    code: 6,
    said: `can’t reach the panel at ${unreachableOrigin} (ECONNREFUSED). Check PANEL_URL\n`,
    json: { status: 'failed', code: 'UNREACHABLE' },
  });
  expect(await runCommand(editorEmail, ['go.home'], { env: { PANEL_PASSWORD: 'not this one at all' } })).toMatchObject({
    code: 7,
    said: expect.stringMatching(/^sign-in failed: SIGN_IN_FAILED \(wrong email or password.*\n$/),
    json: { code: 'SIGN_IN_FAILED' },
  });
  expect(
    await runCommand(editorEmail, ['go.home', '--password-stdin'], { env: { PANEL_PASSWORD: '' }, input: '' }),
  ).toMatchObject({
    code: 2,
    said: '--password-stdin: standard input is empty\n',
    json: { code: 'USAGE' },
  });
  const passwordInput = { env: { PANEL_PASSWORD: '' }, input: `${demoPassword}\n` };
  expect(await runCommand(editorEmail, ['go.home', '--password-stdin'], passwordInput)).toMatchObject({ code: 0 });
});

longTest('a shell batch runs in one session, stops at the first failure, and writes a report for a build server', async () => {
  const batchLines = [
    { id: 'go.home' },
    { id: 'news.show', targets: [{ id: addedItem.id, version: 1 }], confirm: true },
    { id: 'go.home' },
  ].map((line) => JSON.stringify(line));
  const file = join(folder, 'batch.jsonl');
  const reportFile = join(folder, 'junit.xml');
  writeFileSync(file, batchLines.join('\n'));
  const stoppedRun = await runCommand(editorEmail, ['--batch', file, '--junit', reportFile]);
  expect(stoppedRun.code).toBe(4); // the version is outdated
  expect(stoppedRun.lines.map(({ line, id, status }) => [line, id, status])).toEqual([
    [1, 'go.home', 'done'],
    [2, 'news.show', 'failed'],
  ]);
  expect(readFileSync(reportFile, 'utf8')).toMatch(/<testsuite name="panel" tests="2" failures="1">[^]*<failure type="CONFLICT"/);
  expect((await runCommand(editorEmail, ['--batch', file, '--keep-going'])).lines).toHaveLength(3);
  writeFileSync(file, '{"id":"news.shw"}');
  expect(await runCommand(editorEmail, ['--batch', file])).toMatchObject({
    code: 2,
    said: '--batch, line 1: unknown command news.shw. List commands with --list\n',
  });
});

const stepMs = 30_000;

async function enrollFactor(email: string): Promise<string> {
  const sessionStore = cookieStoreOf(origin, email, { PANEL_STATE: join(folder, 'state') }).read();
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    cookie: `${sessionStore?.name}=${sessionStore?.value}`,
  };
  const callPanel = async (path: string, body: unknown) => {
    const response = await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status, path).toBe(200);
    headers['cookie'] = [headers['cookie'], ...response.headers.getSetCookie().map((line) => line.split(';')[0])].join('; ');
    return (await response.json()) as Record<string, string>;
  };
  headers['authorization'] = (await callPanel('/session', { email, password: demoPassword }))['authorization'] ?? '';
  const { secret = '' } = await callPanel('/account/totp/start', {});
  // Uses the previous code, which is still valid, to keep the current one for the next step.
  const remainingMs = stepMs - (Date.now() % stepMs);
  if (remainingMs < 5_000) await sleep(remainingMs);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() - stepMs });
  await callPanel('/account/totp', { code });
  return secret;
}

longTest(
  'a shell command saves a file without overwriting, and reads a file, with an authenticator app',
  { timeout: 120_000 },
  async () => {
    const email = 'admin@demo.local';
    await signInFirstTime(email);
    const templateFile = /^saved (\S+)$/m.exec((await runCommand(email, ['points.importTemplate'])).said)?.[1] ?? '';
    expect(readdirSync(folder)).toContain(templateFile);
    expect(await runCommand(email, ['points.importTemplate'])).toMatchObject({
      code: 1,
      said: expect.stringContaining('EEXIST'),
    });
    const secret = await enrollFactor(email);
    expect(await runCommand(email, ['go.home'])).toMatchObject({
      code: 7,
      json: { code: 'FACTOR_REQUIRED' },
      said: expect.stringContaining('PANEL_TOTP'),
    });
    const csvFile = join(folder, 'points.csv');
    writeFileSync(csvFile, 'address,berries,reason\n0x00000000000000000000000000000000000000aa,5,Quiz\n');
    const importRun = await runCommand(email, ['points.import', '--file', csvFile], { env: { PANEL_TOTP: secret } });
    expect(importRun).toMatchObject({
      code: 0,
      json: { done: [{ good: 1, bad: 0 }] },
      said: expect.stringContaining('/points?'),
    });
  },
);
