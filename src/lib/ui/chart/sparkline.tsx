import { toPlotValue, type ChartMeasure, type ChartValue } from './data.ts';

/** Decorative: the numbers are next to it. */
export function Sparkline({ values, measure }: { values: readonly ChartValue[]; measure: ChartMeasure }) {
  const heights = values.map((value) => toPlotValue(value, measure));
  const knownHeights = heights.filter((height) => height !== null);
  const min = Math.min(...knownHeights);
  const max = Math.max(...knownHeights);
  const points = heights.flatMap((height, index) => {
    if (height === null) return [];
    const y = max === min ? 14 : 26 - ((height - min) / (max - min)) * 24;
    return [`${((index / Math.max(1, heights.length - 1)) * 100).toFixed(2)},${y.toFixed(2)}`];
  });
  return (
    <svg viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true" className="flip-rtl h-7 w-full text-accent-text">
      {points.length > 1 && (
        <polyline
          points={points.join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
