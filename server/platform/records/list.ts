import { and, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { RequestContext } from '../services/context.ts';
import { countRows, type RowCount } from '../db/count.ts';
import { createFieldError } from '../core/errors.ts';
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

export function sortByRequestedIds<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
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
  { table, id, sorts, where, last: lastCondition, present, from: database = services.database }: ListSource<Table, Sort, Row>,
) {
  const column = sorts[input.sort];
  const cursor = input.cursor === null ? null : readCursor(input);
  const isBackwards = cursor?.towards === 'prev';
  const isAscending = (input.direction === 'asc') !== isBackwards;
  const limit = input.limit + 1;
  const readGroup = async (isLast: boolean, maxRows: number): Promise<{ row: Table['$inferSelect']; isLast: boolean }[]> => {
    const foundRows = await readRows(database.pool, table, {
      where: lastCondition ? and(where, isLast ? lastCondition : sql`(${lastCondition}) is not true`) : where,
      order: [column, id],
      ascending: isAscending,
      beyond: cursor && cursor.isLast === isLast ? { values: [cursor.key, cursor.id], inclusive: cursor.inclusive } : null,
      limit: maxRows,
    });
    return foundRows.map((row) => ({ row, isLast }));
  };
  // The group of the cursor, then the next if the page has room.
  const startsInLastGroup = cursor?.isLast ?? false;
  const foundRows = await readGroup(startsInLastGroup, limit);
  if (lastCondition && startsInLastGroup === isBackwards && foundRows.length < limit)
    foundRows.push(...(await readGroup(!startsInLastGroup, limit - foundRows.length)));

  const hasMore = foundRows.length > input.limit;
  const rows = hasMore ? foundRows.slice(0, input.limit) : foundRows;
  if (isBackwards) rows.reverse();

  const cursorAt = (foundRow: (typeof foundRows)[number] | undefined, pageDirection: Cursor['towards']) => {
    if (foundRow)
      return writeCursor(input, {
        towards: pageDirection,
        inclusive: false,
        key: serializeKey(foundRow.row[sortKeyOf(table, column)]),
        id: String(foundRow.row[sortKeyOf(table, id)]),
        isLast: foundRow.isLast,
      });
    // All rows beyond the cursor are gone, so the way back starts at it.
    return cursor ? writeCursor(input, { ...cursor, towards: pageDirection, inclusive: true }) : null;
  };
  const hasNext = isBackwards || hasMore;
  const hasPrev = isBackwards ? hasMore : cursor !== null;
  return {
    rows: rows.map(({ row }) => present(row)),
    nextCursor: hasNext ? cursorAt(rows.at(-1), 'next') : null,
    prevCursor: hasPrev ? cursorAt(rows[0], 'prev') : null,
  };
}

const serializeKey = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

const keysByColumn = new WeakMap<PgColumn, string>();

function sortKeyOf(table: PgTable, column: PgColumn): string {
  const key = keysByColumn.get(column) ?? Object.entries(table).find(([, value]) => value === column)?.[0];
  if (key === undefined) throw new Error(`column ${column.name} does not belong to the listed table`);
  keysByColumn.set(column, key);
  return key;
}

function writeCursor(input: ListInput<string>, { towards: pageDirection, inclusive, key, id, isLast }: Cursor): string {
  const cursorParts = [
    pageDirection === 'next' ? 'n' : 'p',
    inclusive ? 1 : 0,
    input.sort,
    input.direction,
    key,
    id,
    ...(isLast ? [1] : []),
  ];
  return Buffer.from(JSON.stringify(cursorParts)).toString('base64url');
}

/** Throws BAD_REQUEST for a cursor of another list or order. */
function readCursor(input: ListInput<string>): Cursor {
  let cursorParts: unknown;
  try {
    cursorParts = JSON.parse(Buffer.from(input.cursor ?? '', 'base64url').toString('utf8'));
  } catch {
    throw createFieldError('cursor');
  }
  if (!Array.isArray(cursorParts) || cursorParts.length < 6 || cursorParts.length > 7) throw createFieldError('cursor');
  const [pageDirection, inclusive, sort, direction, key, id, isLast]: unknown[] = cursorParts;
  if ((pageDirection !== 'n' && pageDirection !== 'p') || sort !== input.sort || direction !== input.direction)
    throw createFieldError('cursor');
  if (
    typeof key !== 'string' ||
    key.includes('\0') ||
    typeof id !== 'string' ||
    !/^([0-9a-f-]{36}|[0-9a-f]{64}|0x[0-9a-fA-F]{40}(-\d{1,78})?|\d{4}-\d\d-\d\d)$/.test(id)
  )
    throw createFieldError('cursor');
  return { towards: pageDirection === 'n' ? 'next' : 'prev', inclusive: inclusive === 1, key, id, isLast: isLast === 1 };
}
