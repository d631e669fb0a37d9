import { afterEach, beforeEach, expect, test } from 'vitest';
import { apiFailure, holdResponses, on, startApi } from '../../testing/api.ts';
import { $authorization } from '../session/session.ts';
import { apiFor, type Api } from './client.ts';
import { notingFirstList, prefetchList } from './prefetch-list.ts';

const first = { sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 50 } as const;
const none = { rows: [], nextCursor: null, prevCursor: null, count: null };
const permitted = '[{"path":"/notices"},{"path":"/elsewhere"}]';
const at = (pathname: string, search = '') => ({ ...location, pathname, search }) as Location;

const network = window.fetch;
let sent: string[] = [];
let api: Api;

beforeEach(() => {
  startApi({ notices: { list: on.notices.list.handler(() => none) } });
  sent = [];
  localStorage.clear();
  api = apiFor(null, null);
  $authorization.set('Bearer one');
  window.fetch = (input, init) => {
    sent.push(
      `${typeof input === 'string' ? input : 'no address'} ${new Headers(init?.headers).get('authorization') ?? 'nobody'}`,
    );
    return network(input, init);
  };
  history.replaceState(null, '', '/notices');
});
afterEach(() => {
  window.fetch = network;
  globalThis.early = undefined;
  $authorization.set(null);
});

const opened = (page = at('/notices'), routes: string | null = permitted, authorization: string | null = 'Bearer one') => {
  sent = [];
  prefetchList(page, authorization, routes);
  return sent;
};

test("a page's first request is sent before its code loads at the next visit, and used once", async () => {
  expect(opened()).toEqual([]);
  expect(await notingFirstList(() => api.notices.list(first))).toEqual(none);
  expect(opened()).toEqual(['/rpc/notices/list Bearer one']);
  expect(await api.notices.list(first)).toEqual(none);
  expect(sent).toHaveLength(1);
  expect(await api.notices.list(first)).toEqual(none);
  expect(sent).toHaveLength(2);
});

test.each([
  ['another page', () => opened(at('/elsewhere'))],
  ['the page with a filter', () => opened(at('/notices', '?shown=true'))],
  ['one whose screen this person may not open', () => opened(at('/notices'), '[{"path":"/elsewhere"}]')],
  ['one whose rights nobody knows', () => opened(at('/notices'), null)],
  ['one that nobody is signed in to', () => opened(at('/notices'), permitted, null)],
])('nothing is requested early for %s', async (_what, open) => {
  await notingFirstList(() => api.notices.list(first));
  expect(open()).toEqual([]);
});

test('a stored route that is not a list is never requested', () => {
  for (const requested of ['notices/remove {"json":{"items":[]}}', '../api/notices/list {}', 'notices/list/../remove {}', '']) {
    localStorage.setItem('prefs.first./notices', requested);
    expect(opened(), requested).toEqual([]);
  }
});

test('a page with a filter stores no request, and neither do later requests', async () => {
  history.replaceState(null, '', '/notices?q=secret');
  await notingFirstList(() => api.notices.list({ ...first, filter: { q: 'secret' } }));
  history.replaceState(null, '', '/notices');
  await api.notices.list(first);
  expect(opened()).toEqual([]);
});

test('another request or another person does not get the early response', async () => {
  await notingFirstList(() => api.notices.list(first));
  opened();
  await api.notices.list({ ...first, limit: 2 });
  expect(sent).toHaveLength(2);
  opened();
  $authorization.set('Bearer two');
  await api.notices.list(first);
  expect(sent).toEqual(['/rpc/notices/list Bearer one', '/rpc/notices/list Bearer two']);
});

test('an early refusal is returned, and a missing response is requested again', async () => {
  await notingFirstList(() => api.notices.list(first));
  startApi({
    notices: {
      list: on.notices.list.handler(() => {
        throw apiFailure('FORBIDDEN');
      }),
    },
  });
  opened();
  expect(await api.notices.list(first).catch(({ code }: { code: string }) => code)).toBe('FORBIDDEN');
  expect(sent).toHaveLength(1);

  startApi({ notices: { list: on.notices.list.handler(() => none) } });
  const counted = window.fetch;
  window.fetch = () => Promise.reject(new TypeError('no network'));
  opened();
  window.fetch = counted;
  expect(await api.notices.list(first)).toEqual(none);
  expect(sent).toHaveLength(1);
});

test('an aborted caller gets no early response', async () => {
  await notingFirstList(() => api.notices.list(first));
  const release = holdResponses('notices/list');
  opened();
  const aborter = new AbortController();
  const left = api.notices.list(first, { signal: aborter.signal }).catch((error: Error) => error.name);
  aborter.abort();
  release();
  expect(await left).toBe('AbortError');
});
