import type { Locator, Page } from 'playwright/test';
import type { NewsRow } from '../api/news.ts';
import { expect, test, type Admin } from './fixtures.ts';

const fields = (title: string) => ({
  title,
  description: 'For the history',
  image: 'https://www.example.com/a.png',
  time: '2026-01-01T00:00:00.000Z',
  link: 'https://www.example.com/',
});
const add = (admin: Admin, title: string) => admin.run<NewsRow>('news.add', { params: fields(title) });
const dialog = (page: Page) => page.getByRole('dialog', { name: '操作记录' });
const rows = (page: Page): Locator => dialog(page).getByRole('row');

test('the history names what was done; an older step is undone by key, a moved record refuses plainly', async ({
  admin,
  page,
  db,
}) => {
  await admin.signIn('all', '/news');
  const first = await add(admin, '历史甲');
  const second = await add(admin, '历史乙');
  await admin.run('news.show', { targets: [first.id], confirm: true });
  await admin.run('news.show', { targets: [second.id], confirm: true });
  await admin.key('history.open');
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).first()).toBeFocused();
  await expect(rows(page).first()).toContainText('历史乙');
  await expect(rows(page).nth(2)).toContainText('标题: 历史乙');

  // An older one, by key: the newer stands as it was.
  await page.keyboard.press('j');
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press('u');
  await expect(rows(page).nth(1)).toHaveAttribute('data-undone', 'true');
  await expect(rows(page).first()).not.toHaveAttribute('data-undone');
  const shown = async (id: string) => (await db.query('select shown from news where id = $1', [id])).rows[0].shown;
  expect([await shown(first.id), await shown(second.id)]).toEqual([false, true]);

  // Somebody changes the other record meanwhile: what was done to it is not taken back over their head.
  await db.query('update news set version = version + 1 where id = $1', [second.id]);
  await page.keyboard.press('k');
  await page.keyboard.press('Control+z');
  await expect(page.locator('[data-toast="error"]')).toContainText('已被他人修改');
  await expect(rows(page).first()).not.toHaveAttribute('data-undone');
  expect(await shown(second.id)).toBe(true);
});

test('is filtered by typing, repeats through its form, and follows another tab', async ({ admin, page, context, db }) => {
  await admin.signIn('all', '/news');
  await add(admin, '历史丙');
  await admin.key('history.open');
  await expect(rows(page)).toHaveCount(1);
  const other = await context.newPage();
  await other.goto(`${admin.url}/news`);
  await other.waitForFunction(() => window.admin !== undefined);
  await other.evaluate((params) => window.admin?.run('news.add', { params }), fields('别处丁'));
  await other.close();
  await expect(rows(page)).toHaveCount(2);

  await page.keyboard.press('/');
  await page.keyboard.type('历史丙');
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: '新增新闻' });
  await expect(form.getByLabel('标题')).toHaveValue('历史丙');
  await form.getByLabel('标题').fill('历史丙二');
  await form.getByRole('button', { name: '新增新闻' }).click();
  await expect(form).toBeHidden();
  const added = await db.query('select title from news where title like $1 order by created_at', ['历史丙%']);
  expect(added.rows.map(({ title }) => title)).toEqual(['历史丙', '历史丙二']);
});
