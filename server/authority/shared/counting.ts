import { countTogether, type Doubt } from '../../platform/auth/rights/counts-for-money.ts';
import { actorOf, type RequestContext } from '../../platform/core/context.ts';
import { failure } from '../../platform/core/errors.ts';
import type { Tx } from '../../platform/db/db.ts';

/**
 * Throws MONEY_REFUSED unless who acts counts for money now, together with everyone who signed before and beside everyone who had a
 * hand in it. A statement that enough people signed cannot be undone, so nobody in doubt may be among them.
 */
export async function requireCounting(
  context: RequestContext,
  tx: Tx,
  { signers, besides }: { readonly signers: Iterable<string>; readonly besides: Iterable<string> },
): Promise<void> {
  const { services } = context;
  const { doubts } = await countTogether(tx, [actorOf(context).id, ...signers], {
    at: new Date(services.now()),
    coolingMs: services.config.moneyCoolingMs,
    besides: [...besides],
  });
  const [doubt] = doubts.values();
  if (doubt) throw refuseDoubt(doubt);
}

/** MONEY_REFUSED for an account that does not count: whose, and until when. */
export const refuseDoubt = (doubt: Doubt, data: Readonly<Record<string, unknown>> = {}) =>
  failure('MONEY_REFUSED', {
    ...data,
    reason: doubt.reason,
    who: [doubt.who],
    ...(doubt.reason === 'COOLING' && { until: [`${doubt.until.toISOString().slice(0, 16).replace('T', ' ')} UTC`] }),
  });
