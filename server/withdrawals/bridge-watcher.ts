import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { satoshiOfWei } from '../../api/money.ts';
import { recordSystemAudit } from '../platform/audit/audit.ts';
import { bridgeChain, type BridgeChain, type BridgeEvent, type Head, type Refund } from '../platform/evm/bridge.ts';
import type { Services } from '../platform/core/context.ts';
import { codeOf } from '../platform/core/errors.ts';
import { describeError } from '../platform/core/log.ts';
import { deposits } from '../deposits/tables.ts';
import { chainCursors } from '../platform/evm/tables.ts';
import { withdrawals } from './tables.ts';
import { setChainTime, timeOf } from '../platform/evm/clock.ts';
import { presentWithdrawal, type Withdrawal } from './rows.ts';

// The only one that moves a withdrawal once it is on the chain. What it believes is what the bridge says now: every look reads
// the last blocks again and asks for every refund that is not settled, so that whatever a reorganisation took back is taken back
// here too. Looking twice, or two servers at once, changes nothing twice.

export interface BridgeWork {
  services: Services;
  chain: BridgeChain;
  /** Blocks read again at every look: more than any reorganisation. */
  depth?: bigint;
  /** Blocks a call for events spans. */
  batch?: bigint;
  /** Where the reading begins. */
  start?: bigint;
}

const pauseMs = 3_000;
const usualDepth = 64n;
const usualBatch = 2_000n;
/** A refund that is settled is looked after for this long: then no reorganisation takes it back. */
const settledMs = 3_600_000;
/** A transaction that no node knows of for this long will not come. */
const lostMs = 15 * 60_000;

