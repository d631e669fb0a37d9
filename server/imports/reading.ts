import { delimiters, importLimit, type Delimiter, type ImportQuestion, type ImportReading } from '../../api/imports/contract.ts';
import type { Name } from '../../api/naming.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { CsvError, parseCsvRecords, type CsvRecord } from '../platform/core/csv.ts';

export type ColumnNames = Readonly<Record<string, Name>>;
type ColumnMapping = Record<string, number | null>;

interface DetectedReading {
  reading: Omit<ImportReading, 'encoding' | 'decimal' | 'zone'>;
  mapping: ColumnMapping;
  doubts: ImportQuestion[];
}

/** Null or absent choices are detected. */
interface ReadingOptions {
  delimiter?: Delimiter | null;
  firstLine?: number | null;
  headed?: boolean | null;
  comments?: boolean;
}

/** Throws BAD_REQUEST for a broken CSV. */
export function* recordsIn(text: string, delimiter: string): Generator<CsvRecord> {
  try {
    yield* parseCsvRecords(text, delimiter, importLimit.columns);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw createFieldError('file', error.reason === 'openQuote' ? 'openQuote' : 'tooManyColumns');
  }
}

/** `line` as a spreadsheet counts: from 1, with blank lines. */
interface NumberedRecord extends CsvRecord {
  line: number;
}

/** Limits of detection. */
const searchLimits = { filled: 50, lines: 5_000 };

function readFirstRecords(text: string, delimiter: string): NumberedRecord[] {
  const lines: NumberedRecord[] = [];
  let line = 0;
  for (const record of recordsIn(text, delimiter)) {
    line++;
    if (!isBlank(record.cells)) lines.push({ ...record, line });
    if (lines.length === searchLimits.filled || line === searchLimits.lines) break;
  }
  return lines;
}

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');
const hasHash = ({ cells, isQuoted }: CsvRecord): boolean => !isQuoted && /^\s*#/.test(cells[0] ?? '');
/** Starts with #, without an address and narrower than the table. */
export const isComment = (record: CsvRecord, width: number): boolean =>
  hasHash(record) && record.cells.length < width && !hasAddress(record);
export const isNumber = (cell: string): boolean => /^\s*[+-]?\d[\d,.]*\s*$/.test(cell);
const countFilledCells = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;
export const isAddressText = (cell: string): boolean => /^\s*'?0x[0-9a-f]{40}\s*$/i.test(cell);
const hasAddress = ({ cells }: CsvRecord): boolean => cells.some(isAddressText);

/** Excel's first line `sep=;`. */
function parseSepLine(text: string): Delimiter | null {
  const [, declaredDelimiter] = /^\uFEFF?"?sep=(.)"?\s*(?:[\r\n]|$)/i.exec(text.slice(0, 20)) ?? [];
  return delimiters.find((delimiter) => delimiter === declaredDelimiter) ?? null;
}

/** A known column name outside ASCII proves the encoding. */
export function hasKnownHeader(text: string, columns: ColumnNames): boolean {
  const names = Object.values(columns).map(({ zh }) => normalizeName(zh));
  return delimiters.some((delimiter) => {
    try {
      return readFirstRecords(text, delimiter)
        .slice(0, 10)
        .some(({ cells }) => cells.some((cell) => /[^\x00-\x7f]/.test(cell) && names.includes(normalizeName(cell))));
    } catch {
      return false; // broken with this delimiter
    }
  });
}

/** Chooses the delimiter, first line and header with the most matches. */
export function detectReading(text: string, columns: ColumnNames, options: ReadingOptions = {}): DetectedReading {
  const declaredDelimiter = parseSepLine(text);
  const candidates = declaredDelimiter ? [declaredDelimiter] : delimiters;
  const attempts = candidates.flatMap((delimiter) => tryDelimiter(text, delimiter, columns, options, declaredDelimiter) ?? []);
  const [bestAttempt, secondBest] = attempts.toSorted(
    (a, b) => b.known - a.known || b.addresses - a.addresses || b.steady - a.steady || b.width - a.width,
  );
  const { delimiter } = options;
  const chosenAttempt = delimiter ? tryDelimiter(text, delimiter, columns, options, declaredDelimiter) : bestAttempt;
  const isGuess = !bestAttempt || (bestAttempt.known === 0 && bestAttempt.addresses === 0);
  // If one delimiter breaks the file and no other fits, the error is reported.
  if (!chosenAttempt || (isGuess && !delimiter && attempts.length < candidates.length)) {
    for (const candidate of delimiter ? [delimiter] : candidates) readFirstRecords(text, candidate);
    throw createFieldError('file', 'fileEmpty');
  }
  const isAmbiguous =
    secondBest &&
    secondBest.width > 1 &&
    secondBest.known === bestAttempt?.known &&
    secondBest.addresses === bestAttempt.addresses;
  const openQuestions: ImportQuestion[] = [];
  if (!declaredDelimiter && (isAmbiguous || isGuess)) openQuestions.push('delimiter');
  if (chosenAttempt.isUncertain) openQuestions.push('header');
  return { reading: chosenAttempt.reading, mapping: chosenAttempt.mapping, doubts: openQuestions };
}

