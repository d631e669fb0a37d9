import { eq, sql } from 'drizzle-orm';
import { satoshiOfWei } from '../../api/money.ts';
import { deposits } from '../deposits/tables.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import type { Services } from '../platform/services/context.ts';
import { codeOf } from '../platform/core/error-code.ts';
import type { Queries } from '../platform/db/db.ts';
import type { Refund } from '../platform/evm/bridge.ts';
import { timeOf } from '../platform/evm/clock.ts';
import { withdrawalState } from './rows.ts';
import { withdrawals, type Withdrawal } from './tables.ts';

/** Same transaction, account, amount and receiver. */
export const isRefundOf = (row: Withdrawal, refund: Refund): boolean =>
  refund.status !== 'none' &&
  refund.srcHash === `0x${row.txid}` &&
  refund.from === row.address &&
  satoshiOfWei(refund.amount) === row.amount &&
  refund.receiver === row.receiver;

type Change = Partial<Pick<Withdrawal, 'status' | 'nonce' | 'requestHash' | 'confirmHash' | 'coolsUntil'>>;

const shownAs = { requested: 'doing', confirmed: 'withdrawable', done: 'done', canceled: 'canceled' } as const;

export function changeFrom(row: Withdrawal, refund: Refund): Change {
  if (refund.status === 'none') return {};
  const confirmHash = refund.status === 'requested' && row.status !== 'doing' ? { confirmHash: null } : {};
  return { status: shownAs[refund.status], coolsUntil: timeOf(refund.endAt), ...confirmHash };
}

/** Keeps nonce, hash and cancellation, because the deposit may have another withdrawal. */
export const missingFromChain = (row: Withdrawal): Change =>
  row.status === 'canceled' ? {} : { status: 'gone', coolsUntil: null, confirmHash: null };

/** Locks the row, and updates deposit and audit. True: the row has this state now. */
export async function applyRefundState(
  services: Services,
  queries: Queries,
  id: string,
  by: (row: Withdrawal) => Change | null,
): Promise<boolean> {
  const present = withdrawalState(services);
  const now = new Date(services.now());
  try {
    return await queries.transaction(async (tx) => {
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
    // The deposit has another open withdrawal, or another row has the nonce.
    if (codeOf(error) !== '23505') throw error;
    services.log.warn({ withdrawal: id }, 'could not update a withdrawal from the bridge');
    return false;
  }
}

const isNew = (row: Withdrawal, change: Change): boolean =>
  Object.entries(change).some(([name, value]) => {
    const old = row[name as keyof Change];
    return (old instanceof Date ? old.getTime() : old) !== (value instanceof Date ? value.getTime() : value);
  });
