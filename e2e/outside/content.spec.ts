import { expect, test } from '@admin-panel/qa';
import { findAccount } from './accounts.ts';

test('an added news item is found by its title and read by its id', async ({ admin, make, page }) => {
  await admin.signIn('/news', findAccount('editor'));
  const news = await make.news();
  await expect(page.getByRole('row').filter({ hasText: news.title })).toBeVisible();
  expect(await admin.read('news', { filter: { q: news.title } })).toMatchObject([{ id: news.id, shown: false }]);
});

test('a shown item is on the website, and a hidden one is not', async ({ admin, make, page }) => {
  await admin.signIn('/news', findAccount('editor'));
  const news = await make.news();
  const readPublished = async () => await (await page.request.get(`${admin.url}/public/news`)).text();
  await admin.run('news.show', { targets: [news.id], confirm: true });
  expect(await readPublished()).toContain(news.title);
  await admin.run('news.hide', { targets: [news.id], confirm: true });
  expect(await readPublished()).not.toContain(news.title);
});

test('a person who edits a record that someone else has changed gets the current one', async ({ admin, make }) => {
  await admin.signIn('/news', findAccount('editor'));
  const news = await make.news();
  await admin.run('news.edit', { targets: [news], params: { title: 'Theirs' } });
  await expect(admin.run('news.edit', { targets: [news], params: { title: 'Mine' } })).rejects.toMatchObject({
    code: 'CONFLICT',
    current: { title: 'Theirs' },
  });
});

test('a notice is added by key', async ({ admin, page }) => {
  await admin.signIn('/notices', findAccount('editor'));
  await admin.key('notices.add');
  const content = `Typed ${Date.now()}`;
  const form = page.getByRole('dialog', { name: 'Add notice' });
  await form.getByLabel('Content').fill(content);
  await form.getByRole('textbox', { name: 'Link' }).fill('https://example.com');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('row').filter({ hasText: content })).toBeVisible();
  const [notice] = await admin.read('notices', { filter: { q: content } });
  await admin.run('notices.delete', { targets: [notice?.id ?? ''], confirm: true });
});

test('palette and button open the same form', async ({ admin, page }) => {
  await admin.signIn('/news', findAccount('editor'));
  const form = page.getByRole('dialog', { name: 'Add news' });
  await admin.palette('news.add');
  await expect(form).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await page.locator('[data-command="news.add"]').first().click();
  await expect(form).toBeVisible();
});

test('a command is undone and repeated', async ({ admin, make }) => {
  await admin.signIn('/news', findAccount('editor'));
  const news = await make.news();
  const readShown = async () => (await admin.get('news', news.id))?.shown;
  await admin.run('news.show', { targets: [news.id], confirm: true });
  await admin.run('history.undo');
  expect(await readShown()).toBe(false);
  await admin.runAny('history.repeat', { targets: [news.id], confirm: true });
  expect(await readShown()).toBe(true);
});

test('thirty records are shown in one command', async ({ admin, make }) => {
  test.setTimeout(120_000);
  await admin.signIn('/news', findAccount('editor'));
  const items = [];
  for (let count = 0; count < 30; count++) items.push(await make.news());
  const { done, failed } = await admin.run('news.show', { targets: items, confirm: true });
  expect([done.length, failed.length]).toEqual([30, 0]);
});

test('a visitor’s feedback is answered and processed', async ({ admin, make }) => {
  await admin.signIn('/feedback', findAccount('editor'));
  const feedback = await make.feedback({ content: 'Where is my deposit?' });
  await admin.run('feedback.reply', { targets: [feedback], params: { content: 'On its way.', processed: false } });
  await admin.run('feedback.process', { targets: [feedback.id], confirm: true });
  expect(await admin.get('feedback', feedback.id)).toMatchObject({ processed: true, replies: [{ content: 'On its way.' }] });
});
