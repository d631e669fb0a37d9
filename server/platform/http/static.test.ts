import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compress } from '../../../scripts/compress.ts';
import { readBuildId, createStatic } from './static.ts';

const staticRoot = mkdtempSync(join(tmpdir(), 'static-test-'));
const script = `console.log(${JSON.stringify('a'.repeat(5000))});`;
let serveStatic: (path: string, headers?: Record<string, string>, method?: string) => Response | null;

beforeAll(async () => {
  mkdirSync(join(staticRoot, 'dist/assets'), { recursive: true });
  mkdirSync(join(staticRoot, 'dist/.vite'));
  writeFileSync(join(staticRoot, 'secret.txt'), 'outside');
  writeFileSync(join(staticRoot, 'dist/index.html'), '<!doctype html><meta name="build" content="a_B-1" /><title>panel</title>');
  writeFileSync(join(staticRoot, 'dist/news.html'), '<!doctype html><head><title>news</title></head>');
  writeFileSync(join(staticRoot, 'dist/favicon.svg'), '<svg/>');
  writeFileSync(join(staticRoot, 'dist/assets/main-abc123.js'), script);
  writeFileSync(join(staticRoot, 'dist/assets/main-abc123.js.map'), '{}');
  writeFileSync(join(staticRoot, 'dist/assets/inter-abc123.woff2'), 'font');
  writeFileSync(join(staticRoot, 'dist/.vite/manifest.json'), '{}');
  await compress(join(staticRoot, 'dist'));
  const handler = createStatic({
    root: join(staticRoot, 'dist'),
    htmlFor: (path) => (path === '/news' ? '/news.html' : '/missing.html'),
  });
  serveStatic = (path, headers = {}, method = 'GET') => handler(new Request(`http://panel.test${path}`, { method, headers }));
});

afterAll(() => rmSync(staticRoot, { recursive: true }));

describe('caching of the panel’s files', () => {
  test('allows caching a file with a hash in its name forever', () => {
    expect(serveStatic('/assets/main-abc123.js')?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('revalidates a page and does not resend an unchanged one', async () => {
    const firstResponse = serveStatic('/');
    expect(firstResponse?.headers.get('cache-control')).toBe('no-cache');
    const etag = firstResponse?.headers.get('etag') ?? '';
    const secondResponse = serveStatic('/', { 'if-none-match': `"other", W/${etag}` });
    expect(secondResponse?.status).toBe(304);
    expect(await secondResponse?.text()).toBe('');
    expect(secondResponse?.headers.get('etag')).toBe(etag);
    expect(serveStatic('/', { 'if-none-match': '"other"' })?.status).toBe(200);
  });
});

describe('content coding of the panel’s files', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['*', 'br'],
    ['gzip ; q=0.5', 'gzip'],
    ['identity', null],
    ['', null],
  ])('responds to Accept-Encoding %s with %s', async (acceptedEncodings, coding) => {
    const response = serveStatic('/assets/main-abc123.js', { 'accept-encoding': acceptedEncodings });
    expect(response?.headers.get('content-encoding')).toBe(coding);
    expect(response?.headers.get('vary')).toBe('accept-encoding');
    const bytes = Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(Number(response?.headers.get('content-length'))).toBe(bytes.length);
    const text = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(text.toString()).toBe(script);
  });

  test('reads a long header with many spaces in linear time', () => {
    const acceptedEncodings = `gzip${' '.repeat(16_000)}x`;
    const startTime = performance.now();
    for (let n = 0; n < 50; n++) serveStatic('/assets/main-abc123.js', { 'accept-encoding': acceptedEncodings });
    expect(performance.now() - startTime).toBeLessThan(1_000);
  });

  test('gives each coding its own ETag', () => {
    const etags = ['br', 'gzip', ''].map((acceptedEncodings) =>
      serveStatic('/assets/main-abc123.js', { 'accept-encoding': acceptedEncodings })?.headers.get('etag'),
    );
    expect(new Set(etags).size).toBe(3);
  });
});

