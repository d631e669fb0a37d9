import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskPictureStore } from './pictures-store.ts';

let homeFolder: string;
beforeAll(async () => {
  homeFolder = await mkdtemp(join(tmpdir(), 'pictures-'));
});
afterAll(() => rm(homeFolder, { recursive: true }));

const id = '018f2d6e-0000-7000-8000-000000000001';

test('returns stored pictures and leaves no other file', async () => {
  const folder = join(homeFolder, 'made', 'when', 'needed');
  const store = createDiskPictureStore(folder);
  await store.put(id, Buffer.from('picture'));
  expect(Buffer.from((await store.get(id)) ?? []).toString()).toBe('picture');
  expect(await readdir(folder)).toEqual([`${id}.webp`]);
});

test('returns null for an unknown id', async () => {
  const store = createDiskPictureStore(join(homeFolder, 'empty'));
  expect(await store.get(id)).toBeNull();
});

test('refuses an id that could leave the folder', async () => {
  const store = createDiskPictureStore(homeFolder);
  for (const invalidId of ['../../etc/passwd', '', '.', `${id}/../x`, `${id}\u0000`]) {
    await expect(store.get(invalidId)).rejects.toThrow('not a picture id');
    await expect(store.put(invalidId, Buffer.from('x'))).rejects.toThrow('not a picture id');
  }
});

test('reports a folder that cannot be written and leaves no file', async () => {
  const store = createDiskPictureStore('/dev/null/pictures');
  await expect(store.put(id, Buffer.from('x'))).rejects.toThrow();
});
