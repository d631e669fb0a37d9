import type { Statement } from '../../../api/authority/statements.ts';
import { checkCombination, type IneligibleSigner } from '../../platform/auth/rights/counts-for-money.ts';
import { requirePerson, type RequestContext } from '../../platform/services/context.ts';
import { appError } from '../../platform/core/errors.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { canonicalHash } from '../../../api/authority/canonical.ts';
import type { Authority } from '../authority.ts';
import { isApproval } from '../rules.ts';

/**
 * Throws MONEY_REFUSED unless the caller counts for money together with all signers and authors. A complete statement cannot be
 * undone, so doubt about anyone refuses it.
 */
export async function requireEligible(
  context: RequestContext,
  tx: Tx,
  { signers, coSigners }: { readonly signers: Iterable<string>; readonly coSigners: Iterable<string> },
): Promise<void> {
  const ineligible = await ineligibleSignerOf(context, tx, { signers, coSigners });
  if (ineligible) throw ineligibleError(ineligible);
}

export async function ineligibleSignerOf(
  context: RequestContext,
  queries: Queries,
  { signers, coSigners }: { readonly signers: Iterable<string>; readonly coSigners: Iterable<string> },
): Promise<IneligibleSigner | null> {
  const { services } = context;
  const { doubts } = await checkCombination(queries, [requirePerson(context).id, ...signers], {
    at: new Date(services.now()),
    coolingMs: services.config.moneyCoolingMs,
    coSigners: [...coSigners],
  });
  return [...doubts.values()][0] ?? null;
}

/** Authors include the owner of an enrolled key. */
export function requireEligibleFor(context: RequestContext, tx: Tx, authority: Authority, statement: Statement): Promise<void> {
  const signed = authority.statements.get(canonicalHash(statement))?.signed.keys() ?? [];
  const enrolled = statement.kind === 'approver.add' ? [statement.content.person] : [];
  const coSigners = isApproval(statement) ? statement.content.authors : [];
  return requireEligible(context, tx, { signers: [...signed, ...enrolled], coSigners });
}

export const ineligibleError = (doubt: IneligibleSigner, data: Readonly<Record<string, unknown>> = {}) =>
  appError('MONEY_REFUSED', {
    ...data,
    reason: doubt.reason,
    who: [doubt.who],
    ...(doubt.reason === 'COOLING' && { until: [doubt.until.toISOString()] }),
  });
