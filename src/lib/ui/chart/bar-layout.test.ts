import { expect, test } from 'vitest';
import { canDrawBars } from './bar-layout.ts';

const createData = (count: number, hasPrevious = false) => {
  const values = Array.from({ length: count }, () => '1');
  const series = { id: 'visits', name: 'Visits', measure: { places: 0 }, values };
  return { labels: values, series: [hasPrevious ? { ...series, before: values } : series] };
};

test('draws bars while each is at least three pixels wide, and a line for more points', () => {
  expect(canDrawBars({ data: createData(31), shape: 'bars', width: 1_100 })).toBe(true);
  expect(canDrawBars({ data: createData(233), shape: 'bars', width: 1_100 })).toBe(true);
  expect(canDrawBars({ data: createData(400), shape: 'bars', width: 1_100 })).toBe(false);
  expect(canDrawBars({ data: createData(90), shape: 'bars', width: 375 })).toBe(false);
});

test('needs twice the room for bars of two periods', () => {
  expect(canDrawBars({ data: createData(150), shape: 'bars', width: 1_100 })).toBe(true);
  expect(canDrawBars({ data: createData(150, true), shape: 'bars', width: 1_100 })).toBe(false);
});

test('never draws bars for values that are asked for as a line', () => {
  expect(canDrawBars({ data: createData(3), shape: 'line', width: 1_100 })).toBe(false);
});
