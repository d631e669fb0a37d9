import { afterEach, beforeEach, expect, test } from 'vitest';
import { failure, hold, on, startApi } from '../../testing/api.ts';
import { apiFor, type Api } from './client.ts';
import { readingTogether } from './reads.ts';

const page = { sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 1 } as const;
const none = { rows: [], nextCursor: null, prevCursor: null, count: null };
const answered = (at: number) => `${JSON.stringify({ at, status: 200, json: none })}\n`;

const network = window.fetch;
let sent: string[] = [];
let api: Api;
let aborter: AbortController;

beforeEach(() => {
  startApi({
    notices: { list: on.notices.list.handler(() => none) },
    feedback: {
      list: on.feedback.list.handler(() => {
        throw failure('FORBIDDEN');
      }),
    },
  });
  sent = [];
  aborter = new AbortController();
  api = apiFor(null, null, aborter.signal, readingTogether());
  window.fetch = (input, init) => {
    sent.push(typeof input === 'string' ? input : 'no address');
    return network(input, init);
  };
});
afterEach(() => void (window.fetch = network));

const settled = async (calls: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as { code: string }).code,
  );

test('the reads of one moment are one request, and each gets what it asked for', async () => {
  const calls = [api.notices.list(page), api.feedback.list(page), api.notices.list({ ...page, limit: 2 })];
  expect(await settled(calls)).toEqual([none, 'FORBIDDEN', none]);
  expect(sent).toEqual(['/rpc/reads']);
  expect(await api.notices.list(page)).toEqual(none);
  expect(sent).toEqual(['/rpc/reads', '/rpc/notices/list']);
});

test('more than one request may hold are several', async () => {
  const calls = Array.from({ length: 33 }, () => api.notices.list(page));
  expect(await settled(calls)).toEqual(calls.map(() => none));
  expect(sent).toEqual(['/rpc/reads', '/rpc/notices/list']);
});

test('one that waits holds no other back', async () => {
  const release = hold('feedback/list');
  const [slow, quick] = [settled([api.feedback.list(page)]), api.notices.list(page)];
  expect(await quick).toEqual(none);
  release();
  expect(await slow).toEqual(['FORBIDDEN']);
});

test('who goes away is told nothing more', async () => {
  hold('notices/list');
  hold('feedback/list');
  const calls = [api.notices.list(page), api.feedback.list(page)].map((call) => call.catch((error: Error) => error.name));
  await expect.poll(() => sent).toEqual(['/rpc/reads']);
  aborter.abort();
  expect(await Promise.all(calls)).toEqual(['AbortError', 'AbortError']);
});

test('who goes away takes nobody along who stays', async () => {
  const release = hold('notices/list');
  const own = new AbortController();
  const calls = [api.notices.list(page), api.feedback.list(page), api.notices.list(page, { signal: own.signal })];
  await expect.poll(() => sent).toEqual(['/rpc/reads', '/rpc/notices/list']);
  aborter.abort();
  release();
  const [, , stays] = await Promise.allSettled(calls);
  expect(stays).toEqual({ status: 'fulfilled', value: none });
});

test('an answer that breaks off leaves what it has said, and refuses the rest', async () => {
  for (const [end, code] of [
    [(lines: ReadableStreamDefaultController) => lines.close(), 'UNAVAILABLE'],
    [(lines: ReadableStreamDefaultController) => lines.error(new TypeError('network error')), 'OFFLINE'],
  ] as const) {
    // Cut where a letter is, and between two lines.
    const parts = [answered(1).slice(0, 9), answered(1).slice(9) + answered(0).slice(0, 4)];
    window.fetch = () => {
      const body = new ReadableStream({
        pull: (lines) => {
          const part = parts.shift();
          if (part === undefined) end(lines);
          else lines.enqueue(new TextEncoder().encode(part));
        },
      });
      return Promise.resolve(new Response(body));
    };
    expect(await settled([api.notices.list(page), api.notices.list(page)])).toEqual([code, none]);
  }
});

test('a refusal of all is one for each', async () => {
  window.fetch = () => Promise.resolve(Response.json({ code: 'UNAVAILABLE', message: 'later' }, { status: 503 }));
  expect(await settled([api.notices.list(page), api.feedback.list(page)])).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  window.fetch = () => Promise.resolve(new Response('<html>', { status: 502 }));
  expect(await settled([api.notices.list(page), api.feedback.list(page)])).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
});
