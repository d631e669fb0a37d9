import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

test.use({
  serverEnv: {
    SSO_ISSUER: 'http://127.0.0.1:9',
    SSO_CLIENT_ID: 'panel',
    SSO_NAME: 'Acme',
    SSO_GROUPS_CLAIM: 'groups',
    SCIM: 'on',
  },
});

const form = (page: Page) => page.locator('[role=dialog][aria-modal=true]');

const texts = {
  'zh-CN': { title: '单点登录与同步', add: '新增组映射', role: '内容编辑', token: '新增同步令牌', revoked: '已吊销' },
  'en-US': {
    title: 'Single sign-on',
    add: 'Add group mapping',
    role: 'Content editor',
    token: 'Add provisioning token',
    revoked: 'Revoked',
  },
} as const;

for (const locale of ['zh-CN', 'en-US'] as const)
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('a group mapping and a provisioning token are added, changed and ended by keyboard alone', async ({ admin, page }) => {
      const { keyboard } = page;
      await admin.signIn('all', '/');
      await keyboard.press('g');
      await keyboard.press('k');
      await expect(page).toHaveURL(/\/permissions\/identity/);
      await expect(page.getByRole('heading', { level: 1, name: texts[locale].title })).toBeVisible();
      await expect(page.locator('[data-provider]')).toContainText('http://127.0.0.1:9');
      await expect(page.locator('[data-provisioning]')).toContainText('/scim/v2');

      await admin.key('identity.addMapping');
      await expect(form(page).getByRole('heading', { name: texts[locale].add })).toBeVisible();
      await form(page).getByRole('textbox').focus();
      await keyboard.insertText('newsroom');
      await form(page).getByRole('combobox').focus();
      await keyboard.press('ArrowDown');
      await expect(page.getByRole('option').first()).toBeVisible();
      await keyboard.press('Home');
      await keyboard.press('Enter');
      await expect(form(page).getByRole('combobox')).toContainText(texts[locale].role);
      await keyboard.press('Control+Enter');
      await expect(form(page)).toHaveCount(0);
      const mapping = page.locator('[data-mapping]').filter({ hasText: 'newsroom' });
      await expect(mapping).toBeVisible();

      await mapping.locator('[data-command="identity.deleteMapping"]').press('Enter');
      await page.getByRole('alertdialog').getByRole('button').last().press('Enter');
      await expect(mapping).toHaveCount(0);

      await admin.key('identity.addScimToken');
      await expect(form(page).getByRole('heading', { name: texts[locale].token })).toBeVisible();
      await keyboard.insertText('Acme provisioning');
      await keyboard.press('Control+Enter');
      const newToken = page.locator('[data-new-token]');
      await expect(newToken).toBeVisible();
      const token = (await newToken.textContent()) ?? '';
      expect(token).toMatch(/^apanel_scim_[0-9A-Za-z]{46}$/);
      await page.getByRole('alertdialog').getByRole('button').last().press('Enter');
      await expect(newToken).toHaveCount(0);
      expect(await page.content()).not.toContain(token);
      const scim = await fetch(`${admin.url}/scim/v2/ServiceProviderConfig`, { headers: { authorization: `Bearer ${token}` } });
      expect(scim.status).toBe(200);

      await page.locator('[data-token]').first().getByRole('button').press('Enter');
      await page.getByRole('alertdialog').getByRole('button').last().press('Enter');
      await expect(page.locator('[data-token]').first().locator('[data-chip]')).toHaveText(texts[locale].revoked);
    });
  });
