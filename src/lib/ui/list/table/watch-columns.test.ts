import { expect, test } from 'vitest';
import { isColumnCut } from './watch-columns.ts';

const visibleExtent = { left: 100, right: 500, room: 400 };

test.for([
  ['whole in sight', 200, 300, false],
  ['exactly between the edges', 100, 500, false],
  ['cut by the start', 60, 180, true],
  ['cut by the end', 450, 560, true],
  ['out of sight before the start', 0, 100, false],
  ['out of sight after the end', 500, 600, false],
  ['too wide to be seen whole', 50, 600, false],
] as const)('a column %s (%i to %i) counts as cut: %s', ([, left, right, expected]) =>
  expect(isColumnCut({ left, right }, visibleExtent)).toBe(expected),
);
