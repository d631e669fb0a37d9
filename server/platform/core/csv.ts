const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

export interface CsvRecord {
  cells: string[];
  /** Text stands behind a closing quote: a quote was not doubled, and the record may hold the lines that follow it. */
  isBroken: boolean;
  /** The first cell was quoted, so its text is data whatever it begins with. */
  isQuoted: boolean;
}

/**
 * Reads CSV (RFC 4180) piece by piece. Lines may end in CRLF, LF or CR; a quote counts only at the start of a cell, and
 * text behind a closing one is kept and marks the record. A blank line is a record of one empty cell.
 */
export class CsvReader {
  readonly #delimiter: number;
  readonly #maxCells: number;
  #cells: string[] = [];
  #cell = '';
  #at: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #isBroken = false;
  #isQuoted = false;
  #skipLineFeed = false;
  #isFirst = true;

  constructor(delimiter = ',', maxCells = Infinity) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#maxCells = maxCells;
  }

  /** The records that `chunk` completes. */
  push(chunk: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    let from = 0; // where the part of the cell that is still in `chunk` begins
    if (this.#isFirst && chunk.length > 0) {
      this.#isFirst = false;
      if (chunk.startsWith('\uFEFF')) from = 1;
    }
    for (let index = from; index < chunk.length; index++) {
      const code = chunk.charCodeAt(index);
      if (this.#skipLineFeed) {
        this.#skipLineFeed = false;
        if (code === lineFeed) {
          from = index + 1;
          continue;
        }
      }
      if (this.#at === 'quoted') {
        if (code !== quote) continue;
        this.#cell += chunk.slice(from, index);
        this.#at = 'closed';
        from = index + 1;
      } else if (code === quote && this.#at === 'closed') {
        from = index; // the second of two: it stands for itself
        this.#at = 'quoted';
      } else if (code === quote && this.#at === 'start') {
        from = index + 1;
        this.#at = 'quoted';
        if (this.#cells.length === 0) this.#isQuoted = true;
      } else if (code === this.#delimiter) {
        this.#endCell(chunk.slice(from, index));
        from = index + 1;
      } else if (code === lineFeed || code === carriageReturn) {
        this.#endCell(chunk.slice(from, index));
        records.push(this.#endRecord());
        this.#skipLineFeed = code === carriageReturn;
        from = index + 1;
      } else {
        if (this.#at === 'closed') this.#isBroken = true;
        this.#at = 'plain';
      }
    }
    this.#cell += chunk.slice(from);
    return records;
  }

  /** The record that no line end closed, if there is one. Throws CsvError when a quote is never closed. */
  end(): CsvRecord[] {
    if (this.#at === 'quoted') throw new CsvError('openQuote', 'the CSV ends inside a quoted cell');
    if (this.#cells.length === 0 && this.#cell === '' && this.#at === 'start') return [];
    this.#endCell('');
    return [this.#endRecord()];
  }

  #endRecord(): CsvRecord {
    const record = { cells: this.#cells, isBroken: this.#isBroken, isQuoted: this.#isQuoted };
    this.#cells = [];
    this.#isBroken = false;
    this.#isQuoted = false;
    return record;
  }

  #endCell(rest: string) {
    if (this.#cells.length === this.#maxCells) throw new CsvError('tooManyCells', 'a CSV row has too many cells');
    this.#cells.push(this.#cell + rest);
    this.#cell = '';
    this.#at = 'start';
  }
}

export class CsvError extends Error {
  readonly reason: 'openQuote' | 'tooManyCells';
  constructor(reason: CsvError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The records of a CSV text as it comes, with the mark left out. Throws CsvError. */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  const reader = new CsvReader();
  for await (const chunk of chunks) for (const { cells } of reader.push(chunk)) yield cells;
  for (const { cells } of reader.end()) yield cells;
}

const slice = 65_536;

/** The same of a text that is all there. */
export function* csvRecords(text: string, delimiter: string, maxCells?: number): Generator<CsvRecord> {
  const reader = new CsvReader(delimiter, maxCells);
  for (let from = 0; from < text.length; from += slice) yield* reader.push(text.slice(from, from + slice));
  yield* reader.end();
}
