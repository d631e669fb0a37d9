import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixtures.ts';
import { accountEnv, runDeployed as run, runSpecText } from '../support/deployed.ts';

test('the kit controls a panel with only its address and an account', { tag: '@long' }, async ({ server }) => {
  test.setTimeout(120_000);
  const { code, output } = await run({ PANEL_URL: server.url, ...accountEnv('analyst@demo.local') });
  expect(output).toContain('3 passed');
  expect(code).toBe(0);
});

test('the kit reports a missing account or wrong password in words', { tag: '@long' }, async ({ server }) => {
  test.setTimeout(120_000);
  const wrongPasswordRun = await run(
    { PANEL_URL: server.url, PANEL_EMAIL: 'editor@demo.local', PANEL_PASSWORD: 'not this one at all' },
    '-g',
    'is offered',
  );
  expect(wrongPasswordRun.output).toContain('sign-in failed: SIGN_IN_FAILED');
  expect(wrongPasswordRun.code).not.toBe(0);
  const withoutAccountRun = await run({ PANEL_URL: server.url, PANEL_EMAIL: '', PANEL_PASSWORD: '' }, '-g', 'is offered');
  expect(withoutAccountRun.output).toContain('set PANEL_EMAIL and PANEL_PASSWORD');
});

test('the example in the manual runs as printed', { tag: '@long' }, async ({ server, db }) => {
  test.setTimeout(120_000);
  const manualText = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, exampleCode = ''] = /```ts\n(import [^\n]* from '@admin-panel\/qa';.*?)```/s.exec(manualText) ?? [];
  const { code, output } = await runSpecText(exampleCode, server.url, 'editor@demo.local');
  expect(output).toContain('1 passed');
  expect(code).toBe(0);
  const { rows } = await db.query(`select count(*)::int as runs from audit where command = 'news.delete'`);
  expect(rows).toEqual([{ runs: 1 }]);
});
