import { asc, desc, eq, gt } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { news } from '../../news/tables.ts';
import { administrators, permissionNodes } from '../auth/tables.ts';
import { newId } from '../core/ids.ts';
import { readRows, streamRows } from './read-rows.ts';
import { createTestDatabase } from '../../testing/support.ts';
import { createStore } from '../../../testing/factories/store.ts';

const database = await createTestDatabase();
const firstBatch = { beyond: null, limit: 1_000 };

test('returns the rows that Drizzle selects: nulls, numbers, booleans, times', async () => {
  const microsecondTime = new Date('2026-01-02T03:04:05.600Z');
  await createStore(database.db).newsItems([
    { title: '比特币', time: microsecondTime, image: null },
    { title: '比特币', time: new Date('1970-01-01T00:00:00.000Z'), shown: true },
  ]);
  for (const [table, column] of [
    [news, news.time],
    [administrators, administrators.email],
    [permissionNodes, permissionNodes.position],
  ] as const) {
    const sortedRows = await database.db.select().from(table).orderBy(asc(column), asc(table.id));
    expect(sortedRows.length).toBeGreaterThan(1);
    const orderColumns = [column, table.id];
    expect(
      await readRows(database.pool, table, { ...firstBatch, where: undefined, order: orderColumns, ascending: true }),
    ).toEqual(sortedRows);
    const reversedRows = await database.db.select().from(table).orderBy(desc(column), desc(table.id));
    expect(
      await readRows(database.pool, table, { ...firstBatch, where: undefined, order: orderColumns, ascending: false }),
    ).toEqual(reversedRows);
  }
});

test('combines a condition with a keyset', async () => {
  const { db, pool } = database;
  const orderColumns = [permissionNodes.position, permissionNodes.id];
  const queryOptions = { where: eq(permissionNodes.kind, 'function'), order: orderColumns, ascending: true };
  const allRows = await readRows(pool, permissionNodes, { ...queryOptions, ...firstBatch });
  expect(allRows).toHaveLength(await db.$count(permissionNodes, eq(permissionNodes.kind, 'function')));
  const thirdRow = allRows[2];
  if (!thirdRow) throw new Error('the seed has functions');
  const values = [String(thirdRow.position), thirdRow.id];
  const rowsAfter = await readRows(pool, permissionNodes, { ...queryOptions, beyond: { values, inclusive: false }, limit: 2 });
  expect(rowsAfter).toEqual(allRows.slice(3, 5));
  const rowsFrom = await readRows(pool, permissionNodes, { ...queryOptions, beyond: { values, inclusive: true }, limit: 2 });
  expect(rowsFrom).toEqual(allRows.slice(2, 4));
});

test('rejects with the error of PostgreSQL for a keyset of another type', async () => {
  const queryOptions = { where: gt(news.title, 'a'), order: [news.time, news.id], ascending: true, limit: 1 };
  const invalidCursor = { values: ['no time', newId()], inclusive: false };
  await expect(readRows(database.pool, news, { ...queryOptions, beyond: invalidCursor })).rejects.toMatchObject({
    code: '22007',
  });
});

test('streams all rows in batches, as Drizzle selects them', async () => {
  const orderColumns = [permissionNodes.position, permissionNodes.id];
  const condition = eq(permissionNodes.kind, 'function');
  const client = await database.connect();
  await client.query('begin');
  const batchSizes = [];
  for await (const rows of streamRows(client, permissionNodes, { where: condition, order: orderColumns, ascending: true }, 7))
    batchSizes.push(rows);
  await client.end();
  expect(batchSizes.slice(0, -1).every((rows) => rows.length === 7)).toBe(true);
  expect(batchSizes.flat()).toEqual(
    await readRows(database.pool, permissionNodes, { ...firstBatch, where: condition, order: orderColumns, ascending: true }),
  );
});

test('plans a page without a filter once per connection, and keeps no statement for a filter', async () => {
  const { rows: namesBefore } = await database.pool.query<{ name: string }>('select name from pg_prepared_statements');
  const queryOptions = { order: [permissionNodes.position, permissionNodes.createdAt], ascending: true, ...firstBatch };
  for (let attempt = 0; attempt < 3; attempt++) {
    await readRows(database.pool, permissionNodes, { ...queryOptions, where: undefined });
    await readRows(database.pool, permissionNodes, { ...queryOptions, where: eq(permissionNodes.kind, 'function') });
  }
  const { rows } = await database.pool.query<{ name: string }>('select name from pg_prepared_statements');
  expect(rows.length).toBe(namesBefore.length + 1);
});
