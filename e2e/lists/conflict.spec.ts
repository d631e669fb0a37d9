import type { Browser, Page } from 'playwright/test';
import type { NoticeRow } from '../../api/notices/contract.ts';
import type { RoleName } from '../../server/seed/roles.ts';
import { build } from '../../testing/factories/build.ts';
import { Admin, expect, test } from '../fixtures.ts';

const form = (page: Page) => page.getByRole('dialog');
const conflictPanel = (page: Page) => page.locator('[data-clash]');
const conflictSide = (page: Page, sideName: 'theirs' | 'mine' | 'original') =>
  conflictPanel(page).locator(`[data-whose="${sideName}"]`);

async function signInColleague(browser: Browser, url: string, role: RoleName, path: string): Promise<Admin> {
  const colleagueAdmin = new Admin(await (await browser.newContext()).newPage(), url);
  await colleagueAdmin.signIn(role, path);
  return colleagueAdmin;
}

test.describe('two people edit one notice', () => {
  const addNotice = async (admin: Admin, content: string): Promise<NoticeRow> =>
    (await admin.run('notices.add', { params: build.noticeFields({ content }) })).done[0];

  test('changes of different fields are merged', { tag: '@long' }, async ({ admin, page, browser, server }) => {
    await admin.signIn('editor', '/notices');
    const { id } = await addNotice(admin, 'Different fields');
    await admin.open(`/~notices.edit?id=${id}`);
    await form(page).getByLabel('公告内容').fill('Different fields, mine');

    const colleagueAdmin = await signInColleague(browser, server.url, 'all', `/~notices.edit?id=${id}`);
    await form(colleagueAdmin.page).getByLabel('跳转链接').fill('https://www.example.com/theirs');
    await colleagueAdmin.page.keyboard.press('Control+Enter');
    await expect(form(colleagueAdmin.page)).toHaveCount(0);

    await page.keyboard.press('Control+Enter');
    await expect(form(page)).toHaveCount(0);
    await expect(page.getByText('已自动合并打开表单后保存的修改：跳转链接')).toBeVisible();
    const [storedNotice] = (await readNotices(admin, id)) ?? [];
    expect(storedNotice).toMatchObject({ content: 'Different fields, mine', link: 'https://www.example.com/theirs', version: 3 });
    await colleagueAdmin.page.context().close();
  });

  test(
    'the same field shows theirs, mine and the original, and nothing is sent before a choice',
    { tag: '@long' },
    async ({ admin, page, browser, server }) => {
      await admin.signIn('editor', '/notices');
      const { id } = await addNotice(admin, 'The original');
      await admin.open(`/~notices.edit?id=${id}`);
      await form(page).getByLabel('公告内容').fill('What I wrote');
      const colleagueAdmin = await signInColleague(browser, server.url, 'all', '/notices');
      await colleagueAdmin.run('notices.edit', { targets: [id], params: { content: 'What they wrote', platform: 'mobile' } });

      await page.keyboard.press('Control+Enter');
      await expect(form(page).getByText('该记录已有其他人的新修改')).toBeVisible();
      await expect(conflictSide(page, 'theirs')).toContainText('What they wrote');
      await expect(conflictSide(page, 'mine')).toContainText('What I wrote');
      await expect(conflictSide(page, 'original')).toContainText('The original');
      await expect(form(page).getByRole('radio', { name: '移动端' })).toBeChecked(); // untouched, so it follows
      // A double click must not overwrite unread changes.
      await expect(conflictSide(page, 'theirs').getByRole('button')).toBeFocused();
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Control+Enter');
      await expect(conflictPanel(page)).toBeVisible();
      expect((await readNotices(admin, id))[0]).toMatchObject({ content: 'What they wrote', version: 2 });

      await page.waitForTimeout(400);
      await page.reload();
      await expect(form(page).getByLabel('公告内容')).toHaveValue('What I wrote');
      await expect(conflictSide(page, 'original')).toContainText('The original');
      await conflictSide(page, 'original').getByRole('button').click();
      await expect(form(page).getByLabel('公告内容')).toHaveValue('The original');
      await expect(conflictPanel(page)).toHaveCount(0);
      await page.keyboard.press('Control+Enter');
      await expect(form(page)).toHaveCount(0);
      expect((await readNotices(admin, id))[0]).toMatchObject({ content: 'The original', platform: 'mobile', version: 3 });
      await colleagueAdmin.page.context().close();
    },
  );

  test('theirs and mine are chosen by one key each', { tag: '@long' }, async ({ admin, page, browser, server }) => {
    await admin.signIn('editor', '/notices');
    const { id } = await addNotice(admin, 'Settle');
    const colleagueAdmin = await signInColleague(browser, server.url, 'all', '/notices');
    await admin.open(`/~notices.edit?id=${id}`);
    await form(page).getByLabel('公告内容').fill('Mine');
    await form(page).getByLabel('跳转链接').fill('https://www.example.com/mine');
    await colleagueAdmin.run('notices.edit', {
      targets: [id],
      params: { content: 'Theirs', link: 'https://www.example.com/theirs' },
    });
    await page.keyboard.press('Control+Enter');
    await expect(conflictPanel(page)).toHaveCount(2);
    await page.keyboard.press('Enter');
    await expect(form(page).getByLabel('公告内容')).toHaveValue('Theirs');
    await expect(conflictPanel(page)).toHaveCount(1);
    await conflictSide(page, 'mine').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await expect(form(page)).toHaveCount(0);
    expect((await readNotices(admin, id))[0]).toMatchObject({ content: 'Theirs', link: 'https://www.example.com/mine' });
    await colleagueAdmin.page.context().close();
  });
});

