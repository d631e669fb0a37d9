import type { Statement } from '../../../api/authority/statements.ts';
import { checkSignerCombination, type IneligibleSigner } from '../../platform/auth/rights/counts-for-money.ts';
import { requirePerson, type RequestContext } from '../../platform/services/context.ts';
import { createAppError } from '../../platform/core/errors.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { canonicalHash } from '../../../api/authority/canonical.ts';
import type { Authority } from '../authority.ts';
import { isApproval } from '../rules.ts';

/**
 * Throws MONEY_REFUSED unless the caller counts for money together with all signers and authors. A complete statement cannot be
 * undone, so doubt about anyone refuses it.
 */
export async function requireEligibleSigners(
  context: RequestContext,
  tx: Tx,
  { signers, coSigners }: { readonly signers: Iterable<string>; readonly coSigners: Iterable<string> },
): Promise<void> {
  const ineligibleSigner = await findIneligibleSigner(context, tx, { signers, coSigners });
  if (ineligibleSigner) throw ineligibleError(ineligibleSigner);
}

export async function findIneligibleSigner(
  context: RequestContext,
  queries: Queries,
  { signers, coSigners }: { readonly signers: Iterable<string>; readonly coSigners: Iterable<string> },
): Promise<IneligibleSigner | null> {
  const { services } = context;
  const { doubts } = await checkSignerCombination(queries, [requirePerson(context).id, ...signers], {
    at: new Date(services.now()),
    coolingMs: services.config.moneyCoolingMs,
    coSigners: [...coSigners],
  });
  return [...doubts.values()][0] ?? null;
}

/** Authors include the owner of an enrolled key. */
export function requireEligibleStatementSigners(
  context: RequestContext,
  tx: Tx,
  authority: Authority,
  statement: Statement,
): Promise<void> {
  const signerIds = authority.statements.get(canonicalHash(statement))?.signed.keys() ?? [];
  const enrolledIds = statement.kind === 'approver.add' ? [statement.content.person] : [];
  const coSigners = isApproval(statement) ? statement.content.authors : [];
  return requireEligibleSigners(context, tx, { signers: [...signerIds, ...enrolledIds], coSigners });
}

export const ineligibleError = (ineligibleSigner: IneligibleSigner, data: Readonly<Record<string, unknown>> = {}) =>
  createAppError('MONEY_REFUSED', {
    ...data,
    reason: ineligibleSigner.reason,
    who: [ineligibleSigner.who],
    ...(ineligibleSigner.reason === 'COOLING' && { until: [ineligibleSigner.until.toISOString()] }),
  });
