import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { ServiceFields, ServiceRow } from '../../api/access/services.ts';
import { lockAccessChanges } from '../platform/auth/rights/escalation.ts';
import { administrators, serviceAccountOwners, serviceAccounts as table, serviceTokens } from '../platform/auth/tables.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createAppError, createFieldError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import type { Tx } from '../platform/db/db.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import { lockRows, nextVersionColumns, type ItemVersion } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { requireActor, type RequestContext } from '../platform/services/context.ts';
import { notifyOwnersChanged, readOwnerEmails } from '../platform/auth/service-accounts/notify-owners.ts';
import { addToken, revokeServiceToken, rotateToken } from './service-tokens.ts';
import { presentServices, readServices, scopeNodes, serviceConditions, tokensOf } from './service-rows.ts';

const reads = createListHandlers({
  table,
  sorts: { createdAt: table.createdAt, name: table.name },
  filter: () => serviceConditions,
  present: ({ db, services }, rows) => presentServices(db, services, rows),
  only: isNull(table.deletedAt),
});

export const services = {
  list: guardedApi.services.list.handler(reads.list),
  values: guardedApi.services.values.handler(reads.values),
  many: guardedApi.services.many.handler(reads.many),

  details: guardedApi.services.details.handler(async ({ input: { id }, context }) => {
    const row = await readService(context.db, context, id);
    return {
      row,
      tokens: await tokensOf(context.db, context.services, id),
      nodes: await scopeNodes(context.db, requireActor(context).granted),
    };
  }),

  tree: guardedApi.services.tree.handler(({ context }) => scopeNodes(context.db, requireActor(context).granted)),

  choices: guardedApi.services.choices.handler(({ context: { db } }) =>
    db
      .select({ id: administrators.id, email: administrators.email })
      .from(administrators)
      .where(isAble)
      .orderBy(asc(administrators.email)),
  ),

  add: guardedApi.services.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      await lockAccessChanges(tx, context);
      const at = new Date(context.services.now());
      const id = newId();
      await tx
        .insert(table)
        .values({ id, name: input.name, description: input.description, createdAt: at, updatedAt: at })
        .catch(nameTaken);
      await setOwners(tx, context, id, input.owners);
      const row = await readService(tx, context, id);
      note({ entity: serviceEntity, id, after: forAudit(row) });
      return row;
    }),
  ),

  edit: guardedApi.services.edit.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      await lockAccessChanges(tx, context);
      const { before } = await lockServices(tx, context, [{ id: input.id, version: input.version }]);
      await tx
        .update(table)
        .set({ name: input.name, description: input.description, ...nextVersionColumns(context, table) })
        .where(eq(table.id, input.id))
        .catch(nameTaken);
      await setOwners(tx, context, input.id, input.owners);
      const row = await readService(tx, context, input.id);
      note({ entity: serviceEntity, id: row.id, before: forAudit(before[0]), after: forAudit(row) });
      return row;
    }),
  ),

  enable: guardedApi.services.enable.handler(({ input, context }) => setEnabled(context, input.items, true)),
  disable: guardedApi.services.disable.handler(({ input, context }) => setEnabled(context, input.items, false)),

  remove: guardedApi.services.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { email } = await lockAccessChanges(tx, context);
      const { before, failed } = await lockServices(tx, context, input.items);
      const ids = before.map(({ id }) => id);
      const at = new Date(context.services.now());
      await tx.update(table).set({ deletedAt: at, enabled: false }).where(inArray(table.id, ids));
      await tx
        .update(serviceTokens)
        .set({ revokedAt: at, revokedBy: email, revokedReason: 'deleted' })
        .where(and(inArray(serviceTokens.serviceAccountId, ids), isNull(serviceTokens.revokedAt)));
      for (const row of before) note({ entity: serviceEntity, id: row.id, before: forAudit(row) });
      return { done: ids.map((id) => ({ id })), failed };
    }),
  ),

  addToken: guardedApi.services.addToken.handler(({ input, context }) => addToken(context, input)),
  rotateToken: guardedApi.services.rotateToken.handler(({ input, context }) => rotateToken(context, input)),
  revokeToken: guardedApi.services.revokeToken.handler(({ input, context }) => revokeServiceToken(context, input)),
};

