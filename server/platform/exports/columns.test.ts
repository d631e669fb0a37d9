import { expect, test } from 'vitest';
import { formatCsvLine } from '../../../api/csv.ts';
import { createColumnBuilders, exportUnits, formatLocalTime, type ExportCell } from './columns.ts';

interface Row {
  amount: bigint | null;
  at: Date;
  country: string | null;
}
const buildRow = (overrides: Partial<Row> = {}): Row => ({
  amount: 1n,
  at: new Date('2026-11-01T00:00:00.123Z'),
  country: 'DE',
  ...overrides,
});
const columnName = { zh: '金额', en: 'Amount' };
const readCells = (columns: readonly { cell: (row: Row) => ExportCell }[], row: Row) => columns.map(({ cell }) => cell(row));

test.each([
  ['satoshi', 1n, '0.00000001', '1'],
  ['satoshi', 2_099_999_999_999_999n, '20999999.99999999', '2099999999999999'],
  ['satoshi', -50_000_000n, '-0.5', '-50000000'],
  ['yuWei', 212_000_000_000_000_000_000_001n, '212000.000000000000000001', '212000000000000000000001'],
  ['btcWei', 10n ** 60n, `1${'0'.repeat(42)}`, `1${'0'.repeat(60)}`],
  ['ratio', 1_600_000_000_000_000_001n, '160.0000000000000001', '1600000000000000001'],
  ['price', 0n, '0', '0'],
] as const)('writes %s %s exactly, in human and in base units', (unit, amount, displayUnit, baseUnit) => {
  const { amount: amountColumns, arrange: arrangeColumns } = createColumnBuilders<Row>({ locale: 'en-US' });
  expect(
    readCells(arrangeColumns(amountColumns(columnName, exportUnits[unit], (row) => row.amount)), buildRow({ amount })),
  ).toEqual([{ decimal: displayUnit }, { decimal: baseUnit }]);
});

test('names units and the zone in each language, with exact columns last', () => {
  for (const [locale, columnHeads] of [
    ['en-US', ['Amount (BTC)', 'Time (Asia/Kolkata)', 'Amount (satoshi)', 'Time (ISO 8601 UTC)']],
    ['zh-CN', ['金额（BTC）', '时间（Asia/Kolkata）', '金额（satoshi）', '时间（ISO 8601 UTC）']],
  ] as const) {
    const { amount, time, arrange: arrangeColumns } = createColumnBuilders<Row>({ locale, zone: 'Asia/Kolkata' });
    const columns = arrangeColumns(
      amount(columnName, exportUnits.satoshi, (row) => row.amount),
      time({ zh: '时间', en: 'Time' }, (row) => row.at),
    );
    expect(columns.map(({ head }) => head)).toEqual(columnHeads);
  }
});

test('leaves unknown values empty in every column', () => {
  const { amount, named: namedColumn, arrange: arrangeColumns } = createColumnBuilders<Row>({ locale: 'en-US' });
  const columns = arrangeColumns(
    amount(columnName, exportUnits.satoshi, (row) => row.amount),
    namedColumn(
      columnName,
      columnName,
      (row) => row.country,
      (code) => `country ${code}`,
    ),
  );
  expect(readCells(columns, buildRow({ amount: null, country: null }))).toEqual([null, null, null, null]);
  expect(readCells(columns, buildRow())).toEqual([{ decimal: '0.00000001' }, 'country DE', { decimal: '1' }, 'DE']);
});

test.each([
  ['Asia/Shanghai', '2026-11-01T00:00:00.123Z', '2026-11-01 08:00:00'],
  ['Asia/Kolkata', '2026-11-01T00:00:00.123Z', '2026-11-01 05:30:00'],
  ['America/New_York', '2026-11-01T05:59:59.999Z', '2026-11-01 01:59:59'],
  ['America/New_York', '2026-11-01T06:00:00.000Z', '2026-11-01 01:00:00'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08 03:00:00'],
  ['UTC', '1970-01-01T00:00:00.000Z', '1970-01-01 00:00:00'],
])('writes the local time of %s for %s', (zone, isoTime, localTimeText) => {
  const { time } = createColumnBuilders<Row>({ locale: 'en-US', zone });
  const [localTime, exactText] = readCells(
    time(columnName, (row) => row.at),
    buildRow({ at: new Date(isoTime) }),
  );
  expect(formatLocalTime((localTime as { local: number }).local)).toBe(localTimeText);
  expect(exactText).toBe(isoTime);
});

test('escapes text that starts like a formula, but not a negative amount', () => {
  expect(formatCsvLine([{ decimal: '-0.5' }, '-0.5'])).toBe('"-0.5","\'-0.5"\r\n');
});
