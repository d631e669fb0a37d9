import { and, eq } from 'drizzle-orm';
import { perServer, type Services } from '../platform/core/context.ts';
import type { BridgeChain, Head, Refund } from '../platform/evm/bridge.ts';
import { NodesDisagree } from '../platform/evm/read.ts';
import { bridgeRefunds, type Withdrawal } from './tables.ts';
import { isOf } from './withdrawal-moves.ts';

// What is believed of one nonce. That a refund is there is believed at once. That one is not there any more, or was turned
// down, would let its deposit be paid out a second time: the first counts only at a settled block, asked twice, seconds apart,
// and never against the bridge's own counter; the second only at a settled block.

export interface RefundWork {
  services: Services;
  chain: BridgeChain;
  /** Blocks on top of one until it is settled. */
  settled?: bigint;
}

/** Between the two looks that must agree. */
const apartMs = 3_000;

/** When a withdrawal's refund was first seen to be gone, by `<withdrawal>:<nonce>`. */
const doubtsOf = perServer(() => new Map<string, number>());

const settledAt = ({ settled = 12n }: RefundWork, head: Head): bigint | null =>
  head.number < settled ? null : head.number - settled;

/** The refund of a nonce now; one that is canceled in the newest blocks alone is still requested. */
export async function refundNow(work: RefundWork, head: Head, nonce: number): Promise<Refund> {
  const now = await work.chain.refund(nonce);
  if (now.status !== 'canceled') return now;
  const block = settledAt(work, head);
  const settled = block === null ? null : await sameEverywhere(work, work.chain.refund(nonce, block));
  return settled?.status === 'canceled' ? now : { ...now, status: 'requested' };
}

/** What all nodes say; null where they do not agree, so that one node stops the look at no other refund. */
const sameEverywhere = <T>({ services }: RefundWork, answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (!(error instanceof NodesDisagree)) throw error;
    services.log.warn({ err: error.message }, 'the nodes do not agree on a refund');
    return null;
  });

/** What the bridge says of a withdrawal that has a nonce; `unsure`: nothing that is to be believed yet. */
export async function stateOf(work: RefundWork, head: Head, row: Withdrawal, nonce: number): Promise<Refund | 'gone' | 'unsure'> {
  const doubts = doubtsOf(work.services);
  const key = `${row.id}:${nonce}`;
  const refund = await refundNow(work, head, nonce);
  if (isOf(row, refund)) {
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

/** Whether a settled block, younger than the request, has no such refund and a counter that does not contradict it. */
async function isSettledGone(work: RefundWork, head: Head, row: Withdrawal, nonce: number): Promise<boolean> {
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
  if (isOf(row, refund)) return false;
  const isContradicted = refund.status === 'none' && BigInt(nonce) < count;
  if (isContradicted)
    services.log.error({ withdrawal: row.id, nonce }, 'the node reports no refund for a nonce the bridge has used');
  return !isContradicted;
}

/** Whether the bridge has this withdrawal's refund now or at the settled block. */
export async function isStillThere(work: RefundWork, row: Withdrawal): Promise<boolean> {
  if (row.nonce === null) return false;
  const head = await work.chain.head();
  if (isOf(row, await work.chain.refund(row.nonce))) return true;
  return !(await isSettledGone(work, head, row, row.nonce));
}
