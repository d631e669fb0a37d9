import { and, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { RequestContext } from '../services/context.ts';
import { countRows, type RowCount } from '../db/count.ts';
import { badField } from '../core/errors.ts';
import type { Database } from '../db/db.ts';
import { readRows } from '../db/read-rows.ts';

export interface ListInput<Sort extends string> {
  sort: Sort;
  direction: 'asc' | 'desc';
  cursor: string | null;
  limit: number;
}

export interface ListPage<Row> {
  rows: Row[];
  nextCursor: string | null;
  prevCursor: string | null;
  count: RowCount | null;
}

interface ListSource<Table extends PgTable, Sort extends string, Row> {
  table: Table;
  id: PgColumn;
  /** Never null, with an index that ends in the id. */
  sorts: Record<Sort, PgColumn>;
  where?: SQL | undefined;
  last?: SQL | undefined;
  present: (row: Table['$inferSelect']) => Row;
  /** Unless the rows are in the panel's database. */
  from?: Pick<Database, 'pool' | 'counts' | 'db'>;
  /** Replaces the usual count. */
  count?: (() => Promise<RowCount>) | undefined;
}

/** Keyset page by (sort column, id). The first page includes the count. */
export async function listRows<Table extends PgTable, Sort extends string, Row>(
  context: RequestContext,
  input: ListInput<Sort>,
  source: ListSource<Table, Sort, Row>,
): Promise<ListPage<Row>> {
  const [page, count] = await Promise.all([
    readPage(context, input, source),
    input.cursor === null
      ? countRows(context.services, source.table, source.where, source.from ?? context.services.database, source.count)
      : null,
  ]);
  return { ...page, count };
}

export function inRequestedOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface Cursor {
  towards: 'next' | 'prev';
  inclusive: boolean;
  key: string;
  id: string;
  isLast: boolean;
}

async function readPage<Table extends PgTable, Sort extends string, Row>(
  { services }: RequestContext,
  input: ListInput<Sort>,
  { table, id, sorts, where, last, present, from = services.database }: ListSource<Table, Sort, Row>,
) {
  const column = sorts[input.sort];
  const cursor = input.cursor === null ? null : readCursor(input);
  const backwards = cursor?.towards === 'prev';
  const ascending = (input.direction === 'asc') !== backwards;
  const limit = input.limit + 1;
  const readGroup = async (isLast: boolean, max: number): Promise<{ row: Table['$inferSelect']; isLast: boolean }[]> => {
    const found = await readRows(from.pool, table, {
      where: last ? and(where, isLast ? last : sql`(${last}) is not true`) : where,
      order: [column, id],
      ascending,
      beyond: cursor && cursor.isLast === isLast ? { values: [cursor.key, cursor.id], inclusive: cursor.inclusive } : null,
      limit: max,
    });
    return found.map((row) => ({ row, isLast }));
  };
  // The group of the cursor, then the next if the page has room.
  const begins = cursor?.isLast ?? false;
  const found = await readGroup(begins, limit);
  if (last && begins === backwards && found.length < limit) found.push(...(await readGroup(!begins, limit - found.length)));

  const more = found.length > input.limit;
  const rows = more ? found.slice(0, input.limit) : found;
  if (backwards) rows.reverse();

  const at = (one: (typeof found)[number] | undefined, towards: Cursor['towards']) => {
    if (one)
      return writeCursor(input, {
        towards,
        inclusive: false,
        key: keyText(one.row[keyOf(table, column)]),
        id: String(one.row[keyOf(table, id)]),
        isLast: one.isLast,
      });
    // All rows beyond the cursor are gone, so the way back starts at it.
    return cursor ? writeCursor(input, { ...cursor, towards, inclusive: true }) : null;
  };
  const hasNext = backwards || more;
  const hasPrev = backwards ? more : cursor !== null;
  return {
    rows: rows.map(({ row }) => present(row)),
    nextCursor: hasNext ? at(rows.at(-1), 'next') : null,
    prevCursor: hasPrev ? at(rows[0], 'prev') : null,
  };
}

const keyText = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

const keys = new WeakMap<PgColumn, string>();

function keyOf(table: PgTable, column: PgColumn): string {
  const key = keys.get(column) ?? Object.entries(table).find(([, value]) => value === column)?.[0];
  if (key === undefined) throw new Error(`column ${column.name} does not belong to the listed table`);
  keys.set(column, key);
  return key;
}

function writeCursor(input: ListInput<string>, { towards, inclusive, key, id, isLast }: Cursor): string {
  const parts = [towards === 'next' ? 'n' : 'p', inclusive ? 1 : 0, input.sort, input.direction, key, id, ...(isLast ? [1] : [])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Throws BAD_REQUEST for a cursor of another list or order. */
function readCursor(input: ListInput<string>): Cursor {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(input.cursor ?? '', 'base64url').toString('utf8'));
  } catch {
    throw badField('cursor');
  }
  if (!Array.isArray(parts) || parts.length < 6 || parts.length > 7) throw badField('cursor');
  const [towards, inclusive, sort, direction, key, id, isLast]: unknown[] = parts;
  if ((towards !== 'n' && towards !== 'p') || sort !== input.sort || direction !== input.direction) throw badField('cursor');
  if (
    typeof key !== 'string' ||
    key.includes('\0') ||
    typeof id !== 'string' ||
    !/^([0-9a-f-]{36}|[0-9a-f]{64}|0x[0-9a-fA-F]{40}(-\d{1,78})?|\d{4}-\d\d-\d\d)$/.test(id)
  )
    throw badField('cursor');
  return { towards: towards === 'n' ? 'next' : 'prev', inclusive: inclusive === 1, key, id, isLast: isLast === 1 };
}
