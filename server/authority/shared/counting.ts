import type { Statement } from '../../../api/authority/statements.ts';
import { countTogether, type Doubt } from '../../platform/auth/rights/counts-for-money.ts';
import { actorOf, type RequestContext } from '../../platform/core/context.ts';
import { failure } from '../../platform/core/errors.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { hashOf } from '../../../api/authority/canonical.ts';
import type { Authority } from '../authority.ts';
import { isApproval } from '../rules.ts';

/**
 * Throws MONEY_REFUSED unless who acts counts for money now, together with everyone who signed before and beside everyone who had a
 * hand in it. A statement that enough people signed cannot be undone, so nobody in doubt may be among them.
 */
export async function requireCounting(
  context: RequestContext,
  tx: Tx,
  { signers, besides }: { readonly signers: Iterable<string>; readonly besides: Iterable<string> },
): Promise<void> {
  const doubt = await doubtOf(context, tx, { signers, besides });
  if (doubt) throw refuseDoubt(doubt);
}

/** The same as an answer; null: nobody is in doubt. */
export async function doubtOf(
  context: RequestContext,
  queries: Queries,
  { signers, besides }: { readonly signers: Iterable<string>; readonly besides: Iterable<string> },
): Promise<Doubt | null> {
  const { services } = context;
  const { doubts } = await countTogether(queries, [actorOf(context).id, ...signers], {
    at: new Date(services.now()),
    coolingMs: services.config.moneyCoolingMs,
    besides: [...besides],
  });
  return [...doubts.values()][0] ?? null;
}

/** The same for a statement, whatever it says: whose key it enrols has a hand in it, and whoever wrote what it approves. */
export function requireCountingFor(context: RequestContext, tx: Tx, authority: Authority, statement: Statement): Promise<void> {
  const signed = authority.statements.get(hashOf(statement))?.signed.keys() ?? [];
  const enrolled = statement.kind === 'approver.add' ? [statement.content.person] : [];
  const besides = isApproval(statement) ? statement.content.authors : [];
  return requireCounting(context, tx, { signers: [...signed, ...enrolled], besides });
}

/** MONEY_REFUSED for an account that does not count: whose, and until when. */
export const refuseDoubt = (doubt: Doubt, data: Readonly<Record<string, unknown>> = {}) =>
  failure('MONEY_REFUSED', {
    ...data,
    reason: doubt.reason,
    who: [doubt.who],
    ...(doubt.reason === 'COOLING' && { until: [doubt.until.toISOString()] }),
  });
