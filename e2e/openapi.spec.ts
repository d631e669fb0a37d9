import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { axeViolations } from './support/axe.ts';

const readFocusedOperation = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['operation']);

test('a route is found and read by keyboard only', async ({ admin, page }) => {
  const pageErrors: string[] = [];
  page.on('console', (message) => message.text().includes('Content Security Policy') && pageErrors.push(message.text()));
  await admin.signIn('analyst', '/news');
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page).toHaveURL(/\/api\/docs$/);
  await expect(page.getByRole('heading', { name: '接口文档' })).toBeVisible();
  await expect(page.locator('summary[data-operation="news.add"]')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('put news');
  await expect(page.locator('summary[data-operation]')).toHaveCount(1);
  await page.keyboard.press('Enter');
  expect(await readFocusedOperation(page)).toBe('news.edit');
  await page.keyboard.press('Enter');
  const openedOperation = page.locator('details[open]').filter({ has: page.locator('summary[data-operation="news.edit"]') });
  await expect(openedOperation.getByText('请求内容 (object)')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(openedOperation.getByRole('row', { name: 'title 是 string minLength 1, maxLength 200' })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  expect(pageErrors).toEqual([]);
});

test('the page is in English, opens from its address, and fits a phone', async ({ admin, page }) => {
  await admin.signIn('all', '/');
  await admin.run('language.switch');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(new URL('/api/docs', page.url()).href);
  await expect(page.getByRole('heading', { name: 'API reference' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'News Manage' })).toBeVisible();
  await page.locator('summary[data-operation="news.add"]').click();
  await page.getByText('Request body (object)').click();
  await expect(page.getByRole('cell', { name: 'title', exact: true })).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  expect(await axeViolations(page, { include: ['main'] })).toEqual([]);
});

test('without the permission there is neither a menu entry nor a page', async ({ admin, page }) => {
  await admin.signIn('editor', '/');
  await expect(page.locator('a[href="/news"]').first()).toBeVisible();
  await expect(page.locator('a[href="/api/docs"]')).toHaveCount(0);
  await expect(admin.open('/api/docs')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
});
