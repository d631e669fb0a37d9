import { and, asc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import type { Services } from '../platform/services/context.ts';
import { describeError } from '../platform/core/log.ts';
import { createBridgeChain, type BridgeEvent, type BlockHead } from '../platform/evm/bridge.ts';
import { setChainTime } from '../platform/evm/clock.ts';
import { isWatchOutdated, runRecordedPass } from '../platform/evm/watches.ts';
import { chainCursors } from '../platform/evm/tables.ts';
import { freezeUnmatchedRefunds, recheckOpenRefunds, readMissedRefunds, recordRefund } from './bridge-refunds.ts';
import { readRefund, readRefundState, type RefundContext } from './refund-state.ts';
import { withdrawals } from './tables.ts';
import { changeFromRefund, clearMissingRefund, isRefundOf, applyRefundState } from './withdrawal-moves.ts';

// Only this moves a withdrawal that is on chain. Each pass rereads the last blocks and all unsettled refunds, so reorganizations
// are undone here too. Idempotent, also with several servers.

export interface BridgeContext extends RefundContext {
  /** Deeper than any reorganization. */
  depth?: bigint;
  batch?: bigint;
  /** Before the contract was deployed. */
  start?: bigint;
  /** For a bridge that is joined midway. */
  firstNonce?: number;
}

const pollMs = 3_000;
const defaultDepth = 64n;
const defaultBatchSize = 2_000n;
/** Settled refunds are watched this long, beyond any reorganization. */
const recentMs = 3_600_000;
/** A transaction unknown to all nodes for this long is lost. */
const lostAfterMs = 15 * 60_000;

export function startBridgeWatcher(services: Services): () => Promise<void> {
  const { evm } = services.config;
  if (!evm) return async () => {};
  const { urls, chainId, contracts } = evm;
  const chain = createBridgeChain({ urls, chainId, address: contracts.custodyBridge, signal: services.stopping });
  let currentPass: Promise<void> | null = null;
  const runPass = () => {
    const runWatch = () => watchBridge({ services, chain, start: evm.startBlock, settled: evm.mintDepth });
    currentPass ??= runRecordedPass(services, 'bridge', runWatch, (head) =>
      head && !isWatchOutdated(services, head.time) ? null : 'unsettled',
    )
      .then(
        () => {},
        (error: unknown) => services.log.warn({ err: describeError(error) }, 'could not read the bridge, will retry'),
      )
      .finally(() => (currentPass = null));
  };
  const timer = setInterval(runPass, pollMs);
  timer.unref();
  runPass();
  return async () => {
    clearInterval(timer);
    await currentPass;
  };
}

/** Compares known refunds, then reads new events. Null: the chain became shorter, so the next pass starts there. */
export async function watchBridge(bridgeContext: BridgeContext): Promise<BlockHead | null> {
  const { services, chain, depth = defaultDepth, batch = defaultBatchSize } = bridgeContext;
  const head = await chain.head();
  setChainTime(services, head.time);
  await refreshKnownWithdrawals(bridgeContext, head);
  let from = await findStartBlock(bridgeContext, head, depth);
  while (from <= head.number) {
    const toBlock = from + batch - 1n < head.number ? from + batch - 1n : head.number;
    for (const event of await chain.events(from, toBlock)) await handleEvent(bridgeContext, head, event);
    const hash = toBlock === head.number ? head.hash : await chain.hashAt(toBlock);
    if (hash === null) return null;
    await storeCursor(bridgeContext, toBlock, hash);
    from = toBlock + 1n;
  }
  await readMissedRefunds(bridgeContext, head);
  await recheckOpenRefunds(bridgeContext, head);
  await freezeUnmatchedRefunds(bridgeContext);
  await dropLostTransactions(bridgeContext, head);
  return head;
}

const cursorName = ({ chain }: BridgeContext) => `bridge:${chain.chainId}:${chain.address}`;

/** `depth` blocks before the cursor, or before the fork. */
async function findStartBlock(bridgeContext: BridgeContext, head: BlockHead, depth: bigint): Promise<bigint> {
  const { db } = bridgeContext.services.database;
  const [cursor] = await db
    .select()
    .from(chainCursors)
    .where(eq(chainCursors.name, cursorName(bridgeContext)));
  const firstBlock = bridgeContext.start ?? 0n;
  if (!cursor) return firstBlock;
  const cursorBlock = cursor.block < head.number ? cursor.block : head.number;
  const isSameChain = cursorBlock === cursor.block && (await bridgeContext.chain.hashAt(cursorBlock)) === cursor.blockHash;
  const blocksBack = isSameChain ? depth : depth * 2n;
  return cursorBlock > blocksBack + firstBlock ? cursorBlock - blocksBack : firstBlock;
}

async function storeCursor(bridgeContext: BridgeContext, block: bigint, blockHash: Hex): Promise<void> {
  await bridgeContext.services.database.db
    .insert(chainCursors)
    .values({ name: cursorName(bridgeContext), block, blockHash })
    .onConflictDoUpdate({ target: chainCursors.name, set: { block, blockHash } });
}

/** Includes settled and missing ones, which one correct answer restores. */
async function refreshKnownWithdrawals(bridgeContext: BridgeContext, head: BlockHead): Promise<void> {
  const { services } = bridgeContext;
  const { db } = services.database;
  const recentSince = new Date(services.now() - recentMs);
  const knownWithdrawals = await db
    .select()
    .from(withdrawals)
    .where(
      and(
        isNotNull(withdrawals.nonce),
        or(
          inArray(withdrawals.status, ['doing', 'withdrawable', 'gone']),
          sql`${withdrawals.updatedAt} > ${recentSince.toISOString()}::timestamptz`,
        ),
      ),
    )
    .orderBy(asc(withdrawals.id));
  for (const row of knownWithdrawals) {
    if (row.nonce === null) continue;
    const state = await readRefundState(bridgeContext, head, row, row.nonce);
    if (state === 'unsure') continue;
    await applyRefundState(services, db, row.id, (current) => {
      if (current.nonce !== row.nonce) return null;
      return state === 'gone' ? clearMissingRefund(current) : changeFromRefund(current, state);
    });
  }
}

async function handleEvent(bridgeContext: BridgeContext, head: BlockHead, event: BridgeEvent): Promise<void> {
  const { services } = bridgeContext;
  const { db } = services.database;
  const refund = await readRefund(bridgeContext, head, event.nonce);
  if (event.name === 'requested') {
    const matchesEvent =
      refund.srcHash === event.srcHash &&
      refund.from === event.from &&
      refund.receiver === event.receiver &&
      refund.amount === event.amount;
    // If event and record differ, the chain changed or the node is wrong. The next pass asks again.
    if (matchesEvent) await recordRefund(bridgeContext, event, refund);
    return;
  }
  if (refund.status === 'requested') return;
  const knownWithdrawals = await db.select().from(withdrawals).where(eq(withdrawals.nonce, event.nonce));
  for (const { id } of knownWithdrawals)
    await applyRefundState(services, db, id, (current) =>
      current.nonce === event.nonce && isRefundOf(current, refund)
        ? { ...changeFromRefund(current, refund), confirmHash: event.hash }
        : null,
    );
}

/** Clears a transaction that failed, did something else or is lost, so that the person can try again. */
async function dropLostTransactions(bridgeContext: BridgeContext, head: BlockHead): Promise<void> {
  const sentWithdrawals = await bridgeContext.services.database.db
    .select()
    .from(withdrawals)
    .where(
      or(
        and(eq(withdrawals.status, 'todo'), isNotNull(withdrawals.requestHash)),
        and(eq(withdrawals.status, 'doing'), isNotNull(withdrawals.confirmHash)),
      ),
    );
  for (const row of sentWithdrawals) {
    const field = row.status === 'todo' ? 'requestHash' : 'confirmHash';
    const hash = row[field] as Hex;
    const transaction = await bridgeContext.chain.transaction(hash);
    const isLost =
      transaction === null
        ? bridgeContext.services.now() - row.updatedAt.getTime() > lostAfterMs
        : transaction.state === 'mined' && transaction.block + (bridgeContext.settled ?? 12n) <= head.number;
    if (isLost)
      await applyRefundState(bridgeContext.services, bridgeContext.services.database.db, row.id, (current) =>
        current.status === row.status && current[field] === hash ? { [field]: null } : null,
      );
  }
}
