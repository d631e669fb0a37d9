import { and, asc, count, eq, sql } from 'drizzle-orm';
import { maxViews, type ViewRow } from '../../api/saved-views/contract.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
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
    return ownViews.filter(({ place }) => granted.has(place)).map(presentView);
  }),

  save: guardedApi.views.save.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { id: administratorId, granted } = requirePerson(context);
      if (!granted.has(input.place)) throw createAppError('FORBIDDEN');
      const { position, all } = await requireViewQuota(tx, administratorId, input.place);
      if (position >= maxViews.place || all >= maxViews.person) throw createFieldError('name', 'tooMany');
      const now = new Date(context.services.now());
      const values = { ...input, id: newId(), administratorId, position, createdAt: now, updatedAt: now };
      const row = requireRow(await withNameTakenError(tx.insert(table).values(values).returning()));
      recordAudit({ entity: 'view', id: row.id, after: presentView(row) });
      return presentView(row);
    }),
  ),

  rename: guardedApi.views.rename.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const previousView = await lockOwnView(context, tx, input);
      const [updatedView] = await withNameTakenError(
        tx
          .update(table)
          .set({ name: input.name, version: sql`${table.version} + 1`, updatedAt: new Date(context.services.now()) })
          .where(eq(table.id, input.id))
          .returning(),
      );
      if (!updatedView) throw createAppError('NOT_FOUND');
      recordAudit({ entity: 'view', id: updatedView.id, before: presentView(previousView), after: presentView(updatedView) });
      return presentView(updatedView);
    }),
  ),

  remove: guardedApi.views.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const previousView = await lockOwnView(context, tx, input);
      await tx.delete(table).where(eq(table.id, input.id));
      recordAudit({ entity: 'view', id: previousView.id, before: presentView(previousView) });
      return { id: previousView.id };
    }),
  ),
};

type SavedViewRecord = typeof table.$inferSelect;

const presentView = ({ id, version, place, name, query }: SavedViewRecord): ViewRow => ({ id, version, place, name, query });

/** Locked. Others' views are NOT_FOUND. */
async function lockOwnView(
  context: RequestContext,
  tx: Tx,
  { id, version }: { id: string; version: number },
): Promise<SavedViewRecord> {
  const [row] = await tx
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.administratorId, requirePerson(context).id)))
    .for('update');
  if (!row) throw createAppError('NOT_FOUND');
  if (row.version !== version) throw createAppError('CONFLICT', { current: presentView(row) });
  return row;
}

/** Serializes saving per person. */
async function requireViewQuota(tx: Tx, administratorId: string, place: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`views ${administratorId}`}, 0))`);
  const [viewCount] = await tx
    .select({ all: count(), position: count(sql`case when ${table.place} = ${place} then 1 end`) })
    .from(table)
    .where(eq(table.administratorId, administratorId));
  return viewCount ?? { all: 0, position: 0 };
}

/** Names are unique per list. */
const withNameTakenError = <T>(writeRequest: Promise<T>): Promise<T> =>
  writeRequest.catch((error: unknown) => {
    throw getDatabaseErrorCode(error) === '23505' ? createFieldError('name', 'taken') : error;
  });
