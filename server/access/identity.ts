import { and, asc, count, countDistinct, desc, eq, gt, inArray, isNull, max, sql } from 'drizzle-orm';
import type { IdentityStatus, MappingRow } from '../../api/access/identity.ts';
import type { GroupSource } from '../../api/access/identity-values.ts';
import { readGuardedRights } from '../platform/auth/provisioning/guarded-roles.ts';
import {
  applyScimRoles,
  readRoleNamesById,
  readScimRolesByPerson,
  type MappedRoles,
} from '../platform/auth/provisioning/group-roles.ts';
import { assertUnguarded, providerNameOf } from '../platform/auth/provisioning/managed.ts';
import { lockAccessChanges } from '../platform/auth/rights/escalation.ts';
import { assertMayGrantRoles } from '../platform/auth/rights/role-granting.ts';
import { notifyTokenOwners } from '../platform/auth/service-accounts/notify-owners.ts';
import { hashServiceToken, lastFourOf, newServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import { readProviderHealth } from '../platform/auth/sso/provider-health.ts';
import {
  administratorRoles,
  administrators,
  groupRoles,
  provisioned,
  provisioningConflicts,
  roles,
  scimGroupMembers,
  scimGroups,
  serviceTokens,
} from '../platform/auth/tables.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createAppError, createFieldError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { guardedApi } from '../platform/http/router.ts';
import { lockRow, lockRows, nextVersionColumns } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { readSsoSignIns } from './sso-sign-ins.ts';
import { auditedToken, parseTokenFields, presentToken, revokeToken, tokenEntity } from './tokens.ts';

const mappingEntity = 'groupMapping';
const maxTokens = 2;
const maxMappings = 500;
const maxListed = 200;

export const identity = {
  status: guardedApi.identity.status.handler(({ context }) => readStatus(context)),

  health: guardedApi.identity.health.handler(({ context: { services } }) =>
    services.config.sso === null ? null : readProviderHealth(services),
  ),

  signIns: guardedApi.identity.signIns.handler(({ context }) => readSsoSignIns(context)),

  mappings: guardedApi.identity.mappings.handler(({ context }) => readMappings(context.db)),

  addMapping: guardedApi.identity.addMapping.handler(({ input, context }) =>
    writeOnce<MappingRow>(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      const { source, value, role } = input;
      if ((await tx.$count(groupRoles)) >= maxMappings) throw createFieldError('value', 'tooMany');
      if (source === 'scim' && !(await hasGroup(tx, value))) throw createFieldError('value');
      await assertMayMap(tx, context, role);
      await assertMayGrantRoles(tx, actor, [role]);
      const currentTime = new Date(context.services.now());
      const id = newId();
      const previousRoles = await readRolesOfHolders(tx, source, value, []);
      await tx
        .insert(groupRoles)
        .values({ id, source, value, roleId: role, createdAt: currentTime, updatedAt: currentTime })
        .catch(throwMapped);
      await applyScimRoles(tx, previousRoles);
      const row = await readMapping(tx, id);
      recordAudit({ entity: mappingEntity, id, after: auditedMapping(row) });
      return row;
    }),
  ),

  editMapping: guardedApi.identity.editMapping.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      const before = await readMapping(tx, input.id);
      const { source, value, roleId } = await lockRow(tx, groupRoles, input, () => before);
      if (roleId === input.role) return asUnmodified(before);
      await assertMayMap(tx, context, input.role);
      await assertMayGrantRoles(tx, actor, [input.role]);
      const previousRoles = await readRolesOfHolders(tx, source, value, [roleId]);
      await tx
        .update(groupRoles)
        .set({ roleId: input.role, ...nextVersionColumns(context, groupRoles) })
        .where(eq(groupRoles.id, input.id))
        .catch(throwMapped);
      await applyScimRoles(tx, previousRoles);
      const row = await readMapping(tx, input.id);
      recordAudit({ entity: mappingEntity, id: row.id, before: auditedMapping(before), after: auditedMapping(row) });
      return row;
    }),
  ),

  deleteMapping: guardedApi.identity.deleteMapping.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      await lockAccessChanges(tx, context);
      const { rows, failed } = await lockRows(tx, groupRoles, input.items, ({ id, version }) => ({ id, version }));
      for (const { id, source, value, roleId } of rows) {
        const before = await readMapping(tx, id);
        const previousRoles = await readRolesOfHolders(tx, source, value, [roleId]);
        await tx.delete(groupRoles).where(eq(groupRoles.id, id));
        await applyScimRoles(tx, previousRoles);
        recordAudit({ entity: mappingEntity, id, before: auditedMapping(before) });
      }
      return { done: rows.map(({ id }) => ({ id })), failed };
    }),
  ),
  addScimToken: guardedApi.identity.addScimToken.handler(async ({ input, context }) => {
    const currentTime = new Date(context.services.now());
    const fields = parseTokenFields(context.services, input);
    let text: string | null = null;
    const added = await writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      if ((await tx.$count(serviceTokens, liveTokens(currentTime))) >= maxTokens) throw createFieldError('name', 'tooMany');
      text = newServiceToken('scim');
      const [token] = await tx
        .insert(serviceTokens)
        .values({
          id: newId(),
          kind: 'scim',
          ...fields,
          hash: hashServiceToken(text),
          lastFour: lastFourOf(text),
          createdBy: actor.id,
          creatorEmail: actor.email,
          createdAt: currentTime,
        })
        .returning();
      if (!token) throw new Error('the insert returned no row');
      await notifyTokenOwners(tx, context.services, token, 'added', { by: actor.email });
      recordAudit({ entity: tokenEntity, id: token.id, after: auditedToken(token) });
      return { id: token.id, expiresAt: token.expiresAt.toISOString() };
    });
    // The answer of an earlier request with this key is gone, and no one has seen its token.
    if (text === null) throw createAppError('CONFLICT', { token: added.id });
    return { ...added, token: text };
  }),

  revokeScimToken: guardedApi.identity.revokeScimToken.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { email } = await lockAccessChanges(tx, context);
      const isProvisioningToken = and(eq(serviceTokens.id, input.token), eq(serviceTokens.kind, 'scim'));
      const [token] = await tx.select().from(serviceTokens).where(isProvisioningToken).for('update');
      if (!token) throw createAppError('NOT_FOUND');
      const revoked = presentToken(context.services, await revokeToken(tx, context, token, { by: email, recordAudit }));
      return token.revokedAt === null ? revoked : asUnmodified(revoked);
    }),
  ),
};

