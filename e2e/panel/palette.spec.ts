import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

// Covers server, reload and phone. src/commands/ui/palette/*.component.test.ts covers keys and
// mouse.

const input = (page: Page) => page.locator('[data-palette-input]');
const items = (page: Page) => page.locator('[data-palette] [role="option"]');
const row = (page: Page, value: string) => page.locator(`[data-palette] [data-row="${value}"]`);

test('a choice in the palette survives a reload', { tag: '@long' }, async ({ page, admin }) => {
  await admin.signIn('all', '/');
  await admin.palette('theme.set');
  await expect(items(page)).toHaveText(['浅色', '深色', '跟随系统', '高对比度']);
  await page.keyboard.type('深');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the palette is a bottom sheet with touch-sized rows on a phone', async ({ browser, server }) => {
  const context = await browser.newContext({
    viewport: { width: 375, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: 'zh-CN',
  });
  const page = await context.newPage();
  const { Admin } = await import('../fixtures.ts');
  const admin = new Admin(page, server.url);
  await admin.signIn('all', '/');
  await page.getByRole('toolbar').getByRole('button', { name: '命令', exact: true }).tap();
  await expect(input(page)).toBeVisible();
  const panel = await page.locator('[data-palette]').boundingBox();
  expect(Math.round((panel?.y ?? 0) + (panel?.height ?? 0))).toBe(740);
  expect(panel?.width).toBe(375);
  expect((await items(page).first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await row(page, 'go.feedback').tap();
  await expect(page).toHaveURL(/\/feedback$/);
  await context.close();
});

test('a link to a command opens its filled form on its screen, also after sign-in', async ({ page, admin, db }) => {
  const [news] = (await db.query(`select id, title from news order by time desc limit 1`)).rows;
  await page.goto(`${admin.url}/~news.edit?id=${news.id}&title=${encodeURIComponent('链接里的标题')}`);
  await page.waitForURL(`${admin.url}/login`);
  await page.getByLabel('邮箱').fill('editor@demo.local');
  await page.getByLabel('密码', { exact: true }).fill('demo-keys-open-doors');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${admin.url}/news`);
  const form = page.getByRole('dialog', { name: '编辑新闻' });
  await expect(form).toBeVisible();
  await expect(form.getByLabel('标题')).toHaveValue('链接里的标题');
  expect((await db.query(`select title from news where id = $1`, [news.id])).rows[0].title).toBe(news.title);
});
