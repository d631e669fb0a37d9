import { mkdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createAdaptorServer } from '@hono/node-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorStatus } from '../../../api/errors.ts';
import { limitServer, serverOptions } from './http.ts';
import { readBody } from './request-body.ts';
import { createStatic } from './static.ts';
import { createTemporaryFolder } from '../../testing/cleanup.ts';
import { waitUntil } from '../../testing/process.ts';
import { createApi, send, signInAs, createTestApp, type TestSession, type TestApp } from '../../testing/support.ts';
import { build } from '../../../testing/factories/build.ts';

let app: TestApp;
let editor: TestSession;
const staticRoot = createTemporaryFolder();
beforeAll(async () => {
  writeFileSync(join(staticRoot, 'index.html'), '<!doctype html><title>panel</title>');
  mkdirSync(join(staticRoot, 'assets'));
  writeFileSync(join(staticRoot, 'assets/main-abc123.js'), 'let a = 1;');
  app = await createTestApp({ PUBLIC_URL: 'http://127.0.0.1:9' }, { files: createStatic({ root: staticRoot }) });
  editor = await signInAs(app, 'editor');
});

const newsItem = build.newsFields({ title: 'A title' });
const postNews = (body: unknown, headers: Record<string, string> = {}, path = '/api/news') =>
  send(app, 'POST', path, body, { ...editor.headers, ...headers });
const readErrorCode = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('an error', () => {
  test('under /api is code, message, request id and data', async () => {
    const response = await postNews({ ...newsItem, title: '', link: 'javascript:alert(1)', extra: 1 });
    expect(response.status).toBe(400);
    const body = (await response.json()) as { data: { issues: unknown[] } };
    expect(body).toEqual({
      code: 'BAD_REQUEST',
      message: expect.any(String),
      requestId: response.headers.get('x-request-id'),
      data: { issues: expect.any(Array) },
    });
    expect(body.data.issues).toContainEqual({ path: 'title', rule: 'required' });
    expect(body.data.issues).toContainEqual({ path: 'link', rule: 'url' });
    expect(body.data.issues).toContainEqual({ path: '', rule: 'invalid' });
  });

  test('reaches the typed client with its code, its issues and the request id', async () => {
    const pendingCall = editor.api.news.add({ ...newsItem, title: 'x'.repeat(201) });
    await expect(pendingCall).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      status: 400,
      data: { issues: [{ path: 'title', rule: 'tooLong' }], requestId: expect.any(String) },
    });
    await expect(
      createApi(app).news.list({ sort: 'time', direction: 'desc', filter: {}, cursor: null, limit: 1 }),
    ).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      status: 401,
    });
  });

  test('reveals no internals when the server breaks', async () => {
    const brokenApp = await createTestApp();
    const { headers } = await signInAs(brokenApp, 'all');
    await brokenApp.database.pool.query('alter table news rename to hidden_table');
    for (const path of ['/api/news/many', '/rpc/news/many']) {
      const body = path.startsWith('/rpc') ? { json: { ids: [] } } : { ids: [] };
      const response = await send(brokenApp, 'POST', path, body, headers);
      expect(response.status).toBe(500);
      const text = await response.text();
      expect(text).toContain('INTERNAL');
      expect(text).not.toMatch(/hidden_table|relation|select|postgres|node_modules|\bat /i);
    }
    expect(brokenApp.logged.join('')).toContain('42P01');
  });

  test('for an unknown address is NOT_FOUND in the same form', async () => {
    for (const path of [
      '/api/nothing',
      '/rpc/news/nothing',
      '/rpc/constructor',
      '/rpc/__proto__',
      '/rpc/news',
      '/api/%2e%2e/rpc/x',
      '/rpc//news/add',
    ]) {
      const response = await postNews({}, {}, path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await readErrorCode(response)).toBe('NOT_FOUND');
    }
    expect((await send(app, 'GET', '/rpc/news/list?data=%7B%7D', undefined, editor.headers)).status).toBe(404);
  });
});

