import { overviewFilters } from '../../../api/statistics/filters.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import type { OverviewMetric } from '../../../api/statistics/overview.ts';
import type { ChartMeasure } from '../../lib/ui/chart/data.ts';

/** In the order they are shown. */
export const overviewMetricIds = ['bridgeBtc', 'mintYu', 'userCount', 'vaultBtc'] as const satisfies readonly OverviewMetric[];

export const overviewMeasures: Readonly<Record<OverviewMetric, ChartMeasure & { show: number }>> = {
  bridgeBtc: { places: 8, unit: 'BTC', show: 8 },
  mintYu: { places: 18, unit: 'YU', show: 2 },
  userCount: { places: 0, show: 0 },
  vaultBtc: { places: 18, unit: 'YBTC', show: 8 },
};

export const overviewRanges = ['30', '90', '365', 'all'] as const;
export type OverviewRange = (typeof overviewRanges)[number];

export interface OverviewQuery {
  metric: OverviewMetric;
  range: OverviewRange;
}

export function readOverviewQuery(text: string): OverviewQuery {
  const params = new URLSearchParams(text);
  return {
    metric: overviewMetricIds.find((metric) => metric === params.get('metric')) ?? 'bridgeBtc',
    range: overviewRanges.find((range) => range === params.get('range')) ?? '90',
  };
}

/** Without `?`. Keeps other parameters and leaves out defaults. */
export function writeOverviewQuery(text: string, { metric, range }: OverviewQuery): string {
  const params = new URLSearchParams(text);
  if (metric === 'bridgeBtc') params.delete('metric');
  else params.set('metric', metric);
  if (range === '90') params.delete('range');
  else params.set('range', range);
  return params.toString();
}

export const overviewShape = {
  sorts: ['day'],
  defaultSort: { by: 'day', direction: 'desc' },
  filters: createFilters(overviewFilters, { time: { label: 'overview.field.day' } }),
} as const;
