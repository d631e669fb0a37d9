import { describe, expect, it } from 'vitest';
import { flatMenu } from '../../../api/menu.ts';
import { guardRoute, returnPath, startPath, visibleMenu } from './guard.ts';
import { menuOf } from './menu.ts';

const authorization = 'token';
const everything = flatMenu()
  .filter(({ children }) => !children)
  .map(({ path }) => ({ path }));
const nested = [
  { path: '/' },
  { path: '/news' },
  { path: '/statistics', children: [{ path: '/statistics/dataWallet' }, { path: '/statistics/data0penBox' }] },
  { path: '/permissions', children: [{ path: '/permissions/administrator' }, { path: '/permissions/role' }] },
  { path: '/selfCustody', children: [] },
];
const ok = { kind: 'ok' };
const to = (path: string) => ({ kind: 'redirect', to: path });

describe('the guard without Authorization', () => {
  it.each(['/', '/news', '/statistics', '/404', '/nowhere', '/Login', '/login/', '/login/x'])('sends %s to /login', (path) => {
    expect(guardRoute({ path, authorization: null, permittedRoutes: null })).toEqual(to('/login'));
    expect(guardRoute({ path, authorization: '', permittedRoutes: nested })).toEqual(to('/login'));
  });

  it('allows /login with any stored list', () => {
    expect(guardRoute({ path: '/login', authorization: null, permittedRoutes: null })).toEqual(ok);
    expect(guardRoute({ path: '/login', authorization: null, permittedRoutes: nested })).toEqual(ok);
  });
});

describe('the guard with Authorization and no list', () => {
  it.each(['/', '/news', '/permissions/role', '/nowhere', '/login', '/404'])('allows %s until the list is loaded', (path) => {
    expect(guardRoute({ path, authorization, permittedRoutes: null })).toEqual(ok);
  });
});

describe('the guard with Authorization and a list', () => {
  it.each([
    ['/', ok],
    ['/news', ok],
    ['/statistics/dataWallet', ok],
    ['/statistics/data0penBox', ok],
    ['/login', ok],
    ['/404', ok],
    // the letter O instead of the zero
    ['/statistics/dataOpenBox', to('/404')],
    // exists, but not permitted
    ['/feedback', to('/404')],
    ['/statistics/dataView', to('/404')],
    ['/CRSMTrove/CRSMList', to('/404')],
    // does not exist
    ['/nowhere', to('/404')],
    ['/news/42', to('/404')],
    ['//news', to('/404')],
    ['/statistics/', to('/statistics')],
    // case-sensitive
    ['/News', to('/404')],
    ['/NEWS', to('/404')],
    // trailing slash
    ['/news/', to('/news')],
    ['/nowhere/', to('/nowhere')],
    ['/permissions', to('/permissions/administrator')],
    ['/statistics', to('/statistics/dataWallet')],
    ['/selfCustody', to('/404')],
    ['/CRSMTrove', to('/404')],
  ])('answers %s with %o', (path, verdict) => {
    expect(guardRoute({ path, authorization, permittedRoutes: nested })).toEqual(verdict);
  });

  it('permits only /login and /404 for an empty list', () => {
    for (const { path } of flatMenu()) expect(guardRoute({ path, authorization, permittedRoutes: [] })).toEqual(to('/404'));
    expect(guardRoute({ path: '/404', authorization, permittedRoutes: [] })).toEqual(ok);
  });

  it('opens help for every signed-in person, and only for them', () => {
    for (const path of ['/help', '/help/news', '/help/selfCustody/deposit']) {
      expect(guardRoute({ path, authorization, permittedRoutes: [] })).toEqual(ok);
      expect(guardRoute({ path, authorization: null, permittedRoutes: null })).toEqual(to('/login'));
    }
    expect(guardRoute({ path: '/helpers', authorization, permittedRoutes: nested })).toEqual(to('/404'));
  });

  it('accepts flat and nested lists: a child permits its group', () => {
    expect(guardRoute({ path: '/statistics', authorization, permittedRoutes: [{ path: '/statistics/dataCdp' }] })).toEqual(
      to('/statistics/dataCdp'),
    );
  });

  it('redirects only to permitted places', () => {
    for (const path of [...flatMenu().map((node) => node.path), '/nowhere', '/news/', '/a/b/']) {
      let verdict = guardRoute({ path, authorization, permittedRoutes: nested });
      for (let hops = 0; verdict.kind === 'redirect' && hops < 3; hops++) {
        verdict = guardRoute({ path: verdict.to, authorization, permittedRoutes: nested });
      }
      expect(verdict).toEqual(ok);
    }
  });

  it.each([
    ['/CRSMTrove', '/CRSMTrove/CRSMList'],
    ['/permissions', '/permissions/administrator'],
    ['/selfCustody', '/selfCustody/dataPanel'],
    ['/statistics', '/statistics/dataView'],
  ])('leads from the group %s to %s if everything is permitted', (path, home) => {
    expect(guardRoute({ path, authorization, permittedRoutes: everything })).toEqual(to(home));
  });
});

