import { toSafeInteger } from '../../../api/integers.ts';

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
  const [lowestLevel = 0n, highestLevel = 1n] = [levels[0], levels.at(-1)];
  const margin = (highestLevel - lowestLevel) / 3n + 1n;
  const scaleMin = value !== null && value < lowestLevel - margin ? value : lowestLevel - margin;
  const scaleMax = highestLevel + margin;
  const isBroken = value !== null && value > scaleMax;
  const width = isBroken ? breakAt : scaleEnd;
  return {
    x(ratio) {
      if (ratio > scaleMax && isBroken) return valueAfterBreak;
      const boundedRatio = ratio < scaleMin ? scaleMin : ratio > scaleMax ? scaleMax : ratio;
      return toSafeInteger(((boundedRatio - scaleMin) * BigInt(width) * 100n) / (scaleMax - scaleMin)) / 100;
    },
    breakAt: isBroken ? breakAt : null,
  };
}