interface DelimiterAttempt extends Omit<DetectedReading, 'doubts'> {
  isUncertain: boolean;
  /** Known columns, rows with an address, rows as wide as the table. */
  known: number;
  addresses: number;
  steady: number;
  width: number;
}

function tryDelimiter(
  text: string,
  delimiter: Delimiter,
  columns: ColumnNames,
  { firstLine, headed, comments = true }: ReadingOptions,
  declaredDelimiter: Delimiter | null,
): DelimiterAttempt | null {
  let lines: NumberedRecord[];
  try {
    lines = readFirstRecords(text, delimiter);
  } catch {
    return null;
  }
  if (declaredDelimiter) lines = lines.filter(({ line }) => line > 1);
  const chosenRecord = firstLine ? firstRecordFrom(text, delimiter, firstLine) : null;
  const firstRecord = chosenRecord ?? findFirstRecord(lines, columns);
  if (!firstRecord) return null;
  const mappingByName = matchColumnNames(firstRecord.cells, columns);
  const knownColumnCount = mappingByName.known;
  const isHeaded = headed ?? (knownColumnCount > 0 || !hasAddress(firstRecord));
  const precedingRecords = lines.filter(({ line }) => line < firstRecord.line);
  const fields = Object.keys(columns);
  const width = firstRecord.cells.length;
  const rows = lines.filter((record) => record.line > firstRecord.line && !(comments && isComment(record, width)));
  // Without names, columns follow the template unless there are more of them.
  const mappingByPosition = Object.fromEntries(
    fields.map((field, index) => [field, width <= fields.length && index < width ? index : null]),
  );
  return {
    reading: { delimiter, firstLine: firstRecord.line, headed: isHeaded, comments },
    mapping: isHeaded ? mappingByName.mapping : mappingByPosition,
    // Without names, two number columns may be swapped.
    isUncertain:
      precedingRecords.some((record) => !hasHash(record) && (countFilledCells(record.cells) > 1 || hasAddress(record))) ||
      (isHeaded ? knownColumnCount === 0 : firstRecord.cells.filter(isNumber).length > 1),
    known: isHeaded ? knownColumnCount : 0,
    addresses: [...(isHeaded ? [] : [firstRecord]), ...rows].filter(hasAddress).length,
    steady: rows.filter(({ cells }) => cells.length === width).length,
    width,
  };
}

/** Prefers a line with most column names, then the one above the first address. */
function findFirstRecord(lines: readonly NumberedRecord[], columns: ColumnNames): NumberedRecord | undefined {
  const namedRecord = lines
    .filter((line) => !hasAddress(line))
    .map((line) => ({ line, known: matchColumnNames(line.cells, columns).known }))
    .filter(({ known, line }) => known > (hasHash(line) ? 1 : 0))
    .toSorted((a, b) => b.known - a.known || a.line.line - b.line.line)[0];
  if (namedRecord) return namedRecord.line;
  const data = lines.filter((line) => !hasHash(line));
  const firstAddressIndex = data.findIndex(hasAddress);
  if (firstAddressIndex < 0) return data[0];
  const previousRecord = data[firstAddressIndex - 1];
  return previousRecord &&
    previousRecord.cells.length === data[firstAddressIndex]?.cells.length &&
    countFilledCells(previousRecord.cells) > 1
    ? previousRecord
    : data[firstAddressIndex];
}

function firstRecordFrom(text: string, delimiter: Delimiter, minLine: number): NumberedRecord | null {
  let line = 0;
  for (const record of recordsIn(text, delimiter)) {
    line++;
    if (line >= minLine && !isBlank(record.cells)) return { ...record, line };
  }
  return null;
}

/** A name of two columns matches neither, so that a person chooses. */
function matchColumnNames(headerNames: readonly string[], columns: ColumnNames): { mapping: ColumnMapping; known: number } {
  const cells = headerNames.map(normalizeName);
  const matches = Object.entries(columns).map(([field, { zh, en }]) => {
    const names = [field, zh, en, `${zh} ISO 8601 UTC`, `${en} ISO 8601 UTC`].map(normalizeName);
    return [field, cells.flatMap((cell, index) => (names.includes(cell) ? [index] : []))] as const;
  });
  return {
    mapping: Object.fromEntries(matches.map(([field, indexes]) => [field, indexes.length === 1 ? (indexes[0] ?? null) : null])),
    known: matches.filter(([, indexes]) => indexes.length > 0).length,
  };
}

/** 'NFT Number', 'nft_number', 'nftNumber' and 'ＮＦＴ number *' are equal. */
const normalizeName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
