import { withoutGuard } from '../../api/csv.ts';
import { importLimit, type Reading } from '../../api/imports/contract.ts';
import type { Rule } from '../../api/validation-rules.ts';
import { badField } from '../platform/core/errors.ts';
import { isBlank, isComment, recordsOf } from './reading.ts';

/** A CSV as text, and how its rows become fields. */
export interface CsvFile {
  text: string;
  reading: Reading;
  /** Which column (from 0) each field is read from. */
  mapping: Record<string, number | null>;
  /** The one value of a field that has no column. */
  fills: Record<string, string>;
  /** Rows that a person repaired: line to the text of each field. */
  edits: ReadonlyMap<number, Record<string, string>>;
}

/** A row of the file, and the text of each field as it would go in. */
export interface Line {
  /** As a spreadsheet counts: the first is 1, and blank ones count. */
  line: number;
  cells: string[];
  texts: Record<string, string>;
  edited: boolean;
  /** Why the row itself is malformed; null where only its cells have to be looked at. */
  malformed: Rule | null;
  /** Fewer cells than the table has columns. */
  isShort: boolean;
}

/** Rows behind a line, without header, comments (told to `onComment`) and blank ones. Throws BAD_REQUEST when the CSV is broken, or too long. */
export function* rowsOf(file: CsvFile, after = 0, onComment = () => {}): Generator<Line> {
  const { text, reading, mapping, fills, edits } = file;
  let line = 0;
  let rows = 0;
  let width = 0;
  for (const record of recordsOf(text, reading.delimiter)) {
    line++;
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
    const { cells } = record;
    const edit = edits.get(line);
    const read = ([field, at]: [string, number | null]) =>
      [field, at === null ? (fills[field] ?? '') : withoutGuard(cells[at] ?? '')] as const;
    yield {
      line,
      cells,
      texts: edit ?? Object.fromEntries(Object.entries(mapping).map(read)),
      edited: edit !== undefined,
      malformed: edit ? null : record.isBroken ? 'strayQuote' : cells.length > width ? 'extraCells' : null,
      isShort: cells.length < width && !edit,
    };
  }
}

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
