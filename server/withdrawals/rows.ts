import type { WithdrawalRow } from '../../api/withdrawals/contract.ts';
import type { Services } from '../platform/core/context.ts';
import { serverTime } from '../platform/evm/clock.ts';
import type { withdrawals } from './tables.ts';

export type Withdrawal = typeof withdrawals.$inferSelect;

/** The fields of a withdrawal that leave the server. */
export const presentWithdrawal =
  (services: Services) =>
  (row: Withdrawal): WithdrawalRow => ({
    id: row.id,
    version: row.version,
    depositId: row.depositId,
    address: row.address,
    amount: row.amount.toString(),
    receiver: row.receiver,
    txid: row.txid,
    status: row.status,
    nonce: row.nonce,
    requestHash: row.requestHash,
    confirmHash: row.confirmHash,
    coolsUntil: row.coolsUntil ? serverTime(services, row.coolsUntil) : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
