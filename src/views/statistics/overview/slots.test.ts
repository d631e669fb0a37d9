import { expect, test } from 'vitest';
import { chartOf, periodStartOf, spanOf } from './slots.ts';

const pointOf = (day: string, bridgeBtc: string | null) => ({
  day,
  values: { bridgeBtc, mintYu: null, userCount: null, vaultBtc: null },
});
const metric = 'bridgeBtc';

test('a span consists of whole UTC days that have ended', () => {
  expect(spanOf(30, Date.parse('2026-11-21T23:59:00Z'))).toEqual({
    from: '2026-10-22T00:00:00.000Z',
    to: '2026-11-21T00:00:00.000Z',
  });
  expect(spanOf(null, Date.parse('2026-11-21T00:00:00Z')).from).toBeNull();
});

test('weeks begin on Monday and months on their first day', () => {
  expect(periodStartOf('2026-11-22', 'week')).toBe('2026-11-16');
  expect(periodStartOf('2026-11-16', 'week')).toBe('2026-11-16');
  expect(periodStartOf('2026-11-22', 'month')).toBe('2026-11-01');
});

test('a missing day is an unknown value, and the previous period is aligned by day', () => {
  const span = { from: '2026-11-04T00:00:00.000Z', to: '2026-11-07T00:00:00.000Z' };
  const points = [pointOf('2026-11-04', '1'), pointOf('2026-11-06', '9007199254740993')];
  const previousPoints = [pointOf('2026-11-02', '5')];
  expect(chartOf({ span, unit: 'day', metric, points, before: previousPoints })).toEqual({
    unit: 'day',
    labels: ['2026-11-04', '2026-11-05', '2026-11-06'],
    values: ['1', null, '9007199254740993'],
    beforeLabels: ['2026-11-01', '2026-11-02', '2026-11-03'],
    before: [null, '5', null],
  });
});

test('weeks of the previous period are counted from its end', () => {
  const span = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-11T00:00:00.000Z' }; // Sunday to Wednesday: three weeks
  const chart = chartOf({
    span,
    unit: 'week',
    metric,
    points: [pointOf('2026-11-01', '1'), pointOf('2026-11-08', '2'), pointOf('2026-11-10', '3')],
    before: [pointOf('2026-10-25', '7'), pointOf('2026-10-31', '8')],
  });
  expect(chart.labels).toEqual(['2026-10-26', '2026-11-02', '2026-11-09']);
  expect(chart.values).toEqual(['1', '2', '3']);
  expect(chart.beforeLabels).toEqual([null, '2026-10-19', '2026-10-26']);
  expect(chart.before).toEqual([null, '7', '8']);
});

test('the span of all data begins with the first recorded day', () => {
  const span = { from: null, to: '2026-11-03T00:00:00.000Z' };
  expect(chartOf({ span, unit: 'day', metric, points: [pointOf('2026-11-01', '4')], before: null })).toEqual({
    unit: 'day',
    labels: ['2026-11-01', '2026-11-02'],
    values: ['4', null],
  });
});
