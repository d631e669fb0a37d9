import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../i18n/i18n.ts';
import { createChunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { FailedPart } from '../failed-part.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { changeText, figureText, periodText, periodTotals, seriesTable, seriesWords, type SeriesData } from './data.ts';
import { useColorsVersion } from './chart-colors.ts';
import type { Plot } from './plot.ts';
import type { ChartUnit } from './query.ts';

const plots = createChunk(() => import('./plot.ts'));
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
  const frame = (
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
      {data && <Drawn title={title} data={data} shape={shape} />}
    </ChartFrame>
  );
  return (
    <>
      {frame}
      {data && unit && data.unit !== unit && data.unit !== 'day' && (
        <p role="status" className="text-meta text-2">
          {t(`chart.coarser.${data.unit}`)}
        </p>
      )}
    </>
  );
}

function Drawn({ title, data, shape }: { title: string; data: SeriesData; shape: 'line' | 'bars' }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  /** Cursor and days of the previous drawing. */
  const left = useRef<{ pointed: number | null; labels: string }>({ pointed: null, labels: '' });
  const wordsId = useId();
  const look = useColorsVersion();
  const [at, setAt] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const part = useChunk(plots, true);
  const uplot = part.value;

  useEffect(() => {
    const element = host.current;
    if (!element || !uplot) return;
    const isRtl = getComputedStyle(element).direction === 'rtl';
    // Keeps the point under a resting pointer, or the same day, after drawing again.
    const isLookedAt = element.matches(':hover') || data.labels.join() === left.current.labels;
    const pointed = isLookedAt ? left.current.pointed : null;
    const drawing = uplot.drawPlot(element, { data, shape, width: element.clientWidth, height, isRtl, pointed }, setAt);
    plot.current = drawing;
    if (pointed === null) setAt(null);
    const observer = new ResizeObserver(() => drawing.resize(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      left.current = { pointed: drawing.pointed(), labels: data.labels.join() };
      drawing.destroy();
      plot.current = null;
    };
  }, [uplot, data, shape, look]);

  const last = data.labels.length - 1;
  const current = Math.min(at ?? last, last);
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const moves: Record<string, number> = {
      [forward]: at === null ? 0 : current + 1,
      [backward]: at === null ? last : current - 1,
      PageDown: current + 10,
      PageUp: current - 10,
      Home: 0,
      End: last,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const to = Math.max(0, Math.min(last, move));
    plot.current?.point(to);
    setAt(to);
    setSaid(pointWords(data, to));
  }
  if (part.error) return <FailedPart {...part} />;
  return (
    <>
      <Totals data={data} />
      <Readout data={data} at={current} />
      <div
        ref={host}
        role="application"
        aria-roledescription={t('chart.role')}
        aria-label={title}
        aria-describedby={wordsId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-point={at ?? undefined}
        className="min-w-0 overflow-hidden rounded-control"
        style={{ height }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          plot.current?.point(null);
          setAt(null);
        }}
      />
      <p id={wordsId} className="sr-only">
        {seriesWords(data)} {t('chart.keys')}
      </p>
      <p role="status" className="sr-only" data-chart-said>
        {said}
      </p>
    </>
  );
}

/** One point in words. */
function pointWords({ unit, labels, beforeLabels, series }: SeriesData, at: number): string {
  const values = series.map(({ name, measure, values: known, before }) => {
    const value = figureText(known[at] ?? null, measure);
    const label = beforeLabels?.[at] ?? null;
    if (!before || label === null) return t('chart.words.value', { name, value });
    return t('chart.words.before', {
      name,
      value,
      label: periodText(label, unit),
      before: figureText(before[at] ?? null, measure),
    });
  });
  return t('chart.words.point', { label: periodText(labels[at] ?? '', unit), values: values.join(' · ') });
}

/** The same colors as in ink.ts. */
const seriesClasses = ['bg-accent-text', 'bg-ok-icon', 'bg-warn-icon', 'bg-bad-icon'];

/** Totals of both periods, for values that add up. */
const Totals = ({ data: { series } }: { data: SeriesData }) =>
  series.map((one) => {
    const totals = periodTotals(one);
    if (!totals) return null;
    const { now, then } = totals;
    return (
      <dl key={one.id} data-period-totals className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-body tabular-nums">
        <PeriodTotal name={t('chart.total')} value={figureText(now, one.measure)} />
        <PeriodTotal name={t('chart.before')} value={figureText(then, one.measure)} />
        <PeriodTotal name={t('chart.totalChange')} value={changeText(now, then, one.measure) ?? '—'} />
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
function Readout({ data: { unit, labels, beforeLabels, series }, at }: { data: SeriesData; at: number }) {
  return (
    <div className="flex min-h-5 flex-wrap items-baseline gap-x-5 gap-y-1 text-body tabular-nums" data-readout aria-hidden="true">
      <span className="text-2">{periodText(labels[at] ?? '', unit)}</span>
      {series.map(({ id, name, measure, values, before }, index) => {
        const value = values[at] ?? null;
        const then = before?.[at] ?? null;
        const label = beforeLabels?.[at] ?? null;
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
                  {figureText(then, measure)}
                </span>
                <span dir="ltr">{changeText(value, then, measure)}</span>
              </span>
            )}
          </span>
        );
      })}
    </div>
  );
}
