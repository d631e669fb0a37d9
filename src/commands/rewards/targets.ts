import type { AirdropRow } from '../../../api/rewards/airdrops.ts';
import type { BalanceRow, PointsRow } from '../../../api/rewards/points.ts';
import { groupDigits } from '../../lib/format.ts';
import { locale } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';

/** Berries as reviews name them: grouped, with their sign. */
export const signed = (berries: string): string => `${berries.startsWith('-') ? '−' : '+'}${grouped(berries.replace('-', ''))}`;
export const grouped = (berries: string): string => groupDigits(BigInt(berries), locale());

/** An entry never changes, so it has one version. */
export const pointsTarget = (row: PointsRow): Target<'points'> => ({
  entity: 'points',
  id: row.id,
  version: 1,
  name: `${row.address} ${signed(row.berries)}`,
  row,
});

export const balanceTarget = (row: BalanceRow): Target<'balances'> => ({
  entity: 'balances',
  id: row.id,
  version: 1,
  name: row.address,
  row,
});

export const airdropTarget = (row: AirdropRow): Target<'airdrops'> => ({
  entity: 'airdrops',
  id: row.id,
  version: row.version,
  name: row.address,
  row,
});
