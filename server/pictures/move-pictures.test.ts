import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskPictureStore, type PictureStore } from '../platform/content/pictures-store.ts';
import { pictures } from '../platform/content/tables.ts';
import { temporaryFolder } from '../testing/end.ts';
import { testDatabase } from '../testing/support.ts';
import { movePictures } from './move-pictures.ts';

async function stage(count: number) {
  const { db } = await testDatabase();
  await db.delete(pictures);
  const home = temporaryFolder();
  const [from, to] = [diskPictureStore(join(home, 'from')), diskPictureStore(join(home, 'to'))];
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
  return { db, from, to, ids };
}

const textOf = async (store: PictureStore, id: string) => Buffer.from((await store.get(id)) ?? []).toString();

test('an interrupted move is completed by the next run, damaged copies are rewritten, and originals stay', async () => {
  const { db, from, to, ids } = await stage(20);
  let left = 7;
  const dying: PictureStore = {
    ...to,
    put: async (id, bytes) => (left-- > 0 ? to.put(id, bytes) : Promise.reject(new Error('killed'))),
  };
  await expect(movePictures({ db, from, to: dying })).rejects.toThrow('killed');
  const damaged = (await Promise.all(ids.map(async (id) => ((await to.get(id)) ? id : [])))).flat()[0] ?? '';
  await to.put(damaged, Buffer.from('half'));
  expect(await movePictures({ db, from, to })).toEqual({ copied: 14, there: 6, missing: [] });
  expect(await movePictures({ db, from, to })).toEqual({ copied: 0, there: 20, missing: [] });
  for (const id of ids) expect([await textOf(from, id), await textOf(to, id)]).toEqual([id, id]);
});

test('a missing picture is named, and a changed copy stops the move', async () => {
  const { db, from, to, ids } = await stage(3);
  const [gone = ''] = ids;
  await from.remove(gone);
  expect(await movePictures({ db, from, to })).toEqual({ copied: 2, there: 0, missing: [gone] });
  const lossy: PictureStore = { ...to, get: async () => null };
  await expect(movePictures({ db, from, to: lossy })).rejects.toThrow('differs from the original');
});
