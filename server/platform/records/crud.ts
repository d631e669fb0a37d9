import { eq, getTableColumns, inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { ZodMiniType } from 'zod/mini';
import type { Fields as FilterFields, FilterOf } from '../../../api/filter.ts';
import type { RecordedRow, RecordedState } from '../../../api/history.ts';
import { requireFreshFactor } from '../auth/step-up.ts';
import type { RequestContext } from '../services/context.ts';
import type { Queries, Tx } from '../db/db.ts';
import { createAppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { createFilter, type FilterConditions } from './filter.ts';
import { readBin, readHistory, readLastVersion, readRecordedState, readVersions } from './history.ts';
import { sortByRequestedIds, listRows, type ListInput } from './list.ts';
import { readMatchingRows } from './matching.ts';
import { lockRow, lockRows, nextVersionColumns, requireRow, type ItemVersion, type Versioned } from './versions.ts';
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
  filterConditions: ExtraConditions<Table, Filters>;
  present: (storedRow: Table['$inferSelect']) => Row;
  /** Must read what older builds recorded. */
  schema: ZodMiniType<Row>;
  /** `before`: the stored row that is edited. */
  columnsOf: (fields: Fields, before: Table['$inferSelect'] | null) => Columns<Table>;
  /** `recordedRow`: the deleted row that is restored under its ID. */
  createdFields: (context: RequestContext, recordedRow: Row | null) => Columns<Table>;
  /** Throws if the row must not get these columns. */
  check?: (before: Table['$inferSelect'], columns: Columns<Table>) => void;
  changed?: (tx: Tx, changes: readonly CrudChange<Table['$inferSelect']>[]) => Promise<void>;
}

type Columns<Table extends Versioned> = Partial<Table['$inferInsert']>;
type ExtraConditions<Table, Filters extends FilterFields> = Omit<FilterConditions<Filters>, keyof Table> &
  Partial<FilterConditions<Filters>>;

/**
 * Handlers for versioned rows: `on.news.list.handler(records.list)`. Writes are audited. A restored row continues its versions,
 * so that stale forms conflict.
 */
export function createCrud<
  Table extends Versioned,
  Fields,
  Row extends PresentedRow & Fields,
  const Filters extends FilterFields,
  Sort extends string,
>(resource: CrudResource<Table, Fields, Row, Filters, Sort>) {
  type Filter = FilterOf<Filters>;
  type StoredRow = Table['$inferSelect'] & ItemVersion;
  const {
    table,
    entity,
    sorts,
    filters,
    filterConditions,
    present,
    schema,
    columnsOf,
    createdFields,
    check,
    changed: afterChange,
  } = resource;
  const plainTable: PgTable = table;
  const { where, values } = createFilter({
    table,
    fields: filters,
    filterConditions: { ...pickColumns(table, Object.keys(filters)), ...filterConditions } as FilterConditions<Filters>,
  });

  const readRowsById = async (queries: Queries, ids: readonly string[]) => {
    const rows = await queries
      .select()
      .from(plainTable)
      .where(inArray(table.id, [...ids]));
    return (rows as StoredRow[]).map(present);
  };

  const recordChange = async (tx: Tx, recordAudit: RecordAudit, before: StoredRow | null, after: StoredRow) => {
    recordAudit({ entity, id: after.id, ...(before && { before: present(before) }), after: present(after) });
    await afterChange?.(tx, [{ before, after }]);
    return present(after);
  };

  const changeRow = async (context: RequestContext, tx: Tx, recordAudit: RecordAudit, item: ItemVersion, fields: Fields) => {
    const previousRow = (await lockRow(tx, table, item, present)) as StoredRow;
    const columns = columnsOf(fields, previousRow);
    check?.(previousRow, columns);
    // A shown row changes on the website immediately.
    if ('shown' in previousRow && previousRow.shown === true) await requireFreshFactor({ ...context, db: tx });
    const rows = await tx
      .update(plainTable)
      .set({ ...columns, ...nextVersionColumns(context, table) })
      .where(eq(table.id, item.id))
      .returning();
    return recordChange(tx, recordAudit, previousRow, requireRow(rows as StoredRow[]));
  };

  const restoreDeleted = async (context: RequestContext, tx: Tx, recordAudit: RecordAudit, recordedRow: Row) => {
    const rows = await tx
      .insert(plainTable)
      .values({
        ...columnsOf(recordedRow, null),
        ...createdFields(context, recordedRow),
        id: recordedRow.id,
        version: (await readLastVersion(tx, entity, recordedRow.id)) + 1, // a stale form has an older version
        createdAt: new Date(recordedRow.createdAt),
        updatedAt: new Date(context.services.now()),
      })
      .onConflictDoNothing()
      .returning();
    const [row] = rows as StoredRow[];
    if (row) return recordChange(tx, recordAudit, null, row);
    const [currentRow] = await readRowsById(tx, [recordedRow.id]);
    throw currentRow ? createAppError('CONFLICT', { current: currentRow }) : createAppError('NOT_FOUND');
  };

  return {
    resource,
    where,

    list: async ({ input, context }: CrudCall<ListInput<Sort> & { filter: Filter }>) =>
      listRows(context, input, { table, id: table.id, sorts, where: await where(context, input.filter), present }),

    values,

    matching: async ({ input, context }: CrudCall<{ filter: Filter; expected: number; seal: string | null }>) =>
      readMatchingRows(context, input, table, await where(context, input.filter)),

    many: async ({ input, context }: CrudCall<{ ids: readonly string[] }>) =>
      sortByRequestedIds(input.ids, await readRowsById(context.db, input.ids)),

    bin: ({ input, context }: CrudCall<{ from?: number | undefined }>) => readBin(context, entity, input),

    history: ({ input, context }: CrudCall<{ id: string; from?: number | undefined }>) => readHistory(context, entity, input),

    versions: ({ input, context }: CrudCall<{ ids: readonly string[] }>) =>
      readVersions(context, entity, input.ids, (ids) => readRowsById(context.db, ids)),

    add: ({ input, context }: CrudCall<Fields>) =>
      writeOnce(context, input, async (tx, recordAudit) => {
        const currentTime = new Date(context.services.now());
        const rows = await tx
          .insert(plainTable)
          .values({
            ...columnsOf(input, null),
            ...createdFields(context, null),
            id: newId(),
            createdAt: currentTime,
            updatedAt: currentTime,
          })
          .returning();
        return recordChange(tx, recordAudit, null, requireRow(rows as StoredRow[]));
      }),

    edit: ({ input, context }: CrudCall<Fields & ItemVersion>) =>
      writeOnce(context, input, (tx, recordAudit) =>
        changeRow(context, tx, recordAudit, { id: input.id, version: input.version }, input),
      ),

    remove: ({ input, context }: CrudCall<{ items: readonly ItemVersion[] }>) =>
      writeOnce(context, input, async (tx, recordAudit) => {
        const { rows, failed } = await lockRows(tx, table, input.items, present);
        const deletedRows = rows as StoredRow[];
        const ids = deletedRows.map(({ id }) => id);
        await tx.delete(plainTable).where(inArray(table.id, ids));
        const deletedItems = deletedRows.map((row) => ({
          id: row.id,
          entry: recordAudit({ entity, id: row.id, before: present(row) }),
        }));
        await afterChange?.(
          tx,
          deletedRows.map((before) => ({ before, after: null })),
        );
        return { done: deletedItems, failed };
      }),

    /** As an edit, or under the deleted id. Throws INCOMPLETE if the state is no longer valid. */
    restore: ({ input, context }: CrudCall<{ entry: string; state: RecordedState; version: number | null }>) =>
      writeOnce(context, input, async (tx, recordAudit) => {
        const { id, record: recordedState } = await readRecordedState(tx, entity, input);
        const parsedRecord = schema.safeParse(recordedState);
        if (!parsedRecord.success) throw createAppError('INCOMPLETE', { fields: Object.keys(recordedState) });
        if (input.version === null) return restoreDeleted(context, tx, recordAudit, parsedRecord.data);
        return changeRow(context, tx, recordAudit, { id, version: input.version }, parsedRecord.data);
      }),
  };
}

const pickColumns = (table: PgTable, names: readonly string[]) =>
  Object.fromEntries(Object.entries(getTableColumns(table)).filter(([name]) => names.includes(name)));