const serviceEntity = 'serviceAccount';

const isAble = and(administrators.enabled, isNull(administrators.deletedAt));

async function readService(
  queries: Parameters<typeof readServices>[0],
  { services: of }: RequestContext,
  id: string,
): Promise<ServiceRow> {
  const [row] = await readServices(queries, of, [id]);
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}

/** Under the access lock. Throws the first failure if none is left. */
async function lockServices(tx: Tx, context: RequestContext, items: readonly ItemVersion[]) {
  const current = await readServices(
    tx,
    context.services,
    items.map(({ id }) => id),
  );
  const byId = new Map(current.map((row) => [row.id, row]));
  const present = items.filter(({ id }) => byId.has(id));
  if (present.length === 0) throw createAppError('NOT_FOUND');
  const { rows, failed } = await lockRows(tx, table, present, ({ id }) => byId.get(id));
  const missing = items.filter(({ id }) => !byId.has(id)).map(({ id }) => ({ id, code: 'NOT_FOUND' as const }));
  return { before: rows.flatMap(({ id }) => byId.get(id) ?? []), failed: [...failed, ...missing] };
}

function setEnabled(context: RequestContext, items: readonly ItemVersion[], enabled: boolean) {
  return writeOnce(context, items, async (tx, note) => {
    await lockAccessChanges(tx, context);
    const { before, failed } = await lockServices(tx, context, items);
    const changing = before.filter((row) => row.enabled !== enabled).map(({ id }) => id);
    if (changing.length > 0)
      await tx
        .update(table)
        .set({ enabled, ...nextVersionColumns(context, table) })
        .where(inArray(table.id, changing));
    const after = await readServices(
      tx,
      context.services,
      before.map(({ id }) => id),
    );
    for (const row of after)
      if (changing.includes(row.id))
        note({
          entity: serviceEntity,
          id: row.id,
          before: forAudit(before.find(({ id }) => id === row.id)),
          after: forAudit(row),
        });
    const result = { done: after, failed };
    return changing.length > 0 ? result : asUnmodified(result);
  });
}

/** Throws BAD_REQUEST for a person who is disabled or deleted. An owner who was disabled later may stay. */
async function setOwners(tx: Tx, context: RequestContext, id: string, owners: ServiceFields['owners']): Promise<void> {
  const requested = [...new Set(owners)];
  const kept = await tx.select().from(serviceAccountOwners).where(eq(serviceAccountOwners.serviceAccountId, id));
  const added = requested.filter((owner) => !kept.some(({ administratorId }) => administratorId === owner));
  const able = added.length === 0 ? 0 : await tx.$count(administrators, and(inArray(administrators.id, added), isAble));
  if (able < added.length) throw createFieldError('owners');
  const previousOwners = kept.length === 0 ? [] : await readOwnerEmails(tx, id);
  await tx.delete(serviceAccountOwners).where(eq(serviceAccountOwners.serviceAccountId, id));
  await tx.insert(serviceAccountOwners).values(requested.map((administratorId) => ({ serviceAccountId: id, administratorId })));
  if (previousOwners.length > 0) await notifyOwnersChanged(tx, context, id, previousOwners);
  // Announced again when the last of them goes.
  await tx
    .update(table)
    .set({ ownerlessAt: null })
    .where(
      and(
        eq(table.id, id),
        sql`exists (select from ${serviceAccountOwners} o join ${administrators} a on a.id = o.administrator_id
      where o.service_account_id = ${id} and a.enabled and a.deleted_at is null)`,
      ),
    );
}

function nameTaken(error: unknown): never {
  throw getDatabaseErrorCode(error) === '23505' ? createFieldError('name', 'taken') : error;
}

const forAudit = (row: ServiceRow | undefined) =>
  row && {
    id: row.id,
    version: row.version,
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    owners: row.owners.map(({ email }) => email),
    createdAt: row.createdAt,
  };
