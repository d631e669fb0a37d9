import { expect, test } from './fixtures.ts';
import { axeViolations } from './support/axe.ts';

test.describe('help', () => {
  test('opens at the page of the screen, from the header, the account menu and the list of shortcuts', async ({
    admin,
    page,
  }) => {
    const pageErrors: string[] = [];
    page.on('console', (message) => message.text().includes('Content Security Policy') && pageErrors.push(message.text()));
    await admin.signIn('editor', '/news');
    await page.getByRole('link', { name: '帮助' }).click();
    await expect(page).toHaveURL(/\/help\/news$/);
    await expect(page.getByRole('heading', { name: '新闻', level: 1 })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);

    await admin.open('/feedback');
    await page.getByRole('button', { name: /^账户/ }).click();
    await page.getByRole('menuitem', { name: '帮助' }).click();
    await expect(page.getByRole('heading', { name: '反馈', level: 1 })).toBeVisible();

    await admin.open('/notices');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('button', { name: '打开帮助' }).click();
    await expect(page.getByRole('heading', { name: '公告', level: 1 })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(pageErrors).toEqual([]);
  });

  test('is found in the palette by title, heading, pinyin and other words, and opens at the heading', async ({ admin, page }) => {
    await admin.signIn('analyst', '/');
    const expectFound = async (query: string, title: string) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(query);
      await expect(page.locator('[data-row^="help:"]').filter({ hasText: title }).first()).toBeVisible();
    };
    await expectFound('撤销较早', '撤销较早的操作');
    await page.locator('[data-row="help:/help/changes#history"]').click();
    await expect(page).toHaveURL(/\/help\/changes#history$/);
    await expect(page.getByRole('heading', { name: '撤销较早的操作' })).toBeFocused();
    await expectFound('enroll a signing', '注册签署密钥');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expectFound('wsmbnqs', '为什么不能签署');
    await page.locator('[data-row="help:/help/deposits#why-not"]').click();
    await expect(page.getByRole('heading', { name: '为什么不能签署' })).toBeFocused();
  });

  test('shows the person’s own keys', async ({ admin, page }) => {
    await admin.signIn('editor', '/help/news');
    const step = page.getByRole('listitem').filter({ hasText: '新增新闻' }).first();
    await expect(step.locator('kbd')).toHaveText(/C$/);
    await page.evaluate(() => localStorage.setItem('prefs.keys', JSON.stringify({ 'news.add': ['alt+9'] })));
    await page.reload();
    await expect(step.locator('kbd')).toContainText('Alt');
    await page.evaluate(() => localStorage.setItem('prefs.keys', JSON.stringify({ 'news.add': [] })));
    await page.reload();
    await expect(step).toBeVisible();
    await expect(step.locator('kbd')).toHaveCount(0);
  });

  test('is read by keyboard, in English and on a phone', async ({ admin, page }) => {
    await admin.signIn('approver', '/selfCustody/deposit');
    await page.keyboard.press('g');
    await page.keyboard.press('?');
    await expect(page).toHaveURL(/\/help\/deposits$/);
    await page.getByRole('link', { name: '存款', exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: '提现与退款', level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name: '提现与退款' })).toBeFocused();
    await admin.run('language.switch');
    await expect(page.getByRole('heading', { name: 'Withdrawals and refunds', level: 1 })).toBeVisible();
    await page.setViewportSize({ width: 375, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    expect(await axeViolations(page, { include: ['main'] })).toEqual([]);
  });

  test('names a page that does not exist, and leads from a screen’s address to its page', async ({ admin, page }) => {
    await admin.signIn('analyst', '/');
    await page.goto(new URL('/help/selfCustody/authority#freeze', page.url()).href);
    await expect(page).toHaveURL(/\/help\/custody#freeze$/);
    await expect(page.getByRole('heading', { name: '暂停和恢复资金操作' })).toBeFocused();
    await page.goto(new URL('/help/nothing', page.url()).href);
    await expect(page.getByRole('heading', { name: '没有此帮助页' })).toBeVisible();
  });
});
