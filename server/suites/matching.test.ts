import { beforeAll, expect, test } from 'vitest';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { createStore } from '../../testing/factories/store.ts';

let app: TestApp;
let analystSession: TestSession;
beforeAll(async () => {
  app = await createTestApp();
  analystSession = await signInAs(app, 'analyst');
  await createStore(app.database.db).newsItems(Array.from({ length: 300 }, (_, n) => ({ title: `Drift ${n}` })));
});

const readMatching = (expected: number, seal: string | null = null) =>
  analystSession.api.news.matching({ filter: { q: 'Drift' }, expected, seal });

test('all matching rows are returned with versions, beyond one page', async () => {
  const { items } = await readMatching(300);
  expect(new Set(items.map(({ id }) => id)).size).toBe(300);
  expect(items[0]).toEqual({ id: expect.any(String), version: 1 });
});

test('another count than the expected one is refused with the current count', async () => {
  await expect(readMatching(299)).rejects.toMatchObject({ code: 'DRIFTED', data: { count: 300 } });
});

test('other rows with the same count are refused, and irrelevant edits accepted', async () => {
  const { seal, items } = await readMatching(300);
  const [firstItem] = items;
  const editResult = await app.database.pool.query(`update news set version = version + 1 where id = $1`, [firstItem?.id]);
  expect(editResult.rowCount).toBe(1);
  expect((await readMatching(300, seal)).items.find(({ id }) => id === firstItem?.id)?.version).toBe(2);
  await app.database.pool.query(`delete from news where id = $1`, [firstItem?.id]);
  await createStore(app.database.db).news({ title: 'Drift too' });
  await expect(readMatching(300, seal)).rejects.toMatchObject({ code: 'DRIFTED' });
});

test('more rows than the limit are refused before the query', async () => {
  await expect(readMatching(10_001)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
