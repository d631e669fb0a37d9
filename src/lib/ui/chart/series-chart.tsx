import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../i18n/i18n.ts';
import { createChunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { FailedChunk } from '../failed-part.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { changeText, figureText, periodText, periodTotals, seriesTable, seriesText, type SeriesData } from './data.ts';
import { useColorsVersion } from './chart-colors.ts';
import type { Plot } from './plot.ts';
import type { ChartUnit } from './query.ts';

const plotChunk = createChunk(() => import('./plot.ts'));
/** Leaves at least half the window to the rows below. */
const height = Math.round(Math.min(260, Math.max(140, innerHeight / 5)));

interface SeriesChartProps {
  /** File name: 'overview-bridgeBtc'. */
  name: string;
  title: string;
  /** Null while loading. A new object is drawn again. */
  data: SeriesData | null;
  /** The requested unit, because the drawn one may be coarser. */
  unit?: ChartUnit | undefined;
  shape?: 'line' | 'bars';
  isTable: boolean;
  canCompare: boolean;
  hasUnits?: boolean;
  tools?: ReactNode;
  error?: unknown;
  retry?: () => void;
}

/** Drawn by uPlot, described in words, read with the arrow keys, and shown as a table. */
export function SeriesChart(props: SeriesChartProps) {
  const { name, title, data, unit, shape = 'line', isTable, canCompare, hasUnits = true, tools, error, retry } = props;
  const table = useMemo(() => data && seriesTable(data), [data]);
  const isEmpty = data !== null && data.series.every(({ values }) => values.every((value) => value === null));
  const chartFrame = (
    <ChartFrame
      title={title}
      isTable={isTable}
      isEmpty={isEmpty}
      tools={tools}
      error={error}
      {...(retry ? { retry } : {})}
      chart={{
        name,
        hasUnits,
        canCompare,
        table: () => table,
      }}
    >
      {data && <RenderedChart title={title} data={data} shape={shape} />}
    </ChartFrame>
  );
  return (
    <>
      {chartFrame}
      {data && unit && data.unit !== unit && data.unit !== 'day' && (
        <p role="status" className="text-meta text-2">
          {t(`chart.coarser.${data.unit}`)}
        </p>
      )}
    </>
  );
}

function RenderedChart({ title, data, shape }: { title: string; data: SeriesData; shape: 'line' | 'bars' }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  /** Cursor and days of the previous drawing. */
  const previousState = useRef<{ pointed: number | null; labels: string }>({ pointed: null, labels: '' });
  const announcementId = useId();
  const colorsVersion = useColorsVersion();
  const [pointIndex, setPointIndex] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const plotState = useChunk(plotChunk, true);
  const plotModule = plotState.value;

  useEffect(() => {
    const element = host.current;
    if (!element || !plotModule) return;
    const isRtl = getComputedStyle(element).direction === 'rtl';
    // Keeps the point under a resting pointer, or the same day, after drawing again.
    const isPointerKept = element.matches(':hover') || data.labels.join() === previousState.current.labels;
    const initialPoint = isPointerKept ? previousState.current.pointed : null;
    const drawnPlot = plotModule.drawPlot(
      element,
      { data, shape, width: element.clientWidth, height, isRtl, pointed: initialPoint },
      setPointIndex,
    );
    plot.current = drawnPlot;
    if (initialPoint === null) setPointIndex(null);
    const observer = new ResizeObserver(() => drawnPlot.resize(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      previousState.current = { pointed: drawnPlot.pointed(), labels: data.labels.join() };
      drawnPlot.destroy();
      plot.current = null;
    };
  }, [plotModule, data, shape, colorsVersion]);

  const lastIndex = data.labels.length - 1;
  const currentIndex = Math.min(pointIndex ?? lastIndex, lastIndex);
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const forwardKey = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backwardKey = forwardKey === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const targetsByKey: Record<string, number> = {
      [forwardKey]: pointIndex === null ? 0 : currentIndex + 1,
      [backwardKey]: pointIndex === null ? lastIndex : currentIndex - 1,
      PageDown: currentIndex + 10,
      PageUp: currentIndex - 10,
      Home: 0,
      End: lastIndex,
    };
    const target = targetsByKey[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const targetIndex = Math.max(0, Math.min(lastIndex, target));
    plot.current?.point(targetIndex);
    setPointIndex(targetIndex);
    setAnnouncement(pointText(data, targetIndex));
  }
  if (plotState.error) return <FailedChunk {...plotState} />;
  return (
    <>
      <PeriodTotals data={data} />
      <Readout data={data} at={currentIndex} />
      <div
        ref={host}
        role="application"
        aria-roledescription={t('chart.role')}
        aria-label={title}
        aria-describedby={announcementId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-point={pointIndex ?? undefined}
        className="min-w-0 overflow-hidden rounded-control"
        style={{ height }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          plot.current?.point(null);
          setPointIndex(null);
        }}
      />
      <p id={announcementId} className="sr-only">
        {seriesText(data)} {t('chart.keys')}
      </p>
      <p role="status" className="sr-only" data-chart-said>
        {announcement}
      </p>
    </>
  );
}

/** One point in words. */
function pointText({ unit, labels, beforeLabels, series }: SeriesData, pointIndex: number): string {
  const values = series.map(({ name, measure, values: currentValues, before }) => {
    const value = figureText(currentValues[pointIndex] ?? null, measure);
    const label = beforeLabels?.[pointIndex] ?? null;
    if (!before || label === null) return t('chart.words.value', { name, value });
    return t('chart.words.before', {
      name,
      value,
      label: periodText(label, unit),
      before: figureText(before[pointIndex] ?? null, measure),
    });
  });
  return t('chart.words.point', { label: periodText(labels[pointIndex] ?? '', unit), values: values.join(' · ') });
}

/** The same colors as in chart-colors.ts. */
const seriesClasses = ['bg-accent-text', 'bg-ok-icon', 'bg-warn-icon', 'bg-bad-icon'];

/** Totals of both periods, for values that add up. */
const PeriodTotals = ({ data: { series } }: { data: SeriesData }) =>
  series.map((chartSeries) => {
    const totals = periodTotals(chartSeries);
    if (!totals) return null;
    const { now, then } = totals;
    return (
      <dl
        key={chartSeries.id}
        data-period-totals
        className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-body tabular-nums"
      >
        <PeriodTotal name={t('chart.total')} value={figureText(now, chartSeries.measure)} />
        <PeriodTotal name={t('chart.before')} value={figureText(then, chartSeries.measure)} />
        <PeriodTotal name={t('chart.totalChange')} value={changeText(now, then, chartSeries.measure) ?? '—'} />
      </dl>
    );
  });

const PeriodTotal = ({ name, value }: { name: string; value: string }) => (
  <div className="flex items-baseline gap-1.5">
    <dt className="text-2">{name}</dt>
    <dd dir="ltr" className="font-medium">
      {value}
    </dd>
  </div>
);

/** The pointed value, else the last one. */
function Readout({ data: { unit, labels, beforeLabels, series }, at: pointIndex }: { data: SeriesData; at: number }) {
  return (
    <div className="flex min-h-5 flex-wrap items-baseline gap-x-5 gap-y-1 text-body tabular-nums" data-readout aria-hidden="true">
      <span className="text-2">{periodText(labels[pointIndex] ?? '', unit)}</span>
      {series.map(({ id, name, measure, values, before }, index) => {
        const value = values[pointIndex] ?? null;
        const previousValue = before?.[pointIndex] ?? null;
        const label = beforeLabels?.[pointIndex] ?? null;
        return (
          <span key={id} className="flex flex-wrap items-baseline gap-x-3">
            <span className="flex items-baseline gap-1.5">
              <span className={`h-0.5 w-3 self-center rounded-full ${seriesClasses[index % seriesClasses.length] ?? ''}`} />
              <span className="text-2">{name}</span>
              <span dir="ltr" className="font-medium" data-value>
                {figureText(value, measure)}
              </span>
            </span>
            {before && (
              <span className="flex flex-wrap items-baseline gap-x-1.5 text-2">
                <span className="w-3 self-center border-t-2 border-dashed border-control" />
                <span>{t('chart.before')}</span>
                {label !== null && <span>{periodText(label, unit)}</span>}
                <span dir="ltr" data-before>
                  {figureText(previousValue, measure)}
                </span>
                <span dir="ltr">{changeText(value, previousValue, measure)}</span>
              </span>
            )}
          </span>
        );
      })}
    </div>
  );
}
