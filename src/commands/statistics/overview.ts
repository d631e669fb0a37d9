import { statisticsNames } from '../../../api/statistics/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { overviewShape } from './overview-figures.ts';
import { defineCommand, none, type Done } from '../engine/define.ts';
import { askedAt, saveExport } from '../engine/export.ts';

addNames(statisticsNames);

const place = '/overview';

export const overview = [
  defineCommand({
    id: 'overview.refresh',
    permission: place,
    icon: 'refresh-cw',
    place,
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    keys: ['shift+r'],
    run: () => {},
    done: (): Done => ({ stale: ['overview'], toast: { key: 'overview.refreshed' } }),
  }),
  defineCommand({
    id: 'overview.export',
    permission: 'overview.export',
    icon: 'download',
    place,
    target: none,
    params: null,
    danger: 'none',
    keys: ['shift+e'],
    run: ({ api }) => saveExport('overview', '/overview/export', () => api.overview.export(askedAt(place, overviewShape))),
    done: ({ rows }): Done => ({ toast: { key: 'overview.exported', values: { count: rows } } }),
  }),
];
