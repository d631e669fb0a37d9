import { and, asc, eq, exists, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { satoshiOfWei } from '../../api/money.ts';
import { freezeForRefunds } from '../custody/shared/refund-freeze.ts';
import { deposits } from '../deposits/tables.ts';
import type { Tx } from '../platform/db/db.ts';
import type { BlockHead, Refund } from '../platform/evm/bridge.ts';
import { isApproved } from './refund-approval.ts';
import { readRefund, type RefundWork } from './refund-state.ts';
import { bridgeRefunds, refundIntents, withdrawals, type Withdrawal } from './tables.ts';
import { changeFrom, isRefundOf, applyRefundState } from './withdrawal-moves.ts';

// Each refund on the bridge belongs to a withdrawal that people signed, or to strangers without our deposits and users. Anything
// else freezes money and raises an alarm.

const refundsLock = 4280_0041;
/** Nonces without an event, per pass. */
const maxMissed = 20;
const maxAhead = 10_000;

export interface SeenRefund {
  nonce: number;
  hash: Hex | null;
  block: bigint | null;
}

/** Assigns the refund to its withdrawal, or records it as unknown. */
export async function recordRefund(work: RefundWork, { nonce, hash, block }: SeenRefund, refund: Refund): Promise<void> {
  const { services, chain } = work;
  if (refund.status === 'none') return;
  const remined = hash === null ? null : await reminedOf(work, nonce, hash);
  await services.database.db.transaction(async (tx) => {
    // Serializes servers, so that neither records as unknown what the other assigns.
    await tx.execute(sql`select pg_advisory_xact_lock(${refundsLock})`);
    const [known] = await tx.select().from(bridgeRefunds).where(isUnder(work, nonce));
    const isSame = known !== undefined && isContentOf(known, refund);
    const seenAt = isSame ? known.seenAt : new Date(services.now());
    const before = isSame ? known.withdrawalId : null;
    const owner = await ownerOf(work, tx, { nonce, hash, remined, before, seenAt }, refund);
    if (
      isSame &&
      known.withdrawalId === owner.withdrawalId &&
      known.alarming === owner.alarming &&
      (hash === null || known.requestHash === hash)
    )
      return;
    const now = {
      srcHash: refund.srcHash,
      from: refund.from,
      receiver: refund.receiver,
      amount: refund.amount,
      requestHash: hash ?? (isSame ? known.requestHash : null),
      block: block ?? (isSame ? known.block : null),
      ...owner,
      seenAt,
      freezeId: isSame && known.alarming && owner.alarming ? known.freezeId : null,
    };
    await tx
      .insert(bridgeRefunds)
      .values({ chainId: chain.chainId, bridge: chain.address, nonce, ...now })
      .onConflictDoUpdate({ target: [bridgeRefunds.chainId, bridgeRefunds.bridge, bridgeRefunds.nonce], set: now });
  });
}

/** A reorganization gave its transaction another nonce. Null: its old nonce still belongs to it. */
async function reminedOf({ services, chain }: RefundWork, nonce: number, hash: Hex): Promise<string | null> {
  const [row] = await services.database.db
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.requestHash, hash), isNotNull(withdrawals.nonce), ne(withdrawals.nonce, nonce)));
  if (!row || row.nonce === null) return null;
  return isRefundOf(row, await chain.refund(row.nonce)) ? null : row.id;
}

const isUnder = ({ chain }: RefundWork, nonce: number) =>
  and(eq(bridgeRefunds.chainId, chain.chainId), eq(bridgeRefunds.bridge, chain.address), eq(bridgeRefunds.nonce, nonce));

const isContentOf = (known: typeof bridgeRefunds.$inferSelect, refund: Refund): boolean =>
  known.srcHash === refund.srcHash &&
  known.from === refund.from &&
  known.receiver === refund.receiver &&
  known.amount === refund.amount;

