import { inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { createAppError } from '../core/errors.ts';
import type { CrudCall, CrudResource } from './crud.ts';
import { lockRows, nextVersionColumns, type ItemVersion, type Versioned } from './versions.ts';
import { asUnmodified, writeOnce } from './write.ts';

type ShownSource<Table extends Versioned, Row> = Pick<
  CrudResource<Table, unknown, never, never, never>,
  'table' | 'entity' | 'changed'
> & {
  present: (stored: Table['$inferSelect']) => Row;
};

/** In one transaction. Unchanged rows count as done. `listMissing` names fields. Throws INCOMPLETE if none can be shown. */
export function setShown<Table extends Versioned & { shown: PgColumn }, Row extends ItemVersion>(
  { table, entity, present, changed: afterChange }: ShownSource<Table, Row>,
  shown: boolean,
  listMissing: (stored: Table['$inferSelect']) => readonly string[] = () => [],
) {
  type StoredRow = Table['$inferSelect'] & { id: string; shown: boolean };
  return ({ input: { items }, context }: CrudCall<{ items: readonly ItemVersion[] }>) =>
    writeOnce(context, items, async (tx, recordAudit) => {
      const { rows, failed } = await lockRows(tx, table, items, present);
      const incompleteRows = shown ? (rows as StoredRow[]).filter((row) => listMissing(row).length > 0) : [];
      const completeRows = (rows as StoredRow[]).filter((row) => !incompleteRows.includes(row));
      if (completeRows.length === 0)
        throw createAppError('INCOMPLETE', { fields: [...new Set(incompleteRows.flatMap(listMissing))] });

      const changingRows = new Map(completeRows.filter((row) => row.shown !== shown).map((row) => [row.id, row]));
      const writtenRows = await tx
        .update(table as PgTable)
        .set({ shown, ...nextVersionColumns(context, table) })
        .where(inArray(table.id, [...changingRows.keys()]))
        .returning();
      const changes = (writtenRows as StoredRow[]).map((after) => ({ before: changingRows.get(after.id) ?? after, after }));
      for (const { before, after } of changes)
        recordAudit({ entity, id: after.id, before: present(before), after: present(after) });
      await afterChange?.(tx, changes);

      const changedRows = new Map(changes.map(({ after }) => [after.id, after]));
      const incompleteItems = incompleteRows.map(({ id }) => ({ id, code: 'INCOMPLETE' as const }));
      const result = {
        done: completeRows.map((row) => present(changedRows.get(row.id) ?? row)),
        failed: [...failed, ...incompleteItems],
      };
      return changes.length > 0 ? result : asUnmodified(result);
    });
}
