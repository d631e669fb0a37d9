import type { DepositRow, MintRuleRow } from '../../../api/deposits/contract.ts';
import { formatUnits } from '../../../api/money.ts';
import type { Target } from '../../lib/scope.ts';

/** A deposit as commands aim at it, by its amount and where it is on Bitcoin. */
export const depositTarget = (row: DepositRow): Target<'deposits'> => ({
  entity: 'deposits',
  id: row.id,
  version: row.version,
  name: `${formatUnits(BigInt(row.amount), 8)} BTC · ${row.txid}:${row.vout}`,
  row,
});

/** A mint rule by the amounts it is for. */
export const mintRuleTarget = (row: MintRuleRow): Target<'mintRules'> => ({
  entity: 'mintRules',
  id: row.id,
  version: row.version,
  name: row.below === null ? `≥ ${btc(row.from)} BTC` : `${btc(row.from)} – ${btc(row.below)} BTC`,
  row,
});

const btc = (satoshi: string) => formatUnits(BigInt(satoshi), 8);