describe('a path of the panel', () => {
  test.each([
    ['/', 'panel'],
    ['/statistics/data0penBox', 'panel'],
    ['/~news.edit?id=42', 'panel'],
    ['/news', 'news'],
  ])('serves the page of the screen %s', async (path, title) => {
    const response = serveStatic(path);
    expect(response?.status).toBe(200);
    expect(response?.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response?.text()).toContain(`<title>${title}</title>`);
  });

  test.each([
    ['/favicon.svg', 'image/svg+xml'],
    ['/assets/main-abc123.js', 'text/javascript; charset=utf-8'],
    ['/assets/inter-abc123.woff2', 'font/woff2'],
  ])('serves %s as %s', (path, type) => {
    expect(serveStatic(path)?.headers.get('content-type')).toBe(type);
  });

  test.each([
    '/assets/main-gone.js',
    '/assets/gone',
    '/robots.txt',
    '/.git/HEAD',
    '/.vite/manifest.json',
    '/assets/main-abc123.js.map',
    '/assets/main-abc123.js.br',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2f..%2fsecret.txt',
    '/%2e%2e/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '/secret.txt%00.html',
    '/%ff',
  ])('responds 404 to %s', async (path) => {
    const response = serveStatic(path);
    expect(response?.status).toBe(404);
    expect(response?.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response?.text()).toBe('Not found');
  });
});

test('responds to HEAD like GET without the body', async () => {
  const getResponse = serveStatic('/assets/main-abc123.js', { 'accept-encoding': 'br' });
  const headResponse = serveStatic('/assets/main-abc123.js', { 'accept-encoding': 'br' }, 'HEAD');
  expect(Object.fromEntries(headResponse?.headers ?? [])).toEqual(Object.fromEntries(getResponse?.headers ?? []));
  expect(await headResponse?.text()).toBe('');
});

test('does not handle other methods', () => {
  expect(serveStatic('/', {}, 'POST')).toBeNull();
});

test('reads the build id from the page', () => {
  expect(readBuildId(join(staticRoot, 'dist'))).toBe('a_B-1');
  expect(readBuildId(join(staticRoot, 'nowhere'))).toBeNull();
});

test('explains a missing build', async () => {
  const response = createStatic({ root: join(staticRoot, 'nowhere') })(new Request('http://panel.test/news'));
  expect(response?.status).toBe(503);
  expect(await response?.text()).toContain('npm run build');
});

test('adds the server’s own script to every page, compressed or not, and to nothing else', async () => {
  const handler = createStatic({ root: join(staticRoot, 'dist'), htmlFor: () => '/news.html', script: '/dev/wallet.js' });
  const getPath = (path: string) =>
    handler(new Request(`http://panel.test${path}`, { headers: { 'accept-encoding': 'br, gzip' } }));
  expect(await readBrotli(getPath('/news'))).toContain('<script type="module" src="/dev/wallet.js"></script></head>');
  expect(getPath('/assets/main-abc123.js')?.headers.get('content-encoding')).toBe('br');
});

test('writes single sign-on into the page as text', async () => {
  const sso = { name: `Acme "$& <b>'`, required: true };
  const handler = createStatic({ root: join(staticRoot, 'dist'), htmlFor: () => '/news.html', sso });
  const response = handler(new Request('http://panel.test/login', { headers: { 'accept-encoding': 'br' } }));
  expect(await readBrotli(response)).toContain(
    `<meta name="sso" content="{&quot;name&quot;:&quot;Acme \\&quot;$&amp; &lt;b&gt;'&quot;,&quot;required&quot;:true}"></head>`,
  );
});

async function readBrotli(response: Response | null): Promise<string> {
  expect(response?.headers.get('content-encoding')).toBe('br');
  return brotliDecompressSync(Buffer.from(new Uint8Array((await response?.arrayBuffer()) ?? []))).toString();
}
