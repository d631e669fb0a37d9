import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointsColumns } from '../../api/rewards/points.ts';
import type { Encoding } from '../../api/encodings.ts';
import type { Delimiter } from '../../api/imports/contract.ts';
import { decodeStrictly } from '../platform/core/encoding.ts';
import { detectEncoding } from './encoding.ts';
import { csvRows } from './file.ts';
import { detectReading, hasKnownHeader } from './reading.ts';

fc.configureGlobal({ seed: 20_261_127 });

// ── Three programs that write CSV ──────────────────────────────────────────

type CellTable = readonly (readonly string[])[];
type TableWriter = (table: CellTable, delimiter: Delimiter) => string;

const quoteCell = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const writeLines = (table: CellTable, end: string, delimiter: string, writeCell: (cell: string) => string) =>
  table.map((cells) => cells.map(writeCell).join(delimiter) + end).join('');

const tableWriters: Readonly<Record<string, TableWriter>> = {
  'a spreadsheet that quotes where it must': (table, delimiter) =>
    writeLines(table, '\r\n', delimiter, (cell) => (/["\r\n]/.test(cell) || cell.includes(delimiter) ? quoteCell(cell) : cell)),
  'a database that quotes all text': (table, delimiter) =>
    writeLines(table, '\n', delimiter, (cell) => (/^-?\d+$/.test(cell) ? cell : quoteCell(cell))),
  'an old program that names its delimiter and ends lines in CR': (table, delimiter) =>
    `sep=${delimiter}\r${writeLines(table, '\r', delimiter, quoteCell)}`,
};

// The inverse of the platform's decoder for each encoding.

function invertEncoding(encoding: 'gb18030' | 'windows-1252'): ReadonlyMap<string, number[]> {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number[]>();
  const addCharacter = (...code: number[]) => {
    const character = decoder.decode(new Uint8Array(code));
    if ([...character].length === 1 && character !== '\uFFFD' && !bytes.has(character)) bytes.set(character, code);
  };
  for (let firstByte = 0; firstByte < 256; firstByte++) {
    if (firstByte < 0x80 || encoding === 'windows-1252') addCharacter(firstByte);
    else for (let secondByte = 0x40; secondByte < 0xff; secondByte++) addCharacter(firstByte, secondByte);
  }
  return bytes;
}

const encodeWithMap = (map: ReadonlyMap<string, number[]>) => (text: string) =>
  new Uint8Array([...text].flatMap((character) => map.get(character) ?? [0x3f]));

const gb18030 = invertEncoding('gb18030');
const windows1252 = invertEncoding('windows-1252');
const utf8 = new TextEncoder();

interface EncodingCase {
  encoding: Encoding;
  encode: (text: string) => Uint8Array;
  characters: fc.Arbitrary<string>;
}

const characterFrom = (map: ReadonlyMap<string, number[]>) =>
  fc.constantFrom(...[...map.keys()].filter((candidate) => candidate > '\u001f'));
const anyCharacter = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
  .filter((candidate) => candidate !== '\uFEFF' && candidate !== '\u0000');

const encodingCases: Readonly<Record<string, EncodingCase>> = {
  'UTF-8': { encoding: 'utf-8', encode: (text) => utf8.encode(text), characters: anyCharacter },
  'UTF-8 with a mark': { encoding: 'utf-8', encode: (text) => utf8.encode(`\uFEFF${text}`), characters: anyCharacter },
  'UTF-16': {
    encoding: 'utf-16le',
    encode: (text) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le')),
    characters: anyCharacter,
  },
  GB18030: { encoding: 'gb18030', encode: encodeWithMap(gb18030), characters: characterFrom(gb18030) },
  'Windows-1252': { encoding: 'windows-1252', encode: encodeWithMap(windows1252), characters: characterFrom(windows1252) },
};

const headerRows = [
  ['address', 'berries', 'reason', 'note'],
  ['note', 'reason', 'address', 'berries'],
  ['note', 'Reason', 'Berries', 'ADDRESS'],
];

/** Four cells per row: address, number and arbitrary texts. */
function tables(characters: fc.Arbitrary<string>): fc.Arbitrary<{ head: string[]; rows: Record<string, string>[] }> {
  const specialText = fc.constantFrom(',', ';', '\t', '|', '"', '\n', '\r\n', '#', '1,200', 'address', ' ', '0x');
  // Our own export uses a leading apostrophe against formulas.
  const text = fc.array(fc.oneof(characters, specialText), { maxLength: 6 }).map((fragments) => `x${fragments.join('')}`);
  const textWithHash = fc.oneof(
    text,
    text.map((candidate) => `#${candidate}`),
    fc.constant(''),
  );
  const row = fc.record({
    address: fc.stringMatching(/^0x[0-9a-f]{40}$/),
    berries: fc.integer({ min: -9999, max: 9999 }).map(String),
    reason: text,
    note: textWithHash,
  });
  return fc.record({ head: fc.constantFrom(...headerRows), rows: fc.array(row, { minLength: 1, maxLength: 4 }) });
}

const testCases = Object.entries(tableWriters).flatMap(([writer, writeTable]) =>
  Object.entries(encodingCases).flatMap(([name, encodingCase]) =>
    ([',', ';', '\t'] as const).map((delimiter) => ({ writer, write: writeTable, name, written: encodingCase, delimiter })),
  ),
);

test.each(testCases)('a table by $writer in $name with $delimiter is read exactly, or a person is asked', (candidate) => {
  const { write: writeTable, written: encodingCase, delimiter } = candidate;
  fc.assert(
    fc.property(tables(encodingCase.characters), ({ head: headerRow, rows }) => {
      const bytes = encodingCase.encode(
        writeTable([headerRow, ...rows.map((row) => headerRow.map((name) => row[name.toLowerCase()] ?? ''))], delimiter),
      );
      // The bytes may also be valid UTF-8, which no reader can distinguish.
      fc.pre(
        ['utf-8', 'utf-16le'].includes(encodingCase.encoding) ||
          decodeStrictly(bytes, 'utf-8') === null ||
          bytes.every((byte) => byte < 128),
      );
      const detected = detectEncoding(bytes, (text) => hasKnownHeader(text, pointsColumns));
      if ('certain' in detected && bytes.some((byte) => byte >= 128)) expect(detected.certain).toBe(encodingCase.encoding);
      // A person chooses correctly.
      const encoding = 'certain' in detected ? detected.certain : encodingCase.encoding;
      const text = decodeStrictly(bytes, encoding) ?? '';
      const { reading, mapping, doubts } = detectReading(text, pointsColumns);
      expect(doubts).toEqual([]);
      const parsedRows = [
        ...csvRows({ text, reading: { ...reading, encoding, decimal: '.', zone: 'UTC' }, mapping, fills: {}, edits: new Map() }),
      ];
      expect(parsedRows.map(({ texts, malformed }) => ({ ...texts, malformed }))).toEqual(
        rows.map(({ address, berries, reason }) => ({ address, berries, reason, malformed: null })),
      );
    }),
    { numRuns: 60 },
  );
});
