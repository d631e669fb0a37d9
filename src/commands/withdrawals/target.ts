import { formatBtc } from '../../../api/money.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import type { Target } from '../../lib/scope.ts';

/** A withdrawal as commands aim at it. */
export const withdrawalTarget = (row: WithdrawalRow): Target<'withdrawals'> => ({
  entity: 'withdrawals',
  id: row.id,
  version: row.version,
  name: `${formatBtc(BigInt(row.amount))} BTC → ${row.receiver}`,
  row,
});