const liveTokens = (now: Date) =>
  and(eq(serviceTokens.kind, 'scim'), isNull(serviceTokens.revokedAt), gt(serviceTokens.expiresAt, now));

async function readStatus({ db, services }: RequestContext): Promise<IdentityStatus> {
  const { config } = services;
  const tokens = await db
    .select()
    .from(serviceTokens)
    .where(eq(serviceTokens.kind, 'scim'))
    .orderBy(desc(serviceTokens.createdAt), desc(serviceTokens.id))
    .limit(maxListed);
  const [lastUse] = await db
    .select({ at: max(serviceTokens.lastUsedAt) })
    .from(serviceTokens)
    .where(eq(serviceTokens.kind, 'scim'));
  const accounts = await db
    .select({ enabled: administrators.enabled, total: count() })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(isNull(administrators.deletedAt))
    .groupBy(administrators.enabled);
  const groups = await db
    .select({ id: scimGroups.id, name: scimGroups.displayName, members: count(scimGroupMembers.administratorId) })
    .from(scimGroups)
    .leftJoin(scimGroupMembers, eq(scimGroupMembers.groupId, scimGroups.id))
    .groupBy(scimGroups.id)
    .orderBy(asc(scimGroups.displayName))
    .limit(maxMappings);
  const conflicts = await db
    .select({ conflict: provisioningConflicts, email: administrators.email })
    .from(provisioningConflicts)
    .innerJoin(administrators, eq(administrators.id, provisioningConflicts.administratorId))
    .orderBy(desc(provisioningConflicts.lastAt))
    .limit(maxListed);
  const totalOf = (isEnabled: boolean) => accounts.find(({ enabled }) => enabled === isEnabled)?.total ?? 0;
  return {
    name: providerNameOf(config),
    signIn: config.sso && {
      issuer: config.sso.issuer,
      clientId: config.sso.clientId,
      hasSecret: config.sso.clientSecret !== null,
      scopes: config.sso.scopes,
      subjectClaim: config.sso.subjectClaim,
      join: config.sso.join,
      scimClaim: config.sso.scimClaim,
      email: config.sso.email,
      emailDomains: config.sso.emailDomains && [...config.sso.emailDomains],
      groupsClaim: config.sso.groupsClaim,
      required: config.sso.required,
      logout: config.sso.logout,
      sessionHours: config.sso.sessionMs / 3_600_000,
      redirectUrl: `${config.publicUrl}/login`,
      logoutUrl: `${config.publicUrl}/public/sso/logout`,
    },
    provisioning: {
      isOn: config.scim,
      address: `${config.publicUrl}/scim/v2`,
      lastRequestAt: lastUse?.at?.toISOString() ?? null,
      tokens: tokens.map((token) => presentToken(services, token)),
      enabledAccounts: totalOf(true),
      disabledAccounts: totalOf(false),
      groups,
      conflicts: conflicts.map(({ conflict, email }) => ({
        id: conflict.id,
        administratorId: conflict.administratorId,
        email,
        userName: conflict.userName,
        wantedEmail: conflict.email,
        reason: conflict.reason,
        lastAt: conflict.lastAt.toISOString(),
      })),
    },
  };
}