test.describe('two people edit one role', () => {
  const params = (name: string) => ({ name, description: 'As it was', needsFactor: false, grants: ['/', '/news', 'news.add'] });

  test(
    'permissions changed by both are listed, and different fields merge',
    { tag: '@long' },
    async ({ admin, page, browser, server }) => {
      await admin.signIn('all', '/permissions/role');
      const {
        done: [{ id }],
      } = await admin.run('roles.add', { params: params(`Clash ${Date.now()}`) });
      await admin.open(`/~roles.edit?id=${id}`);
      const findNode = (identifier: string) => form(page).getByRole('treeitem').filter({ hasText: identifier }).last();
      await form(page).getByLabel('描述').fill('Mine');
      await findNode('news.edit').click();

      const colleagueAdmin = await signInColleague(browser, server.url, 'all', '/permissions/role');
      await colleagueAdmin.run('roles.edit', {
        targets: [id],
        params: { grants: ['/', '/news', '/notices'], needsFactor: true },
      });

      await page.keyboard.press('Control+Enter');
      await expect(conflictSide(page, 'theirs')).toContainText('新增 1 项：公告管理');
      await expect(conflictSide(page, 'theirs')).toContainText('移除 1 项：新增新闻');
      await expect(conflictSide(page, 'mine')).toContainText('新增 1 项：编辑新闻');
      await expect(form(page).getByLabel('描述')).toHaveValue('Mine');
      await conflictSide(page, 'theirs').getByRole('button').click();
      await expect(findNode('news.edit')).toHaveAttribute('aria-checked', 'false');
      await page.keyboard.press('Control+Enter');
      await expect(form(page)).toHaveCount(0);
      const role = await admin.page.evaluate(readMany, ['roles', id] as const);
      const permissionTree = (await admin.page.evaluate(readTree)) as { id: string; identifier: string }[];
      const grantIdentifiers = ((role[0]?.['grants'] ?? []) as string[]).map(
        (nodeId) => permissionTree.find((item) => item.id === nodeId)?.identifier,
      );
      expect(role[0]).toMatchObject({ description: 'Mine', needsFactor: true });
      expect(grantIdentifiers).toEqual(['/', '/news', '/notices']);
      await colleagueAdmin.page.context().close();
    },
  );

  test('changes of different fields are merged by script too', { tag: '@long' }, async ({ admin, page, browser, server }) => {
    await admin.signIn('all', '/permissions/role');
    const {
      done: [{ id }],
    } = await admin.run('roles.add', { params: params(`Merge ${Date.now()}`) });
    await admin.open(`/~roles.edit?id=${id}`);
    await form(page).getByRole('treeitem').filter({ hasText: 'news.edit' }).last().click();
    const colleagueAdmin = await signInColleague(browser, server.url, 'all', '/permissions/role');
    await colleagueAdmin.run('roles.edit', { targets: [id], params: { description: 'Theirs' } });
    await page.keyboard.press('Control+Enter');
    await expect(form(page)).toHaveCount(0);
    const [role] = await admin.page.evaluate(readMany, ['roles', id] as const);
    expect(role).toMatchObject({ description: 'Theirs', version: 3 });
    expect(role?.['grants']).toHaveLength(4);
    await colleagueAdmin.page.context().close();
  });
});

