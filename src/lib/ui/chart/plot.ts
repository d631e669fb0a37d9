import './browser-language.ts';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { locale } from '../../i18n/i18n.ts';
import { axisPx, barShare, barsFit, barPadding } from './bars-fit.ts';
import { toPlotValue, shortLabel, type SeriesData } from './data.ts';
import { fontOf, chartColors, type ChartColors } from './chart-colors.ts';

// Everything that knows uPlot, so that it loads only when a chart is drawn. Positions are rounded,
// texts are exact.

interface Asked {
  data: SeriesData;
  shape: 'line' | 'bars';
  width: number;
  height: number;
  isRtl: boolean;
}

export interface Plot {
  /** Null removes the cursor. */
  point: (at: number | null) => void;
  /** Pixels from the left of the plot. Null: no cursor. */
  pointed: () => number | null;
  resize: (width: number) => void;
  destroy: () => void;
}

/** `pointed`: cursor position of the previous drawing. */
export function drawPlot(
  host: HTMLElement,
  options: Asked & { pointed: number | null },
  onPoint: (at: number | null) => void,
): Plot {
  let isOurs = false; // `point` moves the cursor without a report
  const plotAt = (width: number, pointed: number | null) =>
    new uPlot(
      {
        ...optionsOf({ ...options, width }),
        hooks: {
          setCursor: [({ cursor }) => isOurs || onPoint(cursor.idx ?? null)],
          ready: [(ready) => pointed !== null && ready.setCursor({ left: pointed, top: 0 })],
        },
      },
      valuesOf(options.data),
      host,
    );
  let { width: drawnWidth } = options;
  let plot = plotAt(drawnWidth, options.pointed);
  const pointed = () => {
    const { left = -1 } = plot.cursor;
    return left < 0 ? null : left;
  };
  return {
    point(at) {
      isOurs = true;
      if (at === null) plot.setCursor({ left: -10, top: -10 });
      else plot.setCursor({ left: plot.valToPos(at, 'x'), top: 0 });
      isOurs = false;
    },
    pointed,
    resize(width) {
      const isRedrawn = barsFit({ ...options, width }) !== barsFit({ ...options, width: drawnWidth });
      drawnWidth = width;
      if (!isRedrawn) return plot.setSize({ width, height: options.height });
      const pointedIndex = pointed();
      plot.destroy();
      plot = plotAt(width, pointedIndex);
    },
    destroy: () => plot.destroy(),
  };
}

const valuesOf = ({ labels, series }: SeriesData): uPlot.AlignedData => [
  labels.map((_, at) => at),
  ...series.flatMap(({ measure, values, before }) => [
    ...(before ? [labels.map((_, at) => toPlotValue(before[at], measure))] : []),
    labels.map((_, at) => toPlotValue(values[at], measure)),
  ]),
];

function optionsOf(options: Asked): uPlot.Options {
  const { data, width, height, isRtl } = options;
  const { labels, unit, series } = data;
  const isBars = barsFit(options);
  const shape = isBars ? 'bars' : 'line';
  const ink = chartColors();
  const count = labels.length;
  const font = `12px ${fontOf()}`;
  const isCounted = series.every(({ measure }) => measure.places === 0);
  const compact = new Intl.NumberFormat(locale(), { notation: 'compact', maximumSignificantDigits: 4 });
  const axis = { stroke: ink.text2, font, ticks: { show: false } };
  return {
    width,
    height,
    padding: [...barPadding],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8, fill: (_, at) => colorAt(data, ink, at) } },
    scales: {
      x: {
        time: false,
        dir: isRtl ? -1 : 1,
        range: () => (shape === 'bars' || count < 2 ? [-0.5, count - 0.5] : [0, count - 1]),
      },
      y: { range: (_, min, max) => rangeOf(min, max, options.shape) },
    },
    series: [
      {},
      ...series.flatMap((one, at) => [
        ...(one.before
          ? [
              {
                stroke: ink.text2,
                width: 1.5,
                dash: [4, 4],
                points: pointsOf(one.before, ink.text2),
                ...(isBars ? barsOf(ink.control, 'before') : {}),
              },
            ]
          : []),
        {
          stroke: ink.series(at),
          width: 2,
          points: pointsOf(one.values, ink.series(at)),
          ...(isBars ? barsOf(ink.series(at), one.before ? 'after' : 'only') : {}),
        },
      ]),
    ],
    axes: [
      {
        ...axis,
        size: 28,
        gap: 8,
        grid: { show: false },
        splits: (plot) => every(count, Math.ceil((count * 84) / Math.max(84, plot.bbox.width / devicePixelRatio))),
        values: (_, splits) => splits.map((at) => shortLabel(labels[at] ?? '', unit)),
      },
      {
        ...axis,
        side: isRtl ? 1 : 3,
        size: axisPx,
        gap: 8,
        space: 40,
        grid: { stroke: ink.hairline, width: 1 },
        values: (_, splits) => splits.map((value) => compact.format(value)),
        ...(isCounted ? { incrs: wholeSteps } : {}),
      },
    ],
  };
}

/** Bars of the previous period are drawn next to those of the current one. */
function barsOf(fill: string, labelSide: 'before' | 'after' | 'only'): Partial<uPlot.Series> {
  const isOnly = labelSide === 'only';
  const paths = uPlot.paths.bars?.({
    size: isOnly ? [barShare, 48] : [barShare / 2, 24],
    align: isOnly ? 0 : labelSide === 'before' ? -1 : 1,
  });
  return { fill, width: 0, points: { show: false }, ...(paths ? { paths } : {}) };
}

const wholeSteps = Array.from({ length: 60 }, (_, at) => [1, 2, 5].map((step) => step * 10 ** at)).flat();

const every = (count: number, step: number): number[] => Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);

/** A single value between unknown ones has no line, so it gets a dot. */
function pointsOf(values: readonly (string | null)[], color: string): uPlot.Series.Points {
  const known = (at: number) => (values[at] ?? null) !== null;
  const alone = values.flatMap((_, at) => (known(at) && !known(at - 1) && !known(at + 1) ? [at] : []));
  return { show: alone.length > 0, filter: () => alone, size: 5, fill: color };
}

/** Includes zero, unless a line would then look flat. */
function rangeOf(min: number | null, max: number | null, shape: Asked['shape']): [number, number] {
  if (min === null || max === null) return [0, 1];
  if (min === max) return min === 0 ? [0, 1] : [Math.min(0, min * 1.1), Math.max(0, max * 1.1)];
  if (shape === 'bars' || (min >= 0 && min < max * 0.6)) return [Math.min(0, min * 1.08), Math.max(0, max * 1.08)];
  const [low, high] = uPlot.rangeNum(min, max, 0.1, true);
  return [low ?? min, high ?? max];
}

/** Includes the series of the previous period. */
function colorAt({ series }: SeriesData, ink: ChartColors, at: number): string {
  const colours = series.flatMap(({ before }, index) => [...(before ? [ink.text2] : []), ink.series(index)]);
  return colours[at - 1] ?? ink.text2;
}
