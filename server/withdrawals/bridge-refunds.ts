import { and, asc, eq, exists, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { weiToSatoshi } from '../../api/money.ts';
import { freezeForRefunds } from '../custody/shared/refund-freeze.ts';
import { deposits } from '../deposits/tables.ts';
import type { Tx } from '../platform/db/db.ts';
import type { BlockHead, Refund } from '../platform/evm/bridge.ts';
import { isRefundApproved } from './refund-approval.ts';
import { readRefund, type RefundContext } from './refund-state.ts';
import { bridgeRefunds, refundIntents, withdrawals, type Withdrawal } from './tables.ts';
import { changeFromRefund, isRefundOf, applyRefundState } from './withdrawal-moves.ts';

// Each refund on the bridge belongs to a withdrawal that people signed, or to strangers without our deposits and users. Anything
// else freezes money and raises an alarm.

const refundsLock = 4280_0041;
/** Nonces without an event, per pass. */
const maxMissedNonces = 20;
const maxNoncesAhead = 10_000;

export interface ObservedRefund {
  nonce: number;
  hash: Hex | null;
  block: bigint | null;
}

/** Assigns the refund to its withdrawal, or records it as unknown. */
export async function recordRefund(
  refundContext: RefundContext,
  { nonce, hash, block }: ObservedRefund,
  refund: Refund,
): Promise<void> {
  const { services, chain } = refundContext;
  if (refund.status === 'none') return;
  const reminedId = hash === null ? null : await findReminedWithdrawal(refundContext, nonce, hash);
  await services.database.db.transaction(async (tx) => {
    // Serializes servers, so that neither records as unknown what the other assigns.
    await tx.execute(sql`select pg_advisory_xact_lock(${refundsLock})`);
    const [storedRefund] = await tx.select().from(bridgeRefunds).where(hasNonce(refundContext, nonce));
    const isSameRefund = storedRefund !== undefined && hasSameContent(storedRefund, refund);
    const seenAt = isSameRefund ? storedRefund.seenAt : new Date(services.now());
    const previousWithdrawalId = isSameRefund ? storedRefund.withdrawalId : null;
    const owner = await assignRefund(
      refundContext,
      tx,
      { nonce, hash, remined: reminedId, before: previousWithdrawalId, seenAt },
      refund,
    );
    if (
      isSameRefund &&
      storedRefund.withdrawalId === owner.withdrawalId &&
      storedRefund.alarming === owner.alarming &&
      (hash === null || storedRefund.requestHash === hash)
    )
      return;
    const now = {
      srcHash: refund.srcHash,
      from: refund.from,
      receiver: refund.receiver,
      amount: refund.amount,
      requestHash: hash ?? (isSameRefund ? storedRefund.requestHash : null),
      block: block ?? (isSameRefund ? storedRefund.block : null),
      ...owner,
      seenAt,
      freezeId: isSameRefund && storedRefund.alarming && owner.alarming ? storedRefund.freezeId : null,
    };
    await tx
      .insert(bridgeRefunds)
      .values({ chainId: chain.chainId, bridge: chain.address, nonce, ...now })
      .onConflictDoUpdate({ target: [bridgeRefunds.chainId, bridgeRefunds.bridge, bridgeRefunds.nonce], set: now });
  });
}

/** A reorganization gave its transaction another nonce. Null: its old nonce still belongs to it. */
async function findReminedWithdrawal({ services, chain }: RefundContext, nonce: number, hash: Hex): Promise<string | null> {
  const [row] = await services.database.db
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.requestHash, hash), isNotNull(withdrawals.nonce), ne(withdrawals.nonce, nonce)));
  if (!row || row.nonce === null) return null;
  return isRefundOf(row, await chain.refund(row.nonce)) ? null : row.id;
}

const hasNonce = ({ chain }: RefundContext, nonce: number) =>
  and(eq(bridgeRefunds.chainId, chain.chainId), eq(bridgeRefunds.bridge, chain.address), eq(bridgeRefunds.nonce, nonce));

const hasSameContent = (storedRefund: typeof bridgeRefunds.$inferSelect, refund: Refund): boolean =>
  storedRefund.srcHash === refund.srcHash &&
  storedRefund.from === refund.from &&
  storedRefund.receiver === refund.receiver &&
  storedRefund.amount === refund.amount;

type RefundAssignment = Pick<typeof bridgeRefunds.$inferSelect, 'withdrawalId' | 'alarming'>;

interface RefundRequest extends Pick<ObservedRefund, 'nonce' | 'hash'> {
  remined: string | null;
  before: string | null;
  seenAt: Date;
}