type Taken = Pick<typeof bridgeRefunds.$inferSelect, 'withdrawalId' | 'alarming'>;

interface RefundRequest extends Pick<SeenRefund, 'nonce' | 'hash'> {
  remined: string | null;
  before: string | null;
  seenAt: Date;
}

/** Also updates the withdrawal. */
async function ownerOf(work: RefundWork, tx: Tx, request: RefundRequest, refund: Refund): Promise<Taken> {
  const { nonce, hash, remined, before, seenAt } = request;
  const { services, chain } = work;
  const requested = { chainId: chain.chainId, bridge: chain.address, nonce, at: seenAt.getTime() };
  const take = (id: string, may: (row: Withdrawal) => boolean) =>
    applyRefundState(services, tx, id, (row) =>
      may(row) ? { ...changeFrom(row, refund), nonce, ...(hash !== null && { requestHash: hash }) } : null,
    );
  for (const row of await candidatesOf(work, tx, request, refund)) {
    if (!isRefundOf(row, refund) || !(await isApproved(services, tx, row, requested))) continue;
    const isFree = (now: Withdrawal) =>
      now.nonce === nonce ||
      now.status === 'gone' ||
      now.id === remined ||
      (now.nonce === null && (now.status === 'todo' || now.status === 'canceled'));
    if (await take(row.id, isFree)) return { withdrawalId: row.id, alarming: false };
  }
  // Rejected by the notary: YBTC was returned, nothing will be paid.
  const alarming = refund.status !== 'canceled' && (before !== null || (await concernsUs(tx, refund)));
  return { withdrawalId: before, alarming };
}

/**
 * Candidates: the previous owner, the one with this nonce, the one with this transaction, then the oldest with a matching intent.
 * Canceled ones count too, because their request may have been on the way.
 */
async function candidatesOf(
  { chain }: RefundWork,
  tx: Tx,
  { nonce, hash, remined, before }: RefundRequest,
  refund: Refund,
): Promise<Withdrawal[]> {
  const amount = satoshiOfWei(refund.amount);
  if (amount === null) return [];
  const isIntended = exists(
    tx
      .select({ one: sql`1` })
      .from(refundIntents)
      .where(
        and(
          eq(refundIntents.withdrawalId, withdrawals.id),
          eq(refundIntents.action, 'request'),
          eq(refundIntents.chainId, chain.chainId),
          eq(refundIntents.to, chain.address),
          eq(refundIntents.from, refund.from),
          eq(refundIntents.receiver, refund.receiver),
          eq(refundIntents.amount, amount),
        ),
      ),
  );
  const isWaiting = or(
    and(isNull(withdrawals.nonce), inArray(withdrawals.status, ['todo', 'canceled'])),
    eq(withdrawals.status, 'gone'),
  );
  return tx
    .select()
    .from(withdrawals)
    .where(
      and(
        eq(withdrawals.txid, refund.srcHash.slice(2)),
        eq(withdrawals.address, refund.from),
        eq(withdrawals.amount, amount),
        eq(withdrawals.receiver, refund.receiver),
        or(
          inArray(
            withdrawals.id,
            [before, remined].filter((id) => id !== null),
          ),
          eq(withdrawals.nonce, nonce),
          and(isWaiting, isIntended),
        ),
      ),
    )
    .orderBy(
      sql`${withdrawals.id} = ${before}::uuid desc nulls last`,
      sql`${withdrawals.nonce} = ${nonce} desc nulls last`,
      sql`${withdrawals.requestHash} = ${hash}::text desc nulls last`,
      sql`${withdrawals.status} = 'canceled'`,
      asc(withdrawals.createdAt),
      asc(withdrawals.id),
    );
}

/** Whether it names our deposit or comes from our user. Strangers' refunds freeze nothing. */
async function concernsUs(tx: Tx, refund: Refund): Promise<boolean> {
  const found = await tx
    .select({ id: deposits.id })
    .from(deposits)
    .where(or(eq(deposits.txid, refund.srcHash.slice(2)), eq(deposits.userAddress, refund.from)))
    .limit(1);
  return found.length > 0;
}

