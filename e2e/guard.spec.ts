import type { Page } from 'playwright/test';
import { flatMenu } from '../api/routes.ts';
import { demoAccounts, demoPassword } from '../server/seeded-roles.ts';
import { expect, test } from './fixtures.ts';

const screens = flatMenu().filter(({ children }) => !children);
const groups = flatMenu().filter(({ children }) => children);
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Keeps the server's own list away, so that the stored one alone decides. Answers how to let it through. */
async function holdAccess(page: Page): Promise<() => void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route('**/rpc/session/current', async (route) => {
    await opened;
    await route.continue().catch(() => {}); // the page may be gone by then
  });
  return open;
}

const storeRoutes = (page: Page, routes: unknown) =>
  page.evaluate(
    (text) => localStorage.setItem('permittedRoutes', text),
    typeof routes === 'string' ? routes : JSON.stringify(routes),
  );

test.describe('without a token', () => {
  for (const path of ['/', '/news', '/CRSMTrove/CRSMList', '/statistics/data0penBox', '/no/such/page', '/404']) {
    test(`${path} leads to /login`, async ({ page, server }) => {
      await page.goto(server.url + path);
      await page.waitForURL(`${server.url}/login`);
      await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible();
    });
  }

  test('an empty token counts as none', async ({ page, server }) => {
    await page.goto(`${server.url}/login`);
    await page.evaluate(() => localStorage.setItem('Authorization', ''));
    await page.goto(`${server.url}/news`);
    await page.waitForURL(`${server.url}/login`);
  });

  test('/login stands without the layout', async ({ page, server }) => {
    await page.goto(`${server.url}/login`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByText('管理后台', { exact: true })).toHaveCount(0);
  });
});

test.describe('with a token and a list', () => {
  test('a path on the list opens, one that is not leads to /404', async ({ page, admin }) => {
    await admin.signIn('editor', '/feedback');
    expect(pathOf(page)).toBe('/feedback');
    await page.goto(`${admin.url}/permissions/role`);
    await page.waitForURL(`${admin.url}/404`);
  });

  test('children of a nested list are on it, and the shell menu shows just them', async ({ page, admin }) => {
    await admin.signIn('all');
    await holdAccess(page);
    await storeRoutes(page, [{ path: '/' }, { path: '/statistics', children: [{ path: '/statistics/data0penBox' }] }]);
    await page.goto(`${admin.url}/statistics/data0penBox`);
    await expect(page.getByRole('heading', { level: 1, name: '抽奖统计' })).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['首页', '抽奖统计']);
    await page.goto(`${admin.url}/statistics/dataView`);
    await page.waitForURL(`${admin.url}/404`);
  });

  test('the lottery is spelled with a zero; with the letter O it is not found', async ({ page, admin }) => {
    await admin.signIn('all', '/statistics/data0penBox');
    await expect(page.getByRole('heading', { level: 1, name: '抽奖统计' })).toBeVisible();
    await page.goto(`${admin.url}/statistics/dataOpenBox`);
    await page.waitForURL(`${admin.url}/404`);
  });

  test('/404 stands without the layout, says what was asked for, and leads home', async ({ page, admin }) => {
    await admin.signIn('all');
    await page.goto(`${admin.url}/no/such/page`);
    await page.waitForURL(`${admin.url}/404`);
    await expect(page.getByText('/no/such/page')).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await page.getByRole('link', { name: '返回首页' }).click();
    await page.waitForURL(`${admin.url}/`);
    await expect(page.getByRole('navigation')).toBeVisible();
  });

  test('an end slash is taken off, another case of letters is not found', async ({ page, admin }) => {
    await admin.signIn('all');
    await page.goto(`${admin.url}/news/`);
    await page.waitForURL(`${admin.url}/news`);
    await page.goto(`${admin.url}/News`);
    await page.waitForURL(`${admin.url}/404`);
  });

  for (const { path, home = '' } of groups) {
    test(`${path} leads to ${home}`, async ({ page, admin }) => {
      await admin.signIn('all');
      await page.goto(`${admin.url}${path}?from=link`);
      await page.waitForURL(`${admin.url}${home}?from=link`);
    });
  }

  test('a group leads to its first permitted child when its own is not permitted, and to /404 with none', async ({
    page,
    admin,
  }) => {
    await admin.signIn('all');
    await holdAccess(page);
    await storeRoutes(page, [
      { path: '/permissions', children: [{ path: '/permissions/permission' }] },
      { path: '/selfCustody' },
    ]);
    await page.goto(`${admin.url}/permissions`);
    await page.waitForURL(`${admin.url}/permissions/permission`);
    await page.goto(`${admin.url}/selfCustody`);
    await page.waitForURL(`${admin.url}/404`);
  });

  test('a tampered list shows the page, but the server gives it nothing and puts the list right', async ({ page, admin }) => {
    await admin.signIn('operator');
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

  test('tampered codes show the buttons, but the server refuses the deed', async ({ page, admin, db }) => {
    await admin.signIn('analyst', '/news');
    await holdAccess(page);
    await page.evaluate(() => {
      const access = JSON.parse(localStorage.getItem('prefs.access') ?? '{}');
      localStorage.setItem('prefs.access', JSON.stringify({ ...access, codes: [{ code: 'news.delete' }] }));
    });
    await admin.open('/news');
    const [first] = (await db.query('select id from news order by id limit 1')).rows;
    await expect(admin.run('news.delete', { targets: [first.id], confirm: true })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await db.query('select 1 from news where id = $1', [first.id])).rowCount).toBe(1);
  });
});

