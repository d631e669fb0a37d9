/** Starts the file so that a Chinese Excel reads it as UTF-8. */
export const byteOrderMark = '\uFEFF';

// What spreadsheets run: = + - @ and their full-width forms, also behind spaces, quotes and control characters.
const formula = /^[\s\p{C}'"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212]/u;
const control = /^'*[\t\r\n]/;

/** Text may be made inert; a number never is text, also one below zero. */
export type Cell = string | number | bigint | null;

/** One line (RFC 4180): every cell quoted, text that a spreadsheet would run made inert with an apostrophe; CRLF. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: Cell): string {
  if (value === null) return '""';
  if (typeof value !== 'string') return `"${value}"`;
  return `"${(isLive(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}

const isLive = (value: string): boolean => formula.test(value) || control.test(value);

/** A cell as it was before `csvLine` made it inert: what is exported can be imported. */
export const withoutGuard = (cell: string): string => (cell.startsWith("'") && isLive(cell.slice(1)) ? cell.slice(1) : cell);
