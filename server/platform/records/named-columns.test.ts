import { bigint, boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { createColumnWriter, createPresenter } from './named-columns.ts';

const table = pgTable('samples', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  at: timestamp('starts_at', { withTimezone: true, mode: 'date' }),
  amount: bigint('amount', { mode: 'bigint' }).notNull(),
  level: integer('level').notNull(),
  shown: boolean('shown').notNull(),
});
const fields = z.strictObject({
  name: z.string(),
  at: z.optional(z.nullable(z.string())),
  amount: z.string(),
  level: z.int(),
});

test('writes fields to columns of the same name and reads them back', () => {
  const recordFields = { name: 'One', at: '2026-01-02T03:04:05.678Z', amount: '9007199254740993', level: 2 };
  const columns = createColumnWriter(table, fields)(recordFields);
  expect(columns).toEqual({ name: 'One', at: new Date(recordFields.at), amount: 9_007_199_254_740_993n, level: 2 });
  const storedRow = { ...recordFields, at: new Date(recordFields.at), amount: 9_007_199_254_740_993n, shown: true, secret: 'x' };
  expect(createPresenter(fields)(storedRow)).toEqual(recordFields);
});

test('distinguishes null from an omitted field, and ignores fields outside the schema', () => {
  const partialFields = { name: 'One', amount: '1', level: 2 };
  expect(createColumnWriter(table, fields)({ ...partialFields, at: null }).at).toBeNull();
  expect(createColumnWriter(table, fields)({ ...partialFields, shown: true } as typeof partialFields)).toEqual({
    ...partialFields,
    amount: 1n,
    at: undefined,
  });
});

test('refuses a field that no column can hold', () => {
  const unknownSchema = z.strictObject({ other: z.string() });
  // @ts-expect-error: null in a column that needs a value
  createColumnWriter(table, z.strictObject({ name: z.nullable(z.string()) }));
  // @ts-expect-error: text in a column of numbers
  createColumnWriter(table, z.strictObject({ level: z.string() }));
  // @ts-expect-error: the types refuse it too
  expect(() => createColumnWriter(table, unknownSchema)).toThrow('the field other has no column');
});