/** Looks now and again until stopped. */
export function startBridgeWatcher(services: Services): () => Promise<void> {
  const { evm } = services.config;
  if (!evm) return async () => {};
  const chain = bridgeChain({ url: evm.url, chainId: evm.chainId, address: evm.contracts.custodyBridge });
  let running: Promise<void> | null = null;
  const look = () => {
    running ??= watchBridge({ services, chain, start: evm.startBlock })
      .catch((error: unknown) =>
        services.log.warn({ err: describeError(error) }, 'the bridge could not be read; tried again soon'),
      )
      .finally(() => (running = null));
  };
  const timer = setInterval(look, pauseMs);
  timer.unref();
  look();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** One look: what is known is compared with what the bridge says, then everything new up to the head is read. */
export async function watchBridge(work: BridgeWork): Promise<void> {
  const { services, chain, depth = usualDepth, batch = usualBatch } = work;
  const head = await chain.head();
  setChainTime(services, head.time);
  await compareKnown(work);
  let from = await startOf(work, head, depth);
  while (from <= head.number) {
    const to = from + batch - 1n < head.number ? from + batch - 1n : head.number;
    for (const event of await chain.events(from, to)) await take(work, event);
    const hash = to === head.number ? head.hash : await chain.hashAt(to);
    if (hash === null) return; // the chain has become shorter: the next look begins there
    await remember(work, to, hash);
    from = to + 1n;
  }
  await dropLost(work, head);
}

// ── How far it has read ────────────────────────────────────────────────────

const cursorName = ({ chain }: BridgeWork) => `bridge:${chain.chainId}:${chain.address}`;

/** The first block to read: `depth` before the last one read, or before where the chain parted from what was read. */
async function startOf(work: BridgeWork, head: Head, depth: bigint): Promise<bigint> {
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

// ── What the bridge says ───────────────────────────────────────────────────

/** The statuses of what is on chain, and of what lately was. */
async function compareKnown(work: BridgeWork): Promise<void> {
  const lately = new Date(work.services.now() - settledMs);
  const known = await work.services.database.db
    .select()
    .from(withdrawals)
    .where(
      and(
        isNotNull(withdrawals.nonce),
        or(
          inArray(withdrawals.status, ['doing', 'withdrawable']),
          sql`${withdrawals.updatedAt} > ${lately.toISOString()}::timestamptz`,
        ),
      ),
    )
    .orderBy(asc(withdrawals.id));
  for (const row of known) {
    if (row.nonce === null) continue;
    const refund = await work.chain.refund(row.nonce);
    await move(work, row.id, (now) => (now.nonce === row.nonce ? changeBy(now, refund) : null));
  }
}

async function take(work: BridgeWork, event: BridgeEvent): Promise<void> {
  const { db } = work.services.database;
  const [known] = await db.select().from(withdrawals).where(eq(withdrawals.nonce, event.nonce));
  if (!known && event.name === 'confirmed') return;
  const refund = await work.chain.refund(event.nonce);
  if (known) {
    const hash = event.name === 'requested' ? { requestHash: event.hash } : { confirmHash: event.hash };
    const isThere = event.name === 'requested' || refund.status !== 'requested';
    await move(work, known.id, (now) =>
      now.nonce === event.nonce && isThere && isOf(now, refund) ? { ...changeBy(now, refund), ...hash } : null,
    );
    return;
  }
  if (event.name === 'confirmed') return;
  const candidates = await waitingFor(work, event);
  for (const row of candidates) {
    if (!isOf(row, refund)) continue;
    const isTaken = await move(work, row.id, (now) =>
      now.nonce === null && (now.status === 'todo' || now.status === 'canceled')
        ? { ...changeBy(now, refund), nonce: event.nonce, requestHash: event.hash }
        : null,
    );
    if (isTaken) return;
  }
}

/**
 * The withdrawals a request may be of: the one whose transaction it is first, then the oldest. One that was given up here while
 * its request was on the way is on the chain all the same.
 */
async function waitingFor({ services }: BridgeWork, event: Extract<BridgeEvent, { name: 'requested' }>): Promise<Withdrawal[]> {
  const amount = satoshiOfWei(event.amount);
  if (amount === null) return [];
  return services.database.db
    .select()
    .from(withdrawals)
    .where(
      and(
        isNull(withdrawals.nonce),
        inArray(withdrawals.status, ['todo', 'canceled']),
        eq(withdrawals.txid, event.srcHash.slice(2)),
        eq(withdrawals.address, event.from),
        eq(withdrawals.amount, amount),
        eq(withdrawals.receiver, event.receiver),
      ),
    )
    .orderBy(
      sql`${withdrawals.requestHash} = ${event.hash} desc nulls last`,
      sql`${withdrawals.status} = 'canceled'`,
      asc(withdrawals.createdAt),
      asc(withdrawals.id),
    );
}

const isOf = (row: Withdrawal, refund: Refund): boolean =>
  refund.status !== 'none' &&
  refund.srcHash === `0x${row.txid}` &&
  refund.from === row.address &&
  satoshiOfWei(refund.amount) === row.amount &&
  refund.receiver === row.receiver;

type Change = Partial<Pick<Withdrawal, 'status' | 'nonce' | 'requestHash' | 'confirmHash' | 'coolsUntil'>>;

const shownAs = { requested: 'doing', confirmed: 'withdrawable', done: 'done', canceled: 'canceled' } as const;

/** What a withdrawal becomes by what the bridge says under its nonce. */
function changeBy(row: Withdrawal, refund: Refund): Change {
  if (refund.status !== 'none' && isOf(row, refund)) {
    const confirmHash = refund.status === 'requested' && row.status !== 'doing' ? { confirmHash: null } : {};
    return { status: shownAs[refund.status], coolsUntil: timeOf(refund.endAt), ...confirmHash };
  }
  // It is no longer there. What was canceled stays so: the deposit may have another withdrawal by now.
  const gone = { nonce: null, coolsUntil: null, confirmHash: null };
  return row.status === 'canceled' ? gone : { status: 'todo', ...gone };
}

/** Changes a row under its lock, with its deposit and the audit. Answers whether it is so now; false when it may not be. */
async function move(work: BridgeWork, id: string, by: (row: Withdrawal) => Change | null): Promise<boolean> {
  const { services } = work;
  const present = presentWithdrawal(services);
  const now = new Date(services.now());
  try {
    return await services.database.db.transaction(async (tx) => {
      const [before] = await tx.select().from(withdrawals).where(eq(withdrawals.id, id)).for('update');
      const change = before ? by(before) : null;
      if (!before || !change) return false;
      if (!isNew(before, change)) return true;
      const [after] = await tx
        .update(withdrawals)
        .set({ ...change, version: sql`${withdrawals.version} + 1`, updatedAt: now })
        .where(eq(withdrawals.id, id))
        .returning();
      if (!after) return false;
      const isLive = after.status !== 'canceled';
      if (isLive !== (before.status !== 'canceled'))
        await tx
          .update(deposits)
          .set({ withdrawStatus: isLive ? 'requested' : 'default', version: sql`${deposits.version} + 1`, updatedAt: now })
          .where(eq(deposits.id, after.depositId));
      await recordSystemAudit(tx, services, {
        entity: 'withdrawal',
        id,
        action: after.status === before.status ? 'seen' : after.status,
        before: present(before),
        after: present(after),
      });
      return true;
    });
  } catch (error) {
    // Another withdrawal of the deposit lives, or another row still has the nonce: the next look finds out.
    if (codeOf(error) !== '23505') throw error;
    services.log.warn({ withdrawal: id }, 'a withdrawal could not follow the bridge');
    return false;
  }
}

const isNew = (row: Withdrawal, change: Change): boolean =>
  Object.entries(change).some(([name, value]) => {
    const old = row[name as keyof Change];
    return (old instanceof Date ? old.getTime() : old) !== (value instanceof Date ? value.getTime() : value);
  });

// ── What was sent and did not come through ─────────────────────────────────

/** Forgets a wallet's transaction that failed, did something else, or is lost: the person may try again. */
async function dropLost(work: BridgeWork, head: Head): Promise<void> {
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
      found.state === 'mined' // read to its block, and it moved nothing
        ? found.block <= head.number
        : found.state === 'unknown' && work.services.now() - row.updatedAt.getTime() > lostMs;
    if (isOver) await move(work, row.id, (now) => (now.status === row.status && now[field] === hash ? { [field]: null } : null));
  }
}
