import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../../scripts/suite/long-test.ts';
import { createStore, type Store } from '../../testing/factories/store.ts';
import { createKitFolder } from '../../testing/qa-folder.ts';
import { unzip } from '../../testing/unzip.ts';
import { audit } from '../platform/audit/tables.ts';
import { newServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import { administrators, serviceAccounts, serviceTokens, sessions } from '../platform/auth/tables.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';
import { createTestDatabase } from '../testing/support.ts';

// A QA suite of another team in Playwright, with the packed kit, PANEL_URL and PANEL_TOKEN: no account and no browser.

const exampleScopes = '/news news.add news.edit news.delete /notices notices.add notices.edit notices.delete'.split(' ');
const playwrightCli = join('node_modules', '@playwright', 'test', 'cli.js');

/** Each failed test starts a process of Playwright, and a busy machine starts few at a time. */
const timeout = 300_000;

let folder = '';
let server: ServerProcess;
let origin: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let store: Store;
let owner: string;

beforeAll(async () => {
  [folder, database] = await Promise.all([createKitFolder(), createTestDatabase()]);
  server = startServer(join(folder, 'data'), { DATABASE_URL: database.url, NEW_BROWSER_CODE: 'on', DEVNET: 'off' });
  origin = await server.ready;
  store = createStore(database.db);
  const [row] = await database.db.select().from(administrators).where(eq(administrators.email, 'access@demo.local'));
  owner = row?.id ?? '';
}, timeout);

afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

interface SuiteRun {
  code: number;
  output: string;
}

/** `npx playwright test` with nothing in its environment but these. The home folder has no browsers. */
function runSuite(token: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SuiteRun> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [playwrightCli, 'test', ...args],
      {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: home, PANEL_URL: origin, PANEL_TOKEN: token, ...env },
        maxBuffer: 1e8,
      },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr }),
    );
  });
}

const addToken = (scopes: readonly string[], overrides: Partial<typeof serviceTokens.$inferInsert> = {}) =>
  store.serviceToken({ owners: [owner], scopes }, overrides);

const wrongSuite = ['-c', 'token.config.ts', '--project', 'token-wrong'];

/** The text of every file below, also inside archives and the HTML report. */
function textsBelow(path: string): string[] {
  if (statSync(path).isDirectory()) return readdirSync(path).flatMap((name) => textsBelow(join(path, name)));
  const content = readFileSync(path);
  if (path.endsWith('.zip')) return unzip(content).map((file) => file.content.toString('latin1'));
  const [, embedded] = /data:application\/zip;base64,([\w+/=]+)/.exec(content.toString('latin1')) ?? [];
  const archived = embedded ? unzip(Buffer.from(embedded, 'base64')).map((file) => file.content.toString('latin1')) : [];
  return [content.toString('latin1'), ...archived];
}

test('a QA suite runs in Playwright with a token only, without a browser or a session', { timeout }, async () => {
  const { text, account, token } = await addToken(exampleScopes);
  const run = await runSuite(text, ['-c', 'example']);
  expect(run.output).toMatch(/5 passed/);
  expect(run.code).toBe(0);
  const junit = readFileSync(join(folder, 'example', 'junit.xml'), 'utf8');
  expect(junit).toMatch(/<testsuites [^>]*tests="5" failures="0" skipped="0" errors="0"/);
  expect(junit).toContain('name="an edit of an outdated news item is a conflict, with the current item"');
  expect(await database.db.$count(sessions)).toBe(0);
  expect(existsSync(join(folder, '.cache'))).toBe(false);
  const rows = await database.db.select().from(audit).where(eq(audit.actorId, account.id));
  expect(new Set(rows.map(({ command }) => command))).toEqual(
    new Set([null, 'news.add', 'news.edit', 'news.delete', 'notices.add', 'notices.delete']),
  );
  for (const { payload } of rows) expect(JSON.parse(payload)).toMatchObject({ token: token.id });
});

test('failures name the scope, and no report, trace or output has the token', { timeout }, async () => {
  const { text } = await addToken(exampleScopes.filter((scope) => scope !== 'news.add'));
  const run = await runSuite(text, wrongSuite);
  expect(run.code).toBe(1);
  for (const pattern of [
    /1: [^]*news\.add: NOT_PERMITTED: the token lacks the scope news\.add/,
    /2: [^]*news\.add: NOT_PERMITTED: the token lacks the scope news\.add/,
    /read airdrops: FORBIDDEN: the token lacks the scope for this/,
    /open: NOT_PERMITTED: this token has no screen \/audit/,
    /crsm\.repay: NOT_FOR_SERVICES: Only a person can do this/,
    /page: NEEDS_PAGE: this needs a page, and a page needs a person/,
  ])
    expect(run.output).toMatch(pattern);
  expect(readFileSync(join(folder, 'token-junit.xml'), 'utf8')).toMatch(/tests="6" failures="0" skipped="0" errors="6"/);

  const texts = ['token-results', 'token-html', 'token-junit.xml', 'token-report.json'].flatMap((name) =>
    textsBelow(join(folder, name)),
  );
  // The search finds what is in traces, attachments and the report's archive.
  expect(texts.filter((content) => content.includes('lacks the scope news.add')).length).toBeGreaterThan(4);
  expect(texts.some((content) => content.includes('"outcome": "NOT_PERMITTED"'))).toBe(true);
  const secret = text.slice('apanel_svc_'.length, -6);
  const encoded = Buffer.from(`Bearer ${text}`).toString('base64').slice(24, 60);
  for (const content of [run.output, server.output(), ...texts]) {
    expect(content.includes(secret)).toBe(false);
    expect(content.includes(encoded)).toBe(false);
  }
});

