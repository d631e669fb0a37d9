import { inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { appError } from '../core/errors.ts';
import type { CrudCall, CrudResource } from './crud.ts';
import { lockRows, nextVersion, type ItemVersion, type Versioned } from './versions.ts';
import { unmodified, writeOnce } from './write.ts';

type Source<Table extends Versioned, Row> = Pick<
  CrudResource<Table, unknown, never, never, never>,
  'table' | 'entity' | 'changed'
> & {
  present: (stored: Table['$inferSelect']) => Row;
};

/** In one transaction. Unchanged rows count as done. `missing` names fields. Throws INCOMPLETE if none can be shown. */
export function setShown<Table extends Versioned & { shown: PgColumn }, Row extends ItemVersion>(
  { table, entity, present, changed }: Source<Table, Row>,
  shown: boolean,
  missing: (stored: Table['$inferSelect']) => readonly string[] = () => [],
) {
  type Stored = Table['$inferSelect'] & { id: string; shown: boolean };
  return ({ input: { items }, context }: CrudCall<{ items: readonly ItemVersion[] }>) =>
    writeOnce(context, items, async (tx, note) => {
      const { rows, failed } = await lockRows(tx, table, items, present);
      const lacking = shown ? (rows as Stored[]).filter((row) => missing(row).length > 0) : [];
      const able = (rows as Stored[]).filter((row) => !lacking.includes(row));
      if (able.length === 0) throw appError('INCOMPLETE', { fields: [...new Set(lacking.flatMap(missing))] });

      const changing = new Map(able.filter((row) => row.shown !== shown).map((row) => [row.id, row]));
      const written = await tx
        .update(table as PgTable)
        .set({ shown, ...nextVersion(context, table) })
        .where(inArray(table.id, [...changing.keys()]))
        .returning();
      const changes = (written as Stored[]).map((after) => ({ before: changing.get(after.id) ?? after, after }));
      for (const { before, after } of changes) note({ entity, id: after.id, before: present(before), after: present(after) });
      await changed?.(tx, changes);

      const now = new Map(changes.map(({ after }) => [after.id, after]));
      const incomplete = lacking.map(({ id }) => ({ id, code: 'INCOMPLETE' as const }));
      const result = { done: able.map((row) => present(now.get(row.id) ?? row)), failed: [...failed, ...incomplete] };
      return changes.length > 0 ? result : unmodified(result);
    });
}
