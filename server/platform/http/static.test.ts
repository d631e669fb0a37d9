import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compress } from '../../../scripts/compress.ts';
import { buildOf, createStatic } from './static.ts';

const root = mkdtempSync(join(tmpdir(), 'static-test-'));
const script = `console.log(${JSON.stringify('a'.repeat(5000))});`;
let serve: (path: string, headers?: Record<string, string>, method?: string) => Response | null;

beforeAll(async () => {
  mkdirSync(join(root, 'dist/assets'), { recursive: true });
  mkdirSync(join(root, 'dist/.vite'));
  writeFileSync(join(root, 'secret.txt'), 'outside');
  writeFileSync(join(root, 'dist/index.html'), '<!doctype html><meta name="build" content="a_B-1" /><title>panel</title>');
  writeFileSync(join(root, 'dist/news.html'), '<!doctype html><head><title>news</title></head>');
  writeFileSync(join(root, 'dist/favicon.svg'), '<svg/>');
  writeFileSync(join(root, 'dist/assets/main-abc123.js'), script);
  writeFileSync(join(root, 'dist/assets/main-abc123.js.map'), '{}');
  writeFileSync(join(root, 'dist/assets/inter-abc123.woff2'), 'font');
  writeFileSync(join(root, 'dist/.vite/manifest.json'), '{}');
  await compress(join(root, 'dist'));
  const handler = createStatic({
    root: join(root, 'dist'),
    htmlFor: (path) => (path === '/news' ? '/news.html' : '/missing.html'),
  });
  serve = (path, headers = {}, method = 'GET') => handler(new Request(`http://panel.test${path}`, { method, headers }));
});

afterAll(() => rmSync(root, { recursive: true }));

describe('caching of the panel’s files', () => {
  test('allows caching a file with a hash in its name forever', () => {
    expect(serve('/assets/main-abc123.js')?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('revalidates a page and does not resend an unchanged one', async () => {
    const first = serve('/');
    expect(first?.headers.get('cache-control')).toBe('no-cache');
    const tag = first?.headers.get('etag') ?? '';
    const again = serve('/', { 'if-none-match': `"other", W/${tag}` });
    expect(again?.status).toBe(304);
    expect(await again?.text()).toBe('');
    expect(again?.headers.get('etag')).toBe(tag);
    expect(serve('/', { 'if-none-match': '"other"' })?.status).toBe(200);
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
  ])('responds to Accept-Encoding %s with %s', async (accepted, coding) => {
    const response = serve('/assets/main-abc123.js', { 'accept-encoding': accepted });
    expect(response?.headers.get('content-encoding')).toBe(coding);
    expect(response?.headers.get('vary')).toBe('accept-encoding');
    const bytes = Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(Number(response?.headers.get('content-length'))).toBe(bytes.length);
    const text = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(text.toString()).toBe(script);
  });

  test('reads a long header with many spaces in linear time', () => {
    const accepted = `gzip${' '.repeat(16_000)}x`;
    const started = performance.now();
    for (let n = 0; n < 50; n++) serve('/assets/main-abc123.js', { 'accept-encoding': accepted });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('gives each coding its own ETag', () => {
    const tags = ['br', 'gzip', ''].map((accepted) =>
      serve('/assets/main-abc123.js', { 'accept-encoding': accepted })?.headers.get('etag'),
    );
    expect(new Set(tags).size).toBe(3);
  });
});

describe('a path of the panel', () => {
  test.each([
    ['/', 'panel'],
    ['/statistics/data0penBox', 'panel'],
    ['/~news.edit?id=42', 'panel'],
    ['/news', 'news'],
  ])('serves the page of the screen %s', async (path, title) => {
    const response = serve(path);
    expect(response?.status).toBe(200);
    expect(response?.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response?.text()).toContain(`<title>${title}</title>`);
  });

  test.each([
    ['/favicon.svg', 'image/svg+xml'],
    ['/assets/main-abc123.js', 'text/javascript; charset=utf-8'],
    ['/assets/inter-abc123.woff2', 'font/woff2'],
  ])('serves %s as %s', (path, type) => {
    expect(serve(path)?.headers.get('content-type')).toBe(type);
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
    const response = serve(path);
    expect(response?.status).toBe(404);
    expect(response?.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response?.text()).toBe('Not found');
  });
});

test('responds to HEAD like GET without the body', async () => {
  const get = serve('/assets/main-abc123.js', { 'accept-encoding': 'br' });
  const head = serve('/assets/main-abc123.js', { 'accept-encoding': 'br' }, 'HEAD');
  expect(Object.fromEntries(head?.headers ?? [])).toEqual(Object.fromEntries(get?.headers ?? []));
  expect(await head?.text()).toBe('');
});

test('does not handle other methods', () => {
  expect(serve('/', {}, 'POST')).toBeNull();
});

test('reads the build id from the page', () => {
  expect(buildOf(join(root, 'dist'))).toBe('a_B-1');
  expect(buildOf(join(root, 'nowhere'))).toBeNull();
});

test('explains a missing build', async () => {
  const response = createStatic({ root: join(root, 'nowhere') })(new Request('http://panel.test/news'));
  expect(response?.status).toBe(503);
  expect(await response?.text()).toContain('npm run build');
});

test('adds the server’s own script to every page, compressed or not, and to nothing else', async () => {
  const handler = createStatic({ root: join(root, 'dist'), htmlFor: () => '/news.html', script: '/dev/wallet.js' });
  const get = (path: string) => handler(new Request(`http://panel.test${path}`, { headers: { 'accept-encoding': 'br, gzip' } }));
  expect(await get('/news')?.text()).toContain('<script type="module" src="/dev/wallet.js"></script></head>');
  expect(get('/news')?.headers.get('content-encoding')).toBeNull();
  expect(get('/assets/main-abc123.js')?.headers.get('content-encoding')).toBe('br');
});
