import type { Browser, Page } from 'playwright/test';
import type { NodeRow } from '../../api/access/permissions.ts';
import type { RoleRow } from '../../api/access/roles.ts';
import type { RoleName } from '../../server/seed/roles.ts';
import { Admin, expect, test } from '../fixtures.ts';

const findRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const form = (page: Page) => page.getByRole('dialog');
const findNode = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name });

async function signInAs(browser: Browser, url: string, role: RoleName, path: string, locale = 'zh-CN'): Promise<Admin> {
  const context = await browser.newContext({ locale });
  const admin = new Admin(await context.newPage(), url);
  await admin.signIn(role, path);
  return admin;
}

async function readRoute<T>(admin: Admin, path: string, data: unknown = {}): Promise<T> {
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const response = await admin.page.request.post(`${admin.url}/rpc/${path}`, {
    headers: { authorization },
    data: { json: data },
  });
  return ((await response.json()) as { json: T }).json;
}

const findRole = async (admin: Admin, q: string): Promise<RoleRow> => {
  const list = { sort: 'name', direction: 'asc', filter: { q }, cursor: null, limit: 10 };
  const { rows } = await readRoute<{ rows: RoleRow[] }>(admin, 'roles/list', list);
  const [role] = rows;
  if (!role) throw new Error(`no role ${q}`);
  return role;
};

const findNodeByIdentifier = async (admin: Admin, identifier: string): Promise<NodeRow> => {
  const node = (await readRoute<NodeRow[]>(admin, 'permissions/tree')).find((row) => row.identifier === identifier);
  if (!node) throw new Error(`no node ${identifier}`);
  return node;
};

const rejectMouse = (page: Page) =>
  page.addInitScript(() => {
    for (const kind of ['mousedown', 'pointerdown', 'click'])
      addEventListener(
        kind,
        (event) => event instanceof MouseEvent && event.detail > 0 && document.documentElement.setAttribute('data-mouse', kind),
        true,
      );
  });

