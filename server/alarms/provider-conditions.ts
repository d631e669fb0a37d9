import { and, count, desc, eq, gt, isNull, max, sql } from 'drizzle-orm';
import { readGuardedRights } from '../platform/auth/provisioning/guarded-roles.ts';
import { administrators, groupRoles, provisioned, roles, scimGroups, serviceTokens } from '../platform/auth/tables.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Services } from '../platform/services/context.ts';
import { toPlainText, type AlarmSubject } from './facts.ts';

const windowMs = 600_000;
const endingMs = 30 * 86_400_000;
const manyAccounts = 5;
/** A fifth of the managed accounts, but at least two: one person who leaves a small company raises no alarm. */
const manyShare = 5;
const minAccounts = 2;

/** Once a day: 5 or more, or a fifth of all managed accounts, disabled within ten minutes. */
export async function readMassDisabling(tx: Tx, now: Date): Promise<AlarmSubject<'providerDisabledMany'>[]> {
  const [row] = await tx
    .select({ disabled: count(), at: max(provisioned.deactivatedAt) })
    .from(provisioned)
    .where(gt(provisioned.deactivatedAt, new Date(now.getTime() - windowMs)));
  const [all] = await tx
    .select({ managed: count() })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(isNull(administrators.deletedAt));
  const [disabled, managed] = [row?.disabled ?? 0, all?.managed ?? 0];
  if (disabled < manyAccounts && (disabled < minAccounts || disabled * manyShare < managed)) return [];
  const at = row?.at ?? now;
  return [{ key: `provider:disabled:${at.toISOString().slice(0, 10)}`, facts: { disabled, managed, at: at.toISOString() } }];
}

/** When the last provisioning token ends within 30 days, or has ended. A revoked one was ended on purpose. */
export async function readEndingProvisioning(tx: Tx, services: Services): Promise<AlarmSubject<'provisioningEnds'>[]> {
  if (!services.config.scim) return [];
  const [token] = await tx
    .select()
    .from(serviceTokens)
    .where(and(eq(serviceTokens.kind, 'scim'), isNull(serviceTokens.revokedAt)))
    .orderBy(desc(serviceTokens.expiresAt))
    .limit(1);
  if (!token || token.expiresAt.getTime() - services.now() > endingMs) return [];
  const { id, name, lastFour, expiresAt } = token;
  return [{ key: `provider:token:${id}`, facts: { token: toPlainText(name), lastFour, at: expiresAt.toISOString() } }];
}

/** Mappings to guarded roles, which only a change outside the panel can cause. */
export async function readGuardedMappings(tx: Tx): Promise<AlarmSubject<'guardedMapping'>[]> {
  const rows = await tx
    .select({
      id: groupRoles.id,
      roleId: groupRoles.roleId,
      value: groupRoles.value,
      role: roles.name,
      group: scimGroups.displayName,
    })
    .from(groupRoles)
    .innerJoin(roles, eq(roles.id, groupRoles.roleId))
    .leftJoin(scimGroups, and(eq(groupRoles.source, 'scim'), sql`${scimGroups.id}::text = ${groupRoles.value}`));
  const guardedRights = await readGuardedRights(
    tx,
    rows.map(({ roleId }) => roleId),
  );
  return rows
    .filter(({ roleId }) => guardedRights.has(roleId))
    .map(({ id, value, role, group }) => ({
      key: `provider:mapping:${id}`,
      facts: { group: toPlainText(group ?? value), role: toPlainText(role) },
    }));
}
