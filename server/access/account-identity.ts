import { alias } from 'drizzle-orm/pg-core';
import { and, asc, desc, eq } from 'drizzle-orm';
import type { AccountIdentity, AdministratorDetails } from '../../api/access/administrators.ts';
import type { GrantSource } from '../../api/access/identity-values.ts';
import { readAccountOrigin } from '../platform/auth/account-origin.ts';
import { providerNameOf } from '../platform/auth/provisioning/managed.ts';
import { hasFactor } from '../platform/auth/sign-in/factors.ts';
import {
  accountChanges,
  administratorRoles,
  administrators,
  identityLinks,
  provisioned,
  roles,
  scimGroupMembers,
  scimGroups,
} from '../platform/auth/tables.ts';
import type { Queries } from '../platform/db/db.ts';
import type { RequestContext } from '../platform/services/context.ts';
import type { AdministratorSource } from './administrator-rows.ts';

const colleagues = alias(administrators, 'colleagues');

/** Where the account comes from, who signs in to it, and who gave it what it has. */
export async function readAccountIdentity(
  { db, services: { config } }: RequestContext,
  account: AdministratorSource,
): Promise<AccountIdentity> {
  const links = await db
    .select({ link: identityLinks, linkedBy: colleagues.email })
    .from(identityLinks)
    .leftJoin(colleagues, eq(colleagues.id, identityLinks.linkedBy))
    .where(eq(identityLinks.administratorId, account.id))
    .orderBy(desc(identityLinks.createdAt));
  return {
    providerName: providerNameOf(config),
    isProvisioned: config.scim,
    origin: await readAccountOrigin(db, account.id),
    links: links.map(({ link, linkedBy }) => ({
      issuer: link.issuer,
      subject: link.subject,
      email: link.email,
      origin: link.origin,
      linkedBy,
      linkedAt: link.createdAt.toISOString(),
      lastUsedAt: link.lastUsedAt?.toISOString() ?? null,
      isFormer: link.issuer !== config.sso?.issuer,
    })),
    vouched: await readVouched(db, account),
    roles: await readRoleSources(db, account.id),
  };
}

async function readVouched(queries: Queries, { id, factorVouchedAt }: AdministratorSource): Promise<AccountIdentity['vouched']> {
  if (factorVouchedAt === null || !(await hasFactor(queries, id))) return null;
  const [vouching] = await queries
    .select({ by: colleagues.email, at: accountChanges.createdAt })
    .from(accountChanges)
    .leftJoin(colleagues, eq(colleagues.id, accountChanges.changedBy))
    .where(and(eq(accountChanges.administratorId, id), eq(accountChanges.byEnrollmentCode, true)))
    .orderBy(desc(accountChanges.createdAt))
    .limit(1);
  // An earlier factor may have been vouched for, and reset since.
  const isCurrent = vouching !== undefined && vouching.at >= factorVouchedAt;
  return { at: factorVouchedAt.toISOString(), by: isCurrent ? vouching.by : null };
}

async function readRoleSources(queries: Queries, administratorId: string): Promise<AccountIdentity['roles']> {
  const rows = await queries
    .select({ id: roles.id, name: roles.name, givenBy: administratorRoles.givenBy })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(eq(administratorRoles.administratorId, administratorId))
    .orderBy(asc(roles.name), asc(administratorRoles.givenBy));
  const found = new Map<string, { id: string; name: string; sources: GrantSource[] }>();
  for (const { id, name, givenBy } of rows) {
    const known = found.get(id);
    if (known) known.sources.push(givenBy);
    else found.set(id, { id, name, sources: [givenBy] });
  }
  return [...found.values()];
}

/** Null for an account that the provider doesn't manage. */
export async function readProviderDetails(queries: Queries, administratorId: string): Promise<AdministratorDetails['provider']> {
  const [found] = await queries
    .select({ row: provisioned, handedOverBy: colleagues.email })
    .from(provisioned)
    .leftJoin(colleagues, eq(colleagues.id, provisioned.handedOverBy))
    .where(eq(provisioned.administratorId, administratorId));
  if (!found) return null;
  const groups = await queries
    .select({ name: scimGroups.displayName })
    .from(scimGroupMembers)
    .innerJoin(scimGroups, eq(scimGroups.id, scimGroupMembers.groupId))
    .where(eq(scimGroupMembers.administratorId, administratorId))
    .orderBy(asc(scimGroups.displayName));
  const { userName, externalId, displayName, active, email, createdAt, deletedAt } = found.row;
  return {
    userName,
    externalId,
    displayName,
    active,
    email,
    groups: groups.map(({ name }) => name),
    handedOverBy: found.handedOverBy,
    since: createdAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
  };
}
