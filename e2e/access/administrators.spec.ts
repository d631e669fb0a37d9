import type { Client } from 'pg';
import type { Browser, Page } from 'playwright/test';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import { seededRoles } from '../../server/seed/roles.ts';
import { functions } from '../../api/all-names.ts';
import { Admin, expect, test } from '../fixtures.ts';

const screen = '/permissions/administrator';
const password = 'correct horse battery staple';
const taprootAddress = 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9';

const findRow = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });
const form = (page: Page) => page.getByRole('dialog');

async function signIn(browser: Browser, db: Client, url: string, email: string): Promise<Admin> {
  await db.query('update administrators set password_expires_at = null where email = $1', [email]);
  const context = await browser.newContext({ locale: 'zh-CN' });
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('邮箱').fill(email);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  const admin = new Admin(page, url);
  await page.waitForURL(`${url}/`);
  await admin.ready();
  return admin;
}

const readRoleId = async (admin: Admin, name: string): Promise<string> => {
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const response = await admin.page.request.get(`${admin.url}/api/administrators/roles`, { headers: { authorization } });
  const roles = (await response.json()) as { id: string; name: string }[];
  const matchingRole = roles.find((role) => role.name.includes(name));
  if (!matchingRole) throw new Error(`no role ${name}`);
  return matchingRole.id;
};

const readAdministratorId = async (admin: Admin, email: string): Promise<string> => {
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const response = await admin.page.request.post(`${admin.url}/api/administrators/list`, {
    headers: { authorization },
    data: { sort: 'email', direction: 'asc', filter: { q: email }, cursor: null, limit: 10 },
  });
  const { rows } = (await response.json()) as { rows: AdministratorRow[] };
  return rows.find((row) => row.email === email)?.id ?? '';
};

test('an administrator added by keyboard signs in, sees exactly their role, and is signed out when disabled', async ({
  admin,
  page,
  browser,
  server,
  db,
}) => {
  await page.addInitScript(() => {
    for (const kind of ['mousedown', 'pointerdown', 'click'])
      addEventListener(
        kind,
        (event) => event instanceof MouseEvent && event.detail > 0 && document.documentElement.setAttribute('data-mouse', kind),
        true,
      );
  });
  await admin.signIn('all', '/');
  const { keyboard } = page;
  await keyboard.press('g');
  await keyboard.press('m');
  await expect(page.getByRole('grid')).toBeVisible();
  await keyboard.press('c');
  await expect(form(page).getByRole('heading', { name: '新增管理员' })).toBeVisible();
  await keyboard.insertText('New.Person@example.com');
  await keyboard.press('Control+Enter');
  for (const errorText of ['请输入密码', '请选择角色', '请输入描述']) await expect(form(page).getByText(errorText)).toBeVisible();
  await form(page).locator('input[type="password"]').focus();
  await keyboard.insertText(password);
  await form(page).getByRole('combobox').focus();
  await keyboard.type('内容编辑');
  await expect(form(page).getByRole('option')).toHaveCount(1);
  await keyboard.press('Enter');
  await expect(form(page).getByRole('option')).toHaveAttribute('aria-selected', 'true');
  await form(page).getByLabel('描述').focus();
  await keyboard.type('写新闻的人');
  await keyboard.press('Control+Enter');
  await expect(form(page)).toHaveCount(0);
  await expect(findRow(page, 'new.person@example.com')).toContainText('内容编辑');

  const newAdministrator = await signIn(browser, db, server.url, 'new.person@example.com');
  const menuLinks = await newAdministrator.page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((linkElements) => linkElements.map((link) => link.getAttribute('href')));
  expect(menuLinks.filter((href) => href !== '/account')).toEqual(['/', '/news', '/feedback', '/notices']);
  const permissionIds = new Set<string>(Object.values(functions).flat());
  const availableCommands = (await newAdministrator.list()).map(({ id }) => id).filter((id) => permissionIds.has(id));
  expect(availableCommands.toSorted()).toEqual([...seededRoles.editor.functions].toSorted());
  await newAdministrator.page.goto(`${server.url}${screen}`);
  await expect(newAdministrator.page).toHaveURL(/\/404/);
  await newAdministrator.open('/news');

  await keyboard.press('Enter');
  const record = page.locator('[data-record]');
  await expect(record.locator('[data-right="news.add"]')).toContainText('内容编辑');
  await expect(record.locator('[data-right="administrators.add"]')).toHaveCount(0);
  await expect(record).toContainText('1 台登录设备');
  await keyboard.press('Escape');
  await expect(record).toHaveCount(0);
  await keyboard.press('d');
  await expect(page.getByRole('alertdialog')).toContainText('new.person@example.com');
  await keyboard.press('Enter');
  await expect(findRow(page, 'new.person@example.com').getByText('停用', { exact: true })).toBeVisible();
  expect(await page.locator('html').getAttribute('data-mouse')).toBeNull();

  await expect(async () => {
    await newAdministrator.page.keyboard.press('r'); // calls the server if the tab has not followed yet
    expect(newAdministrator.page.url()).toContain('/login');
  }).toPass({ timeout: 10_000 });
  await newAdministrator.page.getByLabel('邮箱').fill('new.person@example.com');
  await newAdministrator.page.getByLabel('密码', { exact: true }).fill(password);
  await newAdministrator.page.keyboard.press('Enter');
  await expect(newAdministrator.page.getByText('账户或密码不正确，请重新输入。')).toBeVisible();
  await newAdministrator.page.context().close();
});

