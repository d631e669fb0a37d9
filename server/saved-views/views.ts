import { and, asc, count, eq, sql } from 'drizzle-orm';
import { maxViews, type ViewRow } from '../../api/saved-views/contract.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { codeOf } from '../platform/core/error-code.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import type { Tx } from '../platform/db/db.ts';
import { writeOnce } from '../platform/records/write.ts';
import { savedViews as table } from './tables.ts';
import { requireRow } from '../platform/records/versions.ts';

export const views = {
  list: guardedApi.views.list.handler(async ({ context }) => {
    const { id, granted } = requirePerson(context);
    const ownViews = await context.db
      .select()
      .from(table)
      .where(eq(table.administratorId, id))
      .orderBy(asc(table.place), asc(table.position), asc(table.id));
    return ownViews.filter(({ place }) => granted.has(place)).map(present);
  }),

  save: guardedApi.views.save.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { id: administratorId, granted } = requirePerson(context);
      if (!granted.has(input.place)) throw appError('FORBIDDEN');
      const { position, all } = await roomFor(tx, administratorId, input.place);
      if (position >= maxViews.place || all >= maxViews.person) throw badField('name', 'tooMany');
      const now = new Date(context.services.now());
      const values = { ...input, id: newId(), administratorId, position, createdAt: now, updatedAt: now };
      const row = requireRow(await once(tx.insert(table).values(values).returning()));
      note({ entity: 'view', id: row.id, after: present(row) });
      return present(row);
    }),
  ),

  rename: guardedApi.views.rename.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const before = await own(context, tx, input);
      const [after] = await once(
        tx
          .update(table)
          .set({ name: input.name, version: sql`${table.version} + 1`, updatedAt: new Date(context.services.now()) })
          .where(eq(table.id, input.id))
          .returning(),
      );
      if (!after) throw appError('NOT_FOUND');
      note({ entity: 'view', id: after.id, before: present(before), after: present(after) });
      return present(after);
    }),
  ),

  remove: guardedApi.views.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const before = await own(context, tx, input);
      await tx.delete(table).where(eq(table.id, input.id));
      note({ entity: 'view', id: before.id, before: present(before) });
      return { id: before.id };
    }),
  ),
};

type Row = typeof table.$inferSelect;

const present = ({ id, version, place, name, query }: Row): ViewRow => ({ id, version, place, name, query });

/** Locked. Others' views are NOT_FOUND. */
async function own(context: RequestContext, tx: Tx, { id, version }: { id: string; version: number }): Promise<Row> {
  const [row] = await tx
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.administratorId, requirePerson(context).id)))
    .for('update');
  if (!row) throw appError('NOT_FOUND');
  if (row.version !== version) throw appError('CONFLICT', { current: present(row) });
  return row;
}

/** Serializes saving per person. */
async function roomFor(tx: Tx, administratorId: string, place: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`views ${administratorId}`}, 0))`);
  const [found] = await tx
    .select({ all: count(), position: count(sql`case when ${table.place} = ${place} then 1 end`) })
    .from(table)
    .where(eq(table.administratorId, administratorId));
  return found ?? { all: 0, position: 0 };
}

/** Names are unique per list. */
const once = <T>(writing: Promise<T>): Promise<T> =>
  writing.catch((error: unknown) => {
    throw codeOf(error) === '23505' ? badField('name', 'taken') : error;
  });
