import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { axeViolations } from '../support/axe.ts';
import { okta } from '../../server/access/provisioning/fixtures.ts';

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

const statusTexts = {
  'zh-CN': {
    silent: '无响应',
    refused: '身份提供商无响应',
    turnOn: '开启账号同步',
    fromProvider: '由 Acme 授予',
    fromColleague: '由管理员授予',
    locked: '该角色由身份提供商授予',
    menu: ['发送关联链接', '停止账号同步', '采用同步的邮箱', '生成登记码'],
  },
  'en-US': {
    silent: 'Not responding',
    refused: 'The identity provider didn’t respond',
    turnOn: 'Turn on provisioning',
    fromProvider: 'From Acme',
    fromColleague: 'From a colleague',
    locked: 'The identity provider gives this role.',
    menu: ['Email single sign-on link', 'Turn off provisioning', 'Accept the provider’s email', 'Give enrollment code'],
  },
} as const;

for (const locale of ['zh-CN', 'en-US'] as const)
  test.describe(`with people of the provider, in ${locale}`, () => {
    test.use({ locale });

    test('the screen names a provider that is down, refused sign-ins and accounts to hand over', async ({
      admin,
      page,
      store,
    }) => {
      const scim = createScim(admin.url, (await store.provisioningToken()).text);
      const account = await store.person({ email: `held-${locale.toLowerCase()}@acme.example` });
      await scim('POST', '/Users', okta.newUser({ email: account.email, externalId: `held-${locale}` }));
      const start = await fetch(`${admin.url}/api/session/sso/start`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(start.status).toBe(401);

      await admin.signIn('all', '/permissions/identity');
      await expect(page.locator('[data-provider-health="CONNECTION"]')).toContainText(statusTexts[locale].silent);
      const refused = page.locator('[data-refused-sign-ins] > li').first();
      await expect(refused).toContainText(statusTexts[locale].refused);
      expect(await axeViolations(page)).toEqual([]);

      const conflict = page.locator('[data-conflict]').filter({ hasText: account.email });
      await conflict.getByRole('button', { name: statusTexts[locale].turnOn }).press('Enter');
      await page.getByRole('alertdialog').getByRole('button').last().press('Enter');
      await expect(conflict).toHaveCount(0);
      expect((await scim('GET', `/Users/${account.id}`)).id).toBe(account.id);

      await page.locator('a[href^="/audit?"]').click();
      await expect(page).toHaveURL(/\/audit\?/);
      await expect(page.getByRole('row').nth(1)).toBeVisible();

      await admin.open('/permissions/service');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
    });

    test('a record shows what the provider gave, offers the commands for it, and locks the provider’s roles', async ({
      admin,
      page,
      store,
      db,
    }) => {
      const scim = createScim(admin.url, (await store.provisioningToken()).text);
      const email = `ada-${locale.toLowerCase()}@acme.example`;
      const { id } = await scim('POST', '/Users', okta.newUser({ email, externalId: `ada-${locale}` }));
      const role = async (seed: string) =>
        (await db.query<{ id: string; name: string }>('select id, name from roles where seed = $1', [seed])).rows[0];
      const [editor, analyst] = [await role('editor'), await role('analyst')];
      await db.query(
        `insert into administrator_roles (administrator_id, role_id, given_by) values ($1, $2, 'idp'), ($1, $3, 'panel')`,
        [id, editor?.id, analyst?.id],
      );
      await db.query('update provisioned set email = $2 where administrator_id = $1', [id, `new-${email}`]);

      await admin.signIn('all', `/permissions/administrator?open=${id}`);
      const source = page.locator('[data-account-source]');
      await expect(source).toContainText('Acme');
      await expect(source).toContainText(`new-${email}`);
      await expect(page.locator('[data-role-source="idp"]')).toContainText(statusTexts[locale].fromProvider);
      await expect(page.locator('[data-role-source="panel"]')).toContainText(statusTexts[locale].fromColleague);
      expect(await axeViolations(page)).toEqual([]);

      await page.locator('[data-record] [aria-haspopup="menu"]').last().press('Enter');
      const menu = page.getByRole('menu');
      for (const name of statusTexts[locale].menu) await expect(menu.getByText(name)).toBeVisible();
      await page.keyboard.press('Escape');

      await page.keyboard.press('e');
      const locked = form(page).getByRole('option').filter({ hasText: statusTexts[locale].locked });
      await expect(locked).toHaveAttribute('aria-disabled', 'true');
      await form(page).getByRole('textbox').last().fill('Edited');
      await page.keyboard.press('Control+Enter');
      await expect(form(page)).toHaveCount(0);
      await expect(page.locator('[data-role-source="idp"]')).toHaveCount(1);
      await expect(page.locator('[data-role-source="panel"]')).toHaveCount(1);
    });
  });

function createScim(url: string, token: string) {
  return async (method: string, path: string, body?: unknown): Promise<{ id: string }> => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { id: string };
  };
}
