import { expect, test } from 'vitest';
import { splitEdits } from './split-edits.ts';

const rowsOf = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => ({ line: index + 1, texts: { reason: text } }));

test('edited rows are split in order so that each request is under 60,000 bytes of JSON', () => {
  const rows = rowsOf(100, '季'.repeat(1000));
  const requestParts = splitEdits(rows);
  expect(requestParts.flat()).toEqual(rows);
  const sizes = requestParts.map((part) =>
    Buffer.byteLength(JSON.stringify({ json: { id: crypto.randomUUID(), version: 1, rows: part } })),
  );
  expect(Math.max(...sizes)).toBeLessThan(60_000);
  expect(requestParts.length).toBe(6);
});

test('at most 200 edited rows go into one request', () => {
  expect(splitEdits(rowsOf(450, 'x')).map(({ length }) => length)).toEqual([200, 200, 50]);
});

test('an edited row over the limit of a request is sent alone', () => {
  expect(
    splitEdits([...rowsOf(1, 'x'), ...rowsOf(1, 'x'.repeat(70_000)), ...rowsOf(1, 'x')]).map(({ length }) => length),
  ).toEqual([1, 1, 1]);
});
