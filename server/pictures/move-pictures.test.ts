import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDiskPictureStore, type PictureStore } from '../platform/content/pictures-store.ts';
import { pictures } from '../platform/content/tables.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { createTestDatabase } from '../testing/support.ts';
import { movePictures } from './move-pictures.ts';

async function setUpStores(count: number) {
  const { db } = await createTestDatabase();
  await db.delete(pictures);
  const rootFolder = createTemporaryFolder();
  const [from, targetStore] = [createDiskPictureStore(join(rootFolder, 'from')), createDiskPictureStore(join(rootFolder, 'to'))];
  const ids = Array.from({ length: count }, () => randomUUID());
  const rows = ids.map((id) => ({
    id,
    sha256: id.replaceAll('-', '').repeat(2),
    width: 1,
    height: 1,
    bytes: 3,
    mime: 'image/webp',
  }));
  await db.insert(pictures).values(rows.map((row) => ({ ...row, createdAt: new Date(), sentAt: new Date() })));
  for (const id of ids) await from.put(id, Buffer.from(id));
  return { db, from, to: targetStore, ids };
}

const readText = async (store: PictureStore, id: string) => Buffer.from((await store.get(id)) ?? []).toString();

test('an interrupted move is completed by the next run, damaged copies are rewritten, and originals stay', async () => {
  const { db, from, to: targetStore, ids } = await setUpStores(20);
  let left = 7;
  const failingStore: PictureStore = {
    ...targetStore,
    put: async (id, bytes) => (left-- > 0 ? targetStore.put(id, bytes) : Promise.reject(new Error('killed'))),
  };
  await expect(movePictures({ db, from, to: failingStore })).rejects.toThrow('killed');
  const damagedId = (await Promise.all(ids.map(async (id) => ((await targetStore.get(id)) ? id : [])))).flat()[0] ?? '';
  await targetStore.put(damagedId, Buffer.from('half'));
  expect(await movePictures({ db, from, to: targetStore })).toEqual({ copied: 14, there: 6, missing: [] });
  expect(await movePictures({ db, from, to: targetStore })).toEqual({ copied: 0, there: 20, missing: [] });
  for (const id of ids) expect([await readText(from, id), await readText(targetStore, id)]).toEqual([id, id]);
});

test('a missing picture is named, and a changed copy stops the move', async () => {
  const { db, from, to: targetStore, ids } = await setUpStores(3);
  const [missingId = ''] = ids;
  await from.remove(missingId);
  expect(await movePictures({ db, from, to: targetStore })).toEqual({ copied: 2, there: 0, missing: [missingId] });
  const lossyStore: PictureStore = { ...targetStore, get: async () => null };
  await expect(movePictures({ db, from, to: lossyStore })).rejects.toThrow('differs from the original');
});
