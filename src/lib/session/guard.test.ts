import { describe, expect, it } from 'vitest';
import { flattenMenu } from '../../../api/menu.ts';
import { guardRoute, resolveReturnPath, startPath, visibleMenu } from './guard.ts';
import { buildMenu } from './menu.ts';

const authorization = 'token';
const allRoutes = flattenMenu()
  .filter(({ children }) => !children)
  .map(({ path }) => ({ path }));
const nestedRoutes = [
  { path: '/' },
  { path: '/news' },
  { path: '/statistics', children: [{ path: '/statistics/dataWallet' }, { path: '/statistics/data0penBox' }] },
  { path: '/permissions', children: [{ path: '/permissions/administrator' }, { path: '/permissions/role' }] },
  { path: '/selfCustody', children: [] },
];
const allowedVerdict = { kind: 'ok' };
const redirectTo = (path: string) => ({ kind: 'redirect', to: path });

describe('the guard without Authorization', () => {
  it.each(['/', '/news', '/statistics', '/404', '/nowhere', '/Login', '/login/', '/login/x'])('sends %s to /login', (path) => {
    expect(guardRoute({ path, authorization: null, permittedRoutes: null })).toEqual(redirectTo('/login'));
    expect(guardRoute({ path, authorization: '', permittedRoutes: nestedRoutes })).toEqual(redirectTo('/login'));
  });

  it('allows /login with any stored list', () => {
    expect(guardRoute({ path: '/login', authorization: null, permittedRoutes: null })).toEqual(allowedVerdict);
    expect(guardRoute({ path: '/login', authorization: null, permittedRoutes: nestedRoutes })).toEqual(allowedVerdict);
  });
});

describe('the guard with Authorization and no list', () => {
  it.each(['/', '/news', '/permissions/role', '/nowhere', '/login', '/404'])('allows %s until the list is loaded', (path) => {
    expect(guardRoute({ path, authorization, permittedRoutes: null })).toEqual(allowedVerdict);
  });
});

describe('the guard with Authorization and a list', () => {
  it.each([
    ['/', allowedVerdict],
    ['/news', allowedVerdict],
    ['/statistics/dataWallet', allowedVerdict],
    ['/statistics/data0penBox', allowedVerdict],
    ['/login', allowedVerdict],
    ['/404', allowedVerdict],
    // the letter O instead of the zero
    ['/statistics/dataOpenBox', redirectTo('/404')],
    // exists, but not permitted
    ['/feedback', redirectTo('/404')],
    ['/statistics/dataView', redirectTo('/404')],
    ['/CRSMTrove/CRSMList', redirectTo('/404')],
    // does not exist
    ['/nowhere', redirectTo('/404')],
    ['/news/42', redirectTo('/404')],
    ['//news', redirectTo('/404')],
    ['/statistics/', redirectTo('/statistics')],
    // case-sensitive
    ['/News', redirectTo('/404')],
    ['/NEWS', redirectTo('/404')],
    // trailing slash
    ['/news/', redirectTo('/news')],
    ['/nowhere/', redirectTo('/nowhere')],
    ['/permissions', redirectTo('/permissions/administrator')],
    ['/statistics', redirectTo('/statistics/dataWallet')],
    ['/selfCustody', redirectTo('/404')],
    ['/CRSMTrove', redirectTo('/404')],
  ])('answers %s with %o', (path, routeVerdict) => {
    expect(guardRoute({ path, authorization, permittedRoutes: nestedRoutes })).toEqual(routeVerdict);
  });

  it('permits only /login and /404 for an empty list', () => {
    for (const { path } of flattenMenu())
      expect(guardRoute({ path, authorization, permittedRoutes: [] })).toEqual(redirectTo('/404'));
    expect(guardRoute({ path: '/404', authorization, permittedRoutes: [] })).toEqual(allowedVerdict);
  });

  it('opens help for every signed-in person, and only for them', () => {
    for (const path of ['/help', '/help/news', '/help/selfCustody/deposit']) {
      expect(guardRoute({ path, authorization, permittedRoutes: [] })).toEqual(allowedVerdict);
      expect(guardRoute({ path, authorization: null, permittedRoutes: null })).toEqual(redirectTo('/login'));
    }
    expect(guardRoute({ path: '/helpers', authorization, permittedRoutes: nestedRoutes })).toEqual(redirectTo('/404'));
  });

  it('accepts flat and nested lists: a child permits its group', () => {
    expect(guardRoute({ path: '/statistics', authorization, permittedRoutes: [{ path: '/statistics/dataCdp' }] })).toEqual(
      redirectTo('/statistics/dataCdp'),
    );
  });

  it('redirects only to permitted places', () => {
    for (const path of [...flattenMenu().map((node) => node.path), '/nowhere', '/news/', '/a/b/']) {
      let routeVerdict = guardRoute({ path, authorization, permittedRoutes: nestedRoutes });
      for (let redirectCount = 0; routeVerdict.kind === 'redirect' && redirectCount < 3; redirectCount++) {
        routeVerdict = guardRoute({ path: routeVerdict.to, authorization, permittedRoutes: nestedRoutes });
      }
      expect(routeVerdict).toEqual(allowedVerdict);
    }
  });

  it.each([
    ['/CRSMTrove', '/CRSMTrove/CRSMList'],
    ['/permissions', '/permissions/administrator'],
    ['/selfCustody', '/selfCustody/dataPanel'],
    ['/statistics', '/statistics/dataView'],
  ])('leads from the group %s to %s if everything is permitted', (path, homePath) => {
    expect(guardRoute({ path, authorization, permittedRoutes: allRoutes })).toEqual(redirectTo(homePath));
  });
});

describe('the built-in menu', () => {
  it('shows permitted screens in menu order, without empty groups', () => {
    const shownMenu = visibleMenu(new Set(['/statistics/data0penBox', '/news', '/', '/selfCustody', '/unknown']));
    expect(shownMenu.map(({ path, children }) => [path, children?.map((child) => child.path)])).toEqual([
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
    expect(buildMenu(routes)).toEqual([
      { path: '/notices', zh: '通告', en: 'Notes' },
      { path: '/own', zh: '自', en: 'Own', children: [{ path: '/news', zh: '快讯', en: 'Bulletins' }] },
    ]);
  });

  it('is the built-in one if the list has no names', () => {
    expect(buildMenu(nestedRoutes).map(({ path, en }) => [path, en])).toEqual([
      ['/', 'Home'],
      ['/news', 'News Manage'],
      ['/statistics', 'Data Statistics'],
      ['/permissions', 'Permission Manag'],
    ]);
  });

  it('leads from a custom group to its first screen', () => {
    expect(guardRoute({ path: '/own', authorization, permittedRoutes: routes })).toEqual(redirectTo('/news'));
  });
});

describe('the start page', () => {
  it.each([
    [nestedRoutes, '/'],
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
  ])('for the wanted path %o is %s', (requestedPath, path) => {
    expect(resolveReturnPath(requestedPath, nestedRoutes)).toBe(path);
  });
});
