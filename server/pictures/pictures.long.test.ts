import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { audit } from '../platform/audit/tables.ts';
import { pictures } from '../platform/content/tables.ts';

let app: TestApp;
let analystSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({ PUBLIC_URL: 'http://panel.example' });
  analystSession = await signInAs(app, 'analyst');
});

let colorIndex = 0;
const createPicture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: { r: ++colorIndex, g: 40, b: 90 } } });

const createFile = (bytes: Uint8Array, name = 'picture.png', type = 'image/png') =>
  new File([new Uint8Array(bytes)], name, { type });
const addPicture = (bytes: Uint8Array, name?: string, type?: string) =>
  analystSession.api.pictures.add({ file: createFile(bytes, name, type) });

async function readRefusal(request: Promise<unknown>): Promise<{ code: string; data?: { reason?: string } }> {
  return request.then(
    () => ({ code: 'was not refused' }),
    (reason: unknown) => reason as { code: string },
  );
}

const fetchFile = (url: string, headers: Record<string, string> = {}) =>
  send(app, 'GET', new URL(url).pathname, undefined, headers);

test('an added picture is public under its address, as WebP that cannot run', async () => {
  const addedPicture = await addPicture(await createPicture().jpeg().toBuffer(), 'photo.jpg', 'image/jpeg');
  expect(addedPicture).toMatchObject({ url: `http://panel.example/pictures/${addedPicture.id}.webp`, width: 40, height: 30 });
  const response = await fetchFile(addedPicture.url);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).format).toBe('webp');
  const cachedResponse = await fetchFile(addedPicture.url, { 'if-none-match': response.headers.get('etag') ?? '' });
  expect([cachedResponse.status, await cachedResponse.text()]).toEqual([304, '']);
});

test('a picture has one row and one audit row, even when sent repeatedly and concurrently', async () => {
  const bytes = await createPicture().png().toBuffer();
  const addedPictures = await Promise.all(Array.from({ length: 6 }, () => addPicture(bytes)));
  expect(new Set(addedPictures.map(({ id }) => id)).size).toBe(1);
  const id = addedPictures[0]?.id ?? '';
  expect(await app.database.db.$count(pictures, eq(pictures.id, id))).toBe(1);
  const rows = await app.database.db.select().from(audit).where(eq(audit.entityId, id));
  expect(rows.map(({ action, entity, actorEmail }) => [action, entity, actorEmail])).toEqual([
    ['add', 'picture', 'analyst@demo.local'],
  ]);
});

test('a lost file is restored when the picture is sent again', async () => {
  const bytes = await createPicture().png().toBuffer();
  const addedPicture = await addPicture(bytes);
  await rm(join(app.config.dataDir, 'pictures', `${addedPicture.id}.webp`));
  expect((await fetchFile(addedPicture.url)).status).toBe(404);
  expect(await addPicture(bytes)).toEqual(addedPicture);
  expect((await fetchFile(addedPicture.url)).status).toBe(200);
});

test('a repeated Idempotency-Key with another picture is refused', async () => {
  const { api } = await signInAs(app, 'analyst', { 'idempotency-key': randomUUID() });
  const firstFile = createFile(await createPicture().png().toBuffer());
  const addedPicture = await api.pictures.add({ file: firstFile });
  expect(await api.pictures.add({ file: firstFile })).toEqual(addedPicture);
  const storageRefusal = await readRefusal(api.pictures.add({ file: createFile(await createPicture().png().toBuffer()) }));
  expect(storageRefusal.code).toBe('IDEMPOTENCY_MISMATCH');
});

test('hostile files are refused with a reason and leave nothing', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const png = await createPicture().png().toBuffer();
  const pictureCases: [string, Uint8Array, string][] = [
    ['SVG', Buffer.from(svg), 'type'],
    ['SVG with a prolog', Buffer.from(`<?xml version="1.0"?>${svg}`), 'type'],
    ['GIF that is also a script', Buffer.from('GIF89a/*<script>alert(1)</script>*/=1'), 'type'],
    ['text named .png', Buffer.from('hello'), 'type'],
    ['zip', Buffer.from('PK\u0003\u0004\u0014\u0000\u0000\u0000'), 'type'],
    ['empty', Buffer.alloc(0), 'type'],
    ['cut-off PNG', png.subarray(0, png.length - 30), 'broken'],
    ['PNG with too many pixels', await createPicture(5000, 5000).png().toBuffer(), 'pixels'],
    ['PNG over 5 MiB', Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]), 'size'],
  ];
  const [rows, files] = [await app.database.db.$count(pictures), await readdir(join(app.config.dataDir, 'pictures'))];
  for (const [name, bytes, reason] of pictureCases) {
    const storageRefusal = await readRefusal(addPicture(bytes));
    expect([storageRefusal.code, storageRefusal.data?.reason], name).toEqual(['PICTURE_REFUSED', reason]);
  }
  expect(await app.database.db.$count(pictures)).toBe(rows);
  expect(await readdir(join(app.config.dataDir, 'pictures'))).toEqual(files);
});

