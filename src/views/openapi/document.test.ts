import { expect, test } from 'vitest';
import { groupsOf, filterGroups, type OpenApiDocument } from './document.ts';

const document: OpenApiDocument = {
  tags: [{ name: 'news', 'x-name': { zh: '新闻管理', en: 'News Manage' } }, { name: 'empty' }, { name: 'session' }],
  paths: {
    '/session': { post: { operationId: 'session.signIn', tags: ['session'], 'x-access': { public: true } } },
    '/news': {
      post: {
        operationId: 'news.add',
        tags: ['news'],
        'x-access': { permission: 'news.add' },
        'x-name': { zh: '新增新闻', en: 'Add news item' },
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } },
      },
    },
    '/news/list': { post: { operationId: 'news.list', tags: ['news'], 'x-access': { menu: '/news' } } },
  },
};

const matchingIds = (query: string) =>
  filterGroups(groupsOf(document), query).flatMap(({ operations }) => operations.map(({ id }) => id));

test('routes are grouped in the order of the tags, and groups without routes are left out', () => {
  expect(
    groupsOf(document).map(({ tag, operations }) => [tag, operations.map(({ method, path }) => `${method} ${path}`)]),
  ).toEqual([
    ['news', ['POST /api/news', 'POST /api/news/list']],
    ['session', ['POST /api/session']],
  ]);
});

test('a route has its body and response schemas, or null', () => {
  const [addOperation, listOperation] = groupsOf(document)[0]?.operations ?? [];
  expect([addOperation?.body, addOperation?.response]).toEqual([{ type: 'object' }, { type: 'array' }]);
  expect([listOperation?.body, listOperation?.response]).toEqual([null, null]);
});

test.each([
  ['', ['news.add', 'news.list', 'session.signIn']],
  ['  news  ', ['news.add', 'news.list']],
  ['POST session', ['session.signIn']],
  ['新增', ['news.add']],
  ['news list', ['news.list']],
  ['news.add', ['news.add']],
  ['新闻管理', ['news.add', 'news.list']],
  ['nothing', []],
])('searching for %j finds %j', (query, ids) => {
  expect(matchingIds(query)).toEqual(ids);
});
