import { numberFields, type DecimalMark, type ImportKind } from '../../api/imports/contract.ts';
import { csvRows, type CsvFile, type CsvLine } from './file.ts';

const normalize = (text: string): string => text.normalize('NFKC').trim();

/** 1.234,5 becomes 1,234.5. */
export const withDecimalPoint = (text: string, decimal: DecimalMark): string =>
  decimal === '.' ? text : normalize(text).replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));

/** 1,200 is 1200 or 1.2, depending on the decimal mark. */
export const isUnclear = (text: string): boolean => /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(normalize(text));

/** Null: both are possible. */
function decimalOf(text: string): DecimalMark | null {
  const number = normalize(text).replace(/^[+-]/, '');
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(number) || /^\d{1,3}(,\d{3}){2,}$/.test(number)) return '.';
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(number) || /^\d{1,3}(\.\d{3}){2,}$/.test(number)) return ',';
  const [, mark] = /^\d+([.,])\d+$/.exec(number) ?? [];
  return isUnclear(number) || (mark !== '.' && mark !== ',') ? null : mark;
}

/** Null: nothing proved, or a contradiction. */
export function provenDecimal(kind: ImportKind, file: CsvFile): DecimalMark | null {
  if (!/[\d\uFF10-\uFF19][.,\uFF0E\uFF0C][\d\uFF10-\uFF19]/.test(file.text)) return null;
  const found = new Set<DecimalMark>();
  for (const row of csvRows({ ...file, edits: new Map(), fills: {} }))
    for (const text of row.malformed ? [] : numbersOf(kind, row)) {
      const decimal = decimalOf(text);
      if (decimal) found.add(decimal);
    }
  const [only, ...others] = found;
  return others.length === 0 ? (only ?? null) : null;
}

export const numbersOf = (kind: ImportKind, { texts, typed }: CsvLine): string[] =>
  numberFields[kind].filter((field) => !typed.includes(field)).map((field) => texts[field] ?? '');
