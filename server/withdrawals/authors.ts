import { inArray } from 'drizzle-orm';
import type { Queries } from '../platform/db/db.ts';
import { withdrawals, type Withdrawal } from './tables.ts';

/** By deposit, ids of everyone who recorded one of its withdrawals. */
export async function readWithdrawalAuthors(
  queries: Queries,
  rows: readonly Pick<Withdrawal, 'depositId'>[],
): Promise<(row: Pick<Withdrawal, 'depositId'>) => ReadonlySet<string>> {
  const depositIds = [...new Set(rows.map(({ depositId }) => depositId))];
  const earlierWithdrawals =
    depositIds.length === 0
      ? []
      : await queries
          .select({ depositId: withdrawals.depositId, createdBy: withdrawals.createdBy })
          .from(withdrawals)
          .where(inArray(withdrawals.depositId, depositIds));
  return ({ depositId }) =>
    new Set(
      earlierWithdrawals.flatMap((withdrawal) =>
        withdrawal.depositId === depositId && withdrawal.createdBy !== null ? [withdrawal.createdBy] : [],
      ),
    );
}
