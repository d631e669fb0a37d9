import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { audit } from '../platform/audit/tables.ts';
import { pictures } from '../platform/content/tables.ts';

let app: TestApp;
let analyst: TestSession;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'http://panel.example' });
  analyst = await signInAs(app, 'analyst');
});

let colour = 0;
const fresh = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: { r: ++colour, g: 40, b: 90 } } });

const fileOf = (bytes: Uint8Array, name = 'picture.png', type = 'image/png') => new File([new Uint8Array(bytes)], name, { type });
const add = (bytes: Uint8Array, name?: string, type?: string) => analyst.api.pictures.add({ file: fileOf(bytes, name, type) });

async function refusal(work: Promise<unknown>): Promise<{ code: string; data?: { reason?: string } }> {
  return work.then(
    () => ({ code: 'was not refused' }),
    (reason: unknown) => reason as { code: string },
  );
}

const fetchFile = (url: string, headers: Record<string, string> = {}) =>
  send(app, 'GET', new URL(url).pathname, undefined, headers);

test('an added picture is public under its address, as WebP that cannot run', async () => {
  const added = await add(await fresh().jpeg().toBuffer(), 'photo.jpg', 'image/jpeg');
  expect(added).toMatchObject({ url: `http://panel.example/pictures/${added.id}.webp`, width: 40, height: 30 });
  const response = await fetchFile(added.url);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).format).toBe('webp');
  const again = await fetchFile(added.url, { 'if-none-match': response.headers.get('etag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('a picture has one row and one audit row, even when sent repeatedly and concurrently', async () => {
  const bytes = await fresh().png().toBuffer();
  const added = await Promise.all(Array.from({ length: 6 }, () => add(bytes)));
  expect(new Set(added.map(({ id }) => id)).size).toBe(1);
  const id = added[0]?.id ?? '';
  expect(await app.database.db.$count(pictures, eq(pictures.id, id))).toBe(1);
  const rows = await app.database.db.select().from(audit).where(eq(audit.entityId, id));
  expect(rows.map(({ action, entity, actorEmail }) => [action, entity, actorEmail])).toEqual([
    ['add', 'picture', 'analyst@demo.local'],
  ]);
});

test('a lost file is restored when the picture is sent again', async () => {
  const bytes = await fresh().png().toBuffer();
  const added = await add(bytes);
  await rm(join(app.config.dataDir, 'pictures', `${added.id}.webp`));
  expect((await fetchFile(added.url)).status).toBe(404);
  expect(await add(bytes)).toEqual(added);
  expect((await fetchFile(added.url)).status).toBe(200);
});

test('a repeated Idempotency-Key with another picture is refused', async () => {
  const { api } = await signInAs(app, 'analyst', { 'idempotency-key': randomUUID() });
  const first = fileOf(await fresh().png().toBuffer());
  const added = await api.pictures.add({ file: first });
  expect(await api.pictures.add({ file: first })).toEqual(added);
  const refused = await refusal(api.pictures.add({ file: fileOf(await fresh().png().toBuffer()) }));
  expect(refused.code).toBe('IDEMPOTENCY_MISMATCH');
});

test('hostile files are refused with a reason and leave nothing', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const png = await fresh().png().toBuffer();
  const corpus: [string, Uint8Array, string][] = [
    ['SVG', Buffer.from(svg), 'type'],
    ['SVG with a prolog', Buffer.from(`<?xml version="1.0"?>${svg}`), 'type'],
    ['GIF that is also a script', Buffer.from('GIF89a/*<script>alert(1)</script>*/=1'), 'type'],
    ['text named .png', Buffer.from('hello'), 'type'],
    ['zip', Buffer.from('PK\u0003\u0004\u0014\u0000\u0000\u0000'), 'type'],
    ['empty', Buffer.alloc(0), 'type'],
    ['cut-off PNG', png.subarray(0, png.length - 30), 'broken'],
    ['PNG with too many pixels', await fresh(5000, 5000).png().toBuffer(), 'pixels'],
    ['PNG over 5 MiB', Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]), 'size'],
  ];
  const [rows, files] = [await app.database.db.$count(pictures), await readdir(join(app.config.dataDir, 'pictures'))];
  for (const [name, bytes, reason] of corpus) {
    const refused = await refusal(add(bytes));
    expect([refused.code, refused.data?.reason], name).toEqual(['PICTURE_REFUSED', reason]);
  }
  expect(await app.database.db.$count(pictures)).toBe(rows);
  expect(await readdir(join(app.config.dataDir, 'pictures'))).toEqual(files);
});

