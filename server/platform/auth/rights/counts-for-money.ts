import { and, desc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm';
import { accountChanges, administrators } from '../tables.ts';
import type { Queries } from '../../db/db.ts';

interface EligibilityInput {
  at: Date;
  /** Milliseconds. */
  coolingMs: number;
  /** Authors and approvers. */
  coSigners: readonly (string | null)[];
}

/** COOLING: changed recently. TOGETHER: both accounts may belong to one person. */
export type IneligibleSigner = { reason: 'COOLING'; who: string; until: Date } | { reason: 'TOGETHER'; who: string };

/**
 * Null if the account may move money in this transaction. It may not while another person's change of it (creation, enabling,
 * email, roles, password, factor, wallet) is recent, nor beside an account that changed it, was changed by it, or changed the
 * changer.
 */
export async function findIneligibility(
  queries: Queries,
  administratorId: string,
  { at: time, coolingMs, coSigners }: EligibilityInput,
): Promise<IneligibleSigner | null> {
  const signerEmail = await readEmail(queries, administratorId);
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

const readEmail = async (queries: Queries, id: string): Promise<string> =>
  (await queries.select({ email: administrators.email }).from(administrators).where(eq(administrators.id, id)))[0]?.email ?? '';

/** True if one changed the other, directly or through an account it had changed before. */
async function isPossiblySamePerson(queries: Queries, firstId: string, secondId: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`
    with recursive holders (account, holder, at) as (
      select administrator_id, changed_by, created_at from account_changes
      where administrator_id in (${firstId}, ${secondId}) and changed_by is not null
      union
      select h.account, c.changed_by, c.created_at from holders h
      join account_changes c on c.administrator_id = h.holder and c.created_at <= h.at
      where c.changed_by is not null
    )
    select from holders where (account, holder) in ((${firstId}::uuid, ${secondId}::uuid), (${secondId}::uuid, ${firstId}::uuid)) limit 1`);
  return rows.length > 0;
}
