import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandBundle } from '../../scripts/setup.mjs';
import { longTest } from '../../scripts/suite/long-test.ts';
import { createStore } from '../../testing/factories/store.ts';
import { newServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import { administrators, serviceTokens, sessions } from '../platform/auth/tables.ts';
import { startServer, type ServerProcess } from '../testing/process.ts';
import { createTestDatabase } from '../testing/support.ts';

// A suite as a CI runs it: the shell with a service token, and no account.

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shell-token-test-')));
let server: ServerProcess;
let origin: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let token: { text: string; id: string };

beforeAll(async () => {
  database = await createTestDatabase();
  server = startServer(join(folder, 'data'), { DATABASE_URL: database.url, NEW_BROWSER_CODE: 'on', DEVNET: 'off' });
  origin = await server.ready;
  const [owner] = await database.db.select().from(administrators).where(eq(administrators.email, 'access@demo.local'));
  const stored = await createStore(database.db).serviceToken({
    owners: [owner?.id ?? ''],
    scopes: ['/news', 'news.add', 'news.delete', 'news.show'],
  });
  token = { text: stored.text, id: stored.token.id };
});

afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

interface ShellRun {
  code: number;
  stderr: string;
  results: { status?: string; code?: string; done?: readonly { id: string; version: number }[] }[];
}

function runShell(args: readonly string[], text = token.text): Promise<ShellRun> {
  const env = { PATH: process.env['PATH'], PANEL_URL: origin, PANEL_TOKEN: text, PANEL_STATE: join(folder, 'state') };
  return new Promise((resolve) => {
    execFile(process.execPath, [commandBundle, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({
        code: error ? Number(error.code ?? -1) : 0,
        stderr,
        results: stdout.startsWith('{\n')
          ? [JSON.parse(stdout)]
          : stdout
              .split('\n')
              .filter(Boolean)
              .map((line) => JSON.parse(line)),
      }),
    );
  });
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

test('a suite runs with a token only, without beginning a session or writing a state file', async () => {
  const added = await runShell(['news.add', ...newsFields('By a token')]);
  expect(added, added.stderr).toMatchObject({ code: 0, results: [{ status: 'done' }] });
  const [item] = added.results[0]?.done ?? [];
  const removed = await runShell(['news.delete', '--target', `${item?.id}@${item?.version}`, '--confirm']);
  expect(removed).toMatchObject({ code: 0, results: [{ status: 'done' }] });
  expect(await database.db.$count(sessions)).toBe(0);
  expect(existsSync(join(folder, 'state'))).toBe(false);
});

test('a batch with a token has the exit code of its first failure and a JUnit report without the token', async () => {
  const params = { title: 'Batch', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' };
  const lines = [
    { id: 'news.add', params },
    { id: 'notices.add', params: { content: 'x', link: 'https://example.com', platform: 'all' } },
  ];
  writeFileSync(join(folder, 'batch.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  const run = await runShell(['--batch', 'batch.jsonl', '--keep-going', '--junit', 'report.xml']);
  expect(run.results.map(({ status, code }) => [status, code])).toEqual([
    ['done', undefined],
    ['failed', 'NOT_PERMITTED'],
  ]);
  expect(run.code).toBe(3);
  const report = readFileSync(join(folder, 'report.xml'), 'utf8');
  expect(report).toContain('NOT_PERMITTED');
  expect(report + run.stderr + JSON.stringify(run.results)).not.toContain(token.text);
});

test('a function that asks a person for a second factor is only for people, also with the scope', async () => {
  const [item] = (await runShell(['news.add', ...newsFields('Stays hidden')])).results[0]?.done ?? [];
  expect(await runShell(['news.show', '--target', item?.id ?? '', '--confirm'])).toMatchObject({
    code: 3,
    results: [{ status: 'failed', code: 'NOT_FOR_SERVICES' }],
  });
});

longTest('an export with a token ends after its file is saved', async () => {
  const [owner] = await database.db.select().from(administrators).where(eq(administrators.email, 'access@demo.local'));
  const exporter = await createStore(database.db).serviceToken({
    owners: [owner?.id ?? ''],
    scopes: ['/statistics/dataView', 'visits.export'],
  });
  const run = await runShell(['visits.export'], exporter.text);
  expect(run, run.stderr).toMatchObject({ code: 0, results: [{ status: 'done' }] });
  expect(run.stderr).toMatch(/saved visits-\S+\.csv/);
  expect(readdirSync(folder).filter((name) => /^visits-.*\.csv$/.test(name))).toHaveLength(1);
});

test('an unknown, a misspelled and a revoked token are “not signed in”, with the reason only for the revoked one', async () => {
  const unknown = await runShell(['news.add', ...newsFields('x')], newServiceToken());
  expect(unknown).toMatchObject({ code: 7, results: [{ code: 'UNAUTHORIZED' }] });
  const misspelled = await runShell(['news.add', ...newsFields('x')], `${token.text.slice(0, -2)}__`);
  expect(misspelled).toMatchObject({ code: 7, results: [{ code: 'UNAUTHORIZED' }] });
  expect(misspelled.stderr).toContain('PANEL_TOKEN has a wrong checksum');
  expect(misspelled.stderr).not.toContain(token.text.slice(0, -2));
  await database.db
    .update(serviceTokens)
    .set({ revokedAt: new Date(), revokedReason: 'person' })
    .where(eq(serviceTokens.id, token.id));
  const revoked = await runShell(['news.add', ...newsFields('x')]);
  expect(revoked.code).toBe(7);
  expect([unknown.stderr.includes('revoked'), revoked.stderr.includes('revoked')]).toEqual([false, true]);
});
