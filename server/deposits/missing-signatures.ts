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
export async function missingBesides(
  context: RequestContext,
  queries: Queries,
  { band, signers, authors }: ApprovalCount,
  first: string | null,
  ableOf = (people: readonly string[]) => holdersOf(queries, context, people, 'deposits.confirm'),
): Promise<{ missing: number; doubts: ReadonlyMap<string, IneligibleSigner> }> {
  const fit = signers.filter(({ isFit }) => isFit).map(({ person }) => person);
  const others = fit.filter((person) => person !== first);
  const able = await ableOf(others);
  const together = [...(first === null ? [] : [first]), ...others.filter((person) => able.has(person))];
  const { counting, doubts } = await checkCombination(queries, together, countingOptions(context, authors));
  const have = fit.filter((person) => counting.has(person)).length;
  return { missing: Math.max(0, band.approvals - have), doubts };
}

export type ApprovalCount = Pick<MintApprovalStatus, 'signers'> & { band: AuthorityBand; authors: ReadonlySet<string> };

/** Counts the caller as a signer unless enough have signed. */
export async function missingFor(context: RequestContext, queries: Queries, counted: ApprovalCount): Promise<number> {
  const { id: actor, granted } = actorOf(context);
  const signs = !counted.authors.has(actor) && granted.has('deposits.confirm');
  return (await missingBesides(context, queries, counted, signs ? actor : null)).missing;
}

export const countingOptions = ({ services: { now, config } }: RequestContext, authors: ReadonlySet<string>) => ({
  at: new Date(now()),
  coolingMs: config.moneyCoolingMs,
  coSigners: [...authors],
});
