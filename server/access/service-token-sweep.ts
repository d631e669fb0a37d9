import { and, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { lockAccessExclusively } from '../platform/auth/rights/escalation.ts';
import { notifyOwnerless, notifyTokenOwners } from '../platform/auth/service-accounts/notify-owners.ts';
import { administrators, serviceAccountOwners, serviceAccounts, serviceTokens } from '../platform/auth/tables.ts';
import type { Services } from '../platform/services/context.ts';

const dayMs = 86_400_000;
/** Ended tokens stay visible, so that people see why a script stopped. */
const keptMs = 400 * dayMs;
/** Days before the end. */
const expiryNotices = [14, 3, 0] as const;

/** Hourly, in any number of processes. */
export async function sweepServiceTokens(services: Services): Promise<void> {
  for (const days of expiryNotices) await announceExpiry(services, days);
  await revokeIdle(services);
  await announceOwnerless(services);
  await forgetEnded(services);
}

async function announceExpiry(services: Services, days: number): Promise<void> {
  const at = services.now();
  const from = new Date(at + days * dayMs);
  await services.database.db.transaction(async (tx) => {
    const due = await tx
      .update(serviceTokens)
      .set({ expiryNotice: days })
      .where(
        and(
          isNull(serviceTokens.revokedAt),
          isNull(serviceTokens.replacedBy),
          lte(serviceTokens.expiresAt, from),
          gt(serviceTokens.expiresAt, new Date(at - dayMs)),
          or(isNull(serviceTokens.expiryNotice), gt(serviceTokens.expiryNotice, days)),
          // A token made for less time needs no such notice.
          lt(serviceTokens.createdAt, sql`${serviceTokens.expiresAt} - ${days} * interval '1 day'`),
        ),
      )
      .returning();
    for (const token of due) await notifyTokenOwners(tx, services, token, 'expiring');
  });
}

async function revokeIdle(services: Services): Promise<void> {
  const { config, database, now } = services;
  if (config.serviceTokenIdleMs === 0) return;
  const at = new Date(now());
  const before = new Date(now() - config.serviceTokenIdleMs);
  const isIdle = and(
    // A provider calls only when something changes.
    eq(serviceTokens.kind, 'svc'),
    isNull(serviceTokens.revokedAt),
    gt(serviceTokens.expiresAt, at),
    lte(sql`coalesce(${serviceTokens.lastUsedAt}, ${serviceTokens.createdAt})`, before),
  );
  const found = await database.db.select({ id: serviceTokens.id }).from(serviceTokens).where(isIdle);
  if (found.length === 0) return;
  await database.db.transaction(async (tx) => {
    await lockAccessExclusively(tx);
    const revoked = await tx.update(serviceTokens).set({ revokedAt: at, revokedReason: 'idle' }).where(isIdle).returning();
    for (const token of revoked) {
      await notifyTokenOwners(tx, services, token, 'idle');
      const { id, name, lastFour, serviceAccountId: account } = token;
      const after = { account, name, lastFour, revokedAt: at.toISOString(), revokedReason: 'idle' };
      await recordSystemAudit(tx, services, { entity: 'serviceToken', id, action: 'idle', after });
    }
  });
}

const hasOwner = sql`exists (select from ${serviceAccountOwners} o join ${administrators} a on a.id = o.administrator_id
  where o.service_account_id = ${serviceAccounts.id} and a.enabled and a.deleted_at is null)`;

async function announceOwnerless(services: Services): Promise<void> {
  await services.database.db.transaction(async (tx) => {
    await tx
      .update(serviceAccounts)
      .set({ ownerlessAt: null })
      .where(and(sql`${serviceAccounts.ownerlessAt} is not null`, hasOwner));
    const ownerless = await tx
      .update(serviceAccounts)
      .set({ ownerlessAt: new Date(services.now()) })
      .where(
        and(
          isNull(serviceAccounts.ownerlessAt),
          isNull(serviceAccounts.deletedAt),
          eq(serviceAccounts.enabled, true),
          sql`not ${hasOwner}`,
        ),
      )
      .returning();
    for (const account of ownerless) await notifyOwnerless(tx, services, account);
  });
}

/** Looks first, because a deletion takes the access lock. */
async function forgetEnded({ database: { db }, now }: Services): Promise<void> {
  const before = new Date(now() - keptMs);
  const rows = await db
    .select({ id: serviceTokens.id })
    .from(serviceTokens)
    .where(or(lt(serviceTokens.revokedAt, before), lt(serviceTokens.expiresAt, before)));
  if (rows.length === 0) return;
  await db.delete(serviceTokens).where(
    inArray(
      serviceTokens.id,
      rows.map(({ id }) => id),
    ),
  );
}
