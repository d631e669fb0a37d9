import { eq, getTableColumns, inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { ZodMiniType } from 'zod/mini';
import type { Fields as FilterFields, FilterOf } from '../../../api/filter.ts';
import type { RecordedRow, RecordedState } from '../../../api/history.ts';
import { requireFreshFactor } from '../auth/step-up.ts';
import type { RequestContext } from '../services/context.ts';
import type { Queries, Tx } from '../db/db.ts';
import { appError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { createFilter, type FilterConditions } from './filter.ts';
import { binOf, historyOf, lastVersionOf, readRecordedState, versionsOf } from './history.ts';
import { inRequestedOrder, listRows, type ListInput } from './list.ts';
import { matchingRows } from './matching.ts';
import { lockRow, lockRows, nextVersion, requireRow, type ItemVersion, type Versioned } from './versions.ts';
import { writeOnce, type RecordAudit } from './write.ts';

export interface CrudCall<Input> {
  input: Input;
  context: RequestContext;
}

/** Null: did not exist, or no longer does. */
export interface CrudChange<Row> {
  before: Row | null;
  after: Row | null;
}

/** Also the form in the audit. */
export type PresentedRow = RecordedRow & ItemVersion & { createdAt: string };

export interface CrudResource<
  Table extends Versioned,
  Fields,
  Row extends PresentedRow & Fields,
  Filters extends FilterFields,
  Sort extends string,
> {
  table: Table;
  entity: string;
  sorts: Record<Sort, PgColumn>;
  filters: Filters;
  /** A filter without a condition uses the column of the same name. */
  filterConditions: ConditionsBeside<Table, Filters>;
  present: (stored: Table['$inferSelect']) => Row;
  /** Must read what older builds recorded. */
  schema: ZodMiniType<Row>;
  /** `before`: the stored row that is edited. */
  columnsOf: (fields: Fields, before: Table['$inferSelect'] | null) => Columns<Table>;
  /** `recorded`: the deleted row that is restored under its id. */
  createdFields: (context: RequestContext, recorded: Row | null) => Columns<Table>;
  /** Throws if the row must not get these columns. */
  check?: (before: Table['$inferSelect'], columns: Columns<Table>) => void;
  changed?: (tx: Tx, changes: readonly CrudChange<Table['$inferSelect']>[]) => Promise<void>;
}

type Columns<Table extends Versioned> = Partial<Table['$inferInsert']>;
type ConditionsBeside<Table, Filters extends FilterFields> = Omit<FilterConditions<Filters>, keyof Table> &
  Partial<FilterConditions<Filters>>;

/**
 * Handlers for versioned rows: `on.news.list.handler(records.list)`. Writes are audited. A restored row continues its versions,
 * so that stale forms conflict.
 */
export function crud<
  Table extends Versioned,
  Fields,
  Row extends PresentedRow & Fields,
  const Filters extends FilterFields,
  Sort extends string,
>(resource: CrudResource<Table, Fields, Row, Filters, Sort>) {
  type Filter = FilterOf<Filters>;
  type Stored = Table['$inferSelect'] & ItemVersion;
  const { table, entity, sorts, filters, filterConditions, present, schema, columnsOf, createdFields, check, changed } = resource;
  const plain: PgTable = table;
  const { where, values } = createFilter({
    table,
    fields: filters,
    filterConditions: { ...columnsNamed(table, Object.keys(filters)), ...filterConditions } as FilterConditions<Filters>,
  });

  const readMany = async (queries: Queries, ids: readonly string[]) => {
    const rows = await queries
      .select()
      .from(plain)
      .where(inArray(table.id, [...ids]));
    return (rows as Stored[]).map(present);
  };

  const noted = async (tx: Tx, note: RecordAudit, before: Stored | null, after: Stored) => {
    note({ entity, id: after.id, ...(before && { before: present(before) }), after: present(after) });
    await changed?.(tx, [{ before, after }]);
    return present(after);
  };

  const change = async (context: RequestContext, tx: Tx, note: RecordAudit, item: ItemVersion, fields: Fields) => {
    const before = (await lockRow(tx, table, item, present)) as Stored;
    const columns = columnsOf(fields, before);
    check?.(before, columns);
    // A shown row changes on the website immediately.
    if ('shown' in before && before.shown === true) await requireFreshFactor({ ...context, db: tx });
    const rows = await tx
      .update(plain)
      .set({ ...columns, ...nextVersion(context, table) })
      .where(eq(table.id, item.id))
      .returning();
    return noted(tx, note, before, requireRow(rows as Stored[]));
  };

  const undelete = async (context: RequestContext, tx: Tx, note: RecordAudit, recorded: Row) => {
    const rows = await tx
      .insert(plain)
      .values({
        ...columnsOf(recorded, null),
        ...createdFields(context, recorded),
        id: recorded.id,
        version: (await lastVersionOf(tx, entity, recorded.id)) + 1, // a stale form has an older version
        createdAt: new Date(recorded.createdAt),
        updatedAt: new Date(context.services.now()),
      })
      .onConflictDoNothing()
      .returning();
    const [row] = rows as Stored[];
    if (row) return noted(tx, note, null, row);
    const [current] = await readMany(tx, [recorded.id]);
    throw current ? appError('CONFLICT', { current }) : appError('NOT_FOUND');
  };

  return {
    resource,
    where,

    list: async ({ input, context }: CrudCall<ListInput<Sort> & { filter: Filter }>) =>
      listRows(context, input, { table, id: table.id, sorts, where: await where(context, input.filter), present }),

    values,

    matching: async ({ input, context }: CrudCall<{ filter: Filter; expected: number; seal: string | null }>) =>
      matchingRows(context, input, table, await where(context, input.filter)),

    many: async ({ input, context }: CrudCall<{ ids: readonly string[] }>) =>
      inRequestedOrder(input.ids, await readMany(context.db, input.ids)),

    bin: ({ input, context }: CrudCall<{ from?: number | undefined }>) => binOf(context, entity, input),

    history: ({ input, context }: CrudCall<{ id: string; from?: number | undefined }>) => historyOf(context, entity, input),

    versions: ({ input, context }: CrudCall<{ ids: readonly string[] }>) =>
      versionsOf(context, entity, input.ids, (ids) => readMany(context.db, ids)),

    add: ({ input, context }: CrudCall<Fields>) =>
      writeOnce(context, input, async (tx, note) => {
        const at = new Date(context.services.now());
        const rows = await tx
          .insert(plain)
          .values({ ...columnsOf(input, null), ...createdFields(context, null), id: newId(), createdAt: at, updatedAt: at })
          .returning();
        return noted(tx, note, null, requireRow(rows as Stored[]));
      }),

    edit: ({ input, context }: CrudCall<Fields & ItemVersion>) =>
      writeOnce(context, input, (tx, note) => change(context, tx, note, { id: input.id, version: input.version }, input)),

    remove: ({ input, context }: CrudCall<{ items: readonly ItemVersion[] }>) =>
      writeOnce(context, input, async (tx, note) => {
        const { rows, failed } = await lockRows(tx, table, input.items, present);
        const deletedRows = rows as Stored[];
        const ids = deletedRows.map(({ id }) => id);
        await tx.delete(plain).where(inArray(table.id, ids));
        const done = deletedRows.map((row) => ({ id: row.id, entry: note({ entity, id: row.id, before: present(row) }) }));
        await changed?.(
          tx,
          deletedRows.map((before) => ({ before, after: null })),
        );
        return { done, failed };
      }),

    /** As an edit, or under the deleted id. Throws INCOMPLETE if the state is no longer valid. */
    restore: ({ input, context }: CrudCall<{ entry: string; state: RecordedState; version: number | null }>) =>
      writeOnce(context, input, async (tx, note) => {
        const { id, record } = await readRecordedState(tx, entity, input);
        const recorded = schema.safeParse(record);
        if (!recorded.success) throw appError('INCOMPLETE', { fields: Object.keys(record) });
        if (input.version === null) return undelete(context, tx, note, recorded.data);
        return change(context, tx, note, { id, version: input.version }, recorded.data);
      }),
  };
}

const columnsNamed = (table: PgTable, names: readonly string[]) =>
  Object.fromEntries(Object.entries(getTableColumns(table)).filter(([name]) => names.includes(name)));
