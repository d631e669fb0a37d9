const quoteCode = 34;
const lineFeed = 10;
const carriageReturn = 13;

export interface CsvRecord {
  cells: string[];
  /** Text follows a closing quote: the record may contain following lines. */
  isBroken: boolean;
  /** A quoted first cell is data, not a comment. */
  isQuoted: boolean;
}

/** Incremental RFC 4180 reader. Accepts CRLF, LF and CR. A blank line is a record of one empty cell. */
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

  push(chunk: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    let startIndex = 0;
    if (this.#isFirst && chunk.length > 0) {
      this.#isFirst = false;
      if (chunk.startsWith('\uFEFF')) startIndex = 1;
    }
    for (let index = startIndex; index < chunk.length; index++) {
      const code = chunk.charCodeAt(index);
      if (this.#skipLineFeed) {
        this.#skipLineFeed = false;
        if (code === lineFeed) {
          startIndex = index + 1;
          continue;
        }
      }
      if (this.#at === 'quoted') {
        if (code !== quoteCode) continue;
        this.#cell += chunk.slice(startIndex, index);
        this.#at = 'closed';
        startIndex = index + 1;
      } else if (code === quoteCode && this.#at === 'closed') {
        startIndex = index; // an escaped quote
        this.#at = 'quoted';
      } else if (code === quoteCode && this.#at === 'start') {
        startIndex = index + 1;
        this.#at = 'quoted';
        if (this.#cells.length === 0) this.#isQuoted = true;
      } else if (code === this.#delimiter) {
        this.#endCell(chunk.slice(startIndex, index));
        startIndex = index + 1;
      } else if (code === lineFeed || code === carriageReturn) {
        this.#endCell(chunk.slice(startIndex, index));
        records.push(this.#endRecord());
        this.#skipLineFeed = code === carriageReturn;
        startIndex = index + 1;
      } else {
        if (this.#at === 'closed') this.#isBroken = true;
        this.#at = 'plain';
      }
    }
    this.#cell += chunk.slice(startIndex);
    return records;
  }

  /** The last record, if its line has no end. Throws CsvError for an open quote. */
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

  #endCell(remainder: string) {
    if (this.#cells.length === this.#maxCells) throw new CsvError('tooManyCells', 'a CSV row has too many cells');
    this.#cells.push(this.#cell + remainder);
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

/** Skips a byte order mark. Throws CsvError. */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  const reader = new CsvReader();
  for await (const chunk of chunks) for (const { cells } of reader.push(chunk)) yield cells;
  for (const { cells } of reader.end()) yield cells;
}

const sliceLength = 65_536;

export function* parseCsvRecords(text: string, delimiter: string, maxCells?: number): Generator<CsvRecord> {
  const reader = new CsvReader(delimiter, maxCells);
  for (let startIndex = 0; startIndex < text.length; startIndex += sliceLength)
    yield* reader.push(text.slice(startIndex, startIndex + sliceLength));
  yield* reader.end();
}