test('a role change and disabling by mouse are undone', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', screen);
  const {
    done: [addedAdministrator],
  } = await admin.run('administrators.add', {
    params: { email: 'mouse@example.com', password, roles: [await readRoleId(admin, '内容编辑')], description: '鼠标' },
  });
  const menu = async (item: RegExp) => {
    await findRow(page, addedAdministrator.email)
      .getByRole('button', { name: /的操作/ })
      .click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu(/编辑管理员/);
  await expect(form(page).getByLabel('邮箱')).toHaveValue(addedAdministrator.email);
  await form(page)
    .getByRole('option', { name: /只读分析员/ })
    .click();
  await form(page)
    .getByRole('button', { name: /编辑管理员/ })
    .click();
  await expect(findRow(page, addedAdministrator.email)).toContainText('只读分析员');
  await page.getByRole('button', { name: '筛选', exact: true }).click();
  await page.locator('[data-filter-menu]').getByRole('option', { name: '角色', exact: true }).click();
  await page
    .locator('[data-filter-menu]')
    .getByRole('option', { name: /只读分析员/ })
    .click();
  await expect(findRow(page, addedAdministrator.email)).toBeVisible();
  await expect(findRow(page, 'editor@demo.local')).toHaveCount(0);

  await findRow(page, addedAdministrator.email).getByRole('checkbox').click();
  await page.getByRole('button', { name: /^停用管理员/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '停用管理员' }).click();
  await expect(findRow(page, addedAdministrator.email).getByText('停用', { exact: true })).toBeVisible();
  await page.locator('#toasts').getByRole('button', { name: '撤销' }).click();
  await expect(findRow(page, addedAdministrator.email).getByText('启用', { exact: true })).toBeVisible();
});

test(
  'an administrator added by script gets a mailed link that the database does not contain',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', screen);
    const {
      done: [addedAdministrator],
    } = await admin.run('administrators.add', {
      params: { email: 'script@example.com', password, roles: [await readRoleId(admin, '内容编辑')], description: 'QA' },
    });
    const targets = [addedAdministrator.id];
    await admin.run('administrators.bindWallet', { targets, params: { address: taprootAddress } });
    await expect(findRow(page, addedAdministrator.email)).toContainText('bc1pmf…pknck9');
    await expect(
      admin.run('administrators.bindWallet', { targets, params: { address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' } }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: 'address', rule: 'taproot' }],
    });
    await admin.run('administrators.unbindWallet', { targets, confirm: true });
    await admin.run('administrators.resetPassword', { targets, confirm: true });
    const { rows } = await db.query<{ body: string }>('select body from mails where recipient = $1 order by id desc', [
      addedAdministrator.email,
    ]);
    const token = /#set-password=([\w-]{43})/.exec(rows[0]?.body ?? '')?.[1] ?? '';
    expect(token).toHaveLength(43);
    const passwordLinks = await db.query('select * from password_links where administrator_id = $1', [addedAdministrator.id]);
    expect(JSON.stringify(passwordLinks.rows)).not.toContain(token);
    await expect(admin.run('administrators.resetFactor', { targets, confirm: true })).rejects.toMatchObject({ code: 'BLOCKED' });
    await expect(admin.run('administrators.delete', { targets })).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    await admin.run('administrators.delete', { targets, confirm: true });
    await expect(findRow(page, addedAdministrator.email)).toHaveCount(0);
    const auditedActions = await db.query<{ action: string }>(
      `select action from audit where entity_id = $1 and result = 'done' order by seq`,
      [addedAdministrator.id],
    );
    expect(auditedActions.rows.map(({ action }) => action)).toEqual([
      'add',
      'bindWallet',
      'unbindWallet',
      'resetPassword',
      'remove',
    ]);
  },
);

test(
  'changing your own account or someone with more permissions is refused with the reason, by panel and server',
  { tag: '@long' },
  async ({ admin, page }) => {
    await admin.signIn('access', screen);
    const ownId = await readAdministratorId(admin, 'access@demo.local');
    const superiorId = await readAdministratorId(admin, 'admin@demo.local');
    await findRow(page, 'admin@demo.local').click();
    expect(await admin.assess('administrators.disable')).toEqual({ state: 'blocked', reason: '该管理员拥有您不能授予的角色' });
    await findRow(page, 'access@demo.local').click();
    expect(await admin.assess('administrators.edit')).toMatchObject({
      state: 'blocked',
      reason: expect.stringContaining('不能修改本人账户'),
    });
    await page.keyboard.press('d');
    await expect(page.getByText(/不能修改本人账户/).first()).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    for (const id of [ownId, superiorId])
      await expect(admin.run('administrators.disable', { targets: [id], confirm: true })).rejects.toMatchObject({
        code: 'BLOCKED',
      });

    const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');
    for (const [id, code] of [
      [ownId, 'OWN_ACCESS'],
      [superiorId, 'HOLDS_MORE'],
    ] as const) {
      const response = await page.request.post(`${admin.url}/api/administrators/disable`, {
        headers: { authorization },
        data: { items: [{ id, version: 1 }] },
      });
      expect([response.status(), (await response.json()).code]).toEqual([403, code]);
    }
    await admin.key('administrators.add');
    const unavailableRole = form(page).getByRole('option', { name: /超级管理员/ });
    await expect(unavailableRole).toHaveAttribute('aria-disabled', 'true');
    await expect(unavailableRole).toContainText('您不能授予该角色：含您没有的权限');
  },
);
