import { expect, test } from 'vitest';
import { bulletScale } from './bullet-scale.ts';

const percent = (value: number): bigint => BigInt(value) * 10n ** 16n;
const levels = [110, 170, 190, 210].map(percent);

test.for([0, 1, 60, 109, 110, 164, 209, 210, 243, 244, 1_000, 10 ** 9])(
  'draws an ICR of %i%% inside the chart and in order with the levels',
  (icr) => {
    const value = percent(icr);
    const { x } = bulletScale(levels, value);
    const sortedPositions = [...levels, value].toSorted((a, b) => (a < b ? -1 : 1)).map(x);
    expect(sortedPositions).toEqual(sortedPositions.toSorted((a, b) => a - b));
    expect(sortedPositions.every((x) => x >= 0 && x <= 1000)).toBe(true);
    for (const level of levels) if (level !== value) expect(x(level)).not.toBe(x(value));
  },
);

test('the axis of the ICR chart breaks only for an ICR far above the highest level', () => {
  expect(bulletScale(levels, percent(240)).breakAt).toBeNull();
  expect(bulletScale(levels, percent(300)).breakAt).toBe(880);
  expect(bulletScale(levels, null).breakAt).toBeNull();
});
