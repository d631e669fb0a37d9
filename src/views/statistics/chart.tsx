import { keepPreviousData, useQuery } from '@tanstack/react-query';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { readStored, writeStored } from '../../lib/prefs/storage.ts';
import { Button } from '../../lib/ui/button.tsx';
import { ChartTools } from '../../commands/ui/controls/chart-tools.tsx';
import { BarList } from '../../lib/ui/chart/bar-list.tsx';
import type { BarsData } from '../../lib/ui/chart/data.ts';
import { readWithUnit, useChartQuery } from '../../lib/ui/chart/query.ts';
import { SeriesChart } from '../../lib/ui/chart/series-chart.tsx';
import { AsOfNote } from './as-of.tsx';
import { barsData, seriesData, topData } from './chart-data.ts';
import type { WithAge, AnyStatistics, StatisticsFilter } from './description.ts';
import { StatisticsFigure } from './figure.tsx';

const isShownStorageKey = 'prefs.statistics.chart';
/** Collapsed at first where it would leave little room for rows. */
const readInitialVisibility = () => {
  const storedVisibility = readStored(isShownStorageKey);
  return storedVisibility === null ? innerWidth >= 768 && innerHeight >= 700 : storedVisibility === 'shown';
};

interface ChartProps {
  of: AnyStatistics;
  filter: StatisticsFilter;
}

/** Filtered rows over time, by largest values, or as a distribution. The choice is in the address. */
export function ChartPanel({ of, filter }: ChartProps) {
  const [isShown, setIsShown] = useState(readInitialVisibility);
  const { view, metric } = useChartChoices(of);
  const Chevron = isShown ? ChevronDown : ChevronRight;
  return (
    <section
      aria-label={t('statistics.chart.title')}
      data-chart-panel
      className="flex shrink-0 flex-col gap-2 border-t border-hairline px-4 py-2"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="ghost"
          icon={<Chevron size={14} aria-hidden="true" />}
          aria-expanded={isShown}
          className="-ms-2"
          onClick={() => {
            setIsShown(!isShown);
            writeStored(isShownStorageKey, isShown ? 'hidden' : 'shown');
          }}
        >
          {t(isShown ? 'statistics.chart.hide' : 'statistics.chart.show')}
        </Button>
        {isShown && (
          <>
            <ChartSelect label={t('statistics.chart.what')} param="chart" value={view} options={viewsOf(of)} />
            {!view.startsWith('bars-') && of.metrics.length > 1 && (
              <ChartSelect
                label={t('statistics.chart.metric')}
                param="metric"
                value={metric.id}
                options={of.metrics.map(({ id, label }) => ({ value: id, label: t(label) }))}
              />
            )}
          </>
        )}
      </div>
      {isShown && <SelectedChart of={of} filter={filter} />}
    </section>
  );
}

function viewsOf({ tops, bars }: AnyStatistics) {
  return [
    { value: 'series', label: t('statistics.chart.series') },
    ...tops.map(({ id, label }) => ({ value: `top-${id}`, label: t('statistics.chart.top', { by: t(label) }) })),
    ...bars.map(({ id, label, as }) => ({
      value: `bars-${id}`,
      label: as ? t('statistics.chart.bars', { of: t(label) }) : t(label),
    })),
  ];
}

/** From the address, else the first of each. */
function useChartChoices(statistics: AnyStatistics) {
  const query = new URLSearchParams(useSearch());
  const view = viewsOf(statistics).find(({ value }) => value === query.get('chart'))?.value ?? 'series';
  const metric = statistics.metrics.find(({ id }) => id === query.get('metric')) ?? statistics.metrics[0];
  if (!metric) throw new Error(`${statistics.name} has no metric`);
  return { view, metric };
}

function chooseOption(param: string, value: string, defaultValue: string): void {
  const query = new URLSearchParams(location.search);
  if (value === defaultValue) query.delete(param);
  else query.set(param, value);
  navigate(`${location.pathname}${query.size > 0 ? `?${query}` : ''}`, { replace: true });
}

interface SelectProps {
  label: string;
  param: string;
  value: string;
  options: readonly { value: string; label: string }[];
}

