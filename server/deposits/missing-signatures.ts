import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { MintApprovalStatus } from '../authority/shared/mint-approval.ts';
import { checkCombination, type IneligibleSigner } from '../platform/auth/rights/counts-for-money.ts';
import { holdersOf } from '../platform/auth/rights/current-holders.ts';
import { actorOf, type RequestContext } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';

/**
 * Counts only signers who may still sign, for money and together with `first`, who has signed or is about to. `doubts`: by id,
 * those who do not count.
 */
export async function countMissing(
  context: RequestContext,
  queries: Queries,
  { band, signers, authors }: ApprovalCount,
  first: string | null,
  readHolders = (people: readonly string[]) => holdersOf(queries, context, people, 'deposits.confirm'),
): Promise<{ missing: number; ineligible: ReadonlyMap<string, IneligibleSigner> }> {
  const eligible = signers.filter(({ isEligible }) => isEligible).map(({ person }) => person);
  const others = eligible.filter((person) => person !== first);
  const holders = await readHolders(others);
  const combined = [...(first === null ? [] : [first]), ...others.filter((person) => holders.has(person))];
  const { counting, doubts: ineligible } = await checkCombination(queries, combined, countingOptions(context, authors));
  const signatureCount = eligible.filter((person) => counting.has(person)).length;
  return { missing: Math.max(0, band.approvals - signatureCount), ineligible };
}

export type ApprovalCount = Pick<MintApprovalStatus, 'signers'> & { band: AuthorityBand; authors: ReadonlySet<string> };

/** Counts the caller as a signer unless enough have signed. */
export async function missingFor(context: RequestContext, queries: Queries, counted: ApprovalCount): Promise<number> {
  const { id: actor, granted } = actorOf(context);
  const signs = !counted.authors.has(actor) && granted.has('deposits.confirm');
  return (await countMissing(context, queries, counted, signs ? actor : null)).missing;
}

export const countingOptions = ({ services: { now, config } }: RequestContext, authors: ReadonlySet<string>) => ({
  at: new Date(now()),
  coolingMs: config.moneyCoolingMs,
  coSigners: [...authors],
});
