import { and, asc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AccountOrigin } from '../../../api/access/identity-values.ts';
import type { Queries } from '../db/db.ts';
import { accountChanges, administrators, identityLinks, provisioned } from './tables.ts';

const creators = alias(administrators, 'creators');

/** However old the account is. Accounts from before this was recorded come from the server. */
export async function readAccountOrigin(
  queries: Queries,
  administratorId: string,
): Promise<{ kind: AccountOrigin; by: string | null }> {
  const [created] = await queries
    .select({ byIdp: accountChanges.byIdp, by: creators.email })
    .from(accountChanges)
    .leftJoin(creators, eq(creators.id, accountChanges.changedBy))
    .where(and(eq(accountChanges.administratorId, administratorId), eq(accountChanges.what, 'created')))
    .orderBy(asc(accountChanges.createdAt))
    .limit(1);
  if (!created?.byIdp) return { kind: created?.by ? 'colleague' : 'server', by: created?.by ?? null };
  const joinedByGroups = and(eq(identityLinks.administratorId, administratorId), eq(identityLinks.origin, 'groups'));
  if ((await queries.$count(identityLinks, joinedByGroups)) > 0) return { kind: 'groups', by: null };
  const isManaged = (await queries.$count(provisioned, eq(provisioned.administratorId, administratorId))) > 0;
  return { kind: isManaged ? 'scim' : 'provider', by: null };
}
