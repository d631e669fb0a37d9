import { describe, expect, it } from 'vitest';
import { flatMenu } from '../../../api/menu.ts';
import { guard, returnPath, startPath, visibleMenu } from './guard.ts';
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

describe('without Authorization', () => {
  it.each(['/', '/news', '/statistics', '/404', '/nowhere', '/Login', '/login/', '/login/x'])('%s leads to /login', (path) => {
    expect(guard({ path, authorization: null, permittedRoutes: null })).toEqual(to('/login'));
    expect(guard({ path, authorization: '', permittedRoutes: nested })).toEqual(to('/login'));
  });

  it('/login is reached, whatever list is left over', () => {
    expect(guard({ path: '/login', authorization: null, permittedRoutes: null })).toEqual(ok);
    expect(guard({ path: '/login', authorization: null, permittedRoutes: nested })).toEqual(ok);
  });
});

describe('with Authorization and no list', () => {
  it.each(['/', '/news', '/permissions/role', '/nowhere', '/login', '/404'])(
    '%s is let through until the list is there',
    (path) => {
      expect(guard({ path, authorization, permittedRoutes: null })).toEqual(ok);
    },
  );
});

describe('with Authorization and a list', () => {
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
  ])('%s → %o', (path, verdict) => {
    expect(guard({ path, authorization, permittedRoutes: nested })).toEqual(verdict);
  });

  it('an empty list permits nothing but /login and /404', () => {
    for (const { path } of flatMenu()) expect(guard({ path, authorization, permittedRoutes: [] })).toEqual(to('/404'));
    expect(guard({ path: '/404', authorization, permittedRoutes: [] })).toEqual(ok);
  });

  it('a flat list counts as well as a nested one: a group is permitted through its child', () => {
    expect(guard({ path: '/statistics', authorization, permittedRoutes: [{ path: '/statistics/dataCdp' }] })).toEqual(
      to('/statistics/dataCdp'),
    );
  });

  it('every redirect ends at a place that is let through', () => {
    for (const path of [...flatMenu().map((node) => node.path), '/nowhere', '/news/', '/a/b/']) {
      let verdict = guard({ path, authorization, permittedRoutes: nested });
      for (let hops = 0; verdict.kind === 'redirect' && hops < 3; hops++) {
        verdict = guard({ path: verdict.to, authorization, permittedRoutes: nested });
      }
      expect(verdict).toEqual(ok);
    }
  });

  it.each([
    ['/CRSMTrove', '/CRSMTrove/CRSMList'],
    ['/permissions', '/permissions/administrator'],
    ['/selfCustody', '/selfCustody/dataPanel'],
    ['/statistics', '/statistics/dataView'],
  ])('the group %s leads to %s where everything is permitted', (path, home) => {
    expect(guard({ path, authorization, permittedRoutes: everything })).toEqual(to(home));
  });
});

describe('the menu', () => {
  it('has what is permitted, in menu order, without empty groups', () => {
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

  it('has the names, order and groups of the tree, and only screens there are', () => {
    expect(menuOf(routes)).toEqual([
      { path: '/notices', zh: '通告', en: 'Notes' },
      { path: '/own', zh: '自', en: 'Own', children: [{ path: '/news', zh: '快讯', en: 'Bulletins' }] },
    ]);
  });

  it('is the built-in one where the list has no names', () => {
    expect(menuOf(nested).map(({ path, en }) => [path, en])).toEqual([
      ['/', 'Home'],
      ['/news', 'News Manage'],
      ['/statistics', 'Data Statistics'],
      ['/permissions', 'Permission Manag'],
    ]);
  });

  it('leads from a group of its own to the first screen in it', () => {
    expect(guard({ path: '/own', authorization, permittedRoutes: routes })).toEqual(to('/news'));
  });
});

describe('where a person starts', () => {
  it.each([
    [nested, '/'],
    [[{ path: '/feedback' }, { path: '/news' }], '/news'],
    [[{ path: '/selfCustody', children: [{ path: '/selfCustody/deposit' }] }], '/selfCustody/deposit'],
    [[{ path: '/account' }], '/account'],
    [[], '/404'],
    [null, '/'],
  ])('with %o: %s', (routes, path) => {
    expect(startPath(routes)).toBe(path);
  });
});

describe('where sign-in returns to', () => {
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
  ])('wanted %o → %s', (wanted, path) => {
    expect(returnPath(wanted, nested)).toBe(path);
  });
});