test('permissions removed by keyboard disappear in another open tab without a reload', async ({ admin, page, browser }) => {
  await rejectMouse(page);
  const editorAdmin = await signInAs(browser, admin.url, 'editor', '/news');
  const addButton = editorAdmin.page.getByRole('button', { name: '新增新闻' }).first();
  await expect(addButton).toBeVisible();
  await editorAdmin.page.evaluate(() => Object.assign(window, { notReloaded: true }));

  await admin.signIn('all', '/');
  const { keyboard } = page;
  await keyboard.press('g');
  await keyboard.press('r');
  await expect(page.getByRole('grid')).toBeVisible();
  await keyboard.press('/');
  await keyboard.type('Content editor');
  await expect(page.getByRole('row')).toHaveCount(2);
  await keyboard.press('Enter');
  await page.getByRole('grid').focus();
  await keyboard.press('j');
  await keyboard.press('e');
  const treeField = form(page).getByRole('tree');
  await expect(treeField).toBeVisible();
  await expect(findNode(page, '/notices')).toHaveAttribute('aria-checked', 'true');
  await form(page).getByRole('searchbox').focus();
  await keyboard.type('Add news');
  await expect(form(page).getByRole('treeitem')).toHaveCount(2);
  await keyboard.press('Enter');
  await expect(findNode(page, 'news.add')).toHaveAttribute('aria-checked', 'false');
  await expect(form(page).locator('[data-difference]')).toContainText('移除 1 项：新增新闻');
  await keyboard.press('Enter');
  await expect(findNode(page, 'news.add')).toHaveAttribute('aria-checked', 'true');
  await keyboard.press('Tab');
  await expect(treeField).toBeFocused();
  await keyboard.press('End');
  await keyboard.press(' ');
  await expect(findNode(page, 'news.add')).toHaveAttribute('aria-checked', 'false');
  await expect(findNode(page, '新闻管理').first()).toHaveAttribute('aria-checked', 'mixed');
  await expect(form(page).locator('[data-difference]')).toContainText('移除 1 项：新增新闻');
  await keyboard.press('Control+Enter');
  await expect(form(page)).toHaveCount(0);
  await expect(page.getByText('操作成功')).toBeVisible();

  await expect(addButton).toHaveCount(0);
  expect((await editorAdmin.assess('news.add')).state).toBe('hidden');
  expect((await editorAdmin.assess('news.edit')).state).not.toBe('hidden');

  const role = await findRole(admin, 'Content editor');
  const { name, description, needsFactor } = role;
  await admin.run('roles.edit', {
    targets: [role.id],
    params: { name, description, needsFactor, grants: ['/', '/feedback', '/notices'] },
  });
  await expect(editorAdmin.page).toHaveURL(/\/404$/);
  expect(await editorAdmin.page.evaluate(() => 'notReloaded' in window)).toBe(true);
  await editorAdmin.page.goto(`${admin.url}/`);
  await expect(editorAdmin.page.getByRole('navigation').getByText('新闻管理')).toHaveCount(0);

  await keyboard.press('Control+z');
  await expect(editorAdmin.page.getByRole('navigation').getByText('新闻管理')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-mouse'))).toBe(false);
  await editorAdmin.page.context().close();
});

test(
  'a role is added, copied and assigned by mouse, and can’t be deleted while someone has it',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/permissions/role');
    await page.getByRole('button', { name: '新增角色' }).first().click();
    await form(page).getByLabel('角色名称').fill('夜班');
    await page.keyboard.press('Control+Enter');
    await expect(form(page).getByText('请输入描述')).toBeVisible();
    await form(page).getByLabel('描述').fill('夜间值班');
    await findNode(page, '/feedback').click();
    await findNode(page, '/permissions/role').click();
    await expect(findNode(page, '角色管理').first()).toHaveAttribute('aria-checked', 'true');
    await expect(findNode(page, 'roles.copy')).toHaveAttribute('aria-checked', 'true');
    await expect(findNode(page, '权限管理').first()).toHaveAttribute('aria-checked', 'mixed');
    await form(page).getByRole('button', { name: /^新增/ }).click();
    await expect(findRow(page, '夜班')).toBeVisible();

    await findRow(page, '夜班').getByRole('button').last().click();
    await page.getByRole('menuitem', { name: '复制角色' }).click();
    await expect(form(page).getByLabel('角色名称')).toHaveValue('夜班（副本）');
    await form(page).getByRole('button', { name: '复制角色' }).click();
    await expect(findRow(page, '夜班（副本）')).toBeVisible();
    const [originalRole, copiedRole] = [await findRole(admin, '夜班'), await findRole(admin, '夜班（副本）')];
    expect(copiedRole.grants).toEqual(originalRole.grants);

    const { rows } = await db.query<{ id: string }>(`select id from administrators where email = 'analyst@demo.local'`);
    await db.query('insert into administrator_roles (administrator_id, role_id) values ($1, $2)', [rows[0]?.id, copiedRole.id]);
    await page.getByRole('button', { name: '新增角色' }).first().focus();
    await findRow(page, '夜班（副本）').click();
    await expect(page.locator('[data-record]')).toContainText('analyst@demo.local');
    await expect(page.locator('[data-record]')).toContainText('roles.copy');
    await page.locator('[data-record]').getByRole('button', { name: '更多操作' }).click();
    await page.getByRole('menuitem', { name: '删除角色' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除角色' }).click();
    await expect(page.getByText('请先移除这些管理员的该角色：analyst@demo.local')).toBeVisible();
    await db.query('delete from administrator_roles where role_id = $1', [copiedRole.id]);
    for (const role of [copiedRole, originalRole]) await admin.run('roles.delete', { targets: [role.id], confirm: true });
    await expect(findRow(page, '夜班')).toHaveCount(0);
  },
);

test(
  'permissions that the person lacks are shown with a reason and can’t be granted',
  { tag: '@long' },
  async ({ admin, page }) => {
    await admin.signIn('access', '/permissions/role');
    await admin.key('roles.add');
    const news = findNode(page, '/news');
    await expect(news).toHaveAttribute('aria-disabled', 'true');
    await expect(news).toContainText('不能授予您自己没有的权限');
    await news.click({ force: true }); // Playwright refuses to click what is disabled
    await expect(news).toHaveAttribute('aria-checked', 'false');
    const params = { name: 'x', description: 'd', needsFactor: false, grants: ['/news', 'news.add'] };
    await expect(admin.run('roles.add', { params })).rejects.toThrow('GRANT_BEYOND_OWN');
  },
);

test('a node renamed by keyboard is renamed in both languages’ menus', { tag: '@long' }, async ({ admin, page, browser }) => {
  await rejectMouse(page);
  const englishAdmin = await signInAs(browser, admin.url, 'analyst', '/', 'en-US');
  const englishMenu = englishAdmin.page.getByRole('navigation');
  await expect(englishMenu.getByText('Notice Manage')).toBeVisible();
  await admin.signIn('all', '/permissions/permission');
  const { keyboard } = page;
  await expect(page.getByRole('tree')).toBeVisible();
  await keyboard.press('/');
  await keyboard.type('/notices');
  await expect(page.getByRole('treeitem')).toHaveCount(1);
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('treeitem')).toHaveAttribute('aria-selected', 'true');
  await keyboard.press('Enter');
  await form(page).getByLabel('中文名称').focus();
  await keyboard.press('Control+a');
  await keyboard.type('站点公告');
  await form(page).getByLabel('英文名称').focus();
  await keyboard.press('Control+a');
  await keyboard.press('Delete');
  await keyboard.press('Control+Enter');
  await expect(form(page).getByText('请输入英文名称')).toBeVisible();
  await keyboard.type('Site notices');
  await keyboard.press('Control+Enter');
  await expect(form(page)).toHaveCount(0);
  await expect(page.getByRole('navigation').getByText('站点公告')).toBeVisible();
  await expect(englishMenu.getByText('Site notices')).toBeVisible();
  await keyboard.press('Control+z');
  await expect(englishMenu.getByText('Notice Manage')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-mouse'))).toBe(false);
  await englishAdmin.page.context().close();
});

test('nodes are added, moved, deleted with their descendants, and reset', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/permissions/permission');
  const { keyboard } = page;
  const news = await findNodeByIdentifier(admin, '/news');
  const params = { place: 'after', identifier: '/own', zh: '自有', en: 'Own' } as const;
  await admin.run('permissions.add', { targets: [news.id], params });
  await expect(findNode(page, '/own')).toContainText('无效');

  await findNode(page, '/own').click();
  await page.getByRole('tree').focus();
  await keyboard.press('Alt+ArrowUp');
  await expect
    .poll(async () =>
      (await readRoute<NodeRow[]>(admin, 'permissions/tree'))
        .filter(({ parentId }) => parentId === null)
        .map(({ identifier }) => identifier),
    )
    .toEqual(expect.arrayContaining(['/own', '/news']));
  await expect
    .poll(async () => {
      const rootNodes = (await readRoute<NodeRow[]>(admin, 'permissions/tree')).filter(({ parentId }) => parentId === null);
      return (
        rootNodes.findIndex(({ identifier }) => identifier === '/news') -
        rootNodes.findIndex(({ identifier }) => identifier === '/own')
      );
    })
    .toBe(1);

  const ownNode = await findNodeByIdentifier(admin, '/own');
  await admin.run('permissions.move', { targets: [news.id], params: { to: ownNode.id, place: 'under' } });
  await expect(page.getByRole('navigation').getByRole('button', { name: '自有' })).toBeVisible();

  await keyboard.press('ArrowLeft');
  await expect(findNode(page, '/own')).toHaveAttribute('aria-expanded', 'false');
  await keyboard.press('ArrowRight');
  await expect(findNode(page, '/own')).toHaveAttribute('aria-expanded', 'true');

  await keyboard.press('#');
  const confirmDialog = page.getByRole('alertdialog');
  await expect(confirmDialog.locator('[data-consequences]')).toContainText('将删除 新增新闻（news.add），以下角色会失去该权限：');
  await expect(confirmDialog.locator('[data-consequences]')).toContainText('内容编辑');
  await keyboard.press('Escape');
  await expect(confirmDialog).toHaveCount(0);

  await page.getByRole('button', { name: '恢复内置权限树', exact: true }).click();
  await expect(confirmDialog.locator('[data-consequences]')).toContainText('新闻管理（/news）将移回原来的位置');
  await expect(confirmDialog.locator('[data-consequences]')).toContainText('将删除 自有（/own）');
  await confirmDialog.getByRole('button', { name: '恢复内置权限树' }).click();
  await expect(findNode(page, '/own')).toHaveCount(0);
  await expect(page.getByRole('navigation').getByRole('button', { name: '自有' })).toHaveCount(0);
  await expect(page.getByRole('navigation').getByText('新闻管理')).toBeVisible();
  await expect(
    admin.run('permissions.delete', { targets: [(await findNodeByIdentifier(admin, 'roles.edit')).id], confirm: true }),
  ).rejects.toThrow('LAST_ACCESS');
});

for (const trigger of ['the stream', 'an answer']) {
  test(
    `a session ended by someone else leads to sign-in, reported by ${trigger}`,
    { tag: '@long' },
    async ({ admin, db, browser, page }) => {
      await page.goto(`${admin.url}/login`);
      const context = await browser.newContext({ locale: 'zh-CN' });
      if (trigger === 'an answer') await context.route('**/api/events', (route) => route.abort());
      const analystAdmin = new Admin(await context.newPage(), admin.url);
      await analystAdmin.signIn('analyst', '/news');
      await db.query(
        `update sessions set revoked_at = now() where administrator_id = (select id from administrators where email = 'analyst@demo.local')`,
      );
      if (trigger === 'an answer') await analystAdmin.page.keyboard.press('r');
      await expect(analystAdmin.page).toHaveURL(/\/login$/);
      await expect(analystAdmin.page.getByText('登录的设备过多')).toBeVisible();
      await context.close();
    },
  );
}
