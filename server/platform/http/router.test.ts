import { oc } from '@orpc/contract';
import { call, implement } from '@orpc/server';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { contract } from '../../../api/contract.ts';
import { route } from '../../../api/base.ts';
import { readConfig } from '../core/config.ts';
import type { RequestContext } from '../services/context.ts';
import { guardedApi, guardRouter, findRouteProblems } from './router.ts';

const guardedRoute = guardedApi.session.current.handler(() => ({ email: '', permittedRoutes: [], codes: [] }));
const unguardedRoute = implement(contract)
  .$context<RequestContext>()
  .session.current.handler(() => ({ email: '', permittedRoutes: [], codes: [] }));
const guardedRouter = guardRouter({ thing: { read: guardedRoute } } as never);

test('accepts a route with one meta and a guarded implementation', () => {
  const contracts = { thing: { read: route.meta({ signedIn: true }).output(z.object({})) } };
  expect(findRouteProblems(contracts, guardedRouter)).toEqual([]);
});

test('refuses a route without a meta by name', () => {
  expect(findRouteProblems({ thing: { read: oc } }, guardedRouter)).toEqual(['route thing.read doesn’t say who may call it']);
});

test('refuses a route with two metas', () => {
  const contracts = { thing: { read: route.meta({ signedIn: true, public: true } as never) } };
  expect(findRouteProblems(contracts, guardedRouter)).toEqual(['route thing.read has both signedIn and public']);
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
  expect(findRouteProblems(contracts, guardedRouter)).toEqual([`route thing.read has an unknown ${value}`]);
});

test('refuses a route without an implementation', () => {
  const contracts = { thing: { read: route.meta({ public: true }) } };
  expect(findRouteProblems(contracts, guardRouter({} as never))).toEqual(['route thing.read has no implementation']);
});

test('refuses a router that bypasses the guard, and one with a route added behind the guard', () => {
  const contracts = { thing: { read: route.meta({ public: true }) } };
  for (const router of [{ thing: { read: guardedRoute } }, { ...(guardedRouter as object), thing: { read: unguardedRoute } }])
    expect(findRouteProblems(contracts, router)).toEqual(['the router doesn’t use the guard']);
});

test('guards an implementation that was made without the guard', async () => {
  const { session } = guardRouter({ session: { current: unguardedRoute } } as never) as {
    session: { current: typeof unguardedRoute };
  };
  const ask = (current: typeof unguardedRoute) =>
    call(current, undefined, {
      path: ['session', 'current'],
      context: {
        session: () => Promise.resolve(null),
        headers: new Headers(),
        services: { config: readConfig({ NODE_ENV: 'test' }) },
      } as unknown as RequestContext,
    });
  await expect(ask(unguardedRoute)).resolves.toMatchObject({ email: '' });
  await expect(ask(session.current)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('refuses a route that is not in the contract', async () => {
  const context = {} as RequestContext;
  for (const path of [[], ['news', 'none'], ['constructor']])
    await expect(call(guardedRoute, undefined, { path, context })).rejects.toThrow('the contract has no route');
});

test('refuses a plain route without a meta', () => {
  const rawRoute = { method: 'GET', path: '/x', meta: {} as never, handle: () => new Response() } as const;
  expect(findRouteProblems({}, guardRouter({} as never), [rawRoute])).toEqual(['route GET /x doesn’t say who may call it']);
});
