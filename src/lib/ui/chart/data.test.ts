import { beforeAll, expect, test } from 'vitest';
import { setDictionary } from '../../i18n/i18n.ts';
import { enResources } from '../../i18n/en-US/resources.ts';
import {
  barsTable,
  changeText,
  figureText,
  periodText,
  periodTotals,
  seriesTable,
  seriesText,
  shareText,
  tableCsv,
} from './data.ts';
import { readChartQuery, writeChartQuery } from './query.ts';

const wei = { places: 18, unit: 'YU' };

beforeAll(() => setDictionary('en-US', enResources));

test('a chart value is exact at any size, and an unknown value is not zero', () => {
  expect(figureText('123456789012345678901234567890', wei)).toBe('123,456,789,012.34567890123456789 YU');
  expect(figureText('-1', wei)).toBe('−0.000000000000000001 YU');
  expect(figureText(null, wei)).toBe('unknown');
});

test('a change is exact, and its share is truncated and signed', () => {
  expect(changeText('1100', '1000', { places: 0 })).toBe('+100 (+10.00%)');
  expect(changeText('900', '1000', { places: 0 })).toBe('−100 (−10.00%)');
  expect(changeText('5', '5', { places: 0 })).toBe('0 (0.00%)');
  expect(changeText('5', '0', { places: 0 })).toBe('+5');
  expect(changeText(null, '1', { places: 0 })).toBeNull();
  expect(shareText(-1n, 30_000n)).toBe('−0.00%');
});

test('the chart table shows the drawn values next to the previous period', () => {
  const createData = {
    unit: 'week' as const,
    labels: ['2026-11-02', '2026-11-09'],
    beforeLabels: [null, '2026-10-26'],
    series: [{ id: 'a', name: 'Minted', measure: wei, values: ['1000000000000000001', null], before: [null, '5'] }],
  };
  const table = seriesTable(createData);
  expect(table.head).toEqual(['Week', 'Minted (YU)', 'Previous period', 'Minted (YU), previous period']);
  expect(table.rows[0]).toEqual({
    shown: ['Week of Nov 2, 2026', '1.000000000000000001', '—', 'unknown'],
    plain: ['2026-11-02', '1.000000000000000001', '', ''],
  });
  expect(table.rows[1]?.plain).toEqual(['2026-11-09', '', '2026-10-26', '0.000000000000000005']);
  expect(seriesText(createData)).toContain('Lowest 1.000000000000000001 YU (Week of Nov 2, 2026)');
});

test("spreadsheets read a chart's CSV file and run none of its cells", () => {
  const barsData = [
    { id: 'a', label: '=HYPERLINK("x")', value: '3' },
    { id: 'b', label: '-5', value: '-2' },
    { id: 'c', label: "x;=cmd|'/C calc'!A0", value: '1' },
    { id: 'd', label: ' ＝1+1', value: '1' },
    { id: 'e', label: '0x12…ab', whole: '0x1234567890ab', value: '1' },
  ];
  expect(tableCsv(barsTable({ of: 'Page', name: 'Visits', measure: { places: 0 }, bars: barsData }))).toBe(
    [
      '\uFEFF"Page","Visits"',
      '"\'=HYPERLINK(""x"")","3"',
      '"-5","-2"',
      `"x;=cmd|'/C calc'!A0","1"`, // quoted, so that no country's list separator splits it
      `"' ＝1+1","1"`,
      '"0x1234567890ab","1"',
      '',
    ].join('\r\n'),
  );
});

test('a chart label that is not a day is unchanged', () => {
  expect(periodText('Singapore', 'day')).toBe('Singapore');
  expect(periodText('2026-11-01', 'month')).toBe('November 2026');
});

test('the address keeps chart options next to other parameters and ignores invalid ones', () => {
  expect(writeChartQuery('from=x&unit=week', { unit: 'month', compare: true, table: false })).toBe(
    'from=x&unit=month&compare=true',
  );
  expect(readChartQuery('unit=century&compare=1&table=true')).toEqual({ unit: 'day', compare: false, table: true });
});

test('period totals add the known values of both periods, and levels have no total', () => {
  const seriesData = { id: 'a', name: 'Visits', measure: { places: 0 }, values: ['1', null, '3'], before: ['10', '20', null] };
  expect(periodTotals({ ...seriesData, isSum: true })).toEqual({ now: '4', then: '30' });
  expect(periodTotals(seriesData)).toBeNull();
  const { before: _, ...alone } = seriesData;
  expect(periodTotals({ ...alone, isSum: true })).toBeNull();
});
