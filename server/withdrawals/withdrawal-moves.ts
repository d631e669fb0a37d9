import { eq, sql } from 'drizzle-orm';
import { weiToSatoshi } from '../../api/money.ts';
import { deposits } from '../deposits/tables.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import type { Services } from '../platform/services/context.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import type { Queries } from '../platform/db/db.ts';
import type { Refund } from '../platform/evm/bridge.ts';
import { toDate } from '../platform/evm/clock.ts';
import { withdrawalState } from './rows.ts';
import { withdrawals, type Withdrawal } from './tables.ts';

/** Same transaction, account, amount and receiver. */
export const isRefundOf = (row: Withdrawal, refund: Refund): boolean =>
  refund.status !== 'none' &&
  refund.srcHash === `0x${row.txid}` &&
  refund.from === row.address &&
  weiToSatoshi(refund.amount) === row.amount &&
  refund.receiver === row.receiver;

type WithdrawalChange = Partial<Pick<Withdrawal, 'status' | 'nonce' | 'requestHash' | 'confirmHash' | 'coolsUntil'>>;

const statusByRefundStatus = { requested: 'doing', confirmed: 'withdrawable', done: 'done', canceled: 'canceled' } as const;

export function changeFromRefund(row: Withdrawal, refund: Refund): WithdrawalChange {
  if (refund.status === 'none') return {};
  const confirmHash = refund.status === 'requested' && row.status !== 'doing' ? { confirmHash: null } : {};
  return { status: statusByRefundStatus[refund.status], coolsUntil: toDate(refund.endAt), ...confirmHash };
}

/** Keeps nonce, hash and cancellation, because the deposit may have another withdrawal. */
export const clearMissingRefund = (row: Withdrawal): WithdrawalChange =>
  row.status === 'canceled' ? {} : { status: 'gone', coolsUntil: null, confirmHash: null };

/** Locks the row, and updates deposit and audit. True: the row has this state now. */
export async function applyRefundState(
  services: Services,
  queries: Queries,
  id: string,
  changeOf: (row: Withdrawal) => WithdrawalChange | null,
): Promise<boolean> {
  const presentState = withdrawalState(services);
  const now = new Date(services.now());
  try {
    return await queries.transaction(async (tx) => {
      const [previousRow] = await tx.select().from(withdrawals).where(eq(withdrawals.id, id)).for('update');
      const change = previousRow ? changeOf(previousRow) : null;
      if (!previousRow || !change) return false;
      if (!hasNewValue(previousRow, change)) return true;
      const [updatedRow] = await tx
        .update(withdrawals)
        .set({ ...change, version: sql`${withdrawals.version} + 1`, updatedAt: now })
        .where(eq(withdrawals.id, id))
        .returning();
      if (!updatedRow) return false;
      const isNotCanceled = updatedRow.status !== 'canceled';
      if (isNotCanceled !== (previousRow.status !== 'canceled'))
        await tx
          .update(deposits)
          .set({ withdrawStatus: isNotCanceled ? 'requested' : 'default', version: sql`${deposits.version} + 1`, updatedAt: now })
          .where(eq(deposits.id, updatedRow.depositId));
      await recordSystemAudit(tx, services, {
        entity: 'withdrawal',
        id,
        action: updatedRow.status === previousRow.status ? 'seen' : updatedRow.status,
        before: presentState(previousRow),
        after: presentState(updatedRow),
      });
      return true;
    });
  } catch (error) {
    // The deposit has another open withdrawal, or another row has the nonce.
    if (getDatabaseErrorCode(error) !== '23505') throw error;
    services.log.warn({ withdrawal: id }, 'could not update a withdrawal from the bridge');
    return false;
  }
}

const hasNewValue = (row: Withdrawal, change: WithdrawalChange): boolean =>
  Object.entries(change).some(([name, value]) => {
    const previousValue = row[name as keyof WithdrawalChange];
    return (
      (previousValue instanceof Date ? previousValue.getTime() : previousValue) !==
      (value instanceof Date ? value.getTime() : value)
    );
  });
