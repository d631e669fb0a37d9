import { afterEach, beforeEach, expect, test } from 'vitest';
import { apiFailure, holdResponses, mockRoutes, startApi } from '../../testing/api.ts';
import { $authorization } from '../session/session.ts';
import { createApi, type Api } from './client.ts';
import { recordFirstList, prefetchList } from './prefetch-list.ts';

const firstListInput = { sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 50 } as const;
const emptyList = { rows: [], nextCursor: null, prevCursor: null, count: null };
const permittedRoutes = '[{"path":"/notices"},{"path":"/elsewhere"}]';
const createLocation = (pathname: string, search = '') => ({ ...location, pathname, search }) as Location;

const network = window.fetch;
let sentRequests: string[] = [];
let api: Api;

beforeEach(() => {
  startApi({ notices: { list: mockRoutes.notices.list.handler(() => emptyList) } });
  sentRequests = [];
  localStorage.clear();
  api = createApi(null, null);
  $authorization.set('Bearer one');
  window.fetch = (input, init) => {
    sentRequests.push(
      `${typeof input === 'string' ? input : 'no address'} ${new Headers(init?.headers).get('authorization') ?? 'nobody'}`,
    );
    return network(input, init);
  };
  history.replaceState(null, '', '/notices');
});
afterEach(() => {
  window.fetch = network;
  globalThis.prefetchedList = undefined;
  $authorization.set(null);
});

const openPage = (
  page = createLocation('/notices'),
  routes: string | null = permittedRoutes,
  authorization: string | null = 'Bearer one',
) => {
  sentRequests = [];
  prefetchList(page, authorization, routes);
  return sentRequests;
};

test("a page's first request is sent before its code loads at the next visit, and used once", async () => {
  expect(openPage()).toEqual([]);
  expect(await recordFirstList(() => api.notices.list(firstListInput))).toEqual(emptyList);
  expect(openPage()).toEqual(['/rpc/notices/list Bearer one']);
  expect(await api.notices.list(firstListInput)).toEqual(emptyList);
  expect(sentRequests).toHaveLength(1);
  expect(await api.notices.list(firstListInput)).toEqual(emptyList);
  expect(sentRequests).toHaveLength(2);
});

test.each([
  ['another page', () => openPage(createLocation('/elsewhere'))],
  ['the page with a filter', () => openPage(createLocation('/notices', '?shown=true'))],
  ['one whose screen this person may not open', () => openPage(createLocation('/notices'), '[{"path":"/elsewhere"}]')],
  ['one whose rights nobody knows', () => openPage(createLocation('/notices'), null)],
  ['one that nobody is signed in to', () => openPage(createLocation('/notices'), permittedRoutes, null)],
])('nothing is requested early for %s', async (_what, openCase) => {
  await recordFirstList(() => api.notices.list(firstListInput));
  expect(openCase()).toEqual([]);
});

test('a stored route that is not a list is never requested', () => {
  for (const storedRequest of [
    'notices/remove {"json":{"items":[]}}',
    '../api/notices/list {}',
    'notices/list/../remove {}',
    '',
  ]) {
    localStorage.setItem('prefs.first./notices', storedRequest);
    expect(openPage(), storedRequest).toEqual([]);
  }
});

test('a page with a filter stores no request, and neither do later requests', async () => {
  history.replaceState(null, '', '/notices?q=secret');
  await recordFirstList(() => api.notices.list({ ...firstListInput, filter: { q: 'secret' } }));
  history.replaceState(null, '', '/notices');
  await api.notices.list(firstListInput);
  expect(openPage()).toEqual([]);
});

test('another request or another person does not get the early response', async () => {
  await recordFirstList(() => api.notices.list(firstListInput));
  openPage();
  await api.notices.list({ ...firstListInput, limit: 2 });
  expect(sentRequests).toHaveLength(2);
  openPage();
  $authorization.set('Bearer two');
  await api.notices.list(firstListInput);
  expect(sentRequests).toEqual(['/rpc/notices/list Bearer one', '/rpc/notices/list Bearer two']);
});

test('an early refusal is returned, and a missing response is requested again', async () => {
  await recordFirstList(() => api.notices.list(firstListInput));
  startApi({
    notices: {
      list: mockRoutes.notices.list.handler(() => {
        throw apiFailure('FORBIDDEN');
      }),
    },
  });
  openPage();
  expect(await api.notices.list(firstListInput).catch(({ code }: { code: string }) => code)).toBe('FORBIDDEN');
  expect(sentRequests).toHaveLength(1);

  startApi({ notices: { list: mockRoutes.notices.list.handler(() => emptyList) } });
  const countingFetch = window.fetch;
  window.fetch = () => Promise.reject(new TypeError('no network'));
  openPage();
  window.fetch = countingFetch;
  expect(await api.notices.list(firstListInput)).toEqual(emptyList);
  expect(sentRequests).toHaveLength(1);
});

test('an aborted caller gets no early response', async () => {
  await recordFirstList(() => api.notices.list(firstListInput));
  const releaseResponses = holdResponses('notices/list');
  openPage();
  const abortController = new AbortController();
  const abortedRequest = api.notices.list(firstListInput, { signal: abortController.signal }).catch((error: Error) => error.name);
  abortController.abort();
  releaseResponses();
  expect(await abortedRequest).toBe('AbortError');
});
