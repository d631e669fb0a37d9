import { Admin, expect, test } from '../fixtures.ts';
import { build } from '../../testing/factories/build.ts';
import { findFreePort } from '../../chain/free-port.ts';
import { PanelServers } from '../support/server.ts';

test.use({ ownContext: true });

test('when the server stops, loaded data stays with its age, writes are refused, and everything resumes afterwards', async ({
  page,
  server,
  store,
}) => {
  const env = { PORT: String(await findFreePort()) };
  const panels = new PanelServers();
  let ownServer = await panels.start(server.databaseUrl, env);
  try {
    const admin = new Admin(page, ownServer.url);
    await admin.signIn('all', '/notices');
    await admin.run('notices.add', { params: build.noticeFields({ content: 'Read before' }) });
    const findRow = (content: string) => page.getByRole('row').filter({ hasText: content });
    await expect(findRow('Read before')).toBeVisible();
    const offlineBar = page.locator('[data-state="offline"]');
    await expect(page.locator('[data-state-said]')).toBeAttached();
    await ownServer.stop();

    // The broken event stream alone triggers the check.
    await expect(offlineBar).toContainText('无法连接服务器');
    await expect(offlineBar).toContainText(/数据截至 \d\d:\d\d/);
    await expect(page.locator('[data-state-said]')).toHaveText('无法连接服务器，暂时不能修改数据。恢复后自动重连。');
    await expect(findRow('Read before')).toBeVisible();

    await page.keyboard.press('c');
    const form = page.getByRole('dialog');
    await form.getByLabel('公告内容').fill('Typed while away');
    await form.getByLabel('跳转链接').fill('https://example.com/b');
    await page.keyboard.press('Control+Enter');
    await expect(form.getByRole('alert')).toContainText('网络已断开，未做任何修改');
    await expect(form.getByLabel('公告内容')).toHaveValue('Typed while away');

    await store.notice({ content: 'Written meanwhile' });
    ownServer = await panels.start(server.databaseUrl, env);
    await expect(offlineBar).toHaveCount(0);
    await page.keyboard.press('Control+Enter');
    await expect(form).toHaveCount(0);
    await expect(findRow('Written meanwhile')).toBeVisible();
    await expect(findRow('Typed while away')).toHaveCount(1);
  } finally {
    await ownServer.stop();
    await panels.close();
  }
});

test(
  'a screen that could not be loaded during an outage loads when the connection is back',
  { tag: '@long' },
  async ({ page, admin, context }) => {
    await admin.signIn('all', '/notices');
    await expect(page.locator('[data-state-said]')).toBeAttached();
    // The bar above the menu must not appear during a press.
    await page.getByRole('link', { name: '新闻管理' }).first().hover();
    await page.mouse.down();
    await context.setOffline(true);
    await expect(page.locator('[data-state-said]')).not.toBeEmpty();
    await expect(page.locator('[data-state="offline"]')).toHaveCount(0);
    await page.mouse.up();
    await expect(page).toHaveURL(/\/news$/);
    await expect(page.locator('[data-state="offline"]')).toBeVisible();
    await page.getByRole('link', { name: '操作日志' }).first().click();
    await expect(page.getByRole('alert').filter({ hasText: 'Loading chunk failed' })).toContainText('missing');
    await context.setOffline(false);
    await expect(page.locator('[data-state="offline"]')).toHaveCount(0);
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    const failedImports = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
        ({ initiatorType, responseStatus }) => initiatorType === 'script' && responseStatus === 0,
      ),
    );
    expect(failedImports).toEqual([]);

    // A press that opens a menu may never end.
    const link = page.getByRole('link', { name: '新闻管理' }).first();
    await link.hover();
    await page.mouse.down();
    await link.dispatchEvent('contextmenu');
    await context.setOffline(true);
    await expect(page.locator('[data-state="offline"]')).toBeVisible();
    await page.mouse.up();
  },
);

test('a lost response is reported, and the same form sends only once', async ({ page, admin, db }) => {
  await admin.signIn('all', '/notices');
  await page.route('**/rpc/notices/add', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press('c');
  const form = page.getByRole('dialog');
  await form.getByLabel('公告内容').fill('Sent once');
  await form.getByLabel('跳转链接').fill('https://example.com/c');
  await page.keyboard.press('Control+Enter');
  await expect(form.getByRole('alert')).toContainText('操作可能已完成');
  await page.unroute('**/rpc/notices/add');
  await page.keyboard.press('Control+Enter');
  await expect(form).toHaveCount(0);
  expect((await db.query(`select count(*)::int as n from notices where content = 'Sent once'`)).rows).toEqual([{ n: 1 }]);
});

test('a page that was asleep refetches its data', { tag: '@long' }, async ({ page, admin, db }) => {
  await admin.signIn('all', '/notices');
  const {
    done: [{ id }],
  } = await admin.run('notices.add', { params: build.noticeFields({ content: 'Before the night' }) });
  const findRow = (content: string) => page.getByRole('row').filter({ hasText: content });
  await expect(findRow('Before the night')).toBeVisible();
  await expect(page.locator('[data-state-said]')).toBeAttached();
  await page.clock.install();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.reload();
  await admin.ready();
  await expect(page.locator('[data-state-said]')).toBeAttached();
  await db.query(`update notices set content = 'After the night', version = version + 1 where id = $1`, [id]);
  await page.clock.fastForward('20:00');
  await expect(findRow('After the night')).toBeVisible();
});

test(
  'a form started by one person is not sent as the next person',
  { tag: '@long' },
  async ({ page, admin, context, server, db }) => {
    await admin.signIn('editor', '/notices');
    await page.keyboard.press('c');
    const form = page.getByRole('dialog');
    await form.getByLabel('公告内容').fill('Begun as the editor');
    await form.getByLabel('跳转链接').fill('https://example.com/d');

    const otherAdmin = new Admin(await context.newPage(), server.url);
    await otherAdmin.signIn('all', '/notices');
    await expect(page.getByText('admin@demo.local').first()).toBeAttached();
    await expect(form).toHaveCount(0);
    await page.keyboard.press('Control+Enter');
    expect((await db.query(`select 1 from notices where content = 'Begun as the editor'`)).rowCount).toBe(0);

    await page.bringToFront();
    await admin.ready();
    await page.keyboard.press('c');
    await expect(form.getByLabel('公告内容')).toHaveValue('');
    await page.keyboard.press('Escape');
    await admin.signIn('editor', '/notices');
    await page.keyboard.press('c');
    await expect(form.getByLabel('公告内容')).toHaveValue('Begun as the editor');
  },
);
