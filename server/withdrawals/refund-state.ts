import { and, eq } from 'drizzle-orm';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { BridgeChain, BlockHead, Refund } from '../platform/evm/bridge.ts';
import { NodesDisagree } from '../platform/evm/read.ts';
import { bridgeRefunds, type Withdrawal } from './tables.ts';
import { isRefundOf } from './withdrawal-moves.ts';

// Trust in answers about one nonce. A present refund is believed. A missing or rejected one would allow a second payment: missing
// requires a settled block, two answers seconds apart and a matching counter; rejected requires a settled block.

export interface RefundWork {
  services: Services;
  chain: BridgeChain;
  /** Confirmations for a settled refund. */
  settled?: bigint;
}

/** Between the two answers. */
const apartMs = 3_000;

/** First time missing, by `<withdrawal>:<nonce>`. */
const doubtsOf = memoizePerServer(() => new Map<string, number>());

const settledAt = ({ settled = 12n }: RefundWork, head: BlockHead): bigint | null =>
  head.number < settled ? null : head.number - settled;

/** A cancellation in unsettled blocks still counts as requested. */
export async function readRefund(work: RefundWork, head: BlockHead, nonce: number): Promise<Refund> {
  const now = await work.chain.refund(nonce);
  if (now.status !== 'canceled') return now;
  const block = settledAt(work, head);
  const settled = block === null ? null : await sameEverywhere(work, work.chain.refund(nonce, block));
  return settled?.status === 'canceled' ? now : { ...now, status: 'requested' };
}

/** Null: nodes disagree, so that one node stops only this refund. */
const sameEverywhere = <T>({ services }: RefundWork, answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (!(error instanceof NodesDisagree)) throw error;
    services.log.warn({ err: error.message }, 'the nodes do not agree on a refund');
    return null;
  });

/** `unsure`: nothing to believe yet. */
export async function refundStateOf(
  work: RefundWork,
  head: BlockHead,
  row: Withdrawal,
  nonce: number,
): Promise<Refund | 'gone' | 'unsure'> {
  const doubts = doubtsOf(work.services);
  const key = `${row.id}:${nonce}`;
  const refund = await readRefund(work, head, nonce);
  if (isRefundOf(row, refund)) {
    doubts.delete(key);
    return refund;
  }
  if (!(await sameEverywhere(work, isSettledGone(work, head, row, nonce)))) {
    doubts.delete(key);
    return 'unsure';
  }
  const now = work.services.now();
  const first = doubts.get(key);
  if (first === undefined || now < first) {
    if (doubts.size > 10_000) doubts.clear();
    doubts.set(key, now);
    return 'unsure';
  }
  return now - first < apartMs ? 'unsure' : 'gone';
}

/** Checks a settled block younger than the request, and the counter. */
async function isSettledGone(work: RefundWork, head: BlockHead, row: Withdrawal, nonce: number): Promise<boolean> {
  const { services, chain } = work;
  const block = settledAt(work, head);
  if (block === null) return false;
  const [known] = await services.database.db
    .select({ block: bridgeRefunds.block })
    .from(bridgeRefunds)
    .where(
      and(eq(bridgeRefunds.chainId, chain.chainId), eq(bridgeRefunds.bridge, chain.address), eq(bridgeRefunds.nonce, nonce)),
    );
  if (known?.block != null && known.block > block) return false;
  const [refund, count] = await Promise.all([chain.refund(nonce, block), chain.count(block)]);
  if (isRefundOf(row, refund)) return false;
  const isContradicted = refund.status === 'none' && BigInt(nonce) < count;
  if (isContradicted)
    services.log.error({ withdrawal: row.id, nonce }, 'the node reports no refund for a nonce the bridge has used');
  return !isContradicted;
}

/** Now or at the settled block. */
export async function isOnChain(work: RefundWork, row: Withdrawal): Promise<boolean> {
  if (row.nonce === null) return false;
  const head = await work.chain.head();
  if (isRefundOf(row, await work.chain.refund(row.nonce))) return true;
  return !(await isSettledGone(work, head, row, row.nonce));
}
