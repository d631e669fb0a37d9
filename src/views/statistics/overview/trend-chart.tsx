import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OverviewMetric } from '../../../../api/statistics/overview.ts';
import { ChartTools } from '../../../commands/ui/controls/chart-tools.tsx';
import { api } from '../../../lib/net/client.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { overviewMeasures, overviewRanges, type OverviewRange } from '../../../commands/statistics/overview-figures.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { readWithUnit, useChartQuery } from '../../../lib/ui/chart/query.ts';
import { SeriesChart } from '../../../lib/ui/chart/series-chart.tsx';
import { Segments } from '../../../lib/ui/segments.tsx';
import { chartOf, spanOf } from './slots.ts';

interface CourseProps {
  metric: OverviewMetric;
  range: OverviewRange;
  onRange: (range: OverviewRange) => void;
}

/** A metric by day, week or month, with the previous period. */
export function TrendChart({ metric, range, onRange }: CourseProps) {
  const query = useChartQuery();
  const canCompare = range !== 'all';
  const isCompared = query.compare && canCompare;
  const { unit } = query;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    {
      queryKey: ['overview', 'series', range, unit, isCompared],
      queryFn: async ({ signal }) => {
        const span = spanOf(range === 'all' ? null : Number(range), Date.now());
        const filter = { time: `${span.from ?? ''}..${span.to}` };
        return {
          span,
          ...(await readWithUnit(unit, (requestedUnit) =>
            api.overview.series({ filter, unit: requestedUnit, compare: isCompared }, { signal }),
          )),
        };
      },
      placeholderData: keepPreviousData,
    },
    queryClient,
  );
  const chart = useMemo(() => {
    if (!data) return null;
    const { values, before, ...rest } = chartOf({ ...data, metric });
    const series = { id: metric, name: t(`overview.metric.${metric}`), measure: overviewMeasures[metric], values };
    return { ...rest, series: [before ? { ...series, before } : series] };
  }, [data, metric]);
  return (
    <section className="px-4 pb-4">
      <SeriesChart
        name={`overview-${metric}`}
        title={t(`overview.metric.${metric}`)}
        data={chart}
        unit={isPlaceholderData ? undefined : unit}
        isTable={query.table}
        canCompare={canCompare}
        error={error}
        retry={() => void refetch()}
        tools={
          <>
            <Segments
              label={t('overview.range')}
              options={overviewRanges.map((value) => ({ value, label: t(`overview.ranges.${value}`) }))}
              value={range}
              onChange={onRange}
            />
            <ChartTools query={query} canCompare={canCompare} />
          </>
        }
      />
    </section>
  );
}