describe('the built-in menu', () => {
  it('shows permitted screens in menu order, without empty groups', () => {
    const shown = visibleMenu(new Set(['/statistics/data0penBox', '/news', '/', '/selfCustody', '/unknown']));
    expect(shown.map(({ path, children }) => [path, children?.map((child) => child.path)])).toEqual([
      ['/', undefined],
      ['/news', undefined],
      ['/statistics', ['/statistics/data0penBox']],
    ]);
  });
});

describe('the menu of the permission tree', () => {
  const routes = [
    { path: '/notices', zh: '通告', en: 'Notes' },
    { path: '/own', zh: '自', en: 'Own', children: [{ path: '/news', zh: '快讯', en: 'Bulletins' }, { path: '/unknown' }] },
    { path: '/empty', zh: '空', en: 'Empty', children: [] },
    { path: '/account' },
  ];

  it("has the tree's names, order and groups, and only existing screens", () => {
    expect(menuOf(routes)).toEqual([
      { path: '/notices', zh: '通告', en: 'Notes' },
      { path: '/own', zh: '自', en: 'Own', children: [{ path: '/news', zh: '快讯', en: 'Bulletins' }] },
    ]);
  });

  it('is the built-in one if the list has no names', () => {
    expect(menuOf(nested).map(({ path, en }) => [path, en])).toEqual([
      ['/', 'Home'],
      ['/news', 'News Manage'],
      ['/statistics', 'Data Statistics'],
      ['/permissions', 'Permission Manag'],
    ]);
  });

  it('leads from a custom group to its first screen', () => {
    expect(guardRoute({ path: '/own', authorization, permittedRoutes: routes })).toEqual(to('/news'));
  });
});

describe('the start page', () => {
  it.each([
    [nested, '/'],
    [[{ path: '/feedback' }, { path: '/news' }], '/news'],
    [[{ path: '/selfCustody', children: [{ path: '/selfCustody/deposit' }] }], '/selfCustody/deposit'],
    [[{ path: '/account' }], '/account'],
    [[], '/404'],
    [null, '/'],
  ])('with %o is %s', (routes, path) => {
    expect(startPath(routes)).toBe(path);
  });
});

describe('the page after sign-in', () => {
  it.each([
    ['/news?status=shown#x', '/news?status=shown#x'],
    ['/statistics', '/statistics/dataWallet'],
    [null, '/'],
    ['', '/'],
    ['/feedback', '/'],
    ['/login', '/'],
    ['/404', '/'],
    ['news', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example/news', '/'],
    ['/\\evil.example', '/'],
    ['/news\u0000', '/'],
    ['javascript:alert(1)', '/'],
  ])('for the wanted path %o is %s', (requested, path) => {
    expect(returnPath(requested, nested)).toBe(path);
  });
});