test('what needs a person is refused before a change, and everything else works as in a page', { timeout }, async () => {
  const { text } = await addToken([...exampleScopes, 'news.show', '/statistics/dataView', 'visits.export']);
  const run = await runSuite(text, ['-c', 'token.config.ts', '--project', 'token']);
  expect(run.output).toMatch(/5 passed/);
  expect(run.code).toBe(0);
});

longTest('messages are in the language of the suite', { timeout }, async () => {
  const { text } = await addToken([]);
  const run = await runSuite(text, [...wrongSuite, '-g', '5:'], { LOCALE: 'zh-CN' });
  expect(run.output).toMatch(/crsm\.repay: NOT_FOR_SERVICES: 服务账号不能执行该操作/);
});

interface BadToken {
  name: string;
  make: () => Promise<string> | string;
  message: RegExp;
  env?: Readonly<Record<string, string>>;
}
const badTokens: readonly BadToken[] = [
  {
    name: 'expired',
    make: async () => (await addToken(exampleScopes, { expiresAt: new Date(Date.now() - 1_000) })).text,
    message: /UNAUTHORIZED: PANEL_TOKEN has expired\. Add a token/,
  },
  {
    name: 'revoked',
    make: async () => (await addToken(exampleScopes, { revokedAt: new Date(), revokedReason: 'person' })).text,
    message: /UNAUTHORIZED: PANEL_TOKEN was revoked\. Add a token/,
  },
  {
    name: 'of a disabled account',
    make: async () => {
      const { text, account } = await addToken(exampleScopes);
      await database.db.update(serviceAccounts).set({ enabled: false }).where(eq(serviceAccounts.id, account.id));
      return text;
    },
    message: /UNAUTHORIZED: PANEL_TOKEN has stopped, because its service account is disabled/,
  },
  {
    name: 'of another network',
    make: async () => (await addToken(exampleScopes, { networks: ['203.0.113.0/24'] })).text,
    message: /UNAUTHORIZED: PANEL_TOKEN isn’t allowed from this network/,
  },
  { name: 'unknown', make: () => newServiceToken(), message: /UNAUTHORIZED: PANEL_TOKEN is unknown to this panel/ },
  {
    name: 'with a wrong checksum',
    make: () => {
      const token = newServiceToken();
      return `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    },
    message: /UNAUTHORIZED: PANEL_TOKEN has a wrong checksum, so characters are missing or changed/,
  },
  {
    name: 'that no header can have',
    make: () => `${newServiceToken()}\nsecond line`,
    message: /UNAUTHORIZED: PANEL_TOKEN has a wrong checksum/,
  },
  { name: 'for provisioning', make: () => newServiceToken('scim'), message: /UNAUTHORIZED: PANEL_TOKEN is a provisioning token/ },
  { name: 'that is a password', make: () => 'demo-keys-open-doors', message: /PANEL_TOKEN isn’t the token of a service account/ },
  {
    name: 'of a panel that can’t be reached',
    make: async () => (await addToken(exampleScopes)).text,
    env: { PANEL_URL: 'http://127.0.0.1:9' },
    message: /UNREACHABLE: can’t reach the panel at http:\/\/127\.0\.0\.1:9/,
  },
];

for (const { name, make, message, env } of badTokens)
  longTest(`a token ${name} fails a suite with one clear message`, { timeout }, async () => {
    const token = await make();
    const run = await runSuite(token, [...wrongSuite, '-g', '1:'], env);
    expect(run.code).toBe(1);
    expect(run.output).toMatch(message);
    const junit = readFileSync(join(folder, 'token-junit.xml'), 'utf8');
    expect(junit).toMatch(/tests="1" failures="0" skipped="0" errors="1"/);
    expect(junit).toMatch(message);
    const texts = ['token-results', 'token-html', 'token-report.json'].flatMap((path) => textsBelow(join(folder, path)));
    const secret = token.replace(/^apanel_[a-z]+_/, '').slice(0, 20);
    for (const content of [run.output, junit, ...texts]) expect(content.includes(secret)).toBe(false);
  });

longTest('a token that ends during a suite fails the next call with the reason', { timeout }, async () => {
  const { text, token, account } = await addToken(exampleScopes);
  const { db } = database;
  const running = runSuite(text, ['-c', 'token.config.ts', '--project', 'token-ended']);
  await waitUntil(async () => (await db.$count(audit, and(eq(audit.actorId, account.id), eq(audit.command, 'news.add')))) > 0);
  await db.update(serviceTokens).set({ revokedAt: new Date(), revokedReason: 'person' }).where(eq(serviceTokens.id, token.id));
  const run = await running;
  expect(run.code).toBe(1);
  expect(run.output).toMatch(/get news on \S+: UNAUTHORIZED: PANEL_TOKEN was revoked\. Add a token/);
});
