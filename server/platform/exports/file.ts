import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { writeXlsxStream, type CellValue } from 'hucre/xlsx';
import type { ExportFormat } from '../../../api/base.ts';
import { byteOrderMark, formatCsvLine, type Cell } from '../../../api/csv.ts';
import { formatLocalTime, type ExportCell, type ExportColumn } from './columns.ts';

type RowPages<Row> = AsyncIterable<readonly Row[]>;

/** A spreadsheet keeps 15 digits of a number, so longer ones are text. */
const maxExactDigits = 15;
const maxCellLength = 32_767;

export const exportFileTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>;

export function createExportBytes<Row>(
  format: ExportFormat,
  name: string,
  columns: readonly ExportColumn<Row>[],
  rowPages: RowPages<Row>,
): AsyncIterable<Uint8Array> {
  return format === 'csv' ? createGzippedCsv(columns, rowPages) : createXlsx(name, columns, rowPages);
}

/** The file as a person gets it. */
export const openStoredFile = (format: ExportFormat, fileParts: AsyncIterable<Uint8Array>): Readable => {
  const storedStream = Readable.from(fileParts, { objectMode: false });
  if (format !== 'csv') return storedStream;
  const gunzipStream = createGunzip();
  storedStream.on('error', (error) => gunzipStream.destroy(error));
  gunzipStream.on('close', () => storedStream.destroy());
  return storedStream.pipe(gunzipStream);
};

async function* createGzippedCsv<Row>(
  columns: readonly ExportColumn<Row>[],
  rowPages: RowPages<Row>,
): AsyncGenerator<Uint8Array> {
  async function* csvText() {
    yield byteOrderMark + formatCsvLine(columns.map(({ head }) => head));
    for await (const page of rowPages)
      yield page.map((row) => formatCsvLine(columns.map(({ cell }) => toCsvCell(cell(row))))).join('');
  }
  const source = Readable.from(csvText(), { objectMode: false, highWaterMark: 1 });
  const gzipStream = createGzip({ level: 6 });
  source.on('error', (error) => gzipStream.destroy(error));
  gzipStream.on('close', () => source.destroy());
  for await (const chunk of source.pipe(gzipStream)) yield chunk as Uint8Array;
}

const toCsvCell = (cell: ExportCell): Cell =>
  cell !== null && typeof cell === 'object' && 'local' in cell ? formatLocalTime(cell.local) : cell;

async function* createXlsx<Row>(
  name: string,
  columns: readonly ExportColumn<Row>[],
  rowPages: RowPages<Row>,
): AsyncGenerator<Uint8Array> {
  async function* xlsxRows() {
    for await (const page of rowPages)
      for (const row of page) yield columns.map(({ cell, isExact }) => toXlsxCell(cell(row), isExact));
  }
  const columnDefinitions = columns.map(({ head, isTime }) => ({
    header: head,
    width: Math.min(44, Math.max(isTime ? 20 : 14, head.length + 2)),
    ...(isTime && { numFmt: 'yyyy-mm-dd hh:mm:ss' }),
  }));
  yield* writeXlsxStream(xlsxRows(), { name, columns: columnDefinitions, freezePane: { rows: 1 } });
}

function toXlsxCell(cell: ExportCell, isExact: boolean): CellValue {
  if (cell === null) return null;
  if (typeof cell === 'string') return cell.length > maxCellLength ? `${cell.slice(0, maxCellLength - 1)}…` : cell;
  if ('local' in cell) return new Date(Math.floor(cell.local / 1000) * 1000);
  return !isExact && isExactNumber(cell.decimal) ? Number(cell.decimal) : cell.decimal;
}

const isExactNumber = (decimal: string): boolean =>
  decimal.replace(/^-/, '').replace('.', '').replace(/^0+/, '').length <= maxExactDigits;
