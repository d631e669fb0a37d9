import type { ImportRow } from '../../../api/imports/contract.ts';
import type { RecordKinds } from '../engine/resource.ts';
import { importTargets } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    airdropsImports: ImportRow;
    pointsImports: ImportRow;
    teamsImports: ImportRow;
    drawsImports: ImportRow;
  }
}

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
