import { oc } from '@orpc/contract';
import { implement } from '@orpc/server';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { contract } from '../../../api/contract.ts';
import { route } from '../../../api/base.ts';
import type { RequestContext } from '../services/context.ts';
import { guardedApi, routeProblems } from './router.ts';

const guarded = guardedApi.session.current.handler(() => ({ email: '', permittedRoutes: [], codes: [] }));
const unguarded = implement(contract)
  .$context<RequestContext>()
  .session.current.handler(() => ({ email: '', permittedRoutes: [], codes: [] }));

test('accepts a route with one meta and a guarded implementation', () => {
  const contracts = { thing: { read: route.meta({ signedIn: true }).output(z.object({})) } };
  expect(routeProblems(contracts, { thing: { read: guarded } })).toEqual([]);
});

test('refuses a route without a meta by name', () => {
  expect(routeProblems({ thing: { read: oc } }, { thing: { read: guarded } })).toEqual([
    'route thing.read doesn’t say who may call it',
  ]);
});

test('refuses a route with two metas', () => {
  const contracts = { thing: { read: route.meta({ signedIn: true, public: true } as never) } };
  expect(routeProblems(contracts, { thing: { read: guarded } })).toEqual(['route thing.read has both signedIn and public']);
});

test.each([
  [{ permission: 'no.such.right' }, 'permission: "no.such.right"'],
  [{ permission: 'news.add', fresch: true }, 'fresch: true'],
  [{ permission: 'news.add', keyed: false }, 'keyed: false'],
  [{ menu: '/nowhere' }, 'menu: "/nowhere"'],
  [{ menu: '/news', fresh: true }, 'fresh: true'],
  [{ signedIn: 'true' }, 'signedIn: "true"'],
  [{ public: false }, 'public: false'],
])('refuses a route with the meta %j', (meta, value) => {
  const contracts = { thing: { read: route.meta(meta as never) } };
  expect(routeProblems(contracts, { thing: { read: guarded } })).toEqual([`route thing.read has an unknown ${value}`]);
});

test('refuses a route without an implementation', () => {
  const contracts = { thing: { read: route.meta({ public: true }) } };
  expect(routeProblems(contracts, {})).toEqual(['route thing.read has no implementation']);
});

test('refuses an implementation that bypasses the guard', () => {
  const contracts = { thing: { read: route.meta({ public: true }) } };
  expect(routeProblems(contracts, { thing: { read: unguarded } })).toEqual(['route thing.read doesn’t use the guard']);
});

test('refuses a plain route without a meta', () => {
  const plain = { method: 'GET', path: '/x', meta: {} as never, handle: () => new Response() } as const;
  expect(routeProblems({}, {}, [plain])).toEqual(['route GET /x doesn’t say who may call it']);
});
