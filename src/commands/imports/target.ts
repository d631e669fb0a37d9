import type { ImportKind, ImportRow } from '../../../api/imports/contract.ts';
import type { Target } from '../../lib/scope.ts';

/** An import as commands aim at it. */
const targetOf = {
  airdrops: (row: ImportRow): Target<'airdropsImports'> => ({
    entity: 'airdropsImports',
    id: row.id,
    version: row.version,
    name: row.name,
    row,
  }),
  points: (row: ImportRow): Target<'pointsImports'> => ({
    entity: 'pointsImports',
    id: row.id,
    version: row.version,
    name: row.name,
    row,
  }),
  teams: (row: ImportRow): Target<'teamsImports'> => ({
    entity: 'teamsImports',
    id: row.id,
    version: row.version,
    name: row.name,
    row,
  }),
  draws: (row: ImportRow): Target<'drawsImports'> => ({
    entity: 'drawsImports',
    id: row.id,
    version: row.version,
    name: row.name,
    row,
  }),
};

export const importTarget = <K extends ImportKind>(kind: K): (typeof targetOf)[K] => targetOf[kind];

/** The lists an import changes. */
export const changedBy: Readonly<Record<ImportKind, readonly string[]>> = {
  airdrops: ['airdrops'],
  points: ['points', 'balances'],
  teams: ['teams'],
  draws: ['draws'],
};
