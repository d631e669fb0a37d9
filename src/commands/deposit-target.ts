import type { DepositRow } from '../../api/deposits.ts';
import { plainAmount } from '../lib/amount.ts';
import type { Target } from '../lib/scope.ts';

/** A deposit as commands aim at it, by its amount and where it is on Bitcoin. */
export const depositTarget = (row: DepositRow): Target<'deposits'> => ({
  entity: 'deposits',
  id: row.id,
  version: row.version,
  name: `${plainAmount(BigInt(row.amount), 8)} BTC · ${row.txid}:${row.vout}`,
  row,
});