test('a body far over the limit is cut off', async () => {
  expect(await readRefusal(addPicture(Buffer.alloc(6 * 1024 * 1024)))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('a page hidden behind a picture is removed', async () => {
  const addedPicture = await addPicture(
    Buffer.concat([await createPicture().jpeg().toBuffer(), Buffer.from('<html><script>alert(1)</script>')]),
  );
  const response = await fetchFile(addedPicture.url);
  expect(await response.text()).not.toContain('script');
});

test('the name of a file is ignored', async () => {
  for (const name of ['../../etc/passwd', 'CON', 'a\u202Egnp.exe', `${'x'.repeat(300)}.png`, '/absolute.svg', '<b>.html']) {
    const addedPicture = await addPicture(await createPicture().png().toBuffer(), name);
    expect(addedPicture.url).toBe(`http://panel.example/pictures/${addedPicture.id}.webp`);
  }
});

test('adding a picture requires a session', async () => {
  const form = new FormData();
  form.set('file', createFile(await createPicture().png().toBuffer()));
  const request = new Request('http://localhost/api/pictures', { method: 'POST', body: form });
  expect((await app.http.fetch(request)).status).toBe(401);
});

test('integrations can add a picture as multipart', async () => {
  const form = new FormData();
  form.set('file', createFile(await createPicture().png().toBuffer()));
  const request = new Request('http://localhost/api/pictures', { method: 'POST', body: form, headers: analystSession.headers });
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
  const limitedApp = await createTestApp({ WRITES_PER_MINUTE: '2' });
  const [firstSession, secondSession] = [await signInAs(limitedApp, 'analyst'), await signInAs(limitedApp, 'editor')];
  const uploadFile = createFile(await createPicture().png().toBuffer());
  await firstSession.api.pictures.add({ file: uploadFile });
  await firstSession.api.pictures.add({ file: uploadFile });
  expect(await readRefusal(firstSession.api.pictures.add({ file: uploadFile }))).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  await secondSession.api.pictures.add({ file: uploadFile });
  limitedApp.clock.now += 61_000;
  await firstSession.api.pictures.add({ file: uploadFile });
});

describe('the daily quota of pictures', () => {
  const readLimits = async (env: Record<string, string>) => {
    const limitedApp = await createTestApp(env, { jobs: false });
    const [firstSession, secondSession] = [await signInAs(limitedApp, 'analyst'), await signInAs(limitedApp, 'editor')];
    const files = () => readdir(join(limitedApp.config.dataDir, 'pictures')).catch(() => []);
    return { limited: limitedApp, one: firstSession, other: secondSession, files };
  };
  const createUpload = async () => ({ file: createFile(await createPicture().png().toBuffer()) });

  test('limits the number per person, with the limits in the error, until a day has passed', async () => {
    const {
      limited,
      one: firstSession,
      other: secondSession,
      files,
    } = await readLimits({ PICTURES_PER_DAY: '2', PICTURE_MEGABYTES_PER_DAY: '0' });
    const firstFile = await createUpload();
    await firstSession.api.pictures.add(firstFile);
    await firstSession.api.pictures.add(await createUpload());
    expect(await readRefusal(firstSession.api.pictures.add(await createUpload()))).toMatchObject({
      code: 'PICTURE_QUOTA',
      status: 429,
      data: { pictures: 2, megabytes: 0, retryAfter: 86_400 },
    });
    expect(await files()).toHaveLength(2);
    await firstSession.api.pictures.add(firstFile); // repeated uploads do not count
    await secondSession.api.pictures.add(await createUpload());
    limited.clock.now += 86_400_001;
    const sessionAfterDay = await signInAs(limited, 'analyst');
    await sessionAfterDay.api.pictures.add(await createUpload());
  });

  test('limits the total size per person', async () => {
    const { limited, one: firstSession, files } = await readLimits({ PICTURES_PER_DAY: '0', PICTURE_MEGABYTES_PER_DAY: '1' });
    await firstSession.api.pictures.add(await createUpload());
    await limited.database.pool.query('update pictures set bytes = 1024 * 1024');
    expect(await readRefusal(firstSession.api.pictures.add(await createUpload()))).toMatchObject({
      code: 'PICTURE_QUOTA',
      data: { megabytes: 1 },
    });
    expect(await files()).toHaveLength(1);
  });

  test('counts concurrent uploads one after another', async () => {
    const { limited, one: firstSession, files } = await readLimits({ PICTURES_PER_DAY: '3' });
    const eightFiles = await Promise.all(Array.from({ length: 8 }, createUpload));
    const results = await Promise.all(eightFiles.map((file) => readRefusal(firstSession.api.pictures.add(file))));
    expect(results.map(({ code }) => code).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'PICTURE_QUOTA'),
      ...Array.from({ length: 3 }, () => 'was not refused'),
    ]);
    expect(await limited.database.db.$count(pictures)).toBe(3);
    expect(await files()).toHaveLength(3);
  });
});
