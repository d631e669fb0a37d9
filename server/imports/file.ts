import { withoutGuard } from '../../api/csv.ts';
import { importLimit, type Reading } from '../../api/imports/contract.ts';
import type { Rule } from '../../api/validation-rules.ts';
import { badField } from '../platform/core/errors.ts';
import { isAddress, isBlank, isComment, isNumber, recordsOf } from './reading.ts';

/** A CSV as text, and how its rows become fields. */
export interface CsvFile {
  text: string;
  reading: Reading;
  /** Which column (from 0) each field is read from. */
  mapping: Record<string, number | null>;
  /** The one value of a field that has no column. */
  fills: Record<string, string>;
  /** Rows that a person repaired: line to the texts that differ from the file's. */
  edits: ReadonlyMap<number, Record<string, string>>;
}

/** A row of the file, and the text of each field as it would go in. */
export interface Line {
  /** As a spreadsheet counts: the first is 1, and blank ones count. */
  line: number;
  cells: string[];
  texts: Record<string, string>;
  edited: boolean;
  /** Fields whose text a person typed. */
  typed: string[];
  /** Why the row itself is malformed; null where only its cells have to be looked at. */
  malformed: Rule | null;
  /** Fewer cells than the table has columns. */
  isShort: boolean;
  /** A quoted cell holds a line that looks like a row: two quotes may have swallowed what is between them. */
  isJoined: boolean;
}

/** Lines of a file, blank ones included, and characters of a row: what has more of them is no table for people. */
const most = { lines: 3 * importLimit.rows, row: 20_000 };

/** Rows behind a line, without header, comments (told to `onComment`) and blank ones. Throws BAD_REQUEST when the CSV is broken, or too long. */
export function* rowsOf(file: CsvFile, after = 0, onComment = () => {}): Generator<Line> {
  const { text, reading, mapping, fills, edits } = file;
  let line = 0;
  let rows = 0;
  let width = 0;
  for (const record of recordsOf(text, reading.delimiter)) {
    if (++line > most.lines) throw badField('file', 'tooManyRows');
    if (line < reading.firstLine || isBlank(record.cells)) continue;
    if (line === reading.firstLine) {
      width = record.cells.length;
      if (reading.headed) continue;
    }
    if (reading.comments && isComment(record, width)) {
      onComment();
      continue;
    }
    if (++rows > importLimit.rows) throw badField('file', 'tooManyRows');
    if (line <= after) continue;
    const isLong = lengthOf(record.cells) > most.row;
    const cells = isLong ? record.cells.slice(0, 50).map((cell) => cell.slice(0, 200)) : record.cells;
    const edit = edits.get(line);
    const isWhole = edit !== undefined && Object.keys(mapping).every((field) => Object.hasOwn(edit, field));
    // What no repair can mend: the row holds other rows, or is too long to be shown whole.
    const lost = isLong ? 'longRow' : record.isBroken && cells.some(hasLines) ? 'joinedLines' : null;
    const read = ([field, at]: [string, number | null]) =>
      [field, at === null ? (fills[field] ?? '') : withoutGuard(cells[at] ?? '')] as const;
    const texts: Record<string, string> = Object.fromEntries(Object.entries(mapping).map(read));
    yield {
      line,
      cells,
      texts: { ...texts, ...edit },
      edited: edit !== undefined,
      typed: Object.keys(edit ?? {}).filter((field) => edit?.[field] !== texts[field]),
      malformed: lost ?? (isWhole ? null : record.isBroken ? 'strayQuote' : cells.length > width ? 'extraCells' : null),
      isShort: cells.length < width && !edit,
      isJoined: cells.some((cell) => hasLines(cell) && cell.split(/[\r\n]+/).some((part) => isRowLike(part, reading.delimiter))),
    };
  }
}

const hasLines = (cell: string): boolean => /[\r\n]/.test(cell);
/** Several cells, one of them a number or an address. */
function isRowLike(part: string, delimiter: string): boolean {
  const cells = part.split(delimiter);
  return cells.length > 1 && cells.some((cell) => isNumber(cell) || isAddress(cell));
}

const lengthOf = (cells: readonly string[]): number => cells.reduce((sum, { length }) => sum + length, 0);

/** Names of the columns; letters, as a spreadsheet has them, where the file names none. */
export function headOf({ text, reading: { delimiter, firstLine, headed } }: Pick<CsvFile, 'text' | 'reading'>): string[] {
  let line = 0;
  for (const { cells } of recordsOf(text, delimiter)) {
    if (++line < firstLine) continue;
    return headed ? cells : cells.map((_, at) => letters(at));
  }
  return [];
}

const shownAbove = 20;

/** The filled lines above the table, which are left out. */
export function linesAbove({ text, reading: { delimiter, firstLine } }: Pick<CsvFile, 'text' | 'reading'>): string[] {
  const above: string[] = [];
  let line = 0;
  for (const { cells } of recordsOf(text, delimiter)) {
    if (++line === firstLine || above.length === shownAbove) break;
    if (!isBlank(cells)) above.push(cells.join(delimiter).slice(0, 200));
  }
  return above;
}

function letters(at: number): string {
  return (at >= 26 ? letters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));
}
