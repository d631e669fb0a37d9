import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { MintApprovalStatus } from '../authority/shared/mint-approval.ts';
import { checkSignerCombination, type IneligibleSigner } from '../platform/auth/rights/counts-for-money.ts';
import { holdersOf } from '../platform/auth/rights/current-holders.ts';
import { requireActor, type RequestContext } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';

/**
 * Counts only signers who may still sign, for money and together with `firstSigner`, who has signed or is about to. `ineligible`: by ID,
 * why a signer does not count.
 */
export async function countMissingApprovals(
  context: RequestContext,
  queries: Queries,
  { band, signers, authors }: ApprovalCount,
  firstSigner: string | null,
  readPermissionHolders = (personIds: readonly string[]) => holdersOf(queries, context, personIds, 'deposits.confirm'),
): Promise<{ missing: number; ineligible: ReadonlyMap<string, IneligibleSigner> }> {
  const eligibleIds = signers.filter(({ isEligible }) => isEligible).map(({ person }) => person);
  const otherIds = eligibleIds.filter((person) => person !== firstSigner);
  const permissionHolders = await readPermissionHolders(otherIds);
  const combinedIds = [
    ...(firstSigner === null ? [] : [firstSigner]),
    ...otherIds.filter((person) => permissionHolders.has(person)),
  ];
  const { counting, doubts: ineligible } = await checkSignerCombination(
    queries,
    combinedIds,
    createCountingOptions(context, authors),
  );
  const signatureCount = eligibleIds.filter((person) => counting.has(person)).length;
  return { missing: Math.max(0, band.approvals - signatureCount), ineligible };
}

export type ApprovalCount = Pick<MintApprovalStatus, 'signers'> & { band: AuthorityBand; authors: ReadonlySet<string> };

/** Counts the caller as a signer unless enough have signed. */
export async function countMissingFor(context: RequestContext, queries: Queries, approvalCount: ApprovalCount): Promise<number> {
  const { id: actor, granted } = requireActor(context);
  const canSign = !approvalCount.authors.has(actor) && granted.has('deposits.confirm');
  return (await countMissingApprovals(context, queries, approvalCount, canSign ? actor : null)).missing;
}

export const createCountingOptions = ({ services: { now, config } }: RequestContext, authors: ReadonlySet<string>) => ({
  at: new Date(now()),
  coolingMs: config.moneyCoolingMs,
  coSigners: [...authors],
});
