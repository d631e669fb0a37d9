import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { flattenMenu } from '../../../api/menu.ts';
import { readCalls, holdResponses } from '../../testing/api.ts';
import { loadPage, openPage, signIn, openSignedOut } from '../../testing/panel.tsx';
import { expectPath, textContents } from '../../testing/locators.ts';

const screens = flattenMenu().filter(({ children }) => !children);
const groups = flattenMenu().filter(({ children }) => children);

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const nextTask = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
const storeRoutes = (routes: unknown) => localStorage.setItem('permittedRoutes', JSON.stringify(routes));

describe('the app without a token', () => {
  for (const path of ['/', '/news', '/CRSMTrove/CRSMList', '/statistics/data0penBox', '/no/such/page', '/404']) {
    test(`redirects ${path} to /login`, async () => {
      await openSignedOut(path);
      await expectPath('/login');
      await expect.element(page.getByRole('button', { name: '登录', exact: true })).toBeVisible();
    });
  }

  test('treats an empty token as none', async () => {
    await openSignedOut('/login');
    localStorage.setItem('Authorization', '');
    await loadPage('/news');
    await expectPath('/login');
  });

  test('returns after sign-in to the requested address with its query and hash', async () => {
    await openSignedOut('/news?title=x#top');
    await expectPath('/login');
    expect(location.search + location.hash).toBe('');
    expect(sessionStorage.getItem('returnTo')).toContain('/news?title=x#top');
  });

  test('shows /login outside the layout', async () => {
    await openSignedOut('/login');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.element(page.getByRole('navigation')).toHaveLength(0);
    await expect.element(page.getByText('管理后台', { exact: true })).toHaveLength(0);
  });
});

describe('the app with a token and a list', () => {
  test('opens a permitted path and redirects others to /404', async () => {
    await signIn('editor', '/feedback');
    expect(location.pathname).toBe('/feedback');
    await loadPage('/permissions/role');
    await expectPath('/404');
  });

  test('permits the children of a nested list, and the menu shows only those', async () => {
    await signIn('all', '/');
    holdResponses('session/current');
    storeRoutes([{ path: '/' }, { path: '/statistics', children: [{ path: '/statistics/data0penBox' }] }]);
    await loadPage('/statistics/data0penBox');
    await expect.element(heading('抽奖统计')).toBeVisible();
    await expect
      .poll(() => textContents(page.getByRole('navigation', { name: '菜单' }).getByRole('link')))
      .toEqual(['首页', '抽奖统计']);
    await loadPage('/statistics/dataView');
    await expectPath('/404');
  });

  test('delivers no pending response of an abandoned page to another', async () => {
    await signIn('all', '/');
    const permittedRoutes = JSON.stringify([{ path: '/' }]);
    for (let round = 0; round < 20; round++) {
      const taskCount = round % 10;
      const callsBefore = readCalls('session/current').length;
      const release = holdResponses('session/current');
      await loadPage('/');
      await expect.poll(() => readCalls('session/current').length).toBeGreaterThan(callsBefore);
      release();
      for (let i = 0; i < taskCount; i++) await nextTask();
      const releaseNext = holdResponses('session/current');
      localStorage.setItem('permittedRoutes', permittedRoutes);
      await loadPage('/');
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(localStorage.getItem('permittedRoutes'), `after ${taskCount} hops`).toBe(permittedRoutes);
      releaseNext();
    }
  });

  test('finds the lottery with a zero in its path, not with the letter O', async () => {
    await signIn('all', '/statistics/data0penBox');
    await expect.element(heading('抽奖统计')).toBeVisible();
    await loadPage('/statistics/dataOpenBox');
    await expectPath('/404');
  });

  test('shows /404 outside the layout with the requested path and a link home', async () => {
    await signIn('all', '/');
    await loadPage('/no/such/page');
    await expectPath('/404');
    await expect.element(page.getByText('/no/such/page')).toBeVisible();
    await expect.element(page.getByRole('navigation')).toHaveLength(0);
    await page.getByRole('link', { name: '返回首页' }).click();
    await expectPath('/');
    await expect.element(page.getByRole('navigation')).toBeVisible();
  });

  test('redirects a second unknown path to /404 again', async () => {
    await signIn('all', '/');
    for (const path of ['/no/such/page', '/another/one']) {
      await loadPage(path);
      await expectPath('/404');
      await expect.element(page.getByText(path)).toBeVisible();
    }
  });

  test('removes a trailing slash, and does not find another letter case', async () => {
    await signIn('all', '/');
    await loadPage('/news/');
    await expectPath('/news');
    await loadPage('/News');
    await expectPath('/404');
  });

  for (const { path, home = '' } of groups) {
    test(`redirects ${path} to ${home}`, async () => {
      await signIn('all', '/');
      await loadPage(`${path}?from=link`);
      await expect.poll(() => location.pathname + location.search).toBe(`${home}?from=link`);
    });
  }

  test('redirects a group to its first permitted child, or to /404 without one', async () => {
    await signIn('all', '/');
    holdResponses('session/current');
    storeRoutes([{ path: '/permissions', children: [{ path: '/permissions/permission' }] }, { path: '/selfCustody' }]);
    await loadPage('/permissions');
    await expectPath('/permissions/permission');
    await loadPage('/selfCustody');
    await expectPath('/404');
  });
});

describe('the app with a token and no list', () => {
  for (const [name, list] of [
    ['missing', null],
    ['corrupt', '[{"path": "/news"'],
    ['of another shape', '{"/news": true}'],
  ] as const) {
    test(`loads the list from the server if it is ${name}, and then checks the path`, async () => {
      await signIn('editor', '/feedback');
      if (list === null) localStorage.removeItem('permittedRoutes');
      else localStorage.setItem('permittedRoutes', list);
      await openPage('/notices');
      await expect.element(heading('公告管理')).toBeVisible();
      await expect.poll(() => localStorage.getItem('permittedRoutes')).toContain('"/notices"');

      localStorage.removeItem('permittedRoutes');
      await loadPage('/permissions/role');
      await expectPath('/404');
    });
  }
});

test('clearing storage takes effect on the next route change', async () => {
  await signIn('all', '/');
  localStorage.clear();
  await page.getByRole('navigation').getByRole('link', { name: '新闻管理' }).click();
  await expectPath('/login');
});

for (const { path, zh } of screens) {
  test(`${path} opens with its own title for a person with all permissions`, async () => {
    await signIn('all', path);
    expect(location.pathname).toBe(path);
    if (path !== '/') await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(new RegExp(`^${zh}$`));
    await expect.poll(() => document.title).toBe(`${zh} · 管理后台`);
    const currentLink = page.getByRole('navigation', { name: '菜单' }).css('[aria-current="page"]');
    await expect.poll(() => textContents(currentLink)).toEqual([zh]);
  });
}
