import { tMaybe } from '../../lib/i18n/i18n.ts';
import { exportFields, type RecordedFields } from '../../lib/ui/record/fields.ts';
import { statisticsShapes } from './filters.ts';
import { overviewShape } from './overview-figures.ts';

const positionSortText = (sort: string) => tMaybe(`statistics.field.${sort === 'createdAt' ? 'openedAt' : sort}`);

export const recorded = {
  visitsExport: exportFields(statisticsShapes.visits.filters, 'statistics.field'),
  'wallet-connectionsExport': exportFields(statisticsShapes.walletConnections.filters, 'statistics.field'),
  vaultsExport: exportFields(statisticsShapes.vaults.filters, positionSortText),
  positionsExport: exportFields(statisticsShapes.positionStats.filters, positionSortText),
  teamsExport: exportFields(statisticsShapes.teams.filters, 'statistics.field'),
  drawsExport: exportFields(statisticsShapes.draws.filters, 'statistics.field'),
  overviewExport: exportFields(overviewShape.filters, 'overview.field'),
} as const satisfies RecordedFields;
