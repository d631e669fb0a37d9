import { createHash } from 'node:crypto';
import { Column, DrizzleQueryError, getTableColumns, sql, type SQL } from 'drizzle-orm';
import { PgDialect, PgTimestamp, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';

/** Which rows of a table, in which order. `beyond` is the place to start after: values of `order`, in the same order. */
interface RowsWanted {
  where: SQL | undefined;
  order: readonly PgColumn[];
  ascending: boolean;
  beyond: { values: readonly string[]; inclusive: boolean } | null;
  limit: number;
}

const dialect = new PgDialect();

/**
 * Rows of one table, as Drizzle's select gives them. Written out by hand because a list is what the server does most:
 * Drizzle builds its SQL and works out each value's decoder anew with every call, which costs more than all the rest of a read.
 * Statements are named, as many as fit, so that PostgreSQL plans each shape of list once per connection; the values are parameters.
 */
export async function readRows<Table extends PgTable>(
  pool: pg.Pool,
  table: Table,
  { where, order, ascending, beyond, limit }: RowsWanted,
): Promise<Table['$inferSelect'][]> {
  const { select, decode } = readerOf(table);
  const given = where && dialect.sqlToQuery(where);
  const values: unknown[] = [...(given?.params ?? []), ...(beyond?.values ?? []), limit];
  const conditions = given ? [`(${given.sql})`] : [];
  if (beyond) {
    const first = values.length - order.length;
    const place = order.map((column, index) => `$${first + index}::${column.getSQLType()}`);
    const operator = `${ascending ? '>' : '<'}${beyond.inclusive ? '=' : ''}`;
    conditions.push(`(${order.map(spelled).join(', ')}) ${operator} (${place.join(', ')})`);
  }
  const direction = ascending ? 'asc' : 'desc';
  const text =
    `${select}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}` +
    ` order by ${order.map((column) => `${spelled(column)} ${direction}`).join(', ')} limit $${values.length}`;
  try {
    const { rows } = await pool.query<unknown[]>({ ...nameOf(text), text, values, rowMode: 'array', types });
    return rows.map(decode) as Table['$inferSelect'][];
  } catch (error) {
    // As Drizzle throws it: the log takes what is under it, without the values.
    throw error instanceof Error ? new DrizzleQueryError(text, values, error) : error;
  }
}

/**
 * All rows that are wanted, some at a time, as one snapshot has them: the transaction is the client's own.
 * PostgreSQL keeps the place; neither side ever holds more than one batch.
 */
export async function* streamRows<Table extends PgTable>(
  client: pg.Client,
  table: Table,
  { where, order, ascending }: Pick<RowsWanted, 'where' | 'order' | 'ascending'>,
  batch: number,
): AsyncGenerator<Table['$inferSelect'][]> {
  const { select, decode } = readerOf(table);
  const given = where && dialect.sqlToQuery(where);
  const direction = ascending ? 'asc' : 'desc';
  const text = `declare streamed no scroll cursor for ${select}${given ? ` where ${given.sql}` : ''}
    order by ${order.map((column) => `${spelled(column)} ${direction}`).join(', ')}`;
  await client.query(text, given?.params ?? []);
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      name: `fetch_${batch}`,
      text: `fetch ${batch} from streamed`,
      rowMode: 'array',
      types,
    });
    yield rows.map(decode) as Table['$inferSelect'][];
    if (rows.length < batch) return;
  }
}

// ── What stays the same from call to call ──────────────────────────────────

interface Reader {
  select: string;
  decode: (values: unknown[]) => Record<string, unknown>;
}
const readers = new WeakMap<PgTable, Reader>();

function readerOf(table: PgTable): Reader {
  const known = readers.get(table);
  if (known) return known;
  const columns = Object.entries(getTableColumns(table));
  const from = dialect.sqlToQuery(sql`${table}`).sql;
  const decoders = columns.map(([key, column]) => ({ key, decoder: decoderOf(column) }));
  const decode = (values: unknown[]) => {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { key, decoder } of decoders) {
      const value = values[index++];
      row[key] = value === null || decoder === null ? value : decoder(value);
    }
    return row;
  };
  const reader = { select: `select ${columns.map(([, column]) => spelled(column)).join(', ')} from ${from}`, decode };
  readers.set(table, reader);
  return reader;
}

/** How a value of the driver becomes the column's; null where it is that already. */
function decoderOf(column: PgColumn): ((value: unknown) => unknown) | null {
  if (column.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  const decode = (value: unknown): unknown => column.mapFromDriverValue(value);
  if (!(column instanceof PgTimestamp && column.withTimezone)) return decode;
  return (value) => StoredTime.of(String(value)) ?? decode(value);
}

/**
 * A time that knows how it is written: to write out the times of its rows is the dearest step of a list, and most are read for
 * nothing else. It is as it was read: nobody sets another into it.
 */
export class StoredTime extends Date {
  readonly #iso: string;
  private constructor(iso: string) {
    super(iso);
    this.#iso = iso;
  }
  override toISOString(): string {
    return this.#iso;
  }
  /** Of what PostgreSQL writes in UTC, `2026-01-02 03:04:05.6+00`; null for what it writes otherwise. */
  static of(text: string): StoredTime | null {
    if (text.length < 22 || text.length > 26 || text.charAt(10) !== ' ' || !text.endsWith('+00')) return null;
    const part = text.slice(20, -3).padEnd(3, '0');
    return new StoredTime(`${text.slice(0, 10)}T${text.slice(11, 19)}.${part}Z`);
  }
}

const spellings = new WeakMap<PgColumn, string>();

function spelled(column: PgColumn): string {
  const known = spellings.get(column) ?? dialect.sqlToQuery(sql`${column}`).sql;
  spellings.set(column, known);
  return known;
}

/** Every connection keeps what was named for as long as it lives: shapes of filters there are without end, of lists as they open few. */
const nameOf = namesFor({ most: 300, longest: 4_000 });

/** Names for statements, as long as there are any left: the first come keep theirs, and what is too long gets none. */
export function namesFor({ most, longest }: { most: number; longest: number }): (text: string) => { name?: string } {
  const names = new Map<string, { name: string }>();
  return (text) => {
    const known = names.get(text);
    if (known) return known;
    if (names.size >= most || text.length > longest) return {};
    const made = { name: `list_${createHash('sha256').update(text).digest('base64url')}` };
    names.set(text, made);
    return made;
  };
}

// The columns' decoders take times as text, as they do under Drizzle: timestamptz, timestamp, date, interval, and arrays of them and of numeric.
const asText = new Set([1184, 1114, 1082, 1186, 1231, 1115, 1185, 1187, 1182]);
const untouched = (value: string) => value;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (asText.has(oid) ? untouched : pg.types.getTypeParser(oid, format)),
};
