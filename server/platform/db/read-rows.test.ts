import { asc, desc, eq, gt, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { news } from '../../news/tables.ts';
import { administrators, permissionNodes } from '../auth/tables.ts';
import { newId } from '../core/ids.ts';
import { namesFor, readRows, StoredTime } from './read-rows.ts';
import { testDatabase } from '../../testing/support.ts';

const database = await testDatabase();
const start = { beyond: null, limit: 1_000 };

test('rows are what Drizzle selects: nulls, numbers, booleans, times', async () => {
  const at = new Date('2026-01-02T03:04:05.600Z');
  const item = { title: '比特币', description: 'd', link: 'https://a.example/', createdAt: at, updatedAt: at };
  await database.db.insert(news).values([
    { ...item, id: newId(), time: at, image: null, shown: false },
    { ...item, id: newId(), time: new Date('1970-01-01T00:00:00.000Z'), image: 'https://a.example/a.webp', shown: true },
  ]);
  for (const [table, column] of [
    [news, news.time],
    [administrators, administrators.email],
    [permissionNodes, permissionNodes.position],
  ] as const) {
    const selected = await database.db.select().from(table).orderBy(asc(column), asc(table.id));
    expect(selected.length).toBeGreaterThan(1);
    const order = [column, table.id];
    expect(await readRows(database.pool, table, { ...start, where: undefined, order, ascending: true })).toEqual(selected);
    const backwards = await database.db.select().from(table).orderBy(desc(column), desc(table.id));
    expect(await readRows(database.pool, table, { ...start, where: undefined, order, ascending: false })).toEqual(backwards);
  }
});

test('a condition and a place to start after hold together, each with its own values', async () => {
  const { db, pool } = database;
  const order = [permissionNodes.position, permissionNodes.id];
  const wanted = { where: eq(permissionNodes.kind, 'function'), order, ascending: true };
  const all = await readRows(pool, permissionNodes, { ...wanted, ...start });
  expect(all).toHaveLength(await db.$count(permissionNodes, eq(permissionNodes.kind, 'function')));
  const third = all[2];
  if (!third) throw new Error('the seed has functions');
  const values = [String(third.position), third.id];
  const after = await readRows(pool, permissionNodes, { ...wanted, beyond: { values, inclusive: false }, limit: 2 });
  expect(after).toEqual(all.slice(3, 5));
  const from = await readRows(pool, permissionNodes, { ...wanted, beyond: { values, inclusive: true }, limit: 2 });
  expect(from).toEqual(all.slice(2, 4));
});

test('what PostgreSQL refuses comes as the error Drizzle throws, with its cause', async () => {
  const wanted = { where: gt(news.title, 'a'), order: [news.time, news.id], ascending: true, limit: 1 };
  const beyond = { values: ['no time', newId()], inclusive: false };
  await expect(readRows(database.pool, news, { ...wanted, beyond })).rejects.toMatchObject({ cause: { code: '22007' } });
});

test('statements are named as long as names are left: the first keep theirs, and what is too long has none', () => {
  const nameOf = namesFor({ most: 2, longest: 20 });
  const first = nameOf('select 1');
  expect(first.name).toMatch(/^list_[\w-]{43}$/);
  expect(nameOf('x'.repeat(21))).toEqual({});
  expect(nameOf('select 2').name).not.toBe(first.name);
  for (let more = 3; more < 50; more++) expect(nameOf(`select ${more}`)).toEqual({});
  expect(nameOf('select 1')).toEqual(first);
});

test('a connection keeps no statement of a filter without end, which gives its rows all the same', async () => {
  const ids = Array.from({ length: 1_000 }, newId);
  const [known] = await database.db.select().from(permissionNodes).limit(1);
  const where = inArray(permissionNodes.id, [...ids, known?.id ?? '']);
  const wanted = { where, order: [permissionNodes.id], ascending: true };
  expect(await readRows(database.pool, permissionNodes, { ...wanted, ...start })).toEqual([known]);
  const { rows } = await database.pool.query('select length(statement) as long from pg_prepared_statements');
  for (const { long } of rows as { long: number }[]) expect(long).toBeLessThanOrEqual(4_000);
});

test.each(['05', '05.6', '05.67', '05.678', '00', '59.001'])('a time of %s seconds is written as any Date of it', (seconds) => {
  const text = `2026-01-02 03:04:${seconds}+00`;
  const stored = StoredTime.of(text);
  expect(stored?.getTime()).toBe(new Date(text).getTime());
  expect([stored?.toISOString(), JSON.stringify(stored)]).toEqual([new Date(text).toISOString(), JSON.stringify(new Date(text))]);
});

test.each([
  '2026-01-02 03:04:05+08',
  '2026-01-02 03:04:05.123456+00',
  '0044-03-15 12:00:00+00 BC',
  '12026-01-02 03:04:05.678+00',
  'infinity',
  '2026-01-02',
])('what is written otherwise is left to Drizzle: %s', (text) => expect(StoredTime.of(text)).toBeNull());
