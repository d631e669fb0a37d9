import { statisticsNames } from '../../../api/statistics/names.ts';
import { chartOnScreen, type ChartOnScreen } from '../../lib/ui/chart/charts.ts';
import { datedName, saveFile } from '../../lib/net/download.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { tableCsv } from '../../lib/ui/chart/data.ts';
import { changeChartQuery } from '../../lib/ui/chart/query.ts';
import { defineCommand, no, none, type Blocked, type Done } from '../engine/define.ts';
import { choice, params } from '../engine/fields.ts';

addNames(statisticsNames);

const onChart =
  (fits: (chart: ChartOnScreen) => true | Blocked = () => true) =>
  () => {
    const chart = chartOnScreen();
    return chart ? fits(chart) : no('chart.none');
  };

export const charts = [
  defineCommand({
    id: 'chart.table',
    permission: 'anyone',
    icon: 'rows-3',
    place: 'list',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    keys: ['shift+t'],
    when: onChart(),
    run: () => changeChartQuery(({ table }) => ({ table: !table })),
    done: (): Done => ({ toast: null }),
  }),
  defineCommand({
    id: 'chart.unit',
    permission: 'anyone',
    icon: 'layers',
    place: 'list',
    target: none,
    params: params(() => import('./schemas.ts').then(({ unitSchema }) => unitSchema), {
      unit: choice('chart.unit', [
        { value: 'day', label: 'chart.unitName.day' },
        { value: 'week', label: 'chart.unitName.week' },
        { value: 'month', label: 'chart.unitName.month' },
      ]),
    }),
    danger: 'none',
    passing: true,
    keys: ['shift+u'],
    when: onChart(({ hasUnits }) => hasUnits || no('chart.noUnits')),
    run: ({ params: { unit } }) => changeChartQuery(() => ({ unit })),
    done: (): Done => ({ toast: null }),
  }),
  defineCommand({
    id: 'chart.compare',
    permission: 'anyone',
    icon: 'history',
    place: 'list',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    keys: ['shift+b'],
    when: onChart(({ canCompare }) => canCompare || no('chart.noComparison')),
    run: () => changeChartQuery(({ compare }) => ({ compare: !compare })),
    done: (): Done => ({ toast: null }),
  }),
  defineCommand({
    id: 'chart.saveCsv',
    permission: 'anyone',
    icon: 'download',
    place: 'list',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    expert: true,
    keys: ['shift+v'],
    when: onChart((chart) => (chart.table() ? true : no('chart.noValues'))),
    run: () => {
      const chart = chartOnScreen();
      const table = chart?.table();
      if (!chart || !table) throw new Error('the chart is no longer on screen');
      saveFile(new Blob([tableCsv(table)], { type: 'text/csv' }), datedName(chart.name, 'csv'));
    },
    done: (): Done => ({ toast: { key: 'chart.saved' } }),
  }),
];
