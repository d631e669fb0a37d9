import { importLimit } from '../../api/imports/contract.ts';
import type { Name } from '../../api/naming.ts';
import { badField } from '../platform/core/errors.ts';
import { CsvError, csvRecords } from '../platform/core/csv.ts';

/** A CSV as text, and how it was written. */
export interface CsvFile {
  text: string;
  encoding: 'utf-8' | 'gb18030';
  delimiter: ',' | ';' | '\t';
  /** Whether the first record names the columns. */
  headed: boolean;
  /** Which column (from 0) each field is read from. */
  mapping: Record<string, number | null>;
}

type Columns = Readonly<Record<string, Name>>;

// What people choose by mistake: workbooks and other archives, old workbooks, PDF, compressed files.
const otherKinds = ['504b0304', '504b0506', 'd0cf11e0', '25504446', '1f8b'];

/** Decodes a CSV: UTF-8 when it is that to the byte, else GB18030 when it is that. Throws BAD_REQUEST with why not. */
export function decodeCsv(bytes: Uint8Array): Pick<CsvFile, 'text' | 'encoding'> {
  if (bytes.byteLength === 0) throw badField('file', 'fileEmpty');
  if (bytes.byteLength > importLimit.bytes) throw badField('file', 'fileTooLarge');
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (otherKinds.some((kind) => start.startsWith(kind))) throw badField('file', 'notCsv');
  for (const encoding of ['utf-8', 'gb18030'] as const) {
    try {
      return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
    } catch {
      // not that
    }
  }
  throw badField('file', 'encoding');
}

/** Finds out how a CSV is to be read: the delimiter that finds most columns we know, else most columns at all. */
export function readHead(text: string, columns: Columns): Omit<CsvFile, 'text' | 'encoding'> {
  const tries = ([',', ';', '\t'] as const).map((delimiter) => {
    const first = firstRecord(text, delimiter);
    const byName = matchNames(first, columns);
    return { delimiter, first, byName, known: Object.values(byName).filter((at) => at !== null).length };
  });
  const [best] = tries.toSorted((a, b) => b.known - a.known || b.first.length - a.first.length);
  if (!best || best.first.length === 0) throw badField('file', 'fileEmpty');
  const { delimiter, first, byName, known } = best;
  // Rows copied without their head begin with data: an address stands among them. They are in the template's order.
  const headed = known > 0 || !first.some((cell) => /^\s*0x[0-9a-f]{40}\s*$/i.test(cell));
  const byPlace = Object.fromEntries(Object.keys(columns).map((field, at) => [field, at < first.length ? at : null]));
  return { delimiter, headed, mapping: headed ? byName : byPlace };
}

/** The records of a CSV. Throws BAD_REQUEST when it is broken. */
function* recordsOf(text: string, delimiter: string): Generator<string[]> {
  try {
    yield* csvRecords(text, delimiter, importLimit.columns);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badField('file', error.reason === 'openQuote' ? 'openQuote' : 'tooManyColumns');
  }
}

/** The first record that is not blank. */
function firstRecord(text: string, delimiter: string): string[] {
  for (const record of recordsOf(text, delimiter)) if (!isBlank(record)) return record;
  return [];
}

/** Which column each field is in by its names; the first that fits. */
function matchNames(head: readonly string[], columns: Columns): Record<string, number | null> {
  const cells = head.map(plainName);
  return Object.fromEntries(
    Object.entries(columns).map(([field, { zh, en }]) => {
      const at = cells.findIndex((cell) => [field, zh, en].some((name) => plainName(name) === cell));
      return [field, at < 0 ? null : at];
    }),
  );
}

/** 'NFT Number', 'nft_number', 'nftNumber' and 'ＮＦＴ number *' are one name. */
const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const isBlank = (record: readonly string[]): boolean => record.every((cell) => cell.trim() === '');

/** A record and its line as a spreadsheet counts: the first is 1, blank ones count. */
export interface Line {
  line: number;
  cells: string[];
}

/** The rows of a CSV behind a line, without head and blank ones. Throws BAD_REQUEST when it is broken, or too much. */
export function* rowsOf({ text, delimiter, headed }: Pick<CsvFile, 'text' | 'delimiter' | 'headed'>, after = 0): Generator<Line> {
  let line = 0;
  let rows = headed ? -1 : 0;
  for (const cells of recordsOf(text, delimiter)) {
    line++;
    if (isBlank(cells)) continue;
    if (++rows > importLimit.rows) throw badField('file', 'tooManyRows');
    if (rows > 0 && line > after) yield { line, cells };
  }
}

/** Names of the columns; letters, as a spreadsheet has them, where the file names none. */
export function headOf({ text, delimiter, headed }: Pick<CsvFile, 'text' | 'delimiter' | 'headed'>): string[] {
  const first = firstRecord(text, delimiter);
  return headed ? first : first.map((_, at) => letters(at));
}

function letters(at: number): string {
  return (at >= 26 ? letters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));
}
