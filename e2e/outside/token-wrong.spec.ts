import { test, type CommandAdmin } from '@admin-panel/qa/pageless';

// Tests that fail on purpose. server/suites/qa-token.test.ts checks what the reports say.

const params = { title: 't', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' };

test('1: a command in the token’s scopes', async ({ admin, make }) => {
  await admin.signIn('/news');
  await make.news();
});

test('2: a command without its scope', async ({ admin }) => {
  await admin.run('news.add', { params });
});

test('3: a list without its scope', async ({ admin }) => {
  await admin.read('airdrops');
});

test('4: a screen without its scope', async ({ admin }) => {
  await admin.signIn('/audit');
});

test('5: a command that needs a person', async ({ admin }) => {
  await admin.runAny('crsm.repay', { params: { amount: '1' }, confirm: true });
});

test('6: a page', async ({ page }: { page?: unknown } & { admin: CommandAdmin }) => {
  throw new Error(`there is a page: ${String(page)}`);
});
