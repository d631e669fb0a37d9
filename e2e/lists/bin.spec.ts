import { expect, test } from '../fixtures.ts';

test('an editor restores deleted news from the bin, which says who deleted it', async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  const params = {
    title: '误删的新闻',
    description: '说明',
    image: 'https://a.example/1.png',
    time: '2026-01-01T00:00:00.000Z',
    link: 'https://a.example/',
  };
  const {
    done: [{ id }],
  } = await admin.run('news.add', { params });
  await admin.run('news.delete', { targets: [id], confirm: true });

  await page.getByRole('button', { name: '已删除的新闻' }).click();
  await expect(page).toHaveURL(`${admin.url}/news?bin`);
  const row = page.locator('[data-bin] li').filter({ hasText: '误删的新闻' });
  await expect(row).toContainText('删除人：editor@demo.local');
  await row.getByRole('button', { name: '恢复' }).focus();
  await page.keyboard.press('Enter');
  const confirmDialog = page.getByRole('alertdialog');
  await expect(confirmDialog).toBeVisible();
  await confirmDialog.getByRole('button').last().focus();
  await page.keyboard.press('Enter');
  await expect(row).toHaveCount(0);
  await page.getByRole('link', { name: '返回列表' }).click();
  await expect(page.getByRole('row').filter({ hasText: '误删的新闻' })).toBeVisible();
});
