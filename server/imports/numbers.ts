import { numberFields, type DecimalMark, type ImportKind } from '../../api/imports/contract.ts';
import { csvRows, type CsvFile, type CsvRow } from './file.ts';

const normalize = (text: string): string => text.normalize('NFKC').trim();

/** 1.234,5 becomes 1,234.5. */
export const withDecimalPoint = (text: string, decimal: DecimalMark): string =>
  decimal === '.' ? text : normalize(text).replaceAll(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));

/** 1,200 is 1200 or 1.2, depending on the decimal mark. */
export const isAmbiguousNumber = (text: string): boolean => /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(normalize(text));

/** Null: both are possible. */
function decimalMarkOf(text: string): DecimalMark | null {
  const normalizedText = normalize(text).replace(/^[+-]/, '');
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(normalizedText) || /^\d{1,3}(,\d{3}){2,}$/.test(normalizedText)) return '.';
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(normalizedText) || /^\d{1,3}(\.\d{3}){2,}$/.test(normalizedText)) return ',';
  const [, separator] = /^\d+([.,])\d+$/.exec(normalizedText) ?? [];
  return isAmbiguousNumber(normalizedText) || (separator !== '.' && separator !== ',') ? null : separator;
}

/** Null: nothing proved, or a contradiction. */
export function detectDecimalMark(kind: ImportKind, file: CsvFile): DecimalMark | null {
  if (!/[\d\uFF10-\uFF19][.,\uFF0E\uFF0C][\d\uFF10-\uFF19]/.test(file.text)) return null;
  const detectedMarks = new Set<DecimalMark>();
  for (const row of csvRows({ ...file, edits: new Map(), fills: {} }))
    for (const text of row.malformed ? [] : numberTextsOf(kind, row)) {
      const decimal = decimalMarkOf(text);
      if (decimal) detectedMarks.add(decimal);
    }
  const [onlyMark, ...otherMarks] = detectedMarks;
  return otherMarks.length === 0 ? (onlyMark ?? null) : null;
}

export const numberTextsOf = (kind: ImportKind, { texts, typed }: CsvRow): string[] =>
  numberFields[kind].filter((field) => !typed.includes(field)).map((field) => texts[field] ?? '');
