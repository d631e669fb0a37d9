import type { SeriesData } from './data.ts';

/** Width of the y axis. */
export const axisPx = 64;
/** Above, end, below and start of the plot, in pixels. */
export const barPadding = [12, 24, 0, 12] as const;
/** Share of a point's width that its bars fill. */
export const barShare = 0.7;
const minBarPx = 3;

interface Drawing {
  data: Pick<SeriesData, 'labels' | 'series'>;
  shape: 'line' | 'bars';
  width: number;
}

/** Bars thinner than `minBarPx` can't be told apart: such values are drawn as a line. */
export function canDrawBars({ data: { labels, series }, shape, width }: Drawing): boolean {
  if (shape !== 'bars') return false;
  const [, endPadding, , startPadding] = barPadding;
  const barPx = ((width - axisPx - endPadding - startPadding) / Math.max(1, labels.length)) * barShare;
  return (series.some(({ before }) => before) ? barPx / 2 : barPx) >= minBarPx;
}
