import { statisticsNames } from '../../../api/statistics/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { overviewShape } from './overview-figures.ts';
import { defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { currentQueryOf, exportCommand, saveExport } from '../engine/export.ts';

addNames(statisticsNames);

const screenPath = '/overview';

export const overview = [
  defineCommand({
    id: 'overview.refresh',
    permission: screenPath,
    icon: 'refresh-cw',
    place: screenPath,
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+r'],
    run: () => {},
    done: (): CommandResult => ({ stale: ['overview'], toast: { key: 'overview.refreshed' } }),
  }),
  defineCommand({
    ...exportCommand,
    id: 'overview.export',
    permission: 'overview.export',
    place: screenPath,
    run: ({ api, params }) => saveExport(() => api.overview.export({ ...currentQueryOf(screenPath, overviewShape), ...params })),
  }),
];
