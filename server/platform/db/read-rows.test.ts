import { asc, desc, eq, gt } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { news } from '../../news/tables.ts';
import { administrators, permissionNodes } from '../auth/tables.ts';
import { newId } from '../core/ids.ts';
import { readRows, streamRows } from './read-rows.ts';
import { testDatabase } from '../../testing/support.ts';
import { storeIn } from '../../../testing/factories/store.ts';

const database = await testDatabase();
const start = { beyond: null, limit: 1_000 };

test('returns the rows that Drizzle selects: nulls, numbers, booleans, times', async () => {
  const at = new Date('2026-01-02T03:04:05.600Z');
  await storeIn(database.db).newsItems([
    { title: '比特币', time: at, image: null },
    { title: '比特币', time: new Date('1970-01-01T00:00:00.000Z'), shown: true },
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

test('combines a condition with a keyset', async () => {
  const { db, pool } = database;
  const order = [permissionNodes.position, permissionNodes.id];
  const requested = { where: eq(permissionNodes.kind, 'function'), order, ascending: true };
  const all = await readRows(pool, permissionNodes, { ...requested, ...start });
  expect(all).toHaveLength(await db.$count(permissionNodes, eq(permissionNodes.kind, 'function')));
  const third = all[2];
  if (!third) throw new Error('the seed has functions');
  const values = [String(third.position), third.id];
  const after = await readRows(pool, permissionNodes, { ...requested, beyond: { values, inclusive: false }, limit: 2 });
  expect(after).toEqual(all.slice(3, 5));
  const from = await readRows(pool, permissionNodes, { ...requested, beyond: { values, inclusive: true }, limit: 2 });
  expect(from).toEqual(all.slice(2, 4));
});

test('rejects with the error of PostgreSQL for a keyset of another type', async () => {
  const requested = { where: gt(news.title, 'a'), order: [news.time, news.id], ascending: true, limit: 1 };
  const beyond = { values: ['no time', newId()], inclusive: false };
  await expect(readRows(database.pool, news, { ...requested, beyond })).rejects.toMatchObject({ code: '22007' });
});

test('streams all rows in batches, as Drizzle selects them', async () => {
  const order = [permissionNodes.position, permissionNodes.id];
  const where = eq(permissionNodes.kind, 'function');
  const client = await database.connect();
  await client.query('begin');
  const batches = [];
  for await (const rows of streamRows(client, permissionNodes, { where, order, ascending: true }, 7)) batches.push(rows);
  await client.end();
  expect(batches.slice(0, -1).every((rows) => rows.length === 7)).toBe(true);
  expect(batches.flat()).toEqual(await readRows(database.pool, permissionNodes, { ...start, where, order, ascending: true }));
});

test('plans a page without a filter once per connection, and keeps no statement for a filter', async () => {
  const { rows: before } = await database.pool.query<{ name: string }>('select name from pg_prepared_statements');
  const requested = { order: [permissionNodes.position, permissionNodes.createdAt], ascending: true, ...start };
  for (let time = 0; time < 3; time++) {
    await readRows(database.pool, permissionNodes, { ...requested, where: undefined });
    await readRows(database.pool, permissionNodes, { ...requested, where: eq(permissionNodes.kind, 'function') });
  }
  const { rows } = await database.pool.query<{ name: string }>('select name from pg_prepared_statements');
  expect(rows.length).toBe(before.length + 1);
});