test('a body far over the limit is cut off', async () => {
  expect(await refusal(add(Buffer.alloc(6 * 1024 * 1024)))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('a page hidden behind a picture is removed', async () => {
  const added = await add(Buffer.concat([await fresh().jpeg().toBuffer(), Buffer.from('<html><script>alert(1)</script>')]));
  const response = await fetchFile(added.url);
  expect(await response.text()).not.toContain('script');
});

test('the name of a file is ignored', async () => {
  for (const name of ['../../etc/passwd', 'CON', 'a\u202Egnp.exe', `${'x'.repeat(300)}.png`, '/absolute.svg', '<b>.html']) {
    const added = await add(await fresh().png().toBuffer(), name);
    expect(added.url).toBe(`http://panel.example/pictures/${added.id}.webp`);
  }
});

test('adding a picture requires a session', async () => {
  const form = new FormData();
  form.set('file', fileOf(await fresh().png().toBuffer()));
  const request = new Request('http://localhost/api/pictures', { method: 'POST', body: form });
  expect((await app.http.fetch(request)).status).toBe(401);
});

test('integrations can add a picture as multipart', async () => {
  const form = new FormData();
  form.set('file', fileOf(await fresh().png().toBuffer()));
  const request = new Request('http://localhost/api/pictures', { method: 'POST', body: form, headers: analyst.headers });
  const response = await app.http.fetch(request);
  expect([response.status, await response.json()]).toMatchObject([200, { width: 40, height: 30 }]);
});

test('unknown and malformed addresses are NOT_FOUND', async () => {
  const paths = [
    '/pictures/',
    '/pictures/x.webp',
    `/pictures/${randomUUID()}.webp`,
    '/pictures/..%2f..%2fetc%2fpasswd',
    '/pictures/%00',
    `/pictures/${randomUUID()}.svg`,
  ];
  for (const path of paths) {
    const response = await send(app, 'GET', path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('cache-control')).not.toContain('immutable');
  }
});

test('pictures per person and minute are limited', async () => {
  const counted = await testApp({ WRITES_PER_MINUTE: '2' });
  const [one, other] = [await signInAs(counted, 'analyst'), await signInAs(counted, 'editor')];
  const file = fileOf(await fresh().png().toBuffer());
  await one.api.pictures.add({ file });
  await one.api.pictures.add({ file });
  expect(await refusal(one.api.pictures.add({ file }))).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  await other.api.pictures.add({ file });
  counted.clock.now += 61_000;
  await one.api.pictures.add({ file });
});

describe('the daily quota of pictures', () => {
  const limits = async (env: Record<string, string>) => {
    const limited = await testApp(env, { jobs: false });
    const [one, other] = [await signInAs(limited, 'analyst'), await signInAs(limited, 'editor')];
    const files = () => readdir(join(limited.config.dataDir, 'pictures')).catch(() => []);
    return { limited, one, other, files };
  };
  const file = async () => ({ file: fileOf(await fresh().png().toBuffer()) });

  test('limits the number per person, with the limits in the error, until a day has passed', async () => {
    const { limited, one, other, files } = await limits({ PICTURES_PER_DAY: '2', PICTURE_MEGABYTES_PER_DAY: '0' });
    const first = await file();
    await one.api.pictures.add(first);
    await one.api.pictures.add(await file());
    expect(await refusal(one.api.pictures.add(await file()))).toMatchObject({
      code: 'PICTURE_QUOTA',
      status: 429,
      data: { pictures: 2, megabytes: 0, retryAfter: 86_400 },
    });
    expect(await files()).toHaveLength(2);
    await one.api.pictures.add(first); // repeated uploads do not count
    await other.api.pictures.add(await file());
    limited.clock.now += 86_400_001;
    const later = await signInAs(limited, 'analyst');
    await later.api.pictures.add(await file());
  });

  test('limits the total size per person', async () => {
    const { limited, one, files } = await limits({ PICTURES_PER_DAY: '0', PICTURE_MEGABYTES_PER_DAY: '1' });
    await one.api.pictures.add(await file());
    await limited.database.pool.query('update pictures set bytes = 1024 * 1024');
    expect(await refusal(one.api.pictures.add(await file()))).toMatchObject({ code: 'PICTURE_QUOTA', data: { megabytes: 1 } });
    expect(await files()).toHaveLength(1);
  });

  test('counts concurrent uploads one after another', async () => {
    const { limited, one, files } = await limits({ PICTURES_PER_DAY: '3' });
    const eight = await Promise.all(Array.from({ length: 8 }, file));
    const results = await Promise.all(eight.map((each) => refusal(one.api.pictures.add(each))));
    expect(results.map(({ code }) => code).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'PICTURE_QUOTA'),
      ...Array.from({ length: 3 }, () => 'was not refused'),
    ]);
    expect(await limited.database.db.$count(pictures)).toBe(3);
    expect(await files()).toHaveLength(3);
  });
});
