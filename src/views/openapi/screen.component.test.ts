import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { servePlainResponse } from '../../testing/api.ts';
import { press, pressKeys } from '../../testing/keys.ts';
import { openPage, signIn } from '../../testing/panel.tsx';
import type { OpenApiDocument } from './document.ts';

const reference: OpenApiDocument = {
  tags: [
    { name: 'news', 'x-name': { zh: '新闻管理', en: 'News Manage' } },
    { name: 'session', 'x-name': { zh: '登录', en: 'Sign-in' } },
  ],
  paths: {
    '/news': {
      post: {
        operationId: 'news.add',
        tags: ['news'],
        'x-access': { permission: 'news.add', fresh: true, keyed: true },
        'x-name': { zh: '新增新闻', en: 'Add news item' },
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { title: { type: 'string', maxLength: 200 } }, required: ['title'] },
            },
          },
        },
        responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties: {} } } } } },
      },
    },
    '/news/list': { post: { operationId: 'news.list', tags: ['news'], 'x-access': { menu: '/news' } } },
    '/session': { delete: { operationId: 'session.signOut', tags: ['session'], 'x-access': { signedIn: true } } },
  },
};

async function openReference(respond = () => Response.json(reference)) {
  await signIn('analyst', '/');
  servePlainResponse('/api/openapi.json', respond);
  await openPage('/api/docs');
}

const focusedOperation = () => (document.activeElement as HTMLElement | null)?.dataset['operation'];

test('the API page lists routes by feature, and shows permission, parameters and schemas of an opened one', async () => {
  await openReference();
  await expect.element(page.getByRole('heading', { name: '新闻管理' })).toBeVisible();
  await expect.element(page.getByText('3 个接口')).toBeVisible();
  await pressKeys('j');
  expect(focusedOperation()).toBe('news.add');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('需近期双重验证')).toBeVisible();
  await page.getByText('参数', { exact: true }).click();
  await expect.element(page.getByRole('cell', { name: 'Idempotency-Key' })).toBeVisible();
  await page.getByText('请求内容 (object)').click();
  await expect.element(page.getByRole('cell', { name: 'maxLength 200' })).toBeVisible();
});

test('list keys and arrows move through the routes of the API page, and typing in its search narrows them', async () => {
  await openReference();
  await expect.element(page.getByText('DELETE')).toBeVisible();
  await pressKeys('j');
  await pressKeys('j');
  expect(focusedOperation()).toBe('news.list');
  await press('ArrowDown');
  expect(focusedOperation()).toBe('session.signOut');
  await press('ArrowDown');
  expect(focusedOperation()).toBe('session.signOut');
  await press('Home');
  expect(focusedOperation()).toBe('news.add');
  await pressKeys('/');
  await userEvent.keyboard('session');
  await expect.element(page.getByText('找到 1 个接口')).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  expect(focusedOperation()).toBe('session.signOut');
  await pressKeys('/');
  await userEvent.keyboard('nothing like that');
  await expect.element(page.getByText('没有符合条件的接口')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(focusedOperation()).toBe('news.add');
});

test.each([
  ['an error', () => Response.json({ code: 'UNAVAILABLE' }, { status: 503 })],
  ['something else than a document', () => Response.json([])],
])('offers another try after %s', async (_, respond) => {
  let isFailing = true;
  await openReference(() => (isFailing ? respond() : Response.json(reference)));
  await expect.element(page.getByRole('button', { name: '重试' })).toBeVisible();
  isFailing = false;
  await page.getByRole('button', { name: '重试' }).click();
  await expect.element(page.getByRole('heading', { name: '新闻管理' })).toBeVisible();
});
