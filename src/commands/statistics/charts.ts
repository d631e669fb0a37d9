import { statisticsNames } from '../../../api/statistics/names.ts';
import { chartOnScreen, type ChartOnScreen } from '../../lib/ui/chart/charts.ts';
import { datedName, saveFile } from '../../lib/net/download.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { tableCsv } from '../../lib/ui/chart/data.ts';
import { changeChartQuery } from '../../lib/ui/chart/query.ts';
import { defineCommand, blockedBecause, noTarget, type BlockReason, type CommandResult } from '../engine/define.ts';
import { choiceField, paramSpec } from '../engine/fields.ts';

addNames(statisticsNames);

const chartCommand =
  (checkChart: (chart: ChartOnScreen) => true | BlockReason = () => true) =>
  () => {
    const chart = chartOnScreen();
    return chart ? checkChart(chart) : blockedBecause('chart.none');
  };

export const charts = [
  defineCommand({
    id: 'chart.table',
    permission: 'anyone',
    icon: 'rows-3',
    place: 'list',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+t'],
    when: chartCommand(),
    run: () => changeChartQuery(({ table }) => ({ table: !table })),
    done: (): CommandResult => ({ toast: null }),
  }),
  defineCommand({
    id: 'chart.unit',
    permission: 'anyone',
    icon: 'layers',
    place: 'list',
    target: noTarget,
    params: paramSpec(() => import('./schemas.ts').then(({ unitSchema }) => unitSchema), {
      unit: choiceField('chart.unit', [
        { value: 'day', label: 'chart.unitName.day' },
        { value: 'week', label: 'chart.unitName.week' },
        { value: 'month', label: 'chart.unitName.month' },
      ]),
    }),
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+u'],
    when: chartCommand(({ hasUnits }) => hasUnits || blockedBecause('chart.noUnits')),
    run: ({ params: { unit } }) => changeChartQuery(() => ({ unit })),
    done: (): CommandResult => ({ toast: null }),
  }),
  defineCommand({
    id: 'chart.compare',
    permission: 'anyone',
    icon: 'history',
    place: 'list',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+b'],
    when: chartCommand(({ canCompare }) => canCompare || blockedBecause('chart.noComparison')),
    run: () => changeChartQuery(({ compare }) => ({ compare: !compare })),
    done: (): CommandResult => ({ toast: null }),
  }),
  defineCommand({
    id: 'chart.saveCsv',
    permission: 'anyone',
    icon: 'download',
    place: 'list',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    expert: true,
    keys: ['shift+v'],
    when: chartCommand((chart) => (chart.table() ? true : blockedBecause('chart.noValues'))),
    run: () => {
      const chart = chartOnScreen();
      const table = chart?.table();
      if (!chart || !table) throw new Error('the chart is no longer on screen');
      saveFile(new Blob([tableCsv(table)], { type: 'text/csv' }), datedName(chart.name, 'csv'));
    },
    done: (): CommandResult => ({ toast: { key: 'chart.saved' } }),
  }),
];
