import type {
  DrawRow,
  PositionStatRow,
  TeamRow,
  VaultRow,
  VisitRow,
  WalletConnectionRow,
} from '../../../api/statistics/contract.ts';
import { formatTime } from '../../lib/format.ts';
import type { Target } from '../../lib/scope.ts';

// Nothing of statistics is changed by hand, so every row has one version.

export const visitTarget = (row: VisitRow): Target<'visits'> => ({
  entity: 'visits',
  id: row.id,
  version: 1,
  name: `${row.page} ${formatTime(row.at)}`,
  row,
});
export const walletConnectionTarget = (row: WalletConnectionRow): Target<'walletConnections'> => ({
  entity: 'walletConnections',
  id: row.id,
  version: 1,
  name: row.address,
  row,
});
export const vaultTarget = (row: VaultRow): Target<'vaults'> => ({
  entity: 'vaults',
  id: row.id,
  version: 1,
  name: row.vaultId,
  row,
});
export const positionStatTarget = (row: PositionStatRow): Target<'positionStats'> => ({
  entity: 'positionStats',
  id: row.id,
  version: 1,
  name: row.positionId,
  row,
});
export const teamTarget = (row: TeamRow): Target<'teams'> => ({
  entity: 'teams',
  id: row.id,
  version: 1,
  name: row.captain,
  row,
});
export const drawTarget = (row: DrawRow): Target<'draws'> => ({
  entity: 'draws',
  id: row.id,
  version: 1,
  name: `${row.captain} ${formatTime(row.time)}`,
  row,
});

/** Whose row it is; null: a visit of nobody known. */
export function addressOf(target: Target): string | null {
  const { entity } = target;
  if (entity === 'visits' || entity === 'walletConnections' || entity === 'positionStats') return target.row.address;
  if (entity === 'teams' || entity === 'draws') return target.row.captain;
  return entity === 'vaults' ? target.row.owner : null;
}