async function readMappings(queries: Queries, id: string | null = null): Promise<MappingRow[]> {
  const rows = await queries
    .select({ mapping: groupRoles, role: roles.name, group: scimGroups.displayName })
    .from(groupRoles)
    .innerJoin(roles, eq(roles.id, groupRoles.roleId))
    .leftJoin(scimGroups, and(eq(groupRoles.source, 'scim'), sql`${scimGroups.id}::text = ${groupRoles.value}`))
    .where(id === null ? undefined : eq(groupRoles.id, id))
    .orderBy(asc(groupRoles.createdAt), asc(groupRoles.id))
    .limit(maxMappings);
  const roleIds = rows.map(({ mapping }) => mapping.roleId);
  const guardedRights = await readGuardedRights(queries, roleIds);
  const holders = await queries
    .select({ roleId: administratorRoles.roleId, total: countDistinct(administratorRoles.administratorId) })
    .from(administratorRoles)
    .where(and(inArray(administratorRoles.roleId, roleIds), eq(administratorRoles.givenBy, 'idp')))
    .groupBy(administratorRoles.roleId);
  return rows.map(({ mapping, role, group }) => ({
    id: mapping.id,
    version: mapping.version,
    source: mapping.source,
    value: mapping.value,
    group: group ?? mapping.value,
    role: { id: mapping.roleId, name: role },
    holders: holders.find(({ roleId }) => roleId === mapping.roleId)?.total ?? 0,
    guarded: [...(guardedRights.get(mapping.roleId) ?? [])].toSorted(),
  }));
}

async function readMapping(queries: Queries, id: string): Promise<MappingRow> {
  const [row] = await readMappings(queries, id);
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}

/** Throws BAD_REQUEST for an unknown role, and GUARDED_ROLE. */
async function assertMayMap(tx: Tx, context: RequestContext, roleId: string): Promise<void> {
  if ((await readRoleNamesById(tx, [roleId])).length === 0) throw createFieldError('role');
  assertUnguarded(context.services.config, (await readGuardedRights(tx, [roleId])).get(roleId) ?? []);
}

const hasGroup = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.$count(scimGroups, sql`${scimGroups.id}::text = ${id}`)) > 0;

/**
 * People whom a change of the mapping affects, with their current roles from the provider. For a claim these are all holders of
 * the role, because claims aren't stored.
 */
async function readRolesOfHolders(
  tx: Tx,
  source: GroupSource,
  value: string,
  mappedRoleIds: readonly string[],
): Promise<ReadonlyMap<string, MappedRoles>> {
  if (source === 'scim') {
    const members = await tx
      .select({ id: scimGroupMembers.administratorId })
      .from(scimGroupMembers)
      .where(sql`${scimGroupMembers.groupId}::text = ${value}`);
    return readScimRolesByPerson(
      tx,
      members.map(({ id }) => id),
    );
  }
  const claimHolders = await tx
    .select({ id: administratorRoles.administratorId })
    .from(administratorRoles)
    .where(and(inArray(administratorRoles.roleId, [...mappedRoleIds]), eq(administratorRoles.givenBy, 'idp')));
  const mappedRoles = { roleIds: new Set(mappedRoleIds), skippedRoleIds: new Set<string>() };
  return new Map(claimHolders.map(({ id }) => [id, mappedRoles]));
}

function throwMapped(error: unknown): never {
  throw getDatabaseErrorCode(error) === '23505' ? createFieldError('value', 'taken') : error;
}

const auditedMapping = ({ source, group, role }: MappingRow) => ({ source, group, role: role.name });