/** Asks for every nonce without an event, so that a node cannot hide a refund by dropping its event. */
export async function readMissedRefunds(work: RefundWork & { firstNonce?: number }, head: BlockHead): Promise<void> {
  const { services, chain } = work;
  const { db } = services.database;
  const ours = and(eq(bridgeRefunds.chainId, chain.chainId), eq(bridgeRefunds.bridge, chain.address));
  const [span] = await db
    .select({ first: sql<number | null>`min(${bridgeRefunds.nonce})`, last: sql<number | null>`max(${bridgeRefunds.nonce})` })
    .from(bridgeRefunds)
    .where(ours);
  const first = Math.min(work.firstNonce ?? 0, span?.first ?? Infinity);
  // At the block of the events, so that younger refunds arrive with their event and transaction.
  const count = await chain.count(head.number);
  const max = BigInt((span?.last ?? first) + maxAhead);
  const end = (count < max ? count : max) - 1n;
  const { rows } = await db.execute<{ nonce: number }>(sql`
    select n::integer as nonce from generate_series(${first}::bigint, ${end.toString()}::bigint) n
    where not exists (select 1 from ${bridgeRefunds} where ${ours} and ${bridgeRefunds.nonce} = n)
    order by n limit ${maxMissed}`);
  for (const { nonce } of rows) await recordRefund(work, { nonce, hash: null, block: null }, await readRefund(work, head, nonce));
}

/** Checks again refunds that their withdrawal has left for a new request or nonce. */
export async function recheckOpenRefunds(work: RefundWork, head: BlockHead): Promise<void> {
  const { chain } = work;
  const openRefunds = await work.services.database.db
    .select({ nonce: bridgeRefunds.nonce })
    .from(bridgeRefunds)
    .innerJoin(withdrawals, eq(withdrawals.id, bridgeRefunds.withdrawalId))
    .where(
      and(
        eq(bridgeRefunds.chainId, chain.chainId),
        eq(bridgeRefunds.bridge, chain.address),
        eq(bridgeRefunds.alarming, false),
        ne(sql`coalesce(${withdrawals.nonce}, -1)`, bridgeRefunds.nonce),
      ),
    )
    .orderBy(sql`${bridgeRefunds.nonce} desc`)
    .limit(100);
  for (const { nonce } of openRefunds)
    await recordRefund(work, { nonce, hash: null, block: null }, await readRefund(work, head, nonce));
}

/** Waits while another freeze is open. */
export async function freezeUnmatchedRefunds({ services }: RefundWork): Promise<void> {
  const { db } = services.database;
  const isDue = and(eq(bridgeRefunds.alarming, true), isNull(bridgeRefunds.freezeId));
  const unmatched = await db.select({ nonce: bridgeRefunds.nonce }).from(bridgeRefunds).where(isDue).limit(1);
  if (unmatched.length === 0) return;
  await db.transaction(async (tx) => {
    const rows = await tx.select().from(bridgeRefunds).where(isDue).orderBy(bridgeRefunds.nonce).limit(10).for('update');
    if (rows.length === 0) return;
    const freezeId = await freezeForRefunds(
      tx,
      services,
      rows.map(({ nonce, srcHash, from, receiver, amount, requestHash }) => ({
        nonce,
        srcHash,
        from,
        receiver,
        amount: amount.toString(),
        transaction: requestHash,
      })),
    );
    if (freezeId === null) return;
    for (const { chainId, bridge, nonce } of rows)
      await tx
        .update(bridgeRefunds)
        .set({ freezeId })
        .where(and(eq(bridgeRefunds.chainId, chainId), eq(bridgeRefunds.bridge, bridge), eq(bridgeRefunds.nonce, nonce)));
  });
}
