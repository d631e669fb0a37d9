import { oc } from '@orpc/contract';
import { call, implement } from '@orpc/server';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { contract } from '../../../api/contract.ts';
import { route } from '../../../api/base.ts';
import { readConfig } from '../core/config.ts';
import type { RequestContext } from '../services/context.ts';
import { guardedApi, guardRouter, routeProblems } from './router.ts';

const guarded = guardedApi.session.current.handler(() => ({ email: '', permittedRoutes: [], codes: [] }));
const unguarded = implement(contract)
  .$context<RequestContext>()
  .session.current.handler(() => ({ email: '', permittedRoutes: [], codes: [] }));
const thing = guardRouter({ thing: { read: guarded } } as never);

test('accepts a route with one meta and a guarded implementation', () => {
  const contracts = { thing: { read: route.meta({ signedIn: true }).output(z.object({})) } };
  expect(routeProblems(contracts, thing)).toEqual([]);
});

test('refuses a route without a meta by name', () => {
  expect(routeProblems({ thing: { read: oc } }, thing)).toEqual(['route thing.read doesn’t say who may call it']);
});

test('refuses a route with two metas', () => {
  const contracts = { thing: { read: route.meta({ signedIn: true, public: true } as never) } };
  expect(routeProblems(contracts, thing)).toEqual(['route thing.read has both signedIn and public']);
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
  expect(routeProblems(contracts, thing)).toEqual([`route thing.read has an unknown ${value}`]);
});

test('refuses a route without an implementation', () => {
  const contracts = { thing: { read: route.meta({ public: true }) } };
  expect(routeProblems(contracts, guardRouter({} as never))).toEqual(['route thing.read has no implementation']);
});

test('refuses a router that bypasses the guard, and one with a route added behind the guard', () => {
  const contracts = { thing: { read: route.meta({ public: true }) } };
  for (const router of [{ thing: { read: guarded } }, { ...(thing as object), thing: { read: unguarded } }])
    expect(routeProblems(contracts, router)).toEqual(['the router doesn’t use the guard']);
});

test('guards an implementation that was made without the guard', async () => {
  const { session } = guardRouter({ session: { current: unguarded } } as never) as { session: { current: typeof unguarded } };
  const ask = (current: typeof unguarded) =>
    call(current, undefined, {
      path: ['session', 'current'],
      context: {
        session: () => Promise.resolve(null),
        headers: new Headers(),
        services: { config: readConfig({ NODE_ENV: 'test' }) },
      } as unknown as RequestContext,
    });
  await expect(ask(unguarded)).resolves.toMatchObject({ email: '' });
  await expect(ask(session.current)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('answers no route that the contract does not have', async () => {
  const context = {} as RequestContext;
  for (const path of [[], ['news', 'none'], ['constructor']])
    await expect(call(guarded, undefined, { path, context })).rejects.toThrow('the contract has no route');
});

test('refuses a plain route without a meta', () => {
  const plain = { method: 'GET', path: '/x', meta: {} as never, handle: () => new Response() } as const;
  expect(routeProblems({}, guardRouter({} as never), [plain])).toEqual(['route GET /x doesn’t say who may call it']);
});
