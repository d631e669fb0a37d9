import { eq, inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { ZodMiniType } from 'zod/mini';
import type { Fields as FilterFields, FilterOf } from '../../../api/filter.ts';
import type { RecordedRow, RecordedState } from '../../../api/history.ts';
import { requireFreshFactor } from '../auth/step-up.ts';
import type { RequestContext } from '../core/context.ts';
import type { Queries, Tx } from '../db/db.ts';
import { failure } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { filtering, type Meanings } from './filter.ts';
import { historyOf, lastVersionOf, recordedState, versionsOf } from './history.ts';
import { inAskedOrder, listRows, type ListInput } from './list.ts';
import { matchingRows } from './matching.ts';
import { lockRow, lockRows, nextVersion, returned, type Item, type Versioned } from './versions.ts';
import { write, type Note } from './write.ts';

/** What a handler of a route is called with. */
export interface Call<Input> {
  input: Input;
  context: RequestContext;
}

/** A row as it was and as it is; null where it was not, or is not any more. */
export interface Change<Row> {
  before: Row | null;
  after: Row | null;
}

/** A row as it leaves the server, and as the audit keeps it. */
export type Presented = RecordedRow & Item & { createdAt: string };

/** What is a resource's own of being listed, read, added, edited, deleted and restored. */
export interface Resource<
  Table extends Versioned,
  Fields,
  Row extends Presented & Fields,
  Filters extends FilterFields,
  Sort extends string,
> {
  table: Table;
  /** What the audit calls one of them. */
  entity: string;
  sorts: Record<Sort, PgColumn>;
  /** What the list is filtered by, and which columns that is. */
  filters: Filters;
  meanings: Meanings<Filters>;
  present: (stored: Table['$inferSelect']) => Row;
  /** Reads what the audit keeps, which may be of an older build. */
  schema: ZodMiniType<Row>;
  /** What a person fills in, as it is stored. */
  columnsOf: (fields: Fields) => Columns<Table>;
  /** What a new row has beside it. `recorded` is a deleted one that comes back under its id. */
  made: (context: RequestContext, recorded: Row | null) => Columns<Table>;
  /** Throws where these columns must not be set on that row. */
  check?: (before: Table['$inferSelect'], columns: Columns<Table>) => void;
  /** In the transaction of every change. */
  changed?: (tx: Tx, changes: readonly Change<Table['$inferSelect']>[]) => Promise<void>;
}

type Columns<Table extends Versioned> = Partial<Table['$inferInsert']>;

/**
 * The handlers of a resource whose rows carry a version: `on.news.list.handler(records.list)`. Every write is audited, and a
 * deleted row comes back under its id with the next version, so that whoever still holds the old one is told.
 */
export function crud<
  Table extends Versioned,
  Fields,
  Row extends Presented & Fields,
  const Filters extends FilterFields,
  Sort extends string,
>(resource: Resource<Table, Fields, Row, Filters, Sort>) {
  type Filter = FilterOf<Filters>;
  type Stored = Table['$inferSelect'] & Item;
  const { table, entity, sorts, filters, meanings, present, schema, columnsOf, made, check, changed } = resource;
  const plain: PgTable = table;
  const { where, values } = filtering({ table, fields: filters, meanings });

  const readMany = async (queries: Queries, ids: readonly string[]) => {
    const rows = await queries
      .select()
      .from(plain)
      .where(inArray(table.id, [...ids]));
    return (rows as Stored[]).map(present);
  };

  const noted = async (tx: Tx, note: Note, before: Stored | null, after: Stored) => {
    note({ entity, id: after.id, ...(before && { before: present(before) }), after: present(after) });
    await changed?.(tx, [{ before, after }]);
    return present(after);
  };

  const change = async (context: RequestContext, tx: Tx, note: Note, item: Item, fields: Fields) => {
    const before = (await lockRow(tx, table, item, present)) as Stored;
    const columns = columnsOf(fields);
    check?.(before, columns);
    // What the website shows changes there at once.
    if ('shown' in before && before.shown === true) await requireFreshFactor({ ...context, db: tx });
    const rows = await tx
      .update(plain)
      .set({ ...columns, ...nextVersion(context, table) })
      .where(eq(table.id, item.id))
      .returning();
    return noted(tx, note, before, returned(rows as Stored[]));
  };

  const undelete = async (context: RequestContext, tx: Tx, note: Note, recorded: Row) => {
    const rows = await tx
      .insert(plain)
      .values({
        ...columnsOf(recorded),
        ...made(context, recorded),
        id: recorded.id,
        version: (await lastVersionOf(tx, entity, recorded.id)) + 1, // whoever still holds the deleted one has an older version
        createdAt: new Date(recorded.createdAt),
        updatedAt: new Date(context.services.now()),
      })
      .onConflictDoNothing()
      .returning();
    const [row] = rows as Stored[];
    if (row) return noted(tx, note, null, row);
    const [current] = await readMany(tx, [recorded.id]);
    throw current ? failure('CONFLICT', { current }) : failure('NOT_FOUND');
  };

  return {
    resource,
    where,

    list: async ({ input, context }: Call<ListInput<Sort> & { filter: Filter }>) =>
      listRows(context, input, { table, id: table.id, sorts, where: await where(context, input.filter), present }),

    values,

    matching: async ({ input, context }: Call<{ filter: Filter; expected: number; seal: string | null }>) =>
      matchingRows(context, input, table, await where(context, input.filter)),

    many: async ({ input, context }: Call<{ ids: readonly string[] }>) =>
      inAskedOrder(input.ids, await readMany(context.db, input.ids)),

    history: ({ input, context }: Call<{ id: string; from?: number | undefined }>) => historyOf(context, entity, input),

    versions: ({ input, context }: Call<{ ids: readonly string[] }>) =>
      versionsOf(context, entity, input.ids, (ids) => readMany(context.db, ids)),

    add: ({ input, context }: Call<Fields>) =>
      write(context, input, async (tx, note) => {
        const at = new Date(context.services.now());
        const rows = await tx
          .insert(plain)
          .values({ ...columnsOf(input), ...made(context, null), id: newId(), createdAt: at, updatedAt: at })
          .returning();
        return noted(tx, note, null, returned(rows as Stored[]));
      }),

    edit: ({ input, context }: Call<Fields & Item>) =>
      write(context, input, (tx, note) => change(context, tx, note, { id: input.id, version: input.version }, input)),

    remove: ({ input, context }: Call<{ items: readonly Item[] }>) =>
      write(context, input, async (tx, note) => {
        const { rows, failed } = await lockRows(tx, table, input.items, present);
        const gone = rows as Stored[];
        const ids = gone.map(({ id }) => id);
        await tx.delete(plain).where(inArray(table.id, ids));
        const done = gone.map((row) => ({ id: row.id, entry: note({ entity, id: row.id, before: present(row) }) }));
        await changed?.(
          tx,
          gone.map((before) => ({ before, after: null })),
        );
        return { done, failed };
      }),

    /** Brings a recorded state back, as an edit or under the id of the deleted row. Throws INCOMPLETE where it no longer fits. */
    restore: ({ input, context }: Call<{ entry: string; state: RecordedState; version: number | null }>) =>
      write(context, input, async (tx, note) => {
        const { id, record } = await recordedState(tx, entity, input);
        const recorded = schema.safeParse(record);
        if (!recorded.success) throw failure('INCOMPLETE', { fields: Object.keys(record) });
        if (input.version === null) return undelete(context, tx, note, recorded.data);
        return change(context, tx, note, { id, version: input.version }, recorded.data);
      }),
  };
}
