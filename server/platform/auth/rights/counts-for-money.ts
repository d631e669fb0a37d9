import { and, desc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm';
import { accountChanges, administrators } from '../tables.ts';
import type { Queries } from '../../db/db.ts';
import { readFactorGap } from '../sign-in/vouching.ts';

interface EligibilityInput {
  at: Date;
  /** Milliseconds. */
  coolingMs: number;
  /** Authors and approvers. */
  coSigners: readonly (string | null)[];
}

/** VOUCH: no one vouched for the second factor. COOLING: changed recently. TOGETHER: both accounts may belong to one person. */
export type IneligibleSigner = { reason: 'COOLING'; who: string; until: Date } | { reason: 'VOUCH' | 'TOGETHER'; who: string };

/**
 * Null if the account may move money in this transaction. It may not while another person's change of it (creation, enabling,
 * email, roles, password, factor, wallet) is recent, nor beside an account that changed it, was changed by it, or changed the
 * changer, nor beside an account that the same person vouched for.
 */
export async function findIneligibility(
  queries: Queries,
  administratorId: string,
  { at: time, coolingMs, coSigners }: EligibilityInput,
): Promise<IneligibleSigner | null> {
  const [signer] = await queries
    .select({ email: administrators.email, deletedAt: administrators.deletedAt })
    .from(administrators)
    .where(eq(administrators.id, administratorId));
  const signerEmail = signer?.email ?? '';
  // A deleted account has no factor at all, and its signature was checked when it was made.
  if (signer?.deletedAt === null && (await readFactorGap(queries, administratorId)) !== null)
    return { reason: 'VOUCH', who: signerEmail };
  // A change dated in the future by a wrong clock still cools.
  const [lastChange] = await queries
    .select({ at: accountChanges.createdAt })
    .from(accountChanges)
    .where(
      and(
        eq(accountChanges.administratorId, administratorId),
        or(isNull(accountChanges.changedBy), ne(accountChanges.changedBy, administratorId)),
        gt(accountChanges.createdAt, new Date(time.getTime() - coolingMs)),
      ),
    )
    .orderBy(desc(accountChanges.createdAt))
    .limit(1);
  if (lastChange && coolingMs > 0)
    return { reason: 'COOLING', who: signerEmail, until: new Date(lastChange.at.getTime() + coolingMs) };
  const otherSigners = new Set(coSigners.filter((id) => id !== null && id !== administratorId));
  for (const otherId of otherSigners)
    if (otherId !== null && (await isPossiblySamePerson(queries, administratorId, otherId)))
      return { reason: 'TOGETHER', who: signerEmail };
  return null;
}

/** Checks people in order, each against `coSigners` and those accepted before. `doubts` is by ID. */
export async function checkSignerCombination(
  queries: Queries,
  administratorIds: readonly string[],
  { coSigners, ...eligibility }: EligibilityInput,
): Promise<{ counting: ReadonlySet<string>; doubts: ReadonlyMap<string, IneligibleSigner> }> {
  const eligibleIds = new Set<string>();
  const ineligibleSigners = new Map<string, IneligibleSigner>();
  for (const id of new Set(administratorIds)) {
    const ineligibility = await findIneligibility(queries, id, { ...eligibility, coSigners: [...coSigners, ...eligibleIds] });
    if (ineligibility) ineligibleSigners.set(id, ineligibility);
    else eligibleIds.add(id);
  }
  return { counting: eligibleIds, doubts: ineligibleSigners };
}

/**
 * True if one changed the other, directly or through an account it had changed before. Also true if one person vouched for both
 * second factors, directly or through a colleague whose account that person had changed before.
 */
async function isPossiblySamePerson(queries: Queries, firstId: string, secondId: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`
    with recursive holders (account, holder, at, vouches) as (
      select administrator_id, changed_by, created_at, by_enrollment_code from account_changes
      where administrator_id in (${firstId}, ${secondId}) and changed_by is not null
      union
      select h.account, c.changed_by, c.created_at, h.vouches from holders h
      join account_changes c on c.administrator_id = h.holder and c.created_at <= h.at
      where c.changed_by is not null
    )
    select from holders where (account, holder) in ((${firstId}::uuid, ${secondId}::uuid), (${secondId}::uuid, ${firstId}::uuid))
    union all
    select from holders one join holders other on other.holder = one.holder
    where one.account = ${firstId} and other.account = ${secondId} and one.vouches and other.vouches
    limit 1`);
  return rows.length > 0;
}