describe('a hostile request', () => {
  const buildNestedArray = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  test.each([
    ['half of JSON', '{"title": "x"'],
    ['no JSON', 'title=x'],
    ['deep arrays', buildNestedArray(30_000)],
    ['deep objects', '{"a":'.repeat(9_000) + '1' + '}'.repeat(9_000)],
    ['NUL in a text', JSON.stringify({ ...newsItem, title: 'a\u0000b' })],
    [
      'half a surrogate pair',
      `{"title":"\\ud800","description":"d","image":"https://a.example/","time":"${newsItem.time}","link":"https://a.example/"}`,
    ],
    ['__proto__', `{"__proto__":{"admin":true},${JSON.stringify(newsItem).slice(1)}`],
    ['constructor', JSON.stringify({ ...newsItem, constructor: { prototype: { admin: true } } })],
    ['a number too large', JSON.stringify(newsItem).replace('"A title"', '1e400')],
    ['a time that is none', JSON.stringify({ ...newsItem, time: '2026-13-45T99:99:99.999Z' })],
    ['null', 'null'],
    ['a text', '"x"'],
    ['nothing', ''],
  ])('with %s is BAD_REQUEST under /rpc and /api, and writes nothing', async (_name, body) => {
    const rowsBefore = await app.database.pool.query('select count(*) from news');
    const restResponse = await postNews(body);
    expect(restResponse.status).toBe(400);
    expect(await readErrorCode(restResponse)).toBe('BAD_REQUEST');
    const rpcResponse = await postNews(body === '' ? '' : `{"json":${body}}`, {}, '/rpc/news/add');
    expect(rpcResponse.status).toBe(400);
    expect(await rpcResponse.text()).toContain('BAD_REQUEST');
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect((await app.database.pool.query('select count(*) from news')).rows).toEqual(rowsBefore.rows);
  });

  test.each([
    ['{"json":{},"meta":[[99,"title"]]}'],
    ['{"json":{},"meta":[[0,"__proto__","x"]]}'],
    ['{"json":{},"meta":"x"}'],
    ['{"json":{"title":"("},"meta":[[5,"title"]]}'],
    ['{"json":[],"maps":[["__proto__"]]}'],
  ])('with the envelope %s is BAD_REQUEST', async (body) => {
    const response = await postNews(body, {}, '/rpc/news/add');
    expect(response.status).toBe(400);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('with bytes that are not UTF-8 is BAD_REQUEST', async () => {
    const body = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const request = new Request('http://localhost/api/news', {
      method: 'POST',
      headers: { ...editor.headers, 'content-type': 'application/json' },
      body,
    });
    expect((await app.http.fetch(request)).status).toBe(400);
  });

  test('with a body too large is PAYLOAD_TOO_LARGE, with a declared length or streamed', async () => {
    const largeResponse = await postNews({ ...newsItem, description: 'x'.repeat(70_000) });
    expect(largeResponse.status).toBe(413);
    expect(await readErrorCode(largeResponse)).toBe('PAYLOAD_TOO_LARGE');
    let sentBytes = 0;
    const endlessStream = new ReadableStream({
      pull: (controller) => (controller.enqueue(new Uint8Array(16_384)), void (sentBytes += 16_384)),
    });
    const request = new Request('http://localhost/api/news', {
      method: 'POST',
      headers: { ...editor.headers, 'content-type': 'application/json' },
      body: endlessStream,
      duplex: 'half',
    } as RequestInit);
    expect((await app.http.fetch(request)).status).toBe(413);
    expect(sentBytes).toBeLessThan(200_000);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=utf-16',
    'text/event-stream',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
  ])('with the content type %s is UNSUPPORTED_MEDIA_TYPE', async (type) => {
    const response = await postNews(JSON.stringify(newsItem), { 'content-type': type });
    expect(response.status).toBe(415);
    expect(await readErrorCode(response)).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('that disguises its JSON as a file is read as JSON', async () => {
    const response = await postNews({ ...newsItem, title: '' }, { 'content-disposition': 'attachment; filename="x"' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('required');
  });

  test('with an endless body is BAD_REQUEST after the time limit', async () => {
    const slowStream = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([0x7b])) });
    const request = new Request('http://localhost/', { method: 'POST', body: slowStream, duplex: 'half' } as RequestInit);
    await expect(readBody(request, 100, 20)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const stalledStream = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([0x7b])) });
    const requestInit = { method: 'POST', headers: { 'content-length': '50' }, body: stalledStream, duplex: 'half' };
    const incompleteRequest = new Request('http://localhost/', requestInit as RequestInit);
    await expect(readBody(incompleteRequest, 100, 20)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('with a large picture and no session is refused before it is read', async () => {
    let sentBytes = 0;
    const endlessStream = new ReadableStream({
      pull: (controller) => (controller.enqueue(new Uint8Array(16_384)), void (sentBytes += 16_384)),
    });
    const request = new Request('http://localhost/api/pictures', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: endlessStream,
      duplex: 'half',
    } as RequestInit);
    expect((await app.http.fetch(request)).status).toBe(401);
    expect(sentBytes).toBeLessThan(100_000);
  });

  test('with an unsupported method is NOT_FOUND', async () => {
    for (const method of ['TRACE', 'CONNECT', 'PROPFIND']) {
      // Request rejects these methods, sockets do not.
      const request = new Proxy(new Request('http://localhost/api/session'), {
        get: (target, key) => (key === 'method' ? method : Reflect.get(target, key, target)),
      });
      expect((await app.http.fetch(request)).status).toBe(404);
    }
  });

  test.each(['cross-site', 'same-site'])('from a page of another site (%s) is FORBIDDEN', async (fetchSite) => {
    expect((await postNews(newsItem, { 'sec-fetch-site': fetchSite })).status).toBe(403);
    expect((await postNews({ ...newsItem, title: '' }, { 'sec-fetch-site': 'same-origin' })).status).toBe(400);
  });

  test.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'https://localhost:1.evil.example'])(
    'from a page of another origin (%s) is FORBIDDEN, even without Sec-Fetch-Site',
    async (origin) => {
      expect((await postNews(newsItem, { origin })).status).toBe(403);
      expect((await postNews({ ...newsItem, title: '' }, { origin: app.config.publicUrl })).status).toBe(400);
    },
  );

  test('to another host name is FORBIDDEN with demo data, except for health checks', async () => {
    const fetchWithPeer = (url: string) =>
      app.http.fetch(new Request(url), { incoming: { socket: { remoteAddress: '127.0.0.1' } } });
    for (const path of ['/api/session', '/dev/mail', '/', '/api/openapi.json'])
      expect((await fetchWithPeer(`http://rebound.example:4280${path}`)).status, path).toBe(403);
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect((await fetchWithPeer(`http://${host}:4280/api/wallet/network`)).status, host).toBe(200);
    expect((await fetchWithPeer('http://10.0.0.7/healthz')).status).toBe(200);
  });

  test.each(['', ' ', 'x'.repeat(65), 'with space', 'ümlaut'])('with the Idempotency-Key "%s" is BAD_REQUEST', async (key) => {
    if (key.trim() === '') {
      expect((await postNews(newsItem, { 'idempotency-key': key })).status).toBe(400);
      return;
    }
    const response = await postNews(newsItem, { 'idempotency-key': key });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ data: { issues: [{ path: 'Idempotency-Key', rule: 'invalid' }] } });
  });
});

