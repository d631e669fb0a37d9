import { delimiters, importLimit, type Delimiter, type ImportQuestion, type ImportReading } from '../../api/imports/contract.ts';
import type { Name } from '../../api/naming.ts';
import { badField } from '../platform/core/errors.ts';
import { CsvError, csvRecords, type CsvRecord } from '../platform/core/csv.ts';

export type Columns = Readonly<Record<string, Name>>;
type Mapping = Record<string, number | null>;

interface FoundReading {
  reading: Omit<ImportReading, 'encoding' | 'decimal' | 'zone'>;
  mapping: Mapping;
  doubts: ImportQuestion[];
}

/** Null or absent choices are detected. */
interface ReadingChoices {
  delimiter?: Delimiter | null;
  firstLine?: number | null;
  headed?: boolean | null;
  comments?: boolean;
}

/** Throws BAD_REQUEST for a broken CSV. */
export function* recordsIn(text: string, delimiter: string): Generator<CsvRecord> {
  try {
    yield* csvRecords(text, delimiter, importLimit.columns);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badField('file', error.reason === 'openQuote' ? 'openQuote' : 'tooManyColumns');
  }
}

/** `line` as a spreadsheet counts: from 1, with blank lines. */
interface NumberedRecord extends CsvRecord {
  line: number;
}

/** Limits of detection. */
const looked = { filled: 50, lines: 5_000 };

function head(text: string, delimiter: string): NumberedRecord[] {
  const lines: NumberedRecord[] = [];
  let line = 0;
  for (const record of recordsIn(text, delimiter)) {
    line++;
    if (!isBlank(record.cells)) lines.push({ ...record, line });
    if (lines.length === looked.filled || line === looked.lines) break;
  }
  return lines;
}

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');
const hasHash = ({ cells, isQuoted }: CsvRecord): boolean => !isQuoted && /^\s*#/.test(cells[0] ?? '');
/** Starts with #, without an address and narrower than the table. */
export const isComment = (record: CsvRecord, width: number): boolean =>
  hasHash(record) && record.cells.length < width && !hasAddress(record);
export const isNumber = (cell: string): boolean => /^\s*[+-]?\d[\d,.]*\s*$/.test(cell);
const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;
export const isAddressText = (cell: string): boolean => /^\s*'?0x[0-9a-f]{40}\s*$/i.test(cell);
const hasAddress = ({ cells }: CsvRecord): boolean => cells.some(isAddressText);

/** Excel's first line `sep=;`. */
function namedDelimiter(text: string): Delimiter | null {
  const [, named] = /^\uFEFF?"?sep=(.)"?\s*(?:[\r\n]|$)/i.exec(text.slice(0, 20)) ?? [];
  return delimiters.find((delimiter) => delimiter === named) ?? null;
}

/** A known column name outside ASCII proves the encoding. */
export function hasKnownHeader(text: string, columns: Columns): boolean {
  const names = Object.values(columns).map(({ zh }) => plainName(zh));
  return delimiters.some((delimiter) => {
    try {
      return head(text, delimiter)
        .slice(0, 10)
        .some(({ cells }) => cells.some((cell) => /[^\x00-\x7f]/.test(cell) && names.includes(plainName(cell))));
    } catch {
      return false; // broken with this delimiter
    }
  });
}

/** Chooses the delimiter, first line and header with the most matches. */
export function findReading(text: string, columns: Columns, choices: ReadingChoices = {}): FoundReading {
  const named = namedDelimiter(text);
  const candidates = named ? [named] : delimiters;
  const tries = candidates.flatMap((delimiter) => tryDelimiter(text, delimiter, columns, choices, named) ?? []);
  const [likeliest, second] = tries.toSorted(
    (a, b) => b.known - a.known || b.addresses - a.addresses || b.steady - a.steady || b.width - a.width,
  );
  const { delimiter } = choices;
  const best = delimiter ? tryDelimiter(text, delimiter, columns, choices, named) : likeliest;
  const isGuess = !likeliest || (likeliest.known === 0 && likeliest.addresses === 0);
  // If one delimiter breaks the file and no other fits, the error is reported.
  if (!best || (isGuess && !delimiter && tries.length < candidates.length)) {
    for (const candidate of delimiter ? [delimiter] : candidates) head(text, candidate);
    throw badField('file', 'fileEmpty');
  }
  const isTie = second && second.width > 1 && second.known === likeliest?.known && second.addresses === likeliest.addresses;
  const doubts: ImportQuestion[] = [];
  if (!named && (isTie || isGuess)) doubts.push('delimiter');
  if (best.isUncertain) doubts.push('header');
  return { reading: best.reading, mapping: best.mapping, doubts };
}

