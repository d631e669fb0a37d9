import type { Page } from 'playwright/test';
import { Admin, expect, test } from '../fixtures.ts';

const form = (page: Page) => page.locator('[role=dialog][aria-modal=true]');
const office = '203.0.113.7';
const home = '198.51.100.1';

const texts = {
  'zh-CN': {
    group: '网络与登录时限',
    networks: '网段',
    idle: '闲置时限（分钟）',
    address: `服务器识别到您的地址为 ${office}`,
    addAddress: '添加我的地址',
    ipv6: '仅填写了 IPv4 网段',
    shutsOut: '需包含您当前的地址',
    everyNetwork: '不限网络请留空',
    minutes: '20 分钟',
    inactive: '以下角色在当前网络不可用：内容编辑',
    only: '仅在角色允许的网络内有效：内容编辑',
  },
  'en-US': {
    group: 'Networks and sessions',
    networks: 'Networks',
    idle: 'Idle limit (minutes)',
    address: `The server sees your address as ${office}`,
    addAddress: 'Add my address',
    ipv6: 'Only IPv4 networks are listed',
    shutsOut: 'must include your own address',
    everyNetwork: 'Leave it blank to allow every network',
    minutes: '20 minutes',
    inactive: 'This role isn’t active on your current network: Content editor',
    only: 'This applies only on the networks of Content editor',
  },
} as const;

test.use({ serverEnv: { TRUST_PROXY: '1' } });

for (const locale of ['zh-CN', 'en-US'] as const)
  test.describe(`in ${locale}`, () => {
    const text = texts[locale];
    test.use({ locale, ownContext: true });

    async function openForm(admin: Admin, id: string): Promise<void> {
      const { page } = admin;
      await page.goto(`${admin.url}/permissions/role?open=${id}`);
      const editButton = page.locator('[data-record] [data-command="roles.edit"]');
      await expect(editButton).toBeEnabled();
      await editButton.press('Enter');
      const group = form(page).getByRole('button', { name: text.group });
      await expect(group).toBeVisible();
      if ((await group.getAttribute('aria-expanded')) === 'false') await group.press('Enter');
      await expect(form(page).getByText(text.address)).toBeVisible();
    }

    test('a role is limited to a network, and a holder on another network sees the role’s name', async ({
      admin,
      page,
      browser,
      db,
    }) => {
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': office });
      await admin.signIn('all', '/permissions/role');
      const { rows } = await db.query<{ seed: string; id: string }>('select seed, id from roles');
      const ids = Object.fromEntries(rows.map(({ seed, id }) => [seed, id]));
      await openForm(admin, ids['all'] ?? '');
      const networks = form(page).getByRole('textbox', { name: text.networks });
      await networks.fill('192.0.2.0/24');
      await expect(form(page).getByText(text.ipv6)).toBeVisible();
      await networks.press('Control+Enter');
      await expect(form(page).getByText(text.shutsOut)).toBeVisible();
      await expect(networks).toHaveAttribute('aria-invalid', 'true');
      await networks.fill('::/0');
      await networks.press('Control+Enter');
      await expect(form(page).getByText(text.everyNetwork)).toBeVisible();
      await networks.fill('');
      await form(page).getByRole('button', { name: text.addAddress }).press('Enter');
      await expect(networks).toHaveValue(office);
      await networks.fill('');
      await page.keyboard.press('Escape');
      await expect(form(page)).toHaveCount(0);

      await openForm(admin, ids['editor'] ?? '');
      await networks.fill('203.0.113.0/24, 2001:db8::/32');
      await form(page).getByLabel(text.idle).fill('20');
      await page.keyboard.press('Control+Enter');
      await expect(form(page)).toHaveCount(0);
      const record = page.locator('[data-record]');
      await expect(record).toContainText('203.0.113.0/24 · 2001:db8::/32');
      await expect(record).toContainText(text.minutes);

      await admin.run('roles.viewAs', { targets: [ids['editor'] ?? ''] });
      await expect(page.locator('[data-state=viewAs]')).toContainText(text.only);

      const context = await browser.newContext({ locale, extraHTTPHeaders: { 'x-forwarded-for': home } });
      const editor = new Admin(await context.newPage(), admin.url);
      await editor.signIn('editor', '/account');
      await expect(editor.page.locator('[data-state=inactiveRoles]')).toHaveText(text.inactive);
      await expect(editor.page.getByRole('navigation').getByRole('link', { name: /新闻|News/ })).toHaveCount(0);
      await context.setExtraHTTPHeaders({ 'x-forwarded-for': office });
      await editor.page.reload();
      await expect(
        editor.page
          .getByRole('navigation')
          .getByRole('link', { name: /新闻|News/ })
          .first(),
      ).toBeVisible();
      await expect(editor.page.locator('[data-state=inactiveRoles]')).toHaveCount(0);
      await context.close();
      await db.query(`update roles set networks = '{}', idle_minutes = null`);
    });
  });