/** Also updates the withdrawal. */
async function assignRefund(
  refundContext: RefundContext,
  tx: Tx,
  request: RefundRequest,
  refund: Refund,
): Promise<RefundAssignment> {
  const { nonce, hash, remined, before, seenAt } = request;
  const { services, chain } = refundContext;
  const requestedRefund = { chainId: chain.chainId, bridge: chain.address, nonce, at: seenAt.getTime() };
  const claimWithdrawal = (id: string, isClaimable: (row: Withdrawal) => boolean) =>
    applyRefundState(services, tx, id, (row) =>
      isClaimable(row) ? { ...changeFromRefund(row, refund), nonce, ...(hash !== null && { requestHash: hash }) } : null,
    );
  for (const row of await readCandidates(refundContext, tx, request, refund)) {
    if (!isRefundOf(row, refund) || !(await isRefundApproved(services, tx, row, requestedRefund))) continue;
    const isUnassigned = (now: Withdrawal) =>
      now.nonce === nonce ||
      now.status === 'gone' ||
      now.id === remined ||
      (now.nonce === null && (now.status === 'todo' || now.status === 'canceled'));
    if (await claimWithdrawal(row.id, isUnassigned)) return { withdrawalId: row.id, alarming: false };
  }
  // Rejected by the notary: YBTC was returned, nothing will be paid.
  const isAlarming = refund.status !== 'canceled' && (before !== null || (await isOwnDeposit(tx, refund)));
  return { withdrawalId: before, alarming: isAlarming };
}

/**
 * Candidates: the previous owner, the one with this nonce, the one with this transaction, then the oldest with a matching intent.
 * Canceled ones count too, because their request may have been on the way.
 */
async function readCandidates(
  { chain }: RefundContext,
  tx: Tx,
  { nonce, hash, remined, before }: RefundRequest,
  refund: Refund,
): Promise<Withdrawal[]> {
  const amount = weiToSatoshi(refund.amount);
  if (amount === null) return [];
  const hasIntent = exists(
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
          and(isWaiting, hasIntent),
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
async function isOwnDeposit(tx: Tx, refund: Refund): Promise<boolean> {
  const depositRows = await tx
    .select({ id: deposits.id })
    .from(deposits)
    .where(or(eq(deposits.txid, refund.srcHash.slice(2)), eq(deposits.userAddress, refund.from)))
    .limit(1);
  return depositRows.length > 0;
}

/** Asks for every nonce without an event, so that a node cannot hide a refund by dropping its event. */
export async function readMissedRefunds(refundContext: RefundContext & { firstNonce?: number }, head: BlockHead): Promise<void> {
  const { services, chain } = refundContext;
  const { db } = services.database;
  const isOfBridge = and(eq(bridgeRefunds.chainId, chain.chainId), eq(bridgeRefunds.bridge, chain.address));
  const [span] = await db
    .select({ first: sql<number | null>`min(${bridgeRefunds.nonce})`, last: sql<number | null>`max(${bridgeRefunds.nonce})` })
    .from(bridgeRefunds)
    .where(isOfBridge);
  const firstNonce = Math.min(refundContext.firstNonce ?? 0, span?.first ?? Infinity);
  // At the block of the events, so that younger refunds arrive with their event and transaction.
  const count = await chain.count(head.number);
  const max = BigInt((span?.last ?? firstNonce) + maxNoncesAhead);
  const end = (count < max ? count : max) - 1n;
  const { rows } = await db.execute<{ nonce: number }>(sql`
    select n::integer as nonce from generate_series(${firstNonce}::bigint, ${end.toString()}::bigint) n
    where not exists (select 1 from ${bridgeRefunds} where ${isOfBridge} and ${bridgeRefunds.nonce} = n)
    order by n limit ${maxMissedNonces}`);
  for (const { nonce } of rows)
    await recordRefund(refundContext, { nonce, hash: null, block: null }, await readRefund(refundContext, head, nonce));
}

/** Checks again refunds that their withdrawal has left for a new request or nonce. */
export async function recheckOpenRefunds(refundContext: RefundContext, head: BlockHead): Promise<void> {
  const { chain } = refundContext;
  const openRefunds = await refundContext.services.database.db
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
    await recordRefund(refundContext, { nonce, hash: null, block: null }, await readRefund(refundContext, head, nonce));
}

/** Waits while another freeze is open. */
export async function freezeUnmatchedRefunds({ services }: RefundContext): Promise<void> {
  const { db } = services.database;
  const isDue = and(eq(bridgeRefunds.alarming, true), isNull(bridgeRefunds.freezeId));
  const unmatchedRefunds = await db.select({ nonce: bridgeRefunds.nonce }).from(bridgeRefunds).where(isDue).limit(1);
  if (unmatchedRefunds.length === 0) return;
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
