import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { listContractRoutes, route } from './route.ts';

const input = z.strictObject({ id: z.string() });

test('lists each route with its access, address and input, in whatever order the builder is called', () => {
  const readDefinition = { meta: { signedIn: true }, http: { method: 'GET', path: '/things' }, input };
  const contract = {
    things: {
      first: route.meta({ signedIn: true }).route({ method: 'GET', path: '/things' }).input(input).output(z.object({})),
      last: route.output(z.object({})).input(input).route({ path: '/things' }).route({ method: 'GET' }).meta({ signedIn: true }),
    },
  };
  expect(listContractRoutes(contract)).toEqual([
    { path: ['things', 'first'], name: 'things.first', ...readDefinition },
    { path: ['things', 'last'], name: 'things.last', ...readDefinition },
  ]);
});

test('keeps two routes apart that start from the same builder', () => {
  const shared = route.meta({ permission: 'news.add' });
  const [freshRoute, plainRoute] = listContractRoutes({
    fresh: shared.meta({ permission: 'news.add', fresh: true }),
    plain: shared,
  });
  expect(freshRoute?.meta).toEqual({ permission: 'news.add', fresh: true });
  expect(plainRoute?.meta).toEqual({ permission: 'news.add' });
});

test('finds no access rule for a route of another builder', () => {
  expect(listContractRoutes({ thing: oc.meta({ public: true } as never).input(input) })).toEqual([
    { path: ['thing'], name: 'thing', meta: {}, http: {} },
  ]);
});
