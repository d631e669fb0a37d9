import type { Page } from 'playwright/test';
import { demoAccounts, demoPassword } from '../../server/seed/roles.ts';
import { expect, test } from '../fixtures.ts';

// Covers the server, other tabs and signing in. src/views/layout/app.component.test.ts covers where
// a path leads.

/**
 * Holds back the server's list, so that only the stored one decides. Returns a function that
 * releases it.
 */
async function holdAccess(page: Page): Promise<() => void> {
  let releaseResponse = () => {};
  const accessReleased = new Promise<void>((resolve) => {
    releaseResponse = resolve;
  });
  await page.route('**/rpc/session/current', async (route) => {
    await accessReleased;
    await route.continue().catch(() => {}); // the page may be closed by then
  });
  return releaseResponse;
}

/** Leaves the panel, because a late response would store the current access. */
const leavePanel = (page: Page) => page.goto(new URL('/healthz', page.url()).href);

const storeRoutes = (page: Page, routes: unknown) =>
  page.evaluate(
    (text) => localStorage.setItem('permittedRoutes', text),
    typeof routes === 'string' ? routes : JSON.stringify(routes),
  );

test.describe('tampered stored access', () => {
  test('a tampered permission list shows the page, but the server returns no data and restores the list', async ({
    page,
    admin,
  }) => {
    await admin.signIn('operator');
    await leavePanel(page);
    const releaseAccess = await holdAccess(page);
    await storeRoutes(page, [{ path: '/' }, { path: '/news' }]);
    const refusedResponse = page.waitForResponse((response) => response.url().endsWith('/rpc/news/list'));
    await page.goto(`${admin.url}/news`);
    expect((await refusedResponse).status()).toBe(403);
    await expect(page.getByRole('heading', { level: 1, name: '新闻管理' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('您没有');
    await expect(page.getByRole('row')).toHaveCount(0);

    releaseAccess();
    await page.waitForURL(`${admin.url}/404`);
    const storedRoutes = await page.evaluate(() => localStorage.getItem('permittedRoutes') ?? '');
    expect(storedRoutes).not.toContain('/news');
    expect(storedRoutes).toContain('/selfCustody/deposit');
  });

  test(
    'tampered permission codes show the buttons, but the server refuses the action',
    { tag: '@long' },
    async ({ page, admin, db }) => {
      await admin.signIn('analyst', '/news');
      await leavePanel(page);
      await holdAccess(page);
      await page.evaluate(() => {
        const storedAccess = JSON.parse(localStorage.getItem('prefs.access') ?? '{}');
        localStorage.setItem('prefs.access', JSON.stringify({ ...storedAccess, codes: [{ code: 'news.delete' }] }));
      });
      await admin.open('/news');
      const [firstNews] = (await db.query('select id from news order by id limit 1')).rows;
      await expect(admin.run('news.delete', { targets: [firstNews.id], confirm: true })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
      expect((await db.query('select 1 from news where id = $1', [firstNews.id])).rowCount).toBe(1);
    },
  );
});

test.describe('when storage changes', () => {
  test('signing out in another tab signs this tab out with a message', { tag: '@long' }, async ({ page, admin, context }) => {
    await admin.signIn('all', '/news');
    const otherTab = await context.newPage();
    await otherTab.goto(`${admin.url}/feedback`);
    await otherTab.waitForFunction(() => window.admin !== undefined);
    await admin.run('session.signOut', { confirm: true });
    await page.waitForURL(`${admin.url}/login`);
    await otherTab.waitForURL(`${admin.url}/login`);
    await expect(otherTab.getByRole('status').filter({ hasText: '您已在另一个标签页退出登录' })).toBeVisible();
  });

  test('removing a permission in another tab takes effect in this tab', { tag: '@long' }, async ({ page, admin, context }) => {
    await admin.signIn('all', '/news');
    await holdAccess(page);
    const otherTab = await context.newPage();
    await otherTab.goto(`${admin.url}/healthz`);
    await storeRoutes(otherTab, [{ path: '/' }]);
    await page.waitForURL(`${admin.url}/404`);
  });

  test(
    'a session that ended on the server leads to /login at the next call, and back after sign-in',
    { tag: '@long' },
    async ({ page, admin, db }) => {
      const sessionResponse = page.waitForResponse('**/rpc/session/current');
      await admin.signIn('all', '/feedback');
      await sessionResponse;
      await db.query('delete from sessions');
      await page.goto(`${admin.url}/news?q=YBTC`);
      await page.waitForURL(`${admin.url}/login`);
      await expect(page.getByRole('status').filter({ hasText: '登录已失效' })).toBeVisible();
      await signInManually(page, demoAccounts[0].email);
      await page.waitForURL(`${admin.url}/news?q=YBTC`);
    },
  );
});

test.describe('after sign-in', () => {
  test('the person reaches the requested page with its query', async ({ page, server }) => {
    await page.goto(`${server.url}/news?q=YBTC`);
    await page.waitForURL(`${server.url}/login`);
    await signInManually(page, 'editor@demo.local');
    await page.waitForURL(`${server.url}/news?q=YBTC`);
    await expect(page.getByRole('heading', { level: 1, name: '新闻管理' })).toBeVisible();
  });

  test('the form that was open when the session ended opens again with its draft', async ({ page, admin, db }) => {
    await admin.signIn('editor', '/notices');
    await page.keyboard.press('c');
    await page.getByLabel('公告内容').fill('写到一半的公告');
    await page.getByLabel('跳转链接').fill('example.com');
    await db.query('update sessions set revoked_at = now()');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(`${admin.url}/login`);
    await expect(page.getByLabel('邮箱')).toHaveValue('editor@demo.local');
    await expect(page.getByLabel('密码', { exact: true })).toBeFocused();
    await signInManually(page, 'editor@demo.local');
    await expect(page.getByLabel('公告内容')).toHaveValue('写到一半的公告');
  });

  test('the person is not sent to a forbidden page or outside the panel', async ({ page, server }) => {
    await page.goto(`${server.url}/permissions/role`);
    await page.waitForURL(`${server.url}/login`);
    await signInManually(page, 'editor@demo.local');
    await page.waitForURL(`${server.url}/`);

    await page.evaluate(() => localStorage.clear());
    await page.goto(`${server.url}/login`);
    await page.evaluate(() => sessionStorage.setItem('returnTo', '//example.com/news'));
    await signInManually(page, 'editor@demo.local');
    await page.waitForURL(`${server.url}/`);
  });
});

async function signInManually(page: Page, email: string): Promise<void> {
  await page.getByLabel('邮箱').fill(email);
  await page.getByLabel('密码', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
}
