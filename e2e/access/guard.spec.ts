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
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route('**/rpc/session/current', async (route) => {
    await opened;
    await route.continue().catch(() => {}); // the page may be closed by then
  });
  return open;
}

/** Leaves the panel, because a late response would store the current access. */
const leave = (page: Page) => page.goto(new URL('/healthz', page.url()).href);

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
    await leave(page);
    const letThrough = await holdAccess(page);
    await storeRoutes(page, [{ path: '/' }, { path: '/news' }]);
    const refused = page.waitForResponse((response) => response.url().endsWith('/rpc/news/list'));
    await page.goto(`${admin.url}/news`);
    expect((await refused).status()).toBe(403);
    await expect(page.getByRole('heading', { level: 1, name: '新闻管理' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('您没有');
    await expect(page.getByRole('row')).toHaveCount(0);

    letThrough();
    await page.waitForURL(`${admin.url}/404`);
    const stored = await page.evaluate(() => localStorage.getItem('permittedRoutes') ?? '');
    expect(stored).not.toContain('/news');
    expect(stored).toContain('/selfCustody/deposit');
  });

  test(
    'tampered permission codes show the buttons, but the server refuses the action',
    { tag: '@long' },
    async ({ page, admin, db }) => {
      await admin.signIn('analyst', '/news');
      await leave(page);
      await holdAccess(page);
      await page.evaluate(() => {
        const access = JSON.parse(localStorage.getItem('prefs.access') ?? '{}');
        localStorage.setItem('prefs.access', JSON.stringify({ ...access, codes: [{ code: 'news.delete' }] }));
      });
      await admin.open('/news');
      const [first] = (await db.query('select id from news order by id limit 1')).rows;
      await expect(admin.run('news.delete', { targets: [first.id], confirm: true })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect((await db.query('select 1 from news where id = $1', [first.id])).rowCount).toBe(1);
    },
  );
});

test.describe('when storage changes', () => {
  test('signing out in another tab signs this tab out with a message', { tag: '@long' }, async ({ page, admin, context }) => {
    await admin.signIn('all', '/news');
    const other = await context.newPage();
    await other.goto(`${admin.url}/feedback`);
    await other.waitForFunction(() => window.admin !== undefined);
    await admin.run('session.signOut', { confirm: true });
    await page.waitForURL(`${admin.url}/login`);
    await other.waitForURL(`${admin.url}/login`);
    await expect(other.getByRole('status').filter({ hasText: '您已在另一个标签页退出登录' })).toBeVisible();
  });

  test('removing a permission in another tab takes effect in this tab', { tag: '@long' }, async ({ page, admin, context }) => {
    await admin.signIn('all', '/news');
    await holdAccess(page);
    const other = await context.newPage();
    await other.goto(`${admin.url}/healthz`);
    await storeRoutes(other, [{ path: '/' }]);
    await page.waitForURL(`${admin.url}/404`);
  });

  test(
    'a session that ended on the server leads to /login at the next call, and back after sign-in',
    { tag: '@long' },
    async ({ page, admin, db }) => {
      const answered = page.waitForResponse('**/rpc/session/current');
      await admin.signIn('all', '/feedback');
      await answered;
      await db.query('delete from sessions');
      await page.goto(`${admin.url}/news?q=YBTC`);
      await page.waitForURL(`${admin.url}/login`);
      await expect(page.getByRole('status').filter({ hasText: '登录已失效' })).toBeVisible();
      await signInByHand(page, demoAccounts[0].email);
      await page.waitForURL(`${admin.url}/news?q=YBTC`);
    },
  );
});

test.describe('after sign-in', () => {
  test('the person reaches the requested page with its query', async ({ page, server }) => {
    await page.goto(`${server.url}/news?q=YBTC`);
    await page.waitForURL(`${server.url}/login`);
    await signInByHand(page, 'editor@demo.local');
    await page.waitForURL(`${server.url}/news?q=YBTC`);
    await expect(page.getByRole('heading', { level: 1, name: '新闻管理' })).toBeVisible();
  });

  test('the person is not sent to a forbidden page or outside the panel', async ({ page, server }) => {
    await page.goto(`${server.url}/permissions/role`);
    await page.waitForURL(`${server.url}/login`);
    await signInByHand(page, 'editor@demo.local');
    await page.waitForURL(`${server.url}/`);

    await page.evaluate(() => localStorage.clear());
    await page.goto(`${server.url}/login`);
    await page.evaluate(() => sessionStorage.setItem('returnTo', '//example.com/news'));
    await signInByHand(page, 'editor@demo.local');
    await page.waitForURL(`${server.url}/`);
  });
});

async function signInByHand(page: Page, email: string): Promise<void> {
  await page.getByLabel('邮箱').fill(email);
  await page.getByLabel('密码', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
}
