import { expect, test } from './fixtures.ts';

test('Home lists waiting work and opens it by mouse or keys', async ({ admin, page, db }) => {
  const { rows } = await db.query<{ count: string }>('select count(*) from feedback where not processed');
  await admin.signIn('editor', '/');
  const waitingCard = page.locator('[data-waiting="feedback"]');
  await expect(waitingCard).toContainText('未处理的反馈');
  await expect(waitingCard).toContainText(String(rows[0]?.count));
  await expect(page.locator('[data-waiting]')).toHaveCount(1);
  await waitingCard.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/feedback\?processed=false/);
  await expect(page.getByRole('row').filter({ hasText: '未处理' }).first()).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '已处理' })).toHaveCount(0);
});

test('Home offers the records that the person opened last, and does not repeat the menu', async ({ admin, page }) => {
  await admin.signIn('editor', '/feedback');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-peek]')).toBeVisible();
  const id = new URL(page.url()).searchParams.get('open');
  await admin.open('/');
  await expect(page.getByRole('main').getByRole('link', { name: '新闻管理' })).toHaveCount(0);
  await page.locator(`[data-recent-record="${id}"]`).click();
  await expect(page).toHaveURL(new RegExp(`/feedback\\?.*open=${id}`));
});

test(
  'failed and canceled mints are listed on Home, and its link shows only those',
  { tag: '@long' },
  async ({ admin, page, store }) => {
    for (const mintStatus of ['failed', 'canceled', 'canceled', 'closed'] as const)
      await store.deposit({ status: 'confirmed', mintStatus });
    await admin.signIn('approver', '/');
    await expect(page.locator('[data-waiting="failedMints"]')).toContainText('1');
    const waitingCard = page.locator('[data-waiting="canceledMints"]');
    await expect(waitingCard).toContainText('2');
    await waitingCard.getByRole('link').click();
    await expect(page).toHaveURL(/\/selfCustody\/deposit\?mintStatus=canceled/);
    await expect(page.locator('[data-mint="canceled"]')).toHaveCount(2);
    await expect(page.locator('[data-mint]')).toHaveCount(2);
  },
);

test('Home shows an empty state in English when nothing is waiting', { tag: '@long' }, async ({ admin, page, db }) => {
  await db.query('delete from feedback where not processed');
  await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
  await admin.signIn('editor', '/');
  await expect(page.getByText('Nothing is waiting for you.')).toBeVisible();
});

test('a part of Home that failed to load is loaded again by its button', { tag: '@long' }, async ({ admin, page }) => {
  await page.route(/rpc\/(home|overview)\//, (route) => route.fulfill({ status: 500, json: {} }));
  await admin.signIn('all', '/');
  const retryButton = page.getByRole('main').getByRole('alert').getByRole('button', { name: '重试' });
  await expect(retryButton).toHaveCount(2);
  await page.unrouteAll();
  await retryButton.last().click();
  await expect(page.locator('[data-figure]').first()).toBeVisible();
  await retryButton.click();
  await expect(page.locator('[data-waiting]').first()).toBeVisible();
});
