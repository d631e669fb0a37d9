import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ObjectStorageError, createS3PictureStore } from '../platform/content/pictures-s3.ts';
import { signInAt } from '../testing/callers.ts';
import { startObjectStore, type ObjectStore } from '../testing/object-store.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';
import { createTestDatabase } from '../testing/support.ts';

// The object storage checks all signatures and hashes.

const folder = mkdtempSync(join(tmpdir(), 'objects-'));
let storage: ObjectStore;
beforeAll(async () => {
  storage = await startObjectStore();
}, 300_000);
afterAll(async () => {
  await storage.stop();
  rmSync(folder, { recursive: true, force: true });
});

const decodeText = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());
const errorCauseOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error) => error.cause,
  );

test('the store writes, reads, lists and deletes', { timeout: 120_000 }, async () => {
  const store = createS3PictureStore(storage.s3);
  await store.check();
  const ids = Array.from({ length: 1_005 }, () => randomUUID()); // more than one page of a listing
  for (let firstCount = 0; firstCount < ids.length; firstCount += 50)
    await Promise.all(ids.slice(firstCount, firstCount + 50).map((id) => store.put(id, Buffer.from(id))));
  const [firstId = ''] = ids;
  expect(decodeText(await store.get(firstId))).toBe(firstId);
  expect(await store.get(randomUUID())).toBeNull();
  expect((await store.writtenBefore(Date.now() + 60_000)).toSorted()).toEqual(ids.toSorted());
  expect(await store.writtenBefore(Date.now() - 60_000)).toEqual([]);
  await expect(store.get('../secret')).rejects.toThrow('not a picture id');
  for (let firstCount = 0; firstCount < ids.length; firstCount += 50)
    await Promise.all(ids.slice(firstCount, firstCount + 50).map(store.remove));
  await store.remove(firstId);
  expect(await store.get(firstId)).toBeNull();
});

test('a wrong secret, another bucket and an unreachable storage are distinguished from a missing picture', async () => {
  const storeWithWrongKey = createS3PictureStore({ ...storage.s3, secretAccessKey: 'wrong' });
  const otherBucketStore = createS3PictureStore({ ...storage.s3, bucket: 'other' });
  const unreachableStore = createS3PictureStore({ ...storage.s3, endpoint: 'http://127.0.0.1:1' });
  const id = randomUUID();
  for (const [store, expectedMessage] of [
    [storeWithWrongKey, 'the object storage answers 403 SignatureDoesNotMatch'],
    [otherBucketStore, 'the object storage answers 404 NoSuchBucket'],
  ] as const) {
    expect(await errorCauseOf(store.check())).toMatchObject({ message: expectedMessage });
    expect(await errorCauseOf(store.get(id))).toBeInstanceOf(ObjectStorageError);
    expect(await errorCauseOf(store.put(id, Buffer.from('x')))).toBeInstanceOf(ObjectStorageError);
  }
  await expect(unreachableStore.get(id)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

const startPanel = (url: string, env: Readonly<Record<string, string>>): ServerProcess =>
  startServer(join(folder, 'data'), { DEVNET: 'off', DEMO_NEWS: 'off', DATABASE_URL: url, ...env });

async function stopPanel(server: ServerProcess) {
  server.child.kill('SIGTERM');
  await server.ended;
}

const drawPng = (redValue: number) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: { r: redValue, g: 0, b: 0 } } })
    .png()
    .toBuffer();

async function uploadPicture(
  origin: string,
  session: Record<string, string>,
  redValue: number,
): Promise<{ id: string; url: string }> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(await drawPng(redValue))], { type: 'image/png' }), 'a.png');
  const response = await fetch(`${origin}/api/pictures`, {
    method: 'POST',
    headers: { ...session, 'idempotency-key': randomUUID() },
    body,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { id: string; url: string };
}

const fetchPicture = async (origin: string, id: string) => {
  const response = await fetch(`${origin}/pictures/${id}.webp`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name)));
  return { status: response.status, headers, hash: createHash('sha256').update(bytes).digest('hex') };
};

function movePictures(url: string, targetStorage: 's3' | 'disk') {
  const childProcess = spawn('node_modules/.bin/tsx', ['server/pictures-move.ts', '--to', targetStorage], {
    env: { ...process.env, ...storage.env, DATABASE_URL: url, DATA_DIR: join(folder, 'data') },
  });
  let output = '';
  for (const stream of [childProcess.stdout, childProcess.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    childProcess.once('close', (code) => resolve({ code, output })),
  );
}

test('a panel moves from disk to object storage and back without a visible difference', { timeout: 240_000 }, async () => {
  const { url } = await createTestDatabase();
  const countFiles = () => readdirSync(join(folder, 'data', 'pictures')).length;
  let server = startPanel(url, {});
  let origin = await server.ready;
  let session = await signInAt(origin, 'all');
  const ids = [];
  for (const redValue of [10, 20, 30]) ids.push((await uploadPicture(origin, session, redValue)).id);
  const picturesBefore = await Promise.all(ids.map((id) => fetchPicture(origin, id)));
  expect(picturesBefore.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { code, output } = await movePictures(url, 's3');
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\d+ copied, 0 already there, 0 missing in both places$/m),
  });
  await stopPanel(server);

  server = startPanel(url, storage.env);
  origin = await server.ready;
  const countOnDisk = countFiles();
  rmSync(join(folder, 'data', 'pictures'), { recursive: true });
  expect(await Promise.all(ids.map((id) => fetchPicture(origin, id)))).toEqual(picturesBefore);
  session = await signInAt(origin, 'all');
  ids.push((await uploadPicture(origin, session, 40)).id);
  expect((await fetchPicture(origin, ids[3] ?? '')).status).toBe(200);
  expect((await fetchPicture(origin, randomUUID())).status).toBe(404);

  expect(await movePictures(url, 'disk')).toMatchObject({ code: 0 });
  expect(countFiles()).toBe(countOnDisk + 1);
  expect(await movePictures(url, 'disk')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^0 copied, \d+ there already/m),
  });
  await stopPanel(server);
});

test('a wrong secret stops the start in one line that does not contain it', { timeout: 60_000 }, async () => {
  const { url } = await createTestDatabase();
  const server = startPanel(url, { ...storage.env, S3_SECRET_ACCESS_KEY: 'not-the-secret' });
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(server.output().trim()).toMatch(
    /^S3_BUCKET: panel at http:\/\/127\.0\.0\.1:\d+: the object storage answers 403 SignatureDoesNotMatch\.$/,
  );
});

test(
  'without the storage pictures are unavailable, the rest works, and no row lacks its bytes',
  { timeout: 90_000 },
  async () => {
    const { url, pool } = await createTestDatabase();
    const ownObjectStore = await startObjectStore();
    const server = startPanel(url, ownObjectStore.env);
    try {
      const origin = await server.ready;
      const session = await signInAt(origin, 'all');
      const { id } = await uploadPicture(origin, session, 50);
      await ownObjectStore.stop();
      const countRecorded = async () => (await pool.query<{ count: string }>('select count(*) from pictures')).rows[0]?.count;
      const count = await countRecorded();
      expect((await fetchPicture(origin, id)).status).toBe(503);
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(await drawPng(60))], { type: 'image/png' }), 'a.png');
      const refusedResponse = await fetch(`${origin}/api/pictures`, { method: 'POST', headers: { ...session }, body });
      expect(refusedResponse.status).toBe(503);
      expect(await countRecorded()).toBe(count);
      await waitUntil(async () => (await fetch(`${origin}/readyz`)).status === 200);
    } finally {
      await stopPanel(server);
    }
  },
);