test(
  'an administrator’s roles are shown by name in a conflict',
  { tag: '@long' },
  async ({ admin, page, browser, server, db }) => {
    await admin.signIn('all', '/permissions/administrator');
    const { rows: roles } = await db.query<{ id: string; seed: string; name: string }>('select id, seed, name from roles');
    const createRoleId = (seed: string) => {
      const { id = '', name = '' } = roles.find((role) => role.seed === seed) ?? {};
      return { id, name: name.split(' ')[0] ?? '' };
    };
    const email = `clash${Date.now()}@demo.local`;
    const {
      done: [{ id }],
    } = await admin.run('administrators.add', {
      params: { email, password: 'a long enough password', roles: [createRoleId('analyst').id], description: 'd' },
    });
    await admin.open(`/~administrators.edit?id=${id}`);
    await form(page)
      .getByRole('option')
      .filter({ hasText: createRoleId('editor').name })
      .click();
    const colleagueAdmin = await signInColleague(browser, server.url, 'all', '/permissions/administrator');
    await colleagueAdmin.run('administrators.edit', { targets: [id], params: { roles: [createRoleId('operator').id] } });
    await page.keyboard.press('Control+Enter');
    await expect(conflictSide(page, 'theirs')).toContainText(`新增 1 项：${createRoleId('operator').name}`);
    await expect(conflictSide(page, 'theirs')).toContainText(`移除 1 项：${createRoleId('analyst').name}`);
    await expect(conflictSide(page, 'mine')).toContainText(`新增 1 项：${createRoleId('editor').name}`);
    await expect(conflictSide(page, 'original')).toContainText(createRoleId('analyst').name);
    await conflictSide(page, 'mine').getByRole('button').click();
    await page.keyboard.press('Control+Enter');
    await expect(form(page)).toHaveCount(0);
    const storedRoles = await db.query<{ role_id: string }>(
      'select role_id from administrator_roles where administrator_id = $1',
      [id],
    );
    expect(new Set(storedRoles.rows.map((row) => row.role_id))).toEqual(
      new Set([createRoleId('analyst').id, createRoleId('editor').id]),
    );
    await colleagueAdmin.page.context().close();
  },
);

test('two people’s changes of one permission node are merged', { tag: '@long' }, async ({ admin, page, browser, server, db }) => {
  await admin.signIn('all', '/permissions/permission');
  const [homeNode] = (await db.query<{ id: string }>(`select id from permission_nodes where identifier = '/'`)).rows;
  const {
    done: [findNode],
  } = await admin.run('permissions.add', {
    targets: [homeNode?.id ?? ''],
    params: { place: 'after', identifier: `/clash-${Date.now()}`, zh: '原来', en: 'Original' },
  });
  await admin.open(`/~permissions.edit?id=${findNode.id}`);
  await form(page).getByLabel('中文名称').fill('我的');
  const colleagueAdmin = await signInColleague(browser, server.url, 'all', '/permissions/permission');
  await colleagueAdmin.run('permissions.edit', { targets: [findNode.id], params: { en: 'Theirs' } });
  await page.keyboard.press('Control+Enter');
  await expect(form(page)).toHaveCount(0);
  const { rows } = await db.query('select name_zh, name_en from permission_nodes where id = $1', [findNode.id]);
  expect(rows).toEqual([{ name_zh: '我的', name_en: 'Theirs' }]);
  await colleagueAdmin.page.context().close();
});

const readNotices = (admin: Admin, id: string) => admin.page.evaluate(readMany, ['notices', id] as const);

async function readMany([resource, id]: readonly [string, string]): Promise<Record<string, unknown>[]> {
  const response = await fetch(`/rpc/${resource}/many`, {
    method: 'POST',
    headers: { authorization: localStorage.getItem('Authorization') ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ json: { ids: [id] } }),
  });
  return ((await response.json()) as { json: Record<string, unknown>[] }).json;
}

async function readTree(): Promise<unknown> {
  const response = await fetch('/rpc/roles/tree', {
    method: 'POST',
    headers: { authorization: localStorage.getItem('Authorization') ?? '', 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await response.json()) as { json: unknown }).json;
}
