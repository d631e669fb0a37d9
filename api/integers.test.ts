import { expect, test } from 'vitest';
import { parseInteger } from './integers.ts';

test.each([
  ['1,200', '1200'],
  ['+5', '5'],
  ['１２００', '1200'],
  ['－５', '-5'],
  ['\u22125', '-5'],
  ['１，２００', '1200'],
])('%s is read as %s', (input, expected) => {
  expect(parseInteger(input)).toBe(expected);
});

test.each(['10²', '5₃', '㊿', '①00', '1,20', '0,200', '1e3', '٥'])('%s is refused', (input) => {
  expect(parseInteger(input)).toBeNull();
});
