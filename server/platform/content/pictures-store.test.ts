import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diskPictureStore } from './pictures-store.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'pictures-'));
});
afterAll(() => rm(home, { recursive: true }));

const id = '018f2d6e-0000-7000-8000-000000000001';

test('returns stored pictures and leaves no other file', async () => {
  const folder = join(home, 'made', 'when', 'needed');
  const store = diskPictureStore(folder);
  await store.put(id, Buffer.from('picture'));
  expect(Buffer.from((await store.get(id)) ?? []).toString()).toBe('picture');
  expect(await readdir(folder)).toEqual([`${id}.webp`]);
});

test('returns null for an unknown id', async () => {
  const store = diskPictureStore(join(home, 'empty'));
  expect(await store.get(id)).toBeNull();
});

test('refuses an id that could leave the folder', async () => {
  const store = diskPictureStore(home);
  for (const bad of ['../../etc/passwd', '', '.', `${id}/../x`, `${id}\u0000`]) {
    await expect(store.get(bad)).rejects.toThrow('not a picture id');
    await expect(store.put(bad, Buffer.from('x'))).rejects.toThrow('not a picture id');
  }
});

test('reports a folder that cannot be written and leaves no file', async () => {
  const store = diskPictureStore('/dev/null/pictures');
  await expect(store.put(id, Buffer.from('x'))).rejects.toThrow();
});
