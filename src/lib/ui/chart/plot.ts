import './browser-language.ts';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { locale } from '../../i18n/i18n.ts';
import { axisPx, barShare, canDrawBars, barPadding } from './bar-layout.ts';
import { toPlotValue, shortLabel, type SeriesData } from './data.ts';
import { readFontFamily, chartColors, type ChartColors } from './chart-colors.ts';

// Everything that knows uPlot, so that it loads only when a chart is drawn. Positions are rounded,
// texts are exact.

interface PlotOptions {
  data: SeriesData;
  shape: 'line' | 'bars';
  width: number;
  height: number;
  isRtl: boolean;
}

export interface Plot {
  /** Null removes the cursor. */
  point: (index: number | null) => void;
  /** Pixels from the left of the plot. Null: no cursor. */
  pointed: () => number | null;
  resize: (width: number) => void;
  destroy: () => void;
}

/** `pointed`: cursor position of the previous drawing. */
export function drawPlot(
  host: HTMLElement,
  options: PlotOptions & { pointed: number | null },
  onPoint: (index: number | null) => void,
): Plot {
  let isProgrammatic = false; // `point` moves the cursor without a report
  const createPlot = (width: number, pointed: number | null) =>
    new uPlot(
      {
        ...createOptions({ ...options, width }),
        hooks: {
          setCursor: [({ cursor }) => isProgrammatic || onPoint(cursor.idx ?? null)],
          ready: [(uplot) => pointed !== null && uplot.setCursor({ left: pointed, top: 0 })],
        },
      },
      alignValues(options.data),
      host,
    );
  let { width: renderedWidth } = options;
  let plot = createPlot(renderedWidth, options.pointed);
  const readPointedIndex = () => {
    const { left = -1 } = plot.cursor;
    return left < 0 ? null : left;
  };
  return {
    point(index) {
      isProgrammatic = true;
      if (index === null) plot.setCursor({ left: -10, top: -10 });
      else plot.setCursor({ left: plot.valToPos(index, 'x'), top: 0 });
      isProgrammatic = false;
    },
    pointed: readPointedIndex,
    resize(width) {
      const isRedrawn = canDrawBars({ ...options, width }) !== canDrawBars({ ...options, width: renderedWidth });
      renderedWidth = width;
      if (!isRedrawn) return plot.setSize({ width, height: options.height });
      const pointedIndex = readPointedIndex();
      plot.destroy();
      plot = createPlot(width, pointedIndex);
    },
    destroy: () => plot.destroy(),
  };
}

const alignValues = ({ labels, series }: SeriesData): uPlot.AlignedData => [
  labels.map((_, index) => index),
  ...series.flatMap(({ measure, values, before }) => [
    ...(before ? [labels.map((_, index) => toPlotValue(before[index], measure))] : []),
    labels.map((_, index) => toPlotValue(values[index], measure)),
  ]),
];

function createOptions(options: PlotOptions): uPlot.Options {
  const { data, width, height, isRtl } = options;
  const { labels, unit, series } = data;
  const isBars = canDrawBars(options);
  const shape = isBars ? 'bars' : 'line';
  const chartInk = chartColors();
  const count = labels.length;
  const font = `12px ${readFontFamily()}`;
  const isIntegerSeries = series.every(({ measure }) => measure.places === 0);
  const compactFormat = new Intl.NumberFormat(locale(), { notation: 'compact', maximumSignificantDigits: 4 });
  const axisOptions = { stroke: chartInk.text2, font, ticks: { show: false } };
  return {
    width,
    height,
    padding: [...barPadding],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 8, fill: (_, index) => pointColor(data, chartInk, index) },
    },
    scales: {
      x: {
        time: false,
        dir: isRtl ? -1 : 1,
        range: () => (shape === 'bars' || count < 2 ? [-0.5, count - 0.5] : [0, count - 1]),
      },
      y: { range: (_, min, max) => createRange(min, max, options.shape) },
    },
    series: [
      {},
      ...series.flatMap((chartSeries, index) => [
        ...(chartSeries.before
          ? [
              {
                stroke: chartInk.text2,
                width: 1.5,
                dash: [4, 4],
                points: createPoints(chartSeries.before, chartInk.text2),
                ...(isBars ? createBarSeries(chartInk.control, 'before') : {}),
              },
            ]
          : []),
        {
          stroke: chartInk.series(index),
          width: 2,
          points: createPoints(chartSeries.values, chartInk.series(index)),
          ...(isBars ? createBarSeries(chartInk.series(index), chartSeries.before ? 'after' : 'only') : {}),
        },
      ]),
    ],
    axes: [
      {
        ...axisOptions,
        size: 28,
        gap: 8,
        grid: { show: false },
        splits: (plot) => everyNth(count, Math.ceil((count * 84) / Math.max(84, plot.bbox.width / devicePixelRatio))),
        values: (_, splits) => splits.map((index) => shortLabel(labels[index] ?? '', unit)),
      },
      {
        ...axisOptions,
        side: isRtl ? 1 : 3,
        size: axisPx,
        gap: 8,
        space: 40,
        grid: { stroke: chartInk.hairline, width: 1 },
        values: (_, splits) => splits.map((value) => compactFormat.format(value)),
        ...(isIntegerSeries ? { incrs: integerSteps } : {}),
      },
    ],
  };
}

/** Bars of the previous period are drawn next to those of the current one. */
function createBarSeries(fill: string, labelSide: 'before' | 'after' | 'only'): Partial<uPlot.Series> {
  const isOnlyLabel = labelSide === 'only';
  const paths = uPlot.paths.bars?.({
    size: isOnlyLabel ? [barShare, 48] : [barShare / 2, 24],
    align: isOnlyLabel ? 0 : labelSide === 'before' ? -1 : 1,
  });
  return { fill, width: 0, points: { show: false }, ...(paths ? { paths } : {}) };
}

const integerSteps = Array.from({ length: 60 }, (_, index) => [1, 2, 5].map((step) => step * 10 ** index)).flat();

const everyNth = (count: number, step: number): number[] =>
  Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);

/** A single value between unknown ones has no line, so it gets a dot. */
function createPoints(values: readonly (string | null)[], color: string): uPlot.Series.Points {
  const isKnown = (itemIndex: number) => (values[itemIndex] ?? null) !== null;
  const isolatedIndexes = values.flatMap((_, index) =>
    isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1) ? [index] : [],
  );
  return { show: isolatedIndexes.length > 0, filter: () => isolatedIndexes, size: 5, fill: color };
}

/** Includes zero, unless a line would then look flat. */
function createRange(min: number | null, max: number | null, shape: PlotOptions['shape']): [number, number] {
  if (min === null || max === null) return [0, 1];
  if (min === max) return min === 0 ? [0, 1] : [Math.min(0, min * 1.1), Math.max(0, max * 1.1)];
  if (shape === 'bars' || (min >= 0 && min < max * 0.6)) return [Math.min(0, min * 1.08), Math.max(0, max * 1.08)];
  const [low, high] = uPlot.rangeNum(min, max, 0.1, true);
  return [low ?? min, high ?? max];
}

/** Includes the series of the previous period. */
function pointColor({ series }: SeriesData, chartInk: ChartColors, itemIndex: number): string {
  const seriesColors = series.flatMap(({ before }, index) => [...(before ? [chartInk.text2] : []), chartInk.series(index)]);
  return seriesColors[itemIndex - 1] ?? chartInk.text2;
}
