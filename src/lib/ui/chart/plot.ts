import './browser-language.ts';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { locale } from '../../i18n/i18n.ts';
import { drawn, shortLabel, type SeriesData } from './data.ts';
import { fontOf, inkOf, type Ink } from './ink.ts';

// The only file that imports uPlot, so load it lazily. Positions are rounded, displayed values never are.

interface Asked {
  data: SeriesData;
  shape: 'line' | 'bars';
  width: number;
  height: number;
  isRtl: boolean;
}

export interface Plot {
  /** Moves the cursor to a point, null hides it. */
  point: (at: number | null) => void;
  /** Pixels from the left of the plot, null if hidden. */
  pointed: () => number | null;
  resize: (width: number) => void;
  destroy: () => void;
}

/** `pointed`: initial position, from the previous drawing. */
export function drawPlot(
  host: HTMLElement,
  asked: Asked & { pointed: number | null },
  onPoint: (at: number | null) => void,
): Plot {
  let isOurs = false; // ignores cursor moves made by `point`
  const plot = new uPlot(
    {
      ...optionsOf(asked),
      hooks: {
        setCursor: [({ cursor }) => isOurs || onPoint(cursor.idx ?? null)],
        ready: [(ready) => asked.pointed !== null && ready.setCursor({ left: asked.pointed, top: 0 })],
      },
    },
    valuesOf(asked.data),
    host,
  );
  return {
    point(at) {
      isOurs = true;
      if (at === null) plot.setCursor({ left: -10, top: -10 });
      else plot.setCursor({ left: plot.valToPos(at, 'x'), top: 0 });
      isOurs = false;
    },
    pointed() {
      const { left = -1 } = plot.cursor;
      return left < 0 ? null : left;
    },
    resize: (width) => plot.setSize({ width, height: asked.height }),
    destroy: () => plot.destroy(),
  };
}

/** For export. */
export async function plotCanvas(asked: Asked): Promise<HTMLCanvasElement> {
  const host = document.createElement('div');
  const plot = await new Promise<uPlot>((resolve) => {
    new uPlot({ ...optionsOf(asked), hooks: { draw: [resolve] } }, valuesOf(asked.data), host);
  });
  return plot.ctx.canvas;
}

const valuesOf = ({ labels, series }: SeriesData): uPlot.AlignedData => [
  labels.map((_, at) => at),
  ...series.flatMap(({ measure, values, before }) => [
    ...(before ? [labels.map((_, at) => drawn(before[at], measure))] : []),
    labels.map((_, at) => drawn(values[at], measure)),
  ]),
];

function optionsOf({ data, shape, width, height, isRtl }: Asked): uPlot.Options {
  const { labels, unit, series } = data;
  const ink = inkOf();
  const count = labels.length;
  const font = `12px ${fontOf()}`;
  const isCounted = series.every(({ measure }) => measure.places === 0);
  const compact = new Intl.NumberFormat(locale(), { notation: 'compact', maximumSignificantDigits: 4 });
  const axis = { stroke: ink.text2, font, ticks: { show: false } };
  return {
    width,
    height,
    padding: [12, 24, 0, 12],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8, fill: (_, at) => colourAt(data, ink, at) } },
    scales: {
      x: {
        time: false,
        dir: isRtl ? -1 : 1,
        range: () => (shape === 'bars' || count < 2 ? [-0.5, count - 0.5] : [0, count - 1]),
      },
      y: { range: (_, least, most) => rangeOf(least, most, shape) },
    },
    series: [
      {},
      ...series.flatMap((one, at) => [
        ...(one.before ? [{ stroke: ink.text2, width: 1.5, dash: [4, 4], points: pointsOf(one.before, ink.text2) }] : []),
        {
          stroke: ink.series(at),
          width: 2,
          points: pointsOf(one.values, ink.series(at)),
          ...(shape === 'bars' && uPlot.paths.bars
            ? { fill: ink.series(at), width: 0, points: { show: false }, paths: uPlot.paths.bars({ size: [0.7, 48] }) }
            : {}),
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
        size: 64,
        gap: 8,
        space: 40,
        grid: { stroke: ink.hairline, width: 1 },
        values: (_, splits) => splits.map((value) => compact.format(value)),
        ...(isCounted ? { incrs: wholeSteps } : {}),
      },
    ],
  };
}

const wholeSteps = Array.from({ length: 60 }, (_, at) => [1, 2, 5].map((step) => step * 10 ** at)).flat();

const every = (count: number, step: number): number[] => Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);

/** A value between two unknown ones has no line, so draw a dot. */
function pointsOf(values: readonly (string | null)[], colour: string): uPlot.Series.Points {
  const known = (at: number) => (values[at] ?? null) !== null;
  const alone = values.flatMap((_, at) => (known(at) && !known(at - 1) && !known(at + 1) ? [at] : []));
  return { show: alone.length > 0, filter: () => alone, size: 5, fill: colour };
}

/** Starts at zero, except for lines whose changes would be invisible. */
function rangeOf(least: number | null, most: number | null, shape: Asked['shape']): [number, number] {
  if (least === null || most === null) return [0, 1];
  if (least === most) return least === 0 ? [0, 1] : [Math.min(0, least * 1.1), Math.max(0, most * 1.1)];
  if (shape === 'bars' || (least >= 0 && least < most * 0.6)) return [Math.min(0, least * 1.08), Math.max(0, most * 1.08)];
  const [low, high] = uPlot.rangeNum(least, most, 0.1, true);
  return [low ?? least, high ?? most];
}

/** uPlot also counts the previous periods as series. */
function colourAt({ series }: SeriesData, ink: Ink, at: number): string {
  const colours = series.flatMap(({ before }, index) => [...(before ? [ink.text2] : []), ink.series(index)]);
  return colours[at - 1] ?? ink.text2;
}
