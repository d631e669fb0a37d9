import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteOrderMark, csvLine, readCsv } from './csv.ts';

async function read(...chunks: string[]): Promise<string[][]> {
  async function* stream() {
    yield* chunks;
  }
  const records = [];
  for await (const record of readCsv(stream())) records.push(record);
  return records;
}

test('every cell is quoted and lines end as Excel wants them', () => {
  expect(csvLine(['a', 'b"c', null, 7])).toBe('"a","b""c","","7"\r\n');
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
])('a spreadsheet runs nothing of %j', (text) => {
  expect(csvLine([text])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
});

test.each(['a=1', '1-2', '{"a":"=1"}', '新闻 = 标题', 'a@b.c', '2026-01-01T00:00:00.000Z'])('%j stays as it is', (text) => {
  expect(csvLine([text])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
});

test('what was written is read back, wherever the chunks break', async () => {
  const inertText = fc.string({ unit: 'grapheme' }).map((text) => `x${text}`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(inertText, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      async (lines, at) => {
        const text = lines.map(csvLine).join('');
        const cut = at % text.length;
        expect(await read(byteOrderMark, text.slice(0, cut), text.slice(cut))).toEqual(lines);
      },
    ),
  );
});

test('a file cut inside a cell is said to be', async () => {
  await expect(read('"a","b')).rejects.toThrow('ends inside a quoted cell');
});
