import type {
  DrawRow,
  PositionStatRow,
  TeamRow,
  VaultRow,
  VisitRow,
  WalletConnectionRow,
} from '../../../api/statistics/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    draws: DrawRow;
    positionStats: PositionStatRow;
    teams: TeamRow;
    vaults: VaultRow;
    visits: VisitRow;
    walletConnections: WalletConnectionRow;
  }
}

export const visitTarget = targetOf('visits', ({ page, at }) => `${page} ${formatTime(at)}`);
export const walletConnectionTarget = targetOf('walletConnections', ({ address }) => address);
export const vaultTarget = targetOf('vaults', ({ vaultId }) => vaultId);
export const positionStatTarget = targetOf('positionStats', ({ positionId }) => positionId);
export const teamTarget = targetOf('teams', ({ captain }) => captain);
export const drawTarget = targetOf('draws', ({ captain, time }) => `${captain} ${formatTime(time)}`);

export const records = {
  teams: {
    target: teamTarget,
    place: '/statistics/datacaptain',
    read: ({ teams }, ids) => teams.many({ ids }),
    open: 'teams.open',
    by: ['wholeAddress', 'id'],
    find: async ({ teams }, address) => (await teams.list({ ...newest, sort: 'updatedAt', filter: { address } })).rows,
  },
  walletConnections: {
    target: walletConnectionTarget,
    place: '/statistics/dataWallet',
    read: ({ walletConnections }, ids) => walletConnections.many({ ids }),
    open: 'walletConnections.open',
    by: ['wholeAddress', 'id'],
    find: async ({ walletConnections }, address) =>
      (await walletConnections.list({ ...newest, sort: 'lastAt', filter: { address } })).rows,
  },
  draws: {
    target: drawTarget,
    place: '/statistics/data0penBox',
    read: ({ draws }, ids) => draws.many({ ids }),
    open: 'draws.open',
    by: ['id'],
  },
  visits: {
    target: visitTarget,
    place: '/statistics/dataView',
    read: ({ visits }, ids) => visits.many({ ids }),
    open: 'visits.open',
    by: ['id'],
  },
  vaults: {
    target: vaultTarget,
    place: '/statistics/dataVault',
    read: ({ vaults }, ids) => vaults.many({ ids }),
    open: 'vaults.open',
    by: ['wholeAddress'],
    find: async ({ vaults }, address) => (await vaults.list({ ...newest, filter: { address } })).rows,
  },
  positionStats: {
    target: positionStatTarget,
    place: '/statistics/dataCdp',
    read: ({ positionStats }, ids) => positionStats.many({ ids }),
  },
} as const satisfies RecordKinds;
