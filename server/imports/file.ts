import { stripFormulaGuard } from '../../api/csv.ts';
import { importLimit, type ImportReading } from '../../api/imports/contract.ts';
import type { ValidationRule } from '../../api/validation-rules.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { isAddressText, isBlank, isComment, isNumber, recordsIn } from './reading.ts';

export interface CsvFile {
  text: string;
  reading: ImportReading;
  /** Column (from 0) by field. */
  mapping: Record<string, number | null>;
  /** Constants of fields without a column. */
  fills: Record<string, string>;
  /** Repaired rows: line → changed texts. */
  edits: ReadonlyMap<number, Record<string, string>>;
}

export interface CsvRow {
  /** As a spreadsheet counts: from 1, with blank lines. */
  line: number;
  cells: string[];
  texts: Record<string, string>;
  edited: boolean;
  /** Fields that a person typed. */
  typed: string[];
  /** Null: only cells need checking. */
  malformed: ValidationRule | null;
  /** Fewer cells than the table has columns. */
  isShort: boolean;
  /** A quoted cell holds a line like a row, so two stray quotes may have joined rows. */
  isJoined: boolean;
}

/** Characters per row. Above these limits it is not a table for people. */
const max = { lines: 3 * importLimit.rows, row: 20_000 };

/** Without header, comments (reported to `onComment`) and blank rows. Throws BAD_REQUEST for a broken or too long CSV. */
export function* csvRows(file: CsvFile, afterLine = 0, onComment = () => {}): Generator<CsvRow> {
  const { text, reading, mapping, fills, edits } = file;
  let line = 0;
  let rows = 0;
  let width = 0;
  for (const record of recordsIn(text, reading.delimiter)) {
    if (++line > max.lines) throw createFieldError('file', 'tooManyRows');
    if (line < reading.firstLine || isBlank(record.cells)) continue;
    if (line === reading.firstLine) {
      width = record.cells.length;
      if (reading.headed) continue;
    }
    if (reading.comments && isComment(record, width)) {
      onComment();
      continue;
    }
    if (++rows > importLimit.rows) throw createFieldError('file', 'tooManyRows');
    if (line <= afterLine) continue;
    const isLong = totalLength(record.cells) > max.row;
    const cells = isLong ? record.cells.slice(0, 50).map((cell) => cell.slice(0, 200)) : record.cells;
    const edit = edits.get(line);
    const isFullyEdited = edit !== undefined && Object.keys(mapping).every((field) => Object.hasOwn(edit, field));
    // Beyond repair: the row contains other rows, or cannot be displayed.
    const unrepairableRule = isLong ? 'longRow' : record.isBroken && cells.some(hasLineBreak) ? 'joinedLines' : null;
    const readField = ([field, columnIndex]: [string, number | null]) =>
      [field, columnIndex === null ? (fills[field] ?? '') : stripFormulaGuard(cells[columnIndex] ?? '')] as const;
    const texts: Record<string, string> = Object.fromEntries(Object.entries(mapping).map(readField));
    yield {
      line,
      cells,
      texts: { ...texts, ...edit },
      edited: edit !== undefined,
      typed: Object.keys(edit ?? {}).filter((field) => edit?.[field] !== texts[field]),
      malformed:
        unrepairableRule ?? (isFullyEdited ? null : record.isBroken ? 'strayQuote' : cells.length > width ? 'extraCells' : null),
      isShort: cells.length < width && !edit,
      isJoined: cells.some(
        (cell) => hasLineBreak(cell) && cell.split(/[\r\n]+/).some((segment) => isRowLike(segment, reading.delimiter)),
      ),
    };
  }
}

const hasLineBreak = (cell: string): boolean => /[\r\n]/.test(cell);
/** Several cells, one of them a number or address. */
function isRowLike(segment: string, delimiter: string): boolean {
  const cells = segment.split(delimiter);
  return cells.length > 1 && cells.some((cell) => isNumber(cell) || isAddressText(cell));
}

const totalLength = (cells: readonly string[]): number => cells.reduce((sum, { length }) => sum + length, 0);

/** Letters like a spreadsheet's, if the file has no header. */
export function headerCells({ text, reading: { delimiter, firstLine, headed } }: Pick<CsvFile, 'text' | 'reading'>): string[] {
  let line = 0;
  for (const { cells } of recordsIn(text, delimiter)) {
    if (++line < firstLine) continue;
    return headed ? cells : cells.map((_, columnIndex) => columnLetters(columnIndex));
  }
  return [];
}

const maxSkippedLines = 20;

export function linesBeforeData({ text, reading: { delimiter, firstLine } }: Pick<CsvFile, 'text' | 'reading'>): string[] {
  const precedingLines: string[] = [];
  let line = 0;
  for (const { cells } of recordsIn(text, delimiter)) {
    if (++line === firstLine || precedingLines.length === maxSkippedLines) break;
    if (!isBlank(cells)) precedingLines.push(cells.join(delimiter).slice(0, 200));
  }
  return precedingLines;
}

function columnLetters(columnIndex: number): string {
  return (
    (columnIndex >= 26 ? columnLetters(Math.floor(columnIndex / 26) - 1) : '') + String.fromCharCode(65 + (columnIndex % 26))
  );
}
