import { Admin, expect, test } from '../fixtures.ts';

test('history follows the person to another device, undo works there, and is refused after the permission is lost', async ({
  admin,
  page,
  browser,
  db,
}) => {
  await admin.signIn('editor', '/news');
  const params = {
    title: '两台设备',
    description: '说明',
    image: 'https://a.example/1.png',
    time: '2026-01-01T00:00:00.000Z',
    link: 'https://a.example/',
  };
  const {
    done: [{ id }],
  } = await admin.run('news.add', { params });
  const { done: changedIds } = await admin.run('news.edit', { targets: [id], params: { title: '改过的标题' } });
  expect(changedIds).toHaveLength(1);
  await admin.run('news.edit', { targets: [id], params: { title: '又改过的标题' } });
  await expect.poll(async () => (await db.query('select 1 from command_history')).rows.length).toBe(3);

  const context = await browser.newContext({ locale: 'zh-CN' });
  const otherAdmin = new Admin(await context.newPage(), admin.url);
  await otherAdmin.signIn('editor', '/news');
  await otherAdmin.page.keyboard.press('g');
  await otherAdmin.page.keyboard.press('z');
  const entries = otherAdmin.page.getByRole('dialog').locator('[data-entry]');
  await expect(entries).toHaveCount(3);
  await entries.first().focus();
  await otherAdmin.page.keyboard.press('u');
  await expect(entries.first()).toHaveAttribute('data-undone', 'true');
  await expect
    .poll(async () => (await db.query<{ title: string }>('select title from news where id = $1', [id])).rows[0]?.title)
    .toBe('改过的标题');

  // The permission is taken away: the older step can no longer be taken back.
  await db.query(
    `delete from role_nodes where role_id = (select id from roles where seed = 'editor')
     and node_id = (select id from permission_nodes where identifier = 'news.edit')`,
  );
  await entries.nth(1).focus();
  await otherAdmin.page.keyboard.press('u');
  await expect(entries.nth(1)).not.toHaveAttribute('data-undone', 'true');
  const { rows } = await db.query<{ title: string }>('select title from news where id = $1', [id]);
  expect(rows[0]?.title).toBe('改过的标题');
  await db.query(
    `insert into role_nodes (role_id, node_id) select r.id, n.id from roles r, permission_nodes n
     where r.seed = 'editor' and n.identifier = 'news.edit' on conflict do nothing`,
  );
  await context.close();
  await page.setViewportSize({ width: 640, height: 700 });
  await expect(page.getByRole('button', { name: '退出登录' })).toBeVisible();
});