test.describe('with a token, without a list', () => {
  for (const [name, list] of [
    ['missing', null],
    ['corrupt', '[{"path": "/news"'],
    ['of another shape', '{"/news": true}'],
  ] as const) {
    test(`a list that is ${name} is asked of the server and judged then`, async ({ page, admin }) => {
      await admin.signIn('editor', '/feedback');
      await page.evaluate((text) => {
        if (text === null) localStorage.removeItem('permittedRoutes');
        else localStorage.setItem('permittedRoutes', text);
      }, list);
      await admin.open('/notices');
      await expect(page.getByRole('heading', { level: 1, name: '公告管理' })).toBeVisible();
      await expect.poll(() => page.evaluate(() => localStorage.getItem('permittedRoutes'))).toContain('"/notices"');

      await page.evaluate(() => localStorage.removeItem('permittedRoutes'));
      await page.goto(`${admin.url}/permissions/role`);
      await page.waitForURL(`${admin.url}/404`);
    });
  }
});

test.describe('when storage changes', () => {
  test('a cleared storage acts on the next change of route', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await page.evaluate(() => localStorage.clear());
    await page.getByRole('navigation').getByRole('link', { name: '新闻管理' }).click();
    await page.waitForURL(`${admin.url}/login`);
  });

  test('another tab signing out acts at once, and says so', async ({ page, admin, context }) => {
    await admin.signIn('all', '/news');
    const other = await context.newPage();
    await other.goto(`${admin.url}/feedback`);
    await other.waitForFunction(() => window.admin !== undefined);
    await admin.run('session.signOut', { confirm: true });
    await page.waitForURL(`${admin.url}/login`);
    await other.waitForURL(`${admin.url}/login`);
    await expect(other.getByRole('status').filter({ hasText: '您已在另一个标签页退出登录' })).toBeVisible();
  });

  test('another tab taking a right away acts at once', async ({ page, admin, context }) => {
    await admin.signIn('all', '/news');
    await holdAccess(page);
    const other = await context.newPage();
    await other.goto(`${admin.url}/login`);
    await storeRoutes(other, [{ path: '/' }]);
    await page.waitForURL(`${admin.url}/404`);
  });

  test('a session ended on the server leads to /login at the next call, and back after sign-in', async ({ page, admin, db }) => {
    const answered = page.waitForResponse('**/rpc/session/current');
    await admin.signIn('all', '/feedback');
    await answered;
    await db.query('delete from sessions');
    await page.goto(`${admin.url}/news?q=YBTC`);
    await page.waitForURL(`${admin.url}/login`);
    await expect(page.getByRole('status').filter({ hasText: '登录已失效' })).toBeVisible();
    await signInByHand(page, demoAccounts[0].email);
    await page.waitForURL(`${admin.url}/news?q=YBTC`);
  });
});

test.describe('after sign-in', () => {
  test('one goes where one was headed, with its query', async ({ page, server }) => {
    await page.goto(`${server.url}/news?q=YBTC`);
    await page.waitForURL(`${server.url}/login`);
    await signInByHand(page, 'editor@demo.local');
    await page.waitForURL(`${server.url}/news?q=YBTC`);
    await expect(page.getByRole('heading', { level: 1, name: '新闻管理' })).toBeVisible();
  });

  test('one is not sent where one may not go, nor outside the panel', async ({ page, server }) => {
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

for (const [locale, key] of [
  ['zh-CN', 'zh'],
  ['en-US', 'en'],
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });
    test('every specified screen opens for whoever has all rights, under its own title', async ({ page, admin }) => {
      await admin.signIn('all');
      for (const screen of screens) {
        await admin.open(screen.path);
        expect(pathOf(page)).toBe(screen.path);
        if (screen.path !== '/') await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen[key]);
        await expect(page).toHaveTitle(`${screen[key]} · ${key === 'zh' ? '管理后台' : 'Admin Panel'}`);
        await expect(
          page.getByRole('navigation', { name: key === 'zh' ? '菜单' : 'Menu' }).locator('[aria-current="page"]'),
        ).toHaveText(screen[key]);
      }
    });
  });
}

async function signInByHand(page: Page, email: string): Promise<void> {
  await page.getByLabel('邮箱').fill(email);
  await page.getByLabel('密码', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
}
