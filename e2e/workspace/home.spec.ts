import { expect, test } from '../fixtures.ts';

test('home says what waits, and leads there by mouse or by keys', async ({ admin, page, db }) => {
  const { rows } = await db.query<{ count: string }>('select count(*) from feedback where not processed');
  await admin.signIn('editor', '/');
  const waiting = page.locator('[data-waiting="feedback"]');
  await expect(waiting).toContainText('未处理的反馈');
  await expect(waiting).toContainText(String(rows[0]?.count));
  await expect(page.locator('[data-waiting]')).toHaveCount(1); // nothing of screens the editor may not open
  await waiting.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/feedback\?processed=false/);
  await expect(page.getByRole('row').filter({ hasText: '未处理' }).first()).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '已处理' })).toHaveCount(0);
});

test('home says plainly when nothing waits, in English', { tag: '@long' }, async ({ admin, page, db }) => {
  await db.query('delete from feedback where not processed');
  await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
  await admin.signIn('editor', '/');
  await expect(page.getByText('Nothing waits for you right now.')).toBeVisible();
});

test('what cannot be read on home is read again by its button', { tag: '@long' }, async ({ admin, page }) => {
  await page.route(/rpc\/(home|overview)\//, (route) => route.fulfill({ status: 500, json: {} }));
  await admin.signIn('all', '/');
  const retry = page.getByRole('main').getByRole('alert').getByRole('button', { name: '重试' });
  await expect(retry).toHaveCount(2);
  await page.unrouteAll();
  await retry.last().click();
  await expect(page.locator('[data-figure]').first()).toBeVisible();
  await retry.click();
  await expect(page.locator('[data-waiting]').first()).toBeVisible();
});
