import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

const form = (page: Page) => page.locator('[role=dialog][aria-modal=true]');
const findNode = (page: Page, text: string) => page.getByRole('treeitem').filter({ hasText: text });

const recordMouse = (page: Page) =>
  page.addInitScript(() => {
    for (const kind of ['mousedown', 'pointerdown', 'click'])
      addEventListener(
        kind,
        (event) => event instanceof MouseEvent && event.detail > 0 && document.documentElement.setAttribute('data-mouse', kind),
        true,
      );
  });

const texts = {
  'zh-CN': { description: '描述', add: '新增服务账号', token: '新增令牌', replaced: '已轮换，即将失效', revoked: '已吊销' },
  'en-US': {
    description: 'Description',
    add: 'Add service account',
    token: 'Add token',
    replaced: 'Rotated, ends soon',
    revoked: 'Revoked',
  },
} as const;

for (const locale of ['zh-CN', 'en-US'] as const)
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('a token is added, shown once, used, rotated and revoked by keyboard alone', async ({ admin, page }) => {
      const { keyboard } = page;
      const name = `ci-${locale.toLowerCase()}`;
      await recordMouse(page);
      await admin.signIn('all', '/');
      await keyboard.press('g');
      await keyboard.press('v');
      await expect(page).toHaveURL(/\/permissions\/service/);
      await expect(page.locator('main')).toBeVisible();
      await admin.key('services.add');
      await expect(form(page).getByRole('heading', { name: texts[locale].add })).toBeVisible();
      await keyboard.insertText(name);
      await form(page).getByLabel(texts[locale].description).focus();
      await keyboard.type('Publishes news');
      await form(page).getByRole('combobox').focus();
      await keyboard.type('access@demo');
      await expect(form(page).getByRole('option')).toHaveCount(1);
      await keyboard.press('Enter');
      await keyboard.press('Control+Enter');
      await expect(form(page)).toHaveCount(0);
      await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible();

      await page.getByRole('row').filter({ hasText: name }).press('Enter');
      const record = page.locator('[data-record]');
      await expect(record).toBeVisible();
      await admin.key('services.addToken');
      await expect(form(page).getByRole('heading', { name: texts[locale].token })).toBeVisible();
      await keyboard.insertText('night job');
      await form(page).getByRole('searchbox').first().focus();
      await keyboard.type('news.add');
      await keyboard.press('Enter');
      await expect(findNode(page, 'news.add')).toHaveAttribute('aria-checked', 'true');
      await keyboard.press('Control+Enter');
      const newToken = page.locator('[data-new-token]');
      await expect(newToken).toBeVisible();
      const token = (await newToken.textContent()) ?? '';
      expect(token).toMatch(/^apanel_svc_[0-9A-Za-z]{46}$/);
      const response = await fetch(`${admin.url}/api/session`, { headers: { authorization: `Bearer ${token}` } });
      expect(await response.json()).toMatchObject({ email: `service:${name}` });
      await keyboard.press('Escape');
      await expect(newToken).toBeVisible();
      const closeToken = async () => {
        await page.getByRole('alertdialog').getByRole('button').last().press('Enter');
        await expect(newToken).toHaveCount(0);
      };
      await closeToken();
      expect(await page.content()).not.toContain(token);

      await record.locator('[data-token]').getByRole('button').first().press('Enter');
      await expect(form(page).locator(':text("night job"), [value*="night job"]').first()).toBeVisible();
      await keyboard.press('Control+Enter');
      await expect(newToken).toBeVisible();
      await closeToken();
      await expect(record.getByText(texts[locale].replaced)).toBeVisible();

      await record.locator('[data-token]').last().getByRole('button').last().press('Enter');
      await page.getByRole('alertdialog').getByRole('button').last().press('Enter');
      await expect(record.getByText(texts[locale].revoked, { exact: true }).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.hasAttribute('data-mouse'))).toBe(false);
    });
  });
