import type { Statement } from '../../../api/authority/statements.ts';
import { checkCombination, type IneligibleSigner } from '../../platform/auth/rights/counts-for-money.ts';
import { actorOf, type RequestContext } from '../../platform/services/context.ts';
import { appError } from '../../platform/core/errors.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { hashOf } from '../../../api/authority/canonical.ts';
import type { Authority } from '../authority.ts';
import { isApproval } from '../rules.ts';

/**
 * Throws MONEY_REFUSED unless the caller counts for money together with all signers and authors. A complete statement cannot be
 * undone, so doubt about anyone refuses it.
 */
export async function requireCounting(
  context: RequestContext,
  tx: Tx,
  { signers, besides }: { readonly signers: Iterable<string>; readonly besides: Iterable<string> },
): Promise<void> {
  const doubt = await doubtOf(context, tx, { signers, besides });
  if (doubt) throw refuseDoubt(doubt);
}

export async function doubtOf(
  context: RequestContext,
  queries: Queries,
  { signers, besides }: { readonly signers: Iterable<string>; readonly besides: Iterable<string> },
): Promise<IneligibleSigner | null> {
  const { services } = context;
  const { doubts } = await checkCombination(queries, [actorOf(context).id, ...signers], {
    at: new Date(services.now()),
    coolingMs: services.config.moneyCoolingMs,
    besides: [...besides],
  });
  return [...doubts.values()][0] ?? null;
}

/** Authors include the owner of an enrolled key. */
export function requireCountingFor(context: RequestContext, tx: Tx, authority: Authority, statement: Statement): Promise<void> {
  const signed = authority.statements.get(hashOf(statement))?.signed.keys() ?? [];
  const enrolled = statement.kind === 'approver.add' ? [statement.content.person] : [];
  const besides = isApproval(statement) ? statement.content.authors : [];
  return requireCounting(context, tx, { signers: [...signed, ...enrolled], besides });
}

export const refuseDoubt = (doubt: IneligibleSigner, data: Readonly<Record<string, unknown>> = {}) =>
  appError('MONEY_REFUSED', {
    ...data,
    reason: doubt.reason,
    who: [doubt.who],
    ...(doubt.reason === 'COOLING' && { until: [doubt.until.toISOString()] }),
  });