describe('every response', () => {
  test('has the strict content policy, the server’s request id, no-store and nosniff', async () => {
    const requestId = 'not-mine\u0020x';
    for (const response of [
      await send(app, 'GET', '/api/session', undefined, { ...editor.headers, 'x-request-id': requestId }),
      await send(app, 'GET', '/assets/main-abc123.js'),
      await send(app, 'GET', '/nothing.png'),
      await send(app, 'GET', '/healthz'),
      await postNews('{'),
    ]) {
      // Opened as a page it loads nothing.
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    const sessionResponse = await send(app, 'GET', '/api/session', undefined, editor.headers);
    expect(sessionResponse.headers.get('cache-control')).toBe('no-store');
  });

  test('has the policy of pages if it is a page or a 304 for one', async () => {
    const page = await send(app, 'GET', '/');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const notModified = await send(app, 'GET', '/', undefined, { 'if-none-match': page.headers.get('etag') ?? '' });
    expect(notModified.status).toBe(304);
    for (const { headers } of [page, notModified, await send(app, 'HEAD', '/'), await send(app, 'GET', '/news')]) {
      const contentSecurityPolicy = headers.get('content-security-policy') ?? '';
      expect(contentSecurityPolicy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(contentSecurityPolicy).toContain("frame-ancestors 'none'");
      expect(contentSecurityPolicy).toContain("require-trusted-types-for 'script'");
      expect(contentSecurityPolicy).not.toMatch(/unsafe|script-src[^;]*(\*|https?:|data:)/);
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('camera=()');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('is logged in one line without secrets', async () => {
    const loggedBefore = app.logged.length;
    await postNews(
      { ...newsItem, title: 'sensitive words' },
      { 'x-secret': 'hidden', 'user-agent': 'evil\r\n{"level":60}'.replace(/[\r\n]/g, ' ') },
      '/api/news?token=abc',
    );
    const loggedLines = app.logged.slice(loggedBefore);
    expect(loggedLines).toHaveLength(1);
    expect(JSON.parse(loggedLines[0] ?? '')).toMatchObject({
      method: 'POST',
      path: '/api/news',
      status: 200,
      actor: expect.any(String),
      requestId: expect.any(String),
    });
    for (const secret of ['sensitive', 'hidden', 'abc', editor.headers['authorization']?.slice(7) ?? '?', 'half=']) {
      expect(loggedLines[0]).not.toContain(secret);
    }
  });
});

test('sends HSTS for two years and a same-origin opener policy over https', async () => {
  const httpsApp = await createTestApp(
    { PUBLIC_URL: 'https://panel.example.com' },
    { jobs: false, files: createStatic({ root: staticRoot }) },
  );
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/nothing'],
    ['GET', '/api/session'],
    ['POST', '/rpc/news/add'],
  ] as const) {
    const { headers } = await send(httpsApp, method, path, method === 'POST' ? '{' : undefined);
    expect(headers.get('strict-transport-security'), path).toBe('max-age=63072000; includeSubDomains');
    if (path !== '/') continue;
    expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  }
});

test('sends Retry-After with every TOO_MANY_REQUESTS', async () => {
  const limitedApp = await createTestApp({ WRITES_PER_MINUTE: '1', READS_PER_MINUTE: '1' }, { jobs: false });
  const { headers } = await signInAs(limitedApp, 'all');
  const readStatuses = async () => [
    await send(limitedApp, 'GET', '/api/session', undefined, headers),
    await send(limitedApp, 'POST', '/api/news', newsItem, headers),
    await send(limitedApp, 'POST', '/rpc/news/add', { json: newsItem }, headers),
  ];
  await readStatuses();
  for (const response of await readStatuses()) {
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

describe('an ambiguous request on a raw socket', () => {
  // A proxy must never take part of one request for the next (request smuggling).
  const sendRawLines = async (...lines: string[]): Promise<{ text: string; handled: number }> => {
    let handledCount = 0;
    const fetch = async () => (handledCount++, new Response('here'));
    const server = createAdaptorServer({ fetch, serverOptions }) as Server;
    limitServer(server, null);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    const socketClosed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {});
    socket.write(lines.join(''));
    await socketClosed;
    server.close();
    return { text, handled: handledCount };
  };
  const host = 'Host: panel\r\n';
  const second = `GET /second HTTP/1.1\r\n${host}\r\n`;

  test.each([
    ['two lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 40\r\n\r\nabc`],
    ['a length and chunks', `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks that are not the last coding', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a length that is no number', `POST / HTTP/1.1\r\n${host}Content-Length: +3\r\n\r\nabc`],
    ['a header over two lines', `GET / HTTP/1.1\r\n${host}X-One: a\r\n b: c\r\nTransfer-Encoding\r\n : chunked\r\n\r\n`],
    ['a space before the colon', `POST / HTTP/1.1\r\n${host}Content-Length : 3\r\n\r\nabc`],
    ['a chunk whose size is none', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['headers of 20 kB', `GET / HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('with %s is refused, and the connection closes without reading more', async (_what, request) => {
    const { text, handled } = await sendRawLines(request, second);
    expect(text).toMatch(/^HTTP\/1\.1 4(00|31)/);
    expect(text).toMatch(/connection: close/i);
    expect(text).not.toContain('here');
    expect(handled).toBeLessThanOrEqual(1);
  });
});

test('one address cannot use up all connections', async () => {
  const server = createAdaptorServer({ fetch: async () => new Response('here'), serverOptions }) as Server;
  limitServer(server, 3);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const openConnection = () =>
    new Promise<Socket | null>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => resolve(null)).on('close', () => resolve(null));
      setTimeout(() => resolve(socket.destroyed ? null : socket), 300);
    });
  const halfOpenSocket = await Promise.all([openConnection(), openConnection(), openConnection()]);
  expect(halfOpenSocket.filter((socket) => socket === null)).toEqual([]);
  expect(await openConnection()).toBeNull();
  await new Promise((resolve) => halfOpenSocket[0]?.on('close', resolve).destroy());
  await waitUntil(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.status === 200);
  for (const socket of halfOpenSocket) socket?.destroy();
  server.closeAllConnections();
  server.close();
});

test('compresses long responses on request, short ones never', async () => {
  const { headers } = await signInAs(app, 'analyst');
  const requestEncoded = (path: string, coding: string) =>
    send(app, 'GET', path, undefined, { ...headers, 'accept-encoding': coding });
  const plainResponse = await requestEncoded('/api/openapi.json', 'identity');
  const gzippedResponse = await requestEncoded('/api/openapi.json', 'gzip, br');
  expect(plainResponse.headers.get('content-encoding')).toBeNull();
  expect(gzippedResponse.headers.get('content-encoding')).toBe('gzip');
  const unzippedText = gunzipSync(Buffer.from(await gzippedResponse.arrayBuffer())).toString();
  expect(unzippedText).toBe(await plainResponse.text());
  expect((await requestEncoded('/api/session', 'gzip')).headers.get('content-encoding')).toBeNull();
});

test('serves the contract as OpenAPI with every route that has a path', async () => {
  const { headers } = await signInAs(app, 'analyst');
  const document = (await (await send(app, 'GET', '/api/openapi.json', undefined, headers)).json()) as {
    openapi: string;
    paths: Record<string, object>;
  };
  expect(document.openapi).toMatch(/^3\.1/);
  expect(Object.keys(document.paths['/news'] ?? {}).sort()).toEqual(['post', 'put']);
  expect(Object.keys(document.paths['/session'] ?? {}).sort()).toEqual(['delete', 'get', 'post']);
});

test('gives every error code a standard HTTP status', () => {
  for (const status of Object.values(errorStatus)) expect(status).toBeGreaterThanOrEqual(400);
});

test('a stopping server finishes running requests, refuses new ones and fails its readiness check', async () => {
  const stoppingApp = await createTestApp();
  const { headers } = await signInAs(stoppingApp, 'all');
  const client = await stoppingApp.database.pool.connect();
  await client.query('begin');
  await client.query('lock table permission_nodes in access exclusive mode');
  let isFinished = false;
  const pendingRequest = send(stoppingApp, 'GET', '/api/openapi.json', undefined, headers);
  await pendingRequest;
  const pendingCall = send(stoppingApp, 'POST', '/rpc/session/current', {}, headers).then(
    (response) => ((isFinished = true), response),
  );
  const pendingStop = stoppingApp.http.stop();
  expect((await send(stoppingApp, 'GET', '/api/openapi.json')).status).toBe(503);
  expect((await send(stoppingApp, 'GET', '/readyz')).status).toBe(503);
  expect((await send(stoppingApp, 'GET', '/healthz')).status).toBe(200);
  expect(isFinished).toBe(false);
  await client.query('rollback');
  client.release();
  expect((await pendingCall).status).toBe(200);
  await pendingStop;
});
