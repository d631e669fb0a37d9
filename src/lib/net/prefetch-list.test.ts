import { expect, test } from 'vitest';
import { contractRoutes } from '../../../api/route.ts';
import { contract } from '../../../api/contract.ts';
import { isListRoute } from './prefetch-list.ts';

test('early requests change nothing: each route is a read of a screen', () => {
  const found = contractRoutes(contract).filter(({ path }) => isListRoute(path.join('/')));
  expect(found.length).toBeGreaterThan(15);
  const others = found.filter(({ meta: { menu, permission } }) => menu === undefined || permission !== undefined);
  expect(others.map(({ name }) => name)).toEqual(['views.list']); // personal, and read only
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
