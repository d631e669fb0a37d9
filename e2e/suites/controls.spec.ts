import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

test.use({ ownContext: true });

const dialog = (page: Page) => page.getByRole('dialog');

for (const hasTouch of [false, true])
  test.describe(hasTouch ? 'by touch' : 'by mouse', () => {
    test.use({ hasTouch, viewport: { width: 1000, height: 900 } });

    test('menu, calendar, list box, combobox and switch open, choose and close without a content policy violation', async ({
      admin,
      page,
    }) => {
      const press = (locator: ReturnType<Page['locator']>) => (hasTouch ? locator.tap() : locator.click());
      await admin.signIn('all', '/news');

      const account = page.getByRole('banner').getByRole('button', { name: /@/ });
      await press(account);
      await expect(page.getByRole('menu')).toBeVisible();
      await press(page.getByRole('heading', { level: 1 }));
      await expect(page.getByRole('menu')).toHaveCount(0);
      await press(account);
      await press(page.getByRole('menuitem', { name: '我的账户' }));
      await expect(page).toHaveURL(/\/account$/);
      await expect(page.getByRole('menu')).toHaveCount(0);

      await admin.open('/news');
      await admin.key('news.add');
      await press(dialog(page).getByRole('button', { name: '用日历选择时间' }));
      await press(page.locator('[data-calendar]').getByRole('button', { name: /-15$/ }));
      await press(page.locator('[data-calendar]').getByRole('button', { name: '18:00' }));
      await press(page.locator('[data-calendar]').getByRole('button', { name: '设定时间' }));
      await expect(page.locator('[data-calendar]')).toHaveCount(0);
      await expect(dialog(page).getByRole('textbox', { name: '时间' })).toHaveValue(/-15 18:00$/);

      await admin.open('/permissions/permission');
      await page.getByRole('tree').press('j');
      await page.keyboard.press('m');
      const box = dialog(page).getByRole('combobox');
      await press(box);
      await press(page.getByRole('option', { name: /公告管理/ }).first());
      await expect(box).toContainText('公告管理');
      await expect(page.getByRole('listbox')).toHaveCount(0);

      await admin.open('/permissions/administrator');
      await admin.key('administrators.add');
      const role = page.getByRole('option', { name: /只读分析员/ });
      await press(role);
      await expect(role).toHaveAttribute('aria-selected', 'true');
      await press(role);
      await expect(role).toHaveAttribute('aria-selected', 'false');

      await admin.open('/feedback');
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      await page.keyboard.press('j');
      await admin.key('feedback.reply');
      const switchControl = dialog(page).getByRole('switch');
      await expect(switchControl).toBeChecked();
      await press(switchControl);
      await expect(switchControl).not.toBeChecked();
    });
  });

test('a menu reports that its file failed to load, and opens on the next press once the file loads', async ({
  admin,
  page,
  complaints,
}) => {
  let isResponseBroken = true;
  await page.route(/\/assets\/menu-parts-/, (route) => (isResponseBroken ? route.abort() : route.fallback()));
  await admin.signIn('all', '/news');
  const account = page.getByRole('banner').getByRole('button', { name: /@/ });
  await account.click();
  await expect(page.getByText('Loading chunk failed')).toBeVisible();
  isResponseBroken = false;
  await account.click();
  await expect(page.getByRole('menu')).toBeVisible();
  complaints.splice(0);
});
