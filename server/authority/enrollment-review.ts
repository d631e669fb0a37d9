import { and, count, desc, eq, gte } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { EnrollmentReview } from '../../api/authority/contract.ts';
import { readAccountOrigin } from '../platform/auth/account-origin.ts';
import { providerNameOf } from '../platform/auth/provisioning/managed.ts';
import { accountChanges, administrators } from '../platform/auth/tables.ts';
import type { QueryContext } from '../platform/services/context.ts';
import type { Authority } from './authority.ts';

const reviewWindowMs = 90 * 86_400_000;
const maxShownChanges = 50;

/** Origin, age, active keys and recent changes of the account. */
export async function readEnrollmentReview(
  { db, services }: QueryContext,
  { people }: Authority,
  person: string,
): Promise<EnrollmentReview> {
  const now = services.now();
  const isRecentChange = and(
    eq(accountChanges.administratorId, person),
    gte(accountChanges.createdAt, new Date(now - reviewWindowMs)),
  );
  const changerAccounts = alias(administrators, 'changers');
  const rows = await db
    .select({
      what: accountChanges.what,
      at: accountChanges.createdAt,
      by: changerAccounts.email,
      byId: accountChanges.changedBy,
      vouches: accountChanges.byEnrollmentCode,
    })
    .from(accountChanges)
    .leftJoin(changerAccounts, eq(changerAccounts.id, accountChanges.changedBy))
    .where(isRecentChange)
    .orderBy(desc(accountChanges.createdAt))
    .limit(maxShownChanges);
  const [totalChanges] = await db.select({ count: count() }).from(accountChanges).where(isRecentChange);
  const [account] = await db
    .select({ createdAt: administrators.createdAt })
    .from(administrators)
    .where(eq(administrators.id, person));
  return {
    account: account
      ? {
          createdAt: account.createdAt.toISOString(),
          origin: await readAccountOrigin(db, person),
          providerName: providerNameOf(services.config),
        }
      : null,
    keys: (people.get(person)?.keys ?? []).map(({ key, from }) => ({
      key,
      from: from > -Infinity ? new Date(from).toISOString() : null,
      cooling: from > now,
    })),
    changes: rows.map(({ what, at, by, byId, vouches }) => ({ what, at: at.toISOString(), by, own: byId === person, vouches })),
    more: (totalChanges?.count ?? 0) - rows.length,
  };
}