interface ReadingAttempt extends Omit<FoundReading, 'doubts'> {
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
  columns: Columns,
  { firstLine, headed, comments = true }: ReadingChoices,
  named: Delimiter | null,
): ReadingAttempt | null {
  let lines: NumberedRecord[];
  try {
    lines = head(text, delimiter);
  } catch {
    return null;
  }
  if (named) lines = lines.filter(({ line }) => line > 1);
  const chosen = firstLine ? firstRecordFrom(text, delimiter, firstLine) : null;
  const first = chosen ?? findFirst(lines, columns);
  if (!first) return null;
  const byName = matchNames(first.cells, columns);
  const known = byName.known;
  const isHeaded = headed ?? (known > 0 || !hasAddress(first));
  const above = lines.filter(({ line }) => line < first.line);
  const fields = Object.keys(columns);
  const width = first.cells.length;
  const rows = lines.filter((one) => one.line > first.line && !(comments && isComment(one, width)));
  // Without names, columns follow the template unless there are more of them.
  const byPlace = Object.fromEntries(fields.map((field, at) => [field, width <= fields.length && at < width ? at : null]));
  return {
    reading: { delimiter, firstLine: first.line, headed: isHeaded, comments },
    mapping: isHeaded ? byName.mapping : byPlace,
    // Without names, two number columns may be swapped.
    isUncertain:
      above.some((one) => !hasHash(one) && (filled(one.cells) > 1 || hasAddress(one))) ||
      (isHeaded ? known === 0 : first.cells.filter(isNumber).length > 1),
    known: isHeaded ? known : 0,
    addresses: [...(isHeaded ? [] : [first]), ...rows].filter(hasAddress).length,
    steady: rows.filter(({ cells }) => cells.length === width).length,
    width,
  };
}

/** Prefers a line with most column names, then the one above the first address. */
function findFirst(lines: readonly NumberedRecord[], columns: Columns): NumberedRecord | undefined {
  const named = lines
    .filter((line) => !hasAddress(line))
    .map((line) => ({ line, known: matchNames(line.cells, columns).known }))
    .filter(({ known, line }) => known > (hasHash(line) ? 1 : 0))
    .toSorted((a, b) => b.known - a.known || a.line.line - b.line.line)[0];
  if (named) return named.line;
  const data = lines.filter((line) => !hasHash(line));
  const at = data.findIndex(hasAddress);
  if (at < 0) return data[0];
  const before = data[at - 1];
  return before && before.cells.length === data[at]?.cells.length && filled(before.cells) > 1 ? before : data[at];
}

function firstRecordFrom(text: string, delimiter: Delimiter, from: number): NumberedRecord | null {
  let line = 0;
  for (const record of recordsIn(text, delimiter)) {
    line++;
    if (line >= from && !isBlank(record.cells)) return { ...record, line };
  }
  return null;
}

/** A name of two columns matches neither, so that a person chooses. */
function matchNames(head: readonly string[], columns: Columns): { mapping: Mapping; known: number } {
  const cells = head.map(plainName);
  const found = Object.entries(columns).map(([field, { zh, en }]) => {
    const names = [field, zh, en, `${zh} ISO 8601 UTC`, `${en} ISO 8601 UTC`].map(plainName);
    return [field, cells.flatMap((cell, at) => (names.includes(cell) ? [at] : []))] as const;
  });
  return {
    mapping: Object.fromEntries(found.map(([field, places]) => [field, places.length === 1 ? (places[0] ?? null) : null])),
    known: found.filter(([, places]) => places.length > 0).length,
  };
}

/** 'NFT Number', 'nft_number', 'nftNumber' and 'ＮＦＴ number *' are equal. */
const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
