import { statisticsNames } from '../../../api/statistics/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { overviewShape } from './overview-figures.ts';
import { defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { currentQueryOf, saveExport } from '../engine/export.ts';

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
    id: 'overview.export',
    permission: 'overview.export',
    icon: 'download',
    place,
    target: noTarget,
    params: null,
    danger: 'none',
    keys: ['shift+e'],
    run: ({ api }) => saveExport('overview', '/overview/export', () => api.overview.export(currentQueryOf(place, overviewShape))),
    done: ({ rows }): CommandResult => ({ toast: { key: 'overview.exported', values: { count: rows } } }),
  }),
];
