import type { Page } from 'playwright/test';
import { builtInRoles } from '../../api/access/built-in-roles.ts';
import { expect, test, type Admin } from '../fixtures.ts';

const viewAsBanner = (page: Page) => page.locator('[data-state="viewAs"]');
const navigation = (page: Page) => page.getByRole('navigation');

async function readId(admin: Admin, path: string, q: string): Promise<string> {
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const list = { sort: 'createdAt', direction: 'asc', filter: { q }, cursor: null, limit: 10 };
  const response = await admin.page.request.post(`${admin.url}/rpc/${path}/list`, {
    headers: { authorization },
    data: { json: list },
  });
  const { json } = (await response.json()) as { json: { rows: { id: string }[] } };
  return json.rows[0]?.id ?? '';
}

test('the access administrator sees the panel as an editor, changes nothing, and leaves by one press', async ({
  admin,
  page,
}) => {
  await admin.signIn('access', '/permissions/role');
  const id = await readId(admin, 'roles', builtInRoles.editor.name.en);
  await page.getByRole('row').filter({ hasText: builtInRoles.editor.name.zh }).click();
  const record = page.locator('[data-record]');
  await record.getByRole('button', { name: '以该角色视角查看' }).click();

  await expect(viewAsBanner(page)).toContainText('正在以角色“内容编辑”的视角查看');
  await expect(navigation(page).getByTitle('您的账户无权打开该页面').first()).toHaveText('新闻管理');
  await expect(navigation(page).getByText('权限管理')).toHaveCount(0);
  expect(await admin.assess('news.add')).toMatchObject({ state: 'blocked' });
  expect(await admin.assess('roles.add')).toEqual({ state: 'hidden' });
  const params = { title: 'x', description: 'x', image: '/x.png', link: 'https://example.com' };
  await expect(admin.run('news.add', { params })).rejects.toThrow();
  // A lost answer does not end the view.
  await page.route('**/rpc/roles/viewAs', (route) => route.abort());
  await page.goto(`${admin.url}/permissions/role`);
  await expect(page).toHaveURL(`${admin.url}/404`);
  await expect(viewAsBanner(page)).toBeVisible();
  await page.reload();
  await expect(viewAsBanner(page)).toBeVisible();
  await page.unroute('**/rpc/roles/viewAs');

  // Kept over a reload, in this tab only.
  await page.goto(`${admin.url}/`);
  await expect(viewAsBanner(page)).toBeVisible();
  const otherTab = await page.context().newPage();
  await otherTab.goto(`${admin.url}/permissions/role`);
  await expect(otherTab.getByRole('grid')).toBeVisible();
  await expect(viewAsBanner(otherTab)).toHaveCount(0);
  await otherTab.close();

  await viewAsBanner(page).getByRole('button', { name: '退出视角' }).click();
  await expect(viewAsBanner(page)).toHaveCount(0);
  await expect(page).toHaveURL(`${admin.url}/permissions/role?open=${id}`);
  await expect(navigation(page).getByRole('button', { name: '权限管理' })).toBeVisible();
});

test('a person’s view shows lists as far as both may read them, and refuses to write', async ({ admin, page }) => {
  await admin.signIn('all', '/permissions/administrator');
  const id = await readId(admin, 'administrators', 'editor@demo.local');
  await admin.run('administrators.viewAs', { targets: [id] });
  await expect(viewAsBanner(page)).toContainText('正在以 editor@demo.local 的视角查看');
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(await admin.assess('news.add')).toEqual({ state: 'blocked', reason: '视角查看中不能修改，请先退出视角' });
  await page.keyboard.press('c');
  await expect(page.getByText('视角查看中不能修改，请先退出视角').first()).toBeVisible();
  await page.keyboard.press('Shift+L');
  await expect(viewAsBanner(page)).toHaveCount(0);
  await expect(page).toHaveURL(`${admin.url}/permissions/administrator`);
  expect(await admin.assess('session.leaveView')).toMatchObject({ state: 'blocked' });
});

test('the access administrator adds an editor by keyboard', async ({ admin, page }) => {
  await admin.signIn('access', '/permissions/administrator');
  await admin.key('administrators.add');
  const form = page.getByRole('dialog');
  await form.getByLabel('邮箱').fill('new-editor@example.com');
  await form.locator('input[type="password"]').fill('correct horse battery staple');
  await expect(form.getByRole('option', { name: /托管操作员/ })).toHaveAttribute('aria-disabled', 'true');
  await form.getByRole('combobox').fill('编辑');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('option', { name: /内容编辑/ })).toHaveAttribute('aria-selected', 'true');
  await form.getByLabel('描述').fill('新编辑');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('row').filter({ hasText: 'new-editor@example.com' })).toContainText('内容编辑');
});
