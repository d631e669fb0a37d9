import { integerOf } from '../../../api/integers.ts';

export interface BulletScale {
  /** Position of a ratio, in per mille of the width. */
  x: (ratio: bigint) => number;
  /** Where the axis is broken, or null if the value fits. */
  breakAt: number | null;
}

const scaleEnd = 1000;
const breakAt = 880;
const valueAfterBreak = 950;

/**
 * Places `levels` (rising, WAD ratios) and the value on one axis. A value far above the levels is drawn behind a break in the
 * axis, so that it is always inside the chart and the levels stay apart.
 */
export function bulletScale(levels: readonly bigint[], value: bigint | null): BulletScale {
  const [first = 0n, last = 1n] = [levels[0], levels.at(-1)];
  const margin = (last - first) / 3n + 1n;
  const low = value !== null && value < first - margin ? value : first - margin;
  const high = last + margin;
  const isBroken = value !== null && value > high;
  const width = isBroken ? breakAt : scaleEnd;
  return {
    x(ratio) {
      if (ratio > high && isBroken) return valueAfterBreak;
      const inside = ratio < low ? low : ratio > high ? high : ratio;
      return integerOf(((inside - low) * BigInt(width) * 100n) / (high - low)) / 100;
    },
    breakAt: isBroken ? breakAt : null,
  };
}
