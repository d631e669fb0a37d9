import { and, asc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import type { Services } from '../platform/services/context.ts';
import { describeError } from '../platform/core/log.ts';
import { bridgeChain, type BridgeEvent, type BlockHead } from '../platform/evm/bridge.ts';
import { setChainTime } from '../platform/evm/clock.ts';
import { isWatchStale, recordPass } from '../platform/evm/watches.ts';
import { chainCursors } from '../platform/evm/tables.ts';
import { freezeUnmatchedRefunds, recheckOpenRefunds, readMissedRefunds, recordRefund } from './bridge-refunds.ts';
import { readRefund, refundStateOf, type RefundWork } from './refund-state.ts';
import { withdrawals } from './tables.ts';
import { changeFrom, missingFromChain, isRefundOf, applyRefundState } from './withdrawal-moves.ts';

// Only this moves a withdrawal that is on chain. Each pass rereads the last blocks and all unsettled refunds, so reorganizations
// are undone here too. Idempotent, also with several servers.

export interface BridgeWork extends RefundWork {
  /** Deeper than any reorganization. */
  depth?: bigint;
  batch?: bigint;
  /** Before the contract was deployed. */
  start?: bigint;
  /** For a bridge that is joined midway. */
  firstNonce?: number;
}

const pollMs = 3_000;
const usualDepth = 64n;
const usualBatch = 2_000n;
/** Settled refunds are watched this long, beyond any reorganization. */
const settledMs = 3_600_000;
/** A transaction unknown to all nodes for this long is lost. */
const lostMs = 15 * 60_000;

export function startBridgeWatcher(services: Services): () => Promise<void> {
  const { evm } = services.config;
  if (!evm) return async () => {};
  const { urls, chainId, contracts } = evm;
  const chain = bridgeChain({ urls, chainId, address: contracts.custodyBridge, signal: services.stopping });
  let running: Promise<void> | null = null;
  const watchOnce = () => {
    const watched = () => watchBridge({ services, chain, start: evm.startBlock, settled: evm.mintDepth });
    running ??= recordPass(services, 'bridge', watched, (head) =>
      head && !isWatchStale(services, head.time) ? null : 'unsettled',
    )
      .then(
        () => {},
        (error: unknown) => services.log.warn({ err: describeError(error) }, 'could not read the bridge, will retry'),
      )
      .finally(() => (running = null));
  };
  const timer = setInterval(watchOnce, pollMs);
  timer.unref();
  watchOnce();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Compares known refunds, then reads new events. Null: the chain became shorter, so the next pass starts there. */
export async function watchBridge(work: BridgeWork): Promise<BlockHead | null> {
  const { services, chain, depth = usualDepth, batch = usualBatch } = work;
  const head = await chain.head();
  setChainTime(services, head.time);
  await compareKnown(work, head);
  let from = await startOf(work, head, depth);
  while (from <= head.number) {
    const to = from + batch - 1n < head.number ? from + batch - 1n : head.number;
    for (const event of await chain.events(from, to)) await handleEvent(work, head, event);
    const hash = to === head.number ? head.hash : await chain.hashAt(to);
    if (hash === null) return null;
    await remember(work, to, hash);
    from = to + 1n;
  }
  await readMissedRefunds(work, head);
  await recheckOpenRefunds(work, head);
  await freezeUnmatchedRefunds(work);
  await dropLost(work, head);
  return head;
}

const cursorName = ({ chain }: BridgeWork) => `bridge:${chain.chainId}:${chain.address}`;

/** `depth` blocks before the cursor, or before the fork. */
async function startOf(work: BridgeWork, head: BlockHead, depth: bigint): Promise<bigint> {
  const { db } = work.services.database;
  const [cursor] = await db
    .select()
    .from(chainCursors)
    .where(eq(chainCursors.name, cursorName(work)));
  const first = work.start ?? 0n;
  if (!cursor) return first;
  const at = cursor.block < head.number ? cursor.block : head.number;
  const isSame = at === cursor.block && (await work.chain.hashAt(at)) === cursor.blockHash;
  const back = isSame ? depth : depth * 2n;
  return at > back + first ? at - back : first;
}

async function remember(work: BridgeWork, block: bigint, blockHash: Hex): Promise<void> {
  await work.services.database.db
    .insert(chainCursors)
    .values({ name: cursorName(work), block, blockHash })
    .onConflictDoUpdate({ target: chainCursors.name, set: { block, blockHash } });
}

/** Includes settled and missing ones, which one correct answer restores. */
async function compareKnown(work: BridgeWork, head: BlockHead): Promise<void> {
  const { services } = work;
  const { db } = services.database;
  const lately = new Date(services.now() - settledMs);
  const known = await db
    .select()
    .from(withdrawals)
    .where(
      and(
        isNotNull(withdrawals.nonce),
        or(
          inArray(withdrawals.status, ['doing', 'withdrawable', 'gone']),
          sql`${withdrawals.updatedAt} > ${lately.toISOString()}::timestamptz`,
        ),
      ),
    )
    .orderBy(asc(withdrawals.id));
  for (const row of known) {
    if (row.nonce === null) continue;
    const state = await refundStateOf(work, head, row, row.nonce);
    if (state === 'unsure') continue;
    await applyRefundState(services, db, row.id, (now) => {
      if (now.nonce !== row.nonce) return null;
      return state === 'gone' ? missingFromChain(now) : changeFrom(now, state);
    });
  }
}

async function handleEvent(work: BridgeWork, head: BlockHead, event: BridgeEvent): Promise<void> {
  const { services } = work;
  const { db } = services.database;
  const refund = await readRefund(work, head, event.nonce);
  if (event.name === 'requested') {
    const isSame =
      refund.srcHash === event.srcHash &&
      refund.from === event.from &&
      refund.receiver === event.receiver &&
      refund.amount === event.amount;
    // If event and record differ, the chain changed or the node is wrong. The next pass asks again.
    if (isSame) await recordRefund(work, event, refund);
    return;
  }
  if (refund.status === 'requested') return;
  const known = await db.select().from(withdrawals).where(eq(withdrawals.nonce, event.nonce));
  for (const { id } of known)
    await applyRefundState(services, db, id, (now) =>
      now.nonce === event.nonce && isRefundOf(now, refund) ? { ...changeFrom(now, refund), confirmHash: event.hash } : null,
    );
}

/** Clears a transaction that failed, did something else or is lost, so that the person can try again. */
async function dropLost(work: BridgeWork, head: BlockHead): Promise<void> {
  const sent = await work.services.database.db
    .select()
    .from(withdrawals)
    .where(
      or(
        and(eq(withdrawals.status, 'todo'), isNotNull(withdrawals.requestHash)),
        and(eq(withdrawals.status, 'doing'), isNotNull(withdrawals.confirmHash)),
      ),
    );
  for (const row of sent) {
    const field = row.status === 'todo' ? 'requestHash' : 'confirmHash';
    const hash = row[field] as Hex;
    const found = await work.chain.transaction(hash);
    const isOver =
      found === null
        ? work.services.now() - row.updatedAt.getTime() > lostMs
        : found.state === 'mined' && found.block + (work.settled ?? 12n) <= head.number;
    if (isOver)
      await applyRefundState(work.services, work.services.database.db, row.id, (now) =>
        now.status === row.status && now[field] === hash ? { [field]: null } : null,
      );
  }
}
