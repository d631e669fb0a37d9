import type { ImportRow } from '../../../api/imports/contract.ts';
import { targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    airdropsImports: ImportRow;
    pointsImports: ImportRow;
    teamsImports: ImportRow;
    drawsImports: ImportRow;
  }
}

const called = ({ name }: ImportRow) => name;

/** An import as commands aim at it, by what it brings. */
export const importTargets = {
  airdrops: targetOf('airdropsImports', called),
  points: targetOf('pointsImports', called),
  teams: targetOf('teamsImports', called),
  draws: targetOf('drawsImports', called),
} as const;

export const records = {
  airdropsImports: {
    target: importTargets.airdrops,
    place: '/NFTAirdrop',
    read: ({ airdropsImports }, ids) => airdropsImports.many({ ids }),
  },
  pointsImports: {
    target: importTargets.points,
    place: '/points',
    read: ({ pointsImports }, ids) => pointsImports.many({ ids }),
  },
  teamsImports: {
    target: importTargets.teams,
    place: '/statistics/datacaptain',
    read: ({ teamsImports }, ids) => teamsImports.many({ ids }),
  },
  drawsImports: {
    target: importTargets.draws,
    place: '/statistics/data0penBox',
    read: ({ drawsImports }, ids) => drawsImports.many({ ids }),
  },
} as const satisfies RecordKinds;
