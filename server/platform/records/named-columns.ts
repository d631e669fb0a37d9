import { getTableColumns } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type * as z from 'zod/mini';

/** Text of the API is stored as text, as a time or as an integer. */
type StoredAs<Value> = Value extends string ? (string extends Value ? string | Date | bigint : Value) : Value;
type StoredRow<Row> = { [Name in keyof Row]: StoredAs<Row[Name]> };

/** Reads each field of `schema` from the column of the same name. */
export function createPresenter<Schema extends z.ZodMiniObject>(schema: Schema) {
  const names = Object.keys(schema.shape);
  return (storedRow: StoredRow<z.infer<Schema>>): z.infer<Schema> =>
    Object.fromEntries(
      names.map((name) => [name, presentValue((storedRow as Record<string, unknown>)[name])]),
    ) as z.infer<Schema>;
}

function presentValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? value.toString() : value;
}

/** What is written to a column of type `Column`. */
type WrittenValue<Value, Column> = Value extends string
  ? string extends Value
    ? [Extract<Column, string | Date | bigint>] extends [never]
      ? Value
      : Extract<Column, string | Date | bigint>
    : Value
  : Value;
type WrittenRow<Row, Columns> = {
  [Name in keyof Row]: Name extends keyof Columns ? WrittenValue<Row[Name], Columns[Name]> : never;
};
type FitsColumns<Schema, Columns> = WrittenRow<z.infer<Schema>, Columns> extends Partial<Columns> ? unknown : never;

/** Writes each field of `schema` to the column of the same name. */
export function createColumnWriter<Table extends PgTable, Schema extends z.ZodMiniObject>(
  table: Table,
  schema: Schema & FitsColumns<Schema, Table['$inferInsert']>,
) {
  const columns = getTableColumns(table);
  const columnWriters = Object.keys(schema.shape).map((name) => {
    const writeValue = writeByDataType[columns[name]?.dataType ?? 'none'];
    if (!writeValue) throw new Error(`the field ${name} has no column that it can be written to`);
    return [name, writeValue] as const;
  });
  return (fields: z.infer<Schema>): Partial<Table['$inferInsert']> =>
    Object.fromEntries(
      columnWriters.map(([name, writeValue]) => {
        const value = (fields as Record<string, unknown>)[name];
        return [name, value === null || value === undefined ? value : writeValue(value)];
      }),
    ) as Partial<Table['$inferInsert']>;
}

const keepValue = (value: unknown) => value;

const writeByDataType: Readonly<Record<string, (value: unknown) => unknown>> = {
  string: keepValue,
  number: keepValue,
  boolean: keepValue,
  date: (value) => new Date(value as string),
  bigint: (value) => BigInt(value as string),
};
