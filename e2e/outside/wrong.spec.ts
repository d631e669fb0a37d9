import { expect, test } from '@admin-panel/qa';
import { as } from './accounts.ts';

// Ten tests that fail on purpose; e2e/suites/package.spec.ts checks the report.

const params = { title: 't', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' };
const nobody = '00000000-0000-4000-8000-000000000000';

test('1 no such record', async ({ admin }) => {
  await admin.signIn('/news', as('editor'));
  await admin.run('news.edit', { targets: [nobody], params: { title: 'x' } });
});

test('2 a stale edit', async ({ admin, make }) => {
  await admin.signIn('/news', as('editor'));
  const news = await make.news();
  await admin.run('news.edit', { targets: [news], params: { title: 'Theirs' } });
  await admin.run('news.edit', { targets: [news], params: { title: 'Mine' } });
});

test('3 an unknown parameter', async ({ admin }) => {
  await admin.signIn('/news', as('editor'));
  await admin.runAny('news.add', { params: { ...params, titel: 'x' } });
});

test('4 a parameter that is missing', async ({ admin }) => {
  await admin.signIn('/news', as('editor'));
  await admin.runAny('news.add', { params: { title: 'x' } });
});

test('5 no right', async ({ admin }) => {
  await admin.signIn('/news', as('analyst'));
  await admin.run('news.add', { params });
});

test('6 no confirmation', async ({ admin, make }) => {
  await admin.signIn('/news', as('editor'));
  const news = await make.news();
  await admin.run('news.show', { targets: [news] });
});

test('7 nobody is signed in', async ({ admin }) => {
  await admin.open('/news');
});

test('8 a wrong password', async ({ admin }) => {
  await admin.signIn('/news', { ...as('editor'), password: 'not this one' });
});

test('9 keys on a screen where they do nothing', async ({ admin }) => {
  await admin.signIn('/feedback', as('editor'));
  await admin.key('news.add');
});

test('10 an error in the page', async ({ admin, page }) => {
  await admin.signIn('/news', as('editor'));
  await page.evaluate(() => console.error('the page complains'));
  expect(await admin.read('news', { limit: 1 })).toHaveLength(1);
});
