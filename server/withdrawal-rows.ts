import type { WithdrawalRow } from '../api/withdrawals.ts';
import { perServer, type Services } from './platform/context.ts';
import type { withdrawals } from './tables.ts';

export type Withdrawal = typeof withdrawals.$inferSelect;

/** How far the chain's clock is from this server's, milliseconds. */
const skewOf = perServer(() => ({ ms: 0 }));
/** Between two blocks a chain's clock stands: what is less than this is no difference. */
const usualMs = 60_000;

/** Takes note of the newest block's time (unix seconds). */
export function setChainTime(services: Services, seconds: bigint): void {
  const ms = Number(seconds) * 1000 - services.now();
  skewOf(services).ms = Math.abs(ms) < usualMs ? 0 : ms;
}

/** A moment of the chain's clock as this server's shows it. */
export const serverTime = (services: Services, at: Date): string => new Date(at.getTime() - skewOf(services).ms).toISOString();

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
