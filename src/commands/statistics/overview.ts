import { statisticsNames } from '../../../api/statistics/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { overviewShape } from './overview-figures.ts';
import { defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { currentQueryOf, exportCommand, saveExport } from '../engine/export.ts';

addNames(statisticsNames);

const place = '/overview';

export const overview = [
  defineCommand({
    id: 'overview.refresh',
    permission: place,
    icon: 'refresh-cw',
    place,
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
    place,
    run: ({ api, params }) => saveExport(() => api.overview.export({ ...currentQueryOf(place, overviewShape), ...params })),
  }),
];