const ChartSelect = ({ label, param, value, options }: SelectProps) => (
  <select
    aria-label={label}
    value={value}
    className="h-control max-w-64 rounded-control max-md:min-w-0 max-md:flex-1 max-md:basis-28 border border-control bg-surface ps-2 pe-1 text-body text-1"
    onChange={({ target }) => chooseOption(param, target.value, options[0]?.value ?? '')}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);

function SelectedChart({ of, filter }: ChartProps) {
  const { view } = useChartChoices(of);
  return view === 'series' ? <SeriesPanel of={of} filter={filter} /> : <BarsChart of={of} filter={filter} />;
}

const getTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function SeriesPanel({ of, filter }: ChartProps) {
  const { metric } = useChartChoices(of);
  const query = useChartQuery();
  const { unit, compare, table } = query;
  const canCompare = !(filter['time'] ?? '..').startsWith('..');
  const seriesInput = { filter, unit, compare: compare && canCompare };
  const { data, error, refetch, isPlaceholderData } = useQuery(
    {
      queryKey: [of.name, 'series', seriesInput],
      queryFn: ({ signal }) =>
        readWithUnit(unit, (requestedUnit) =>
          of.routes.series({ ...seriesInput, unit: requestedUnit, zone: getTimeZone() }, { signal }),
        ),
      placeholderData: keepPreviousData,
    },
    queryClient,
  );
  const chartData = useMemo(() => (data ? seriesData(metric, data, data.unit) : null), [data, metric]);
  return (
    <>
      <SeriesChart
        name={`${of.name}-${metric.id}`}
        title={t(metric.label)}
        data={chartData}
        unit={isPlaceholderData ? undefined : unit}
        shape={metric.as === 'count' ? 'bars' : 'line'}
        isTable={table}
        canCompare={canCompare}
        tools={<ChartTools query={query} canCompare={canCompare} />}
        error={data ? undefined : error}
        retry={() => void refetch()}
      />
      <LateData of={data} />
    </>
  );
}

/** Shown if a lagging replica provided the data. */
const LateData = ({ of }: { of: WithAge | undefined }) =>
  of?.isLate && (
    <p role="status" data-late className="text-meta text-2">
      <AsOfNote of={of} />
    </p>
  );

const maxBars = 8;

function BarsChart({ of, filter }: ChartProps) {
  const { view, metric } = useChartChoices(of);
  const query = useChartQuery();
  const topDefinition = of.tops.find(({ id }) => view === `top-${id}`);
  const barsDefinition = of.bars.find(({ id }) => view === `bars-${id}`);
  const { data, error, refetch } = useQuery(
    {
      queryKey: [of.name, view, topDefinition ? metric.id : null, filter],
      queryFn: async ({ signal }): Promise<WithAge & { drawn: BarsData; rest: string }> => {
        if (topDefinition) {
          const topValues = await of.routes.top({ filter, by: topDefinition.id, metric: metric.id, limit: maxBars }, { signal });
          return { ...topValues, drawn: topData(topDefinition, metric, topValues) };
        }
        if (!barsDefinition) throw new Error(`${of.name} has nothing called ${view}`);
        const barsResult = await of.routes.bars({ filter, of: barsDefinition.id, zone: getTimeZone() }, { signal });
        return { ...barsResult, drawn: barsData(barsDefinition, barsResult), rest: '0' };
      },
    },
    queryClient,
  );
  const title = topDefinition
    ? t('statistics.chart.topOf', { metric: t(metric.label), by: t(topDefinition.label) })
    : barsDefinition?.as
      ? t('statistics.chart.bars', { of: t(barsDefinition.label) })
      : t(barsDefinition?.label ?? metric.label);
  return (
    <>
      <BarList
        name={`${of.name}-${view}`}
        title={title}
        data={data?.drawn ?? null}
        isTable={query.table}
        tools={<ChartTools query={query} canCompare={false} hasUnits={false} />}
        error={data ? undefined : error}
        retry={() => void refetch()}
      />
      <LateData of={data} />
      {data && data.rest !== '0' && (
        <p data-rest className="text-meta text-2">
          {t('statistics.chart.rest')} <StatisticsFigure value={data.rest} as={metric.as} unit />
        </p>
      )}
    </>
  );
}
