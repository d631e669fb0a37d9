/** Makes Chinese versions of Excel read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';

// Spreadsheets run text that starts with = + - @ or their full-width forms, even behind spaces, quotes and control characters.
const formula = /^[\s\p{C}'"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212]/u;
const control = /^'*[\t\r\n]/;

export type Cell = string | number | bigint | { readonly decimal: string } | null;

/** RFC 4180 with every cell quoted. An apostrophe disarms text that a spreadsheet would run. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: Cell): string {
  if (value === null) return '""';
  if (typeof value === 'object') return `"${value.decimal}"`;
  if (typeof value !== 'string') return `"${value}"`;
  return `"${(isFormula(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}

const isFormula = (value: string): boolean => formula.test(value) || control.test(value);

export const withoutGuard = (cell: string): string => (cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell);
