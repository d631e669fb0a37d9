import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointsColumns } from '../../api/rewards/points.ts';
import type { Encoding } from '../../api/encodings.ts';
import type { Delimiter } from '../../api/imports/contract.ts';
import { decodeStrictly } from '../platform/core/encoding.ts';
import { findEncoding } from './encoding.ts';
import { csvRows } from './file.ts';
import { findReading, hasKnownHeader } from './reading.ts';

fc.configureGlobal({ seed: 20_261_127 });

// ── Three programs that write CSV ──────────────────────────────────────────

type Table = readonly (readonly string[])[];
type Writer = (table: Table, delimiter: Delimiter) => string;

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const lines = (table: Table, end: string, delimiter: string, cellOf: (cell: string) => string) =>
  table.map((cells) => cells.map(cellOf).join(delimiter) + end).join('');

const writers: Readonly<Record<string, Writer>> = {
  'a spreadsheet that quotes where it must': (table, delimiter) =>
    lines(table, '\r\n', delimiter, (cell) => (/["\r\n]/.test(cell) || cell.includes(delimiter) ? quoted(cell) : cell)),
  'a database that quotes all text': (table, delimiter) =>
    lines(table, '\n', delimiter, (cell) => (/^-?\d+$/.test(cell) ? cell : quoted(cell))),
  'an old program that names its delimiter and ends lines in CR': (table, delimiter) =>
    `sep=${delimiter}\r${lines(table, '\r', delimiter, quoted)}`,
};

// The inverse of the platform's decoder for each encoding.

function inverse(encoding: 'gb18030' | 'windows-1252'): ReadonlyMap<string, number[]> {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number[]>();
  const note = (...code: number[]) => {
    const character = decoder.decode(new Uint8Array(code));
    if ([...character].length === 1 && character !== '\uFFFD' && !bytes.has(character)) bytes.set(character, code);
  };
  for (let first = 0; first < 256; first++) {
    if (first < 0x80 || encoding === 'windows-1252') note(first);
    else for (let second = 0x40; second < 0xff; second++) note(first, second);
  }
  return bytes;
}

const inMap = (map: ReadonlyMap<string, number[]>) => (text: string) =>
  new Uint8Array([...text].flatMap((character) => map.get(character) ?? [0x3f]));

const gb18030 = inverse('gb18030');
const windows1252 = inverse('windows-1252');
const utf8 = new TextEncoder();

interface Written {
  encoding: Encoding;
  encode: (text: string) => Uint8Array;
  characters: fc.Arbitrary<string>;
}

const oneOf = (map: ReadonlyMap<string, number[]>) => fc.constantFrom(...[...map.keys()].filter((one) => one > '\u001f'));
const any = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((one) => one !== '\uFEFF' && one !== '\u0000');

const encodingsWritten: Readonly<Record<string, Written>> = {
  'UTF-8': { encoding: 'utf-8', encode: (text) => utf8.encode(text), characters: any },
  'UTF-8 with a mark': { encoding: 'utf-8', encode: (text) => utf8.encode(`\uFEFF${text}`), characters: any },
  'UTF-16': {
    encoding: 'utf-16le',
    encode: (text) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le')),
    characters: any,
  },
  GB18030: { encoding: 'gb18030', encode: inMap(gb18030), characters: oneOf(gb18030) },
  'Windows-1252': { encoding: 'windows-1252', encode: inMap(windows1252), characters: oneOf(windows1252) },
};

const heads = [
  ['address', 'berries', 'reason', 'note'],
  ['note', 'reason', 'address', 'berries'],
  ['note', 'Reason', 'Berries', 'ADDRESS'],
];

/** Four cells per row: address, number and arbitrary texts. */
function tables(characters: fc.Arbitrary<string>): fc.Arbitrary<{ head: string[]; rows: Record<string, string>[] }> {
  const nasty = fc.constantFrom(',', ';', '\t', '|', '"', '\n', '\r\n', '#', '1,200', 'address', ' ', '0x');
  // Our own export uses a leading apostrophe against formulas.
  const text = fc.array(fc.oneof(characters, nasty), { maxLength: 6 }).map((parts) => `x${parts.join('')}`);
  const hashed = fc.oneof(
    text,
    text.map((one) => `#${one}`),
    fc.constant(''),
  );
  const row = fc.record({
    address: fc.stringMatching(/^0x[0-9a-f]{40}$/),
    berries: fc.integer({ min: -9999, max: 9999 }).map(String),
    reason: text,
    note: hashed,
  });
  return fc.record({ head: fc.constantFrom(...heads), rows: fc.array(row, { minLength: 1, maxLength: 4 }) });
}

const cases = Object.entries(writers).flatMap(([writer, write]) =>
  Object.entries(encodingsWritten).flatMap(([name, written]) =>
    ([',', ';', '\t'] as const).map((delimiter) => ({ writer, write, name, written, delimiter })),
  ),
);

test.each(cases)('a table by $writer in $name with $delimiter is read exactly, or a person is asked', (one) => {
  const { write, written, delimiter } = one;
  fc.assert(
    fc.property(tables(written.characters), ({ head, rows }) => {
      const bytes = written.encode(
        write([head, ...rows.map((row) => head.map((name) => row[name.toLowerCase()] ?? ''))], delimiter),
      );
      // The bytes may also be valid UTF-8, which no reader can distinguish.
      fc.pre(
        ['utf-8', 'utf-16le'].includes(written.encoding) ||
          decodeStrictly(bytes, 'utf-8') === null ||
          bytes.every((byte) => byte < 128),
      );
      const found = findEncoding(bytes, (text) => hasKnownHeader(text, pointsColumns));
      if ('certain' in found && bytes.some((byte) => byte >= 128)) expect(found.certain).toBe(written.encoding);
      // A person chooses correctly.
      const encoding = 'certain' in found ? found.certain : written.encoding;
      const text = decodeStrictly(bytes, encoding) ?? '';
      const { reading, mapping, doubts } = findReading(text, pointsColumns);
      expect(doubts).toEqual([]);
      const read = [
        ...csvRows({ text, reading: { ...reading, encoding, decimal: '.', zone: 'UTC' }, mapping, fills: {}, edits: new Map() }),
      ];
      expect(read.map(({ texts, malformed }) => ({ ...texts, malformed }))).toEqual(
        rows.map(({ address, berries, reason }) => ({ address, berries, reason, malformed: null })),
      );
    }),
    { numRuns: 60 },
  );
});
