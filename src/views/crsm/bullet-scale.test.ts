import { expect, test } from 'vitest';
import { bulletScale } from './bullet-scale.ts';

const percent = (value: number): bigint => BigInt(value) * 10n ** 16n;
const levels = [110, 170, 190, 210].map(percent);

test.for([0, 1, 60, 109, 110, 164, 209, 210, 243, 244, 1_000, 10 ** 9])(
  'draws an ICR of %i%% inside the chart and in order with the levels',
  (icr) => {
    const value = percent(icr);
    const { x } = bulletScale(levels, value);
    const sorted = [...levels, value].toSorted((one, other) => (one < other ? -1 : 1)).map(x);
    expect(sorted).toEqual(sorted.toSorted((one, other) => one - other));
    expect(sorted.every((at) => at >= 0 && at <= 1000)).toBe(true);
    for (const level of levels) if (level !== value) expect(x(level)).not.toBe(x(value));
  },
);

test('the axis of the ICR chart breaks only for an ICR far above the highest level', () => {
  expect(bulletScale(levels, percent(240)).breakAt).toBeNull();
  expect(bulletScale(levels, percent(300)).breakAt).toBe(880);
  expect(bulletScale(levels, null).breakAt).toBeNull();
});
