import { and, eq } from 'drizzle-orm';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { BridgeChain, BlockHead, Refund } from '../platform/evm/bridge.ts';
import { NodesDisagreeError } from '../platform/evm/read.ts';
import { bridgeRefunds, type Withdrawal } from './tables.ts';
import { isRefundOf } from './withdrawal-moves.ts';

// Trust in answers about one nonce. A present refund is believed. A missing or rejected one would allow a second payment: missing
// requires a settled block, two answers seconds apart and a matching counter; rejected requires a settled block.

export interface RefundContext {
  services: Services;
  chain: BridgeChain;
  /** Confirmations for a settled refund. */
  settled?: bigint;
}

/** Between the two answers. */
const minConfirmationGapMs = 3_000;

/** First time missing, by `<withdrawal>:<nonce>`. */
const doubtTimes = memoizePerServer(() => new Map<string, number>());

const settledBlockOf = ({ settled = 12n }: RefundContext, head: BlockHead): bigint | null =>
  head.number < settled ? null : head.number - settled;

/** A cancellation in unsettled blocks still counts as requested. */
export async function readRefund(refundContext: RefundContext, head: BlockHead, nonce: number): Promise<Refund> {
  const now = await refundContext.chain.refund(nonce);
  if (now.status !== 'canceled') return now;
  const block = settledBlockOf(refundContext, head);
  const settledRefund = block === null ? null : await nullOnDisagreement(refundContext, refundContext.chain.refund(nonce, block));
  return settledRefund?.status === 'canceled' ? now : { ...now, status: 'requested' };
}

/** Null: nodes disagree, so that one node stops only this refund. */
const nullOnDisagreement = <T>({ services }: RefundContext, request: Promise<T>): Promise<T | null> =>
  request.catch((error: unknown) => {
    if (!(error instanceof NodesDisagreeError)) throw error;
    services.log.warn({ err: error.message }, 'the nodes do not agree on a refund');
    return null;
  });

/** `unsure`: nothing to believe yet. */
export async function readRefundState(
  refundContext: RefundContext,
  head: BlockHead,
  row: Withdrawal,
  nonce: number,
): Promise<Refund | 'gone' | 'unsure'> {
  const doubtTimesByKey = doubtTimes(refundContext.services);
  const key = `${row.id}:${nonce}`;
  const refund = await readRefund(refundContext, head, nonce);
  if (isRefundOf(row, refund)) {
    doubtTimesByKey.delete(key);
    return refund;
  }
  if (!(await nullOnDisagreement(refundContext, isGoneAtSettledBlock(refundContext, head, row, nonce)))) {
    doubtTimesByKey.delete(key);
    return 'unsure';
  }
  const now = refundContext.services.now();
  const firstDoubtAt = doubtTimesByKey.get(key);
  if (firstDoubtAt === undefined || now < firstDoubtAt) {
    if (doubtTimesByKey.size > 10_000) doubtTimesByKey.clear();
    doubtTimesByKey.set(key, now);
    return 'unsure';
  }
  return now - firstDoubtAt < minConfirmationGapMs ? 'unsure' : 'gone';
}

/** Checks a settled block younger than the request, and the counter. */
async function isGoneAtSettledBlock(
  refundContext: RefundContext,
  head: BlockHead,
  row: Withdrawal,
  nonce: number,
): Promise<boolean> {
  const { services, chain } = refundContext;
  const block = settledBlockOf(refundContext, head);
  if (block === null) return false;
  const [storedRefund] = await services.database.db
    .select({ block: bridgeRefunds.block })
    .from(bridgeRefunds)
    .where(
      and(eq(bridgeRefunds.chainId, chain.chainId), eq(bridgeRefunds.bridge, chain.address), eq(bridgeRefunds.nonce, nonce)),
    );
  if (storedRefund?.block != null && storedRefund.block > block) return false;
  const [refund, count] = await Promise.all([chain.refund(nonce, block), chain.count(block)]);
  if (isRefundOf(row, refund)) return false;
  const isNodeInconsistent = refund.status === 'none' && BigInt(nonce) < count;
  if (isNodeInconsistent)
    services.log.error({ withdrawal: row.id, nonce }, 'the node reports no refund for a nonce the bridge has used');
  return !isNodeInconsistent;
}

/** Now or at the settled block. */
export async function isOnChain(refundContext: RefundContext, row: Withdrawal): Promise<boolean> {
  if (row.nonce === null) return false;
  const head = await refundContext.chain.head();
  if (isRefundOf(row, await refundContext.chain.refund(row.nonce))) return true;
  return !(await isGoneAtSettledBlock(refundContext, head, row, row.nonce));
}
