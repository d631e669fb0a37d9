import { expect, test } from 'vitest';
import { listContractRoutes } from '../../../api/route.ts';
import { contract } from '../../../api/contract.ts';
import { isListRoute } from './prefetch-list.ts';

test('early requests change nothing: each route is a read of a screen', () => {
  const listRoutes = listContractRoutes(contract).filter(({ path }) => isListRoute(path.join('/')));
  expect(listRoutes.length).toBeGreaterThan(15);
  const otherRoutes = listRoutes.filter(({ meta: { menu, permission } }) => menu === undefined || permission !== undefined);
  expect(otherRoutes.map(({ name }) => name)).toEqual(['views.list']); // personal, and read only
});

test.each([
  'news/remove',
  'list',
  '/list',
  '../api/news/list',
  'news/list?x',
  'news/list/../remove',
  'https://evil.example/list',
])('the route %s may not be requested early', (route) => {
  expect(isListRoute(route)).toBe(false);
});
