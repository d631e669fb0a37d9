import { tMaybe } from '../../lib/i18n/i18n.ts';
import { exported, type RecordedFields } from '../../lib/ui/record/fields.ts';
import { shapes } from './filters.ts';
import { overviewShape } from './overview-figures.ts';

const positionSort = (sort: string) => tMaybe(`statistics.field.${sort === 'createdAt' ? 'openedAt' : sort}`);

export const recorded = {
  visitsExport: exported(shapes.visits.filters, 'statistics.field'),
  'wallet-connectionsExport': exported(shapes.walletConnections.filters, 'statistics.field'),
  vaultsExport: exported(shapes.vaults.filters, positionSort),
  positionsExport: exported(shapes.positionStats.filters, positionSort),
  teamsExport: exported(shapes.teams.filters, 'statistics.field'),
  drawsExport: exported(shapes.draws.filters, 'statistics.field'),
  overviewExport: exported(overviewShape.filters, 'overview.field'),
} as const satisfies RecordedFields;
