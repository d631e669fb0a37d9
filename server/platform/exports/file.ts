import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { writeXlsxStream, type CellValue } from 'hucre/xlsx';
import type { ExportFormat } from '../../../api/base.ts';
import { byteOrderMark, csvLine, type Cell } from '../../../api/csv.ts';
import { localTimeText, type ExportCell, type ExportColumn } from './columns.ts';

type Pages<Row> = AsyncIterable<readonly Row[]>;

/** A spreadsheet keeps 15 digits of a number, so longer ones are text. */
const maxExactDigits = 15;
const maxCellLength = 32_767;

export const exportFileTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>;

export function exportBytes<Row>(
  format: ExportFormat,
  name: string,
  columns: readonly ExportColumn<Row>[],
  pages: Pages<Row>,
): AsyncIterable<Uint8Array> {
  return format === 'csv' ? gzippedCsv(columns, pages) : xlsx(name, columns, pages);
}

/** The file as a person gets it. */
export const storedFile = (format: ExportFormat, parts: AsyncIterable<Uint8Array>): Readable => {
  const stored = Readable.from(parts, { objectMode: false });
  if (format !== 'csv') return stored;
  const plain = createGunzip();
  stored.on('error', (error) => plain.destroy(error));
  plain.on('close', () => stored.destroy());
  return stored.pipe(plain);
};

async function* gzippedCsv<Row>(columns: readonly ExportColumn<Row>[], pages: Pages<Row>): AsyncGenerator<Uint8Array> {
  async function* text() {
    yield byteOrderMark + csvLine(columns.map(({ head }) => head));
    for await (const page of pages) yield page.map((row) => csvLine(columns.map(({ cell }) => csvCell(cell(row))))).join('');
  }
  const source = Readable.from(text(), { objectMode: false, highWaterMark: 1 });
  const packed = createGzip({ level: 6 });
  source.on('error', (error) => packed.destroy(error));
  packed.on('close', () => source.destroy());
  for await (const chunk of source.pipe(packed)) yield chunk as Uint8Array;
}

const csvCell = (cell: ExportCell): Cell =>
  cell !== null && typeof cell === 'object' && 'local' in cell ? localTimeText(cell.local) : cell;

async function* xlsx<Row>(name: string, columns: readonly ExportColumn<Row>[], pages: Pages<Row>): AsyncGenerator<Uint8Array> {
  async function* rows() {
    for await (const page of pages)
      for (const row of page) yield columns.map(({ cell, isExact }) => xlsxCell(cell(row), isExact));
  }
  const definitions = columns.map(({ head, isTime }) => ({
    header: head,
    width: Math.min(44, Math.max(isTime ? 20 : 14, head.length + 2)),
    ...(isTime && { numFmt: 'yyyy-mm-dd hh:mm:ss' }),
  }));
  yield* writeXlsxStream(rows(), { name, columns: definitions, freezePane: { rows: 1 } });
}

function xlsxCell(cell: ExportCell, isExact: boolean): CellValue {
  if (cell === null) return null;
  if (typeof cell === 'string') return cell.length > maxCellLength ? `${cell.slice(0, maxCellLength - 1)}…` : cell;
  if ('local' in cell) return new Date(Math.floor(cell.local / 1000) * 1000);
  return !isExact && isExactNumber(cell.decimal) ? Number(cell.decimal) : cell.decimal;
}

const isExactNumber = (decimal: string): boolean =>
  decimal.replace(/^-/, '').replace('.', '').replace(/^0+/, '').length <= maxExactDigits;
