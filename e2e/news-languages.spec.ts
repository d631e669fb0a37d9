import type { Page } from 'playwright/test';
import { expect, test, type Admin } from './fixtures.ts';

const findRow = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const form = (page: Page) => page.getByRole('dialog');
const readTitles = async (admin: Admin, language: string) => {
  const response = await admin.page.request.get(`${admin.url}/public/news?limit=50&language=${language}`);
  return ((await response.json()) as { rows: { title: string }[] }).rows.map(({ title }) => title);
};

async function fillChineseForm(page: Page) {
  await form(page).getByLabel('标题').fill('双语新闻');
  await form(page).getByLabel('描述').fill('中文正文');
  await form(page).getByRole('textbox', { name: '图片地址' }).fill('https://www.example.com/picture.png');
  await form(page).getByRole('textbox', { name: '链接' }).fill('https://www.example.com/zh');
}

test('a person writes both texts by keyboard, previews them, and the website reads each language', async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  await admin.key('news.add');
  await fillChineseForm(page);
  const translationToggle = form(page).getByRole('button', { name: '译文' });
  await expect(translationToggle).toHaveAttribute('aria-expanded', 'false');
  await translationToggle.focus();
  await page.keyboard.press('Enter');
  await form(page).getByLabel('译文标题').fill('Bilingual news');
  await page.keyboard.press('Control+Enter');
  await expect(form(page).getByText('译文描述', { exact: false }).last()).toBeVisible();
  await expect(form(page).getByLabel('译文描述')).toBeFocused();
  await page.keyboard.type('English text');
  await page.keyboard.press('Control+Enter');
  const row = findRow(page, '双语新闻');
  await expect(row).toBeVisible();
  await expect(row).not.toContainText('缺英文');

  await admin.key('news.preview');
  const previewCard = page.locator('[data-card]');
  await expect(previewCard).toContainText('双语新闻');
  await page.getByRole('button', { name: '英文' }).click();
  await expect(previewCard).toContainText('Bilingual news');
  await expect(page.getByRole('dialog')).toContainText('状态为“不展示”，官网未展示');
  await page.keyboard.press('Escape');

  await admin.key('news.show');
  await page.getByRole('button', { name: /^展示/ }).last().click();
  await expect.poll(() => readTitles(admin, 'en')).toContain('Bilingual news');
  expect(await readTitles(admin, 'zh-CN')).toContain('双语新闻');

  await page.getByRole('textbox', { name: '搜索' }).fill('Bilingual');
  await expect(findRow(page, '双语新闻')).toBeVisible();
});

test('an item that the website shows in one language has a marker, and the English panel lists English titles', async ({
  admin,
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
  await admin.signIn('editor', '/news');
  const fields = { description: 'd', image: 'https://www.example.com/a.png', link: 'https://www.example.com/a' };
  await admin.run('news.add', {
    params: { ...fields, title: '已译', translatedTitle: 'Translated item', translatedDescription: 'd' },
  });
  const {
    done: [{ id }],
  } = await admin.run('news.add', { params: { ...fields, title: '未译' } });
  await expect(findRow(page, 'Translated item')).toBeVisible();
  await expect(findRow(page, '未译')).not.toContainText('No English');
  await admin.run('news.show', { targets: [id], confirm: true });
  await expect(findRow(page, '未译')).toContainText('No English');
  await expect(findRow(page, 'Translated item')).not.toContainText('No Chinese');
});

test('a scheduled item is shown from its moment on, set by mouse, and undo removes the period', async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  await page.getByRole('button', { name: '新增新闻' }).click();
  await fillChineseForm(page);
  await form(page).getByLabel('标题').fill('定时新闻');
  await form(page).getByRole('button', { name: '定时展示' }).click();
  await form(page).getByRole('textbox', { name: '开始展示时间' }).fill('2099-01-02 03:04');
  await form(page).getByRole('textbox', { name: '结束展示时间' }).fill('2099-01-01 00:00');
  await form(page).getByRole('button', { name: /^新增/ }).click();
  await expect(form(page).getByRole('textbox', { name: '结束展示时间' })).toHaveAttribute('aria-invalid', 'true');
  await form(page).getByRole('textbox', { name: '结束展示时间' }).fill('');
  await form(page).getByRole('button', { name: /^新增/ }).click();
  const row = findRow(page, '定时新闻');
  await expect(row).toContainText('不展示');
  await admin.key('news.show');
  await page.getByRole('button', { name: /^展示/ }).last().click();
  await expect(row).toContainText('未开始');
  expect(await readTitles(admin, 'zh')).not.toContain('定时新闻');

  await row.click();
  await admin.key('news.edit');
  await expect(form(page).getByRole('textbox', { name: '开始展示时间' })).toHaveValue('2099-01-02 03:04');
  await form(page).getByRole('textbox', { name: '开始展示时间' }).fill('');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => readTitles(admin, 'zh')).toContain('定时新闻');
  await page.keyboard.press('Control+z');
  await expect.poll(() => readTitles(admin, 'zh')).not.toContain('定时新闻');
});
