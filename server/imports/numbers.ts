import { numberFields, type DecimalMark, type ImportKind } from '../../api/imports/contract.ts';
import { rowsOf, type CsvFile, type Line } from './file.ts';

const plain = (text: string): string => text.normalize('NFKC').trim();

/** A number as the panel writes it: 1.234,5 with a decimal comma becomes 1,234.5. */
export const withDecimalPoint = (text: string, decimal: DecimalMark): string =>
  decimal === '.' ? text : plain(text).replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));

/** Whether a number reads differently with the other decimal mark: 1,200 is 1200 or 1.2. */
export const isUnclear = (text: string): boolean => /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(plain(text));

/** The decimal mark that a number must have been written with; null where it could be either. */
function decimalOf(text: string): DecimalMark | null {
  const number = plain(text).replace(/^[+-]/, '');
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(number) || /^\d{1,3}(,\d{3}){2,}$/.test(number)) return '.';
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(number) || /^\d{1,3}(\.\d{3}){2,}$/.test(number)) return ',';
  const [, mark] = /^\d+([.,])\d+$/.exec(number) ?? [];
  return isUnclear(number) || (mark !== '.' && mark !== ',') ? null : mark;
}

/** The decimal mark that the numbers of a file prove; null when they prove none, or both. */
export function provenDecimal(kind: ImportKind, file: CsvFile): DecimalMark | null {
  if (!/[\d\uFF10-\uFF19][.,\uFF0E\uFF0C][\d\uFF10-\uFF19]/.test(file.text)) return null;
  const found = new Set<DecimalMark>();
  for (const row of rowsOf({ ...file, edits: new Map(), fills: {} }))
    for (const text of row.malformed ? [] : numbersOf(kind, row)) {
      const decimal = decimalOf(text);
      if (decimal) found.add(decimal);
    }
  const [only, ...others] = found;
  return others.length === 0 ? (only ?? null) : null;
}

/** The numbers of a row in the spelling of the file. */
export const numbersOf = (kind: ImportKind, { texts, typed }: Line): string[] =>
  numberFields[kind].filter((field) => !typed.includes(field)).map((field) => texts[field] ?? '');
