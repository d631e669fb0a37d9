import { expect, test } from '@admin-panel/qa';
import { findAccount } from './accounts.ts';

// Ten tests that fail on purpose; e2e/suites/package.spec.ts checks the report.

const params = { title: 't', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' };
const unknownId = '00000000-0000-4000-8000-000000000000';

test('1: an edit of a record that does not exist fails', async ({ admin }) => {
  await admin.signIn('/news', findAccount('editor'));
  await admin.run('news.edit', { targets: [unknownId], params: { title: 'x' } });
});

test('2: an edit of an outdated version fails', async ({ admin, make }) => {
  await admin.signIn('/news', findAccount('editor'));
  const news = await make.news();
  await admin.run('news.edit', { targets: [news], params: { title: 'Theirs' } });
  await admin.run('news.edit', { targets: [news], params: { title: 'Mine' } });
});

test('3: a command with an unknown parameter fails', async ({ admin }) => {
  await admin.signIn('/news', findAccount('editor'));
  await admin.runAny('news.add', { params: { ...params, titel: 'x' } });
});

test('4: a command without a required parameter fails', async ({ admin }) => {
  await admin.signIn('/news', findAccount('editor'));
  await admin.runAny('news.add', { params: { title: 'x' } });
});

test('5: a command without permission fails', async ({ admin }) => {
  await admin.signIn('/news', findAccount('analyst'));
  await admin.run('news.add', { params });
});

test('6: a command that needs a confirmation fails without it', async ({ admin, make }) => {
  await admin.signIn('/news', findAccount('editor'));
  const news = await make.news();
  await admin.run('news.show', { targets: [news] });
});

test('7: opening a screen without a session fails', async ({ admin }) => {
  await admin.open('/news');
});

test('8: signing in with a wrong password fails', async ({ admin }) => {
  await admin.signIn('/news', { ...findAccount('editor'), password: 'not this one' });
});

test('9: a shortcut of another screen fails', async ({ admin }) => {
  await admin.signIn('/feedback', findAccount('editor'));
  await admin.key('news.add');
});

test('10: a console error of the page fails the test', async ({ admin, page }) => {
  await admin.signIn('/news', findAccount('editor'));
  await page.evaluate(() => console.error('the page complains'));
  expect(await admin.read('news', { limit: 1 })).toHaveLength(1);
});
