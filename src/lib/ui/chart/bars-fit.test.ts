import { expect, test } from 'vitest';
import { barsFit } from './bars-fit.ts';

const data = (count: number, withBefore = false) => {
  const values = Array.from({ length: count }, () => '1');
  const series = { id: 'visits', name: 'Visits', measure: { places: 0 }, values };
  return { labels: values, series: [withBefore ? { ...series, before: values } : series] };
};

test('draws bars while each is at least three pixels wide, and a line for more points', () => {
  expect(barsFit({ data: data(31), shape: 'bars', width: 1_100 })).toBe(true);
  expect(barsFit({ data: data(233), shape: 'bars', width: 1_100 })).toBe(true);
  expect(barsFit({ data: data(400), shape: 'bars', width: 1_100 })).toBe(false);
  expect(barsFit({ data: data(90), shape: 'bars', width: 375 })).toBe(false);
});

test('needs twice the room for bars of two periods', () => {
  expect(barsFit({ data: data(150), shape: 'bars', width: 1_100 })).toBe(true);
  expect(barsFit({ data: data(150, true), shape: 'bars', width: 1_100 })).toBe(false);
});

test('never draws bars for values that are asked for as a line', () => {
  expect(barsFit({ data: data(3), shape: 'line', width: 1_100 })).toBe(false);
});
