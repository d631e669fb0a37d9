/** Makes Chinese versions of Excel read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';

// Spreadsheets run text that starts with = + - @ or their full-width forms, even behind spaces, quotes and control characters.
const formulaPattern = /^[\s\p{C}'"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212]/u;
const controlPattern = /^'*[\t\r\n]/;

export type Cell = string | number | bigint | { readonly decimal: string } | null;

/** RFC 4180 with every cell quoted. An apostrophe disarms text that a spreadsheet would run. */
export const formatCsvLine = (cells: readonly Cell[]): string => `${cells.map(formatCell).join(',')}\r\n`;

function formatCell(value: Cell): string {
  if (value === null) return '""';
  if (typeof value === 'object') return `"${value.decimal}"`;
  if (typeof value !== 'string') return `"${value}"`;
  return `"${(isFormula(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}

const isFormula = (value: string): boolean => formulaPattern.test(value) || controlPattern.test(value);

export const stripFormulaGuard = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;
