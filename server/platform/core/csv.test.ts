import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteOrderMark, formatCsvLine, stripFormulaGuard } from '../../../api/csv.ts';
import { parseCsvRecords, readCsv } from './csv.ts';

fc.configureGlobal({ seed: 20_260_101 });

async function readRecords(...chunks: string[]): Promise<string[][]> {
  async function* streamChunks() {
    yield* chunks;
  }
  const records = [];
  for await (const record of readCsv(streamChunks())) records.push(record);
  return records;
}

test('quotes every cell and ends lines as Excel expects', () => {
  expect(formatCsvLine(['a', 'b"c', null, 7])).toBe('"a","b""c","","7"\r\n');
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '  =1',
  '\u3000=1',
  '\t=1',
  '\r=1',
  '\n=1',
  '\u0000=1',
  '\u200B=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '"=1',
  "'=1",
  '\uFEFF=1',
  '\tx',
])('escapes the formula %j for spreadsheets', (text) => {
  expect(formatCsvLine([text])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
});

test.each(['a=1', '1-2', '{"a":"=1"}', '新闻 = 标题', 'a@b.c', '2026-01-01T00:00:00.000Z'])('leaves %j unchanged', (text) => {
  expect(formatCsvLine([text])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
});

test('reads back written rows at any chunk boundaries', async () => {
  const inertText = fc.string({ unit: 'grapheme' }).map((text) => `x${text}`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(inertText, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      async (lines, cutIndex) => {
        const text = lines.map(formatCsvLine).join('');
        const cutPosition = cutIndex % text.length;
        expect(await readRecords(byteOrderMark, text.slice(0, cutPosition), text.slice(cutPosition))).toEqual(lines);
      },
    ),
  );
});

test('reports a file that ends inside a cell', async () => {
  await expect(readRecords('"a","b')).rejects.toThrow('ends inside a quoted cell');
});

test.each([
  [
    'a,b\r\n1,2\r\n',
    ',',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,2',
    ',',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\r1;2\r',
    ';',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a\tb\n\n1\t2\n', '\t', [['a', 'b'], [''], ['1', '2']]],
  ['"a\r\nb","c""d"\n', ',', [['a\r\nb', 'c"d']]],
  ['5" pipe,x"y"\n', ',', [['5" pipe', 'x"y"']]],
  ['"",""\n', ',', [['', '']]],
  ['"a" b,c\n', ',', [['a b', 'c']]],
  ['a,\n', ',', [['a', '']]],
  ['', ',', []],
])('reads %j as records at any chunk boundaries', async (text, delimiter, records) => {
  expect([...parseCsvRecords(text, delimiter)].map(({ cells }) => cells)).toEqual(records);
  if (delimiter === ',') expect(await readRecords(...text)).toEqual(records);
});

test('marks a record with text after a closing quote, because a stray quote joins lines', () => {
  const records = [...parseCsvRecords('a,5,"Quiz\nb,6,"Great\nc,7,ok\n', ',')];
  expect(records.map(({ isBroken, cells }) => [isBroken, cells])).toEqual([
    [true, ['a', '5', 'Quiz\nb,6,Great']],
    [false, ['c', '7', 'ok']],
  ]);
});

test('reads escaped formulas in their original form', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('=1', "'=1", "'\tx", '-5', "''@x", '\t=1', '＝1')),
      (text) => {
        const [record] = parseCsvRecords(formatCsvLine([text]), ',');
        expect(stripFormulaGuard(record?.cells[0] ?? '')).toBe(text);
      },
    ),
  );
});
