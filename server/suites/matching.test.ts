import { beforeAll, expect, test } from 'vitest';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { storeIn } from '../../testing/factories/store.ts';

let app: TestApp;
let analyst: TestSession;
beforeAll(async () => {
  app = await testApp();
  analyst = await signInAs(app, 'analyst');
  await storeIn(app.database.db).newsItems(Array.from({ length: 300 }, (_, n) => ({ title: `Drift ${n}` })));
});

const ask = (expected: number, seal: string | null = null) =>
  analyst.api.news.matching({ filter: { q: 'Drift' }, expected, seal });

test('all matching rows are returned with versions, beyond one page', async () => {
  const { items } = await ask(300);
  expect(new Set(items.map(({ id }) => id)).size).toBe(300);
  expect(items[0]).toEqual({ id: expect.any(String), version: 1 });
});

test('another count than the expected one is refused with the current count', async () => {
  await expect(ask(299)).rejects.toMatchObject({ code: 'DRIFTED', data: { count: 300 } });
});

test('other rows with the same count are refused, and irrelevant edits accepted', async () => {
  const { seal, items } = await ask(300);
  const [first] = items;
  const edited = await app.database.pool.query(`update news set version = version + 1 where id = $1`, [first?.id]);
  expect(edited.rowCount).toBe(1);
  expect((await ask(300, seal)).items.find(({ id }) => id === first?.id)?.version).toBe(2);
  await app.database.pool.query(`delete from news where id = $1`, [first?.id]);
  await storeIn(app.database.db).news({ title: 'Drift too' });
  await expect(ask(300, seal)).rejects.toMatchObject({ code: 'DRIFTED' });
});

test('more rows than the limit are refused before the query', async () => {
  await expect(ask(10_001)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
