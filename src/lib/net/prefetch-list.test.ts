import { traverseContractProcedures } from '@orpc/server';
import { expect, test } from 'vitest';
import type { RouteMeta } from '../../../api/base.ts';
import { contract } from '../../../api/contract.ts';
import { isListRoute } from './prefetch-list.ts';

test('early requests change nothing: each route is a read of a screen', () => {
  const found: [string, RouteMeta][] = [];
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
    if (isListRoute(path.join('/'))) found.push([path.join('.'), procedure['~orpc'].meta as RouteMeta]);
  });
  expect(found.length).toBeGreaterThan(15);
  const others = found.filter(([, { menu, permission }]) => menu === undefined || permission !== undefined);
  expect(others.map(([route]) => route)).toEqual(['views.list']); // personal, and read only
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
