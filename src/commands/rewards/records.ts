import type { AirdropRow } from '../../../api/rewards/airdrops.ts';
import type { BalanceRow, PointsRow } from '../../../api/rewards/points.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';
import { grouped, signed } from './berries.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    airdrops: AirdropRow;
    balances: BalanceRow;
    points: PointsRow;
  }
}

export const airdropTarget = targetOf('airdrops', ({ address }) => address);
export const balanceTarget = targetOf('balances', ({ address }) => address);
export const pointsTarget = targetOf('points', ({ address, berries }) => `${address} ${signed(berries)}`);

export const records = {
  balances: {
    target: balanceTarget,
    place: '/points',
    read: ({ points }, addresses) => points.balancesOf({ addresses }),
    open: 'balances.open',
    by: ['address'],
    find: async ({ points }, address) => (await points.balances({ ...newest, sort: 'updatedAt', filter: { address } })).rows,
    note: ({ berries }) => grouped(berries),
  },
  airdrops: {
    target: airdropTarget,
    place: '/NFTAirdrop',
    read: ({ airdrops }, ids) => airdrops.many({ ids }),
    open: 'airdrops.open',
    by: ['address', 'id'],
    find: async ({ airdrops }, address) => (await airdrops.list({ ...newest, filter: { address } })).rows,
    note: ({ stage, nftLevel }) => `${stage} · ${nftLevel}`,
    restored: {
      as: 'airdrop',
      by: 'airdrops.restore',
      read: ({ airdrops }, ids, options) => airdrops.versions({ ids }, options),
    },
  },
  points: {
    target: pointsTarget,
    place: '/points',
    read: ({ points }, ids) => points.many({ ids }),
    open: 'points.open',
    by: ['id'],
  },
} as const satisfies RecordKinds;
