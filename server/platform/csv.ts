/** Starts the file so that a Chinese Excel reads it as UTF-8. */
export const byteOrderMark = '\uFEFF';

// What spreadsheets run: = + - @ and their full-width forms, also behind spaces, quotes and control characters.
const formula = /^[\s\p{C}'"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212]/u;
const control = /^[\t\r\n]/;

/** Text may be made inert; a number never is text, also one below zero. */
export type Cell = string | number | bigint | null;

/** One line (RFC 4180): every cell quoted, text that a spreadsheet would run made inert with an apostrophe; CRLF. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: Cell): string {
  if (value === null) return '""';
  if (typeof value !== 'string') return `"${value}"`;
  const inert = formula.test(value) || control.test(value) ? `'${value}` : value;
  return `"${inert.replaceAll('"', '""')}"`;
}

/** The records of a CSV text as it comes, with the mark left out. Throws on a quote that is never closed. */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let record: string[] = [];
  let cell = '';
  let quoted = false;
  let closed = false; // a quote was met inside quotes: the end of the cell, or the first of two
  let first = true;
  for await (const chunk of chunks) {
    for (const char of first ? chunk.replace(/^\uFEFF/, '') : chunk) {
      if (closed && char === '"') {
        cell += char;
        closed = false;
        quoted = true;
        continue;
      }
      closed = false;
      if (quoted) {
        if (char === '"') {
          quoted = false;
          closed = true;
        } else cell += char;
      } else if (char === '"') quoted = true;
      else if (char === ',') {
        record.push(cell);
        cell = '';
      } else if (char === '\n') {
        yield [...record, cell];
        record = [];
        cell = '';
      } else if (char !== '\r') cell += char;
    }
    first = false;
  }
  if (quoted) throw new Error('the CSV ends inside a quoted cell');
  if (record.length > 0 || cell !== '') yield [...record, cell];
}
