import { expect, it } from 'vitest';
import { placeFloating } from './floating.ts';

const openerBox = { top: 100, bottom: 128, left: 200, right: 300 };
const defaultBounds = { width: 800, height: 600, floating: { width: 180, height: 240 }, rtl: false };

it.each([
  ['below, start edges in line', openerBox, 'start', defaultBounds, { top: 132, left: 200 }],
  ['below, end edges in line', openerBox, 'end', defaultBounds, { top: 132, left: 120 }],
  ['right to left, start is the right edge', openerBox, 'start', { ...defaultBounds, rtl: true }, { top: 132, left: 120 }],
  ['above where below has no room', { ...openerBox, top: 500, bottom: 528 }, 'start', defaultBounds, { top: 256, left: 200 }],
  ['never past the end of the window', { ...openerBox, left: 700, right: 790 }, 'start', defaultBounds, { top: 132, left: 612 }],
  ['never before its beginning', { ...openerBox, left: 10, right: 40 }, 'end', defaultBounds, { top: 132, left: 8 }],
] as const)('a popover is placed: %s', (_where, box, align, bounds, expectedPosition) => {
  expect(placeFloating(box, align, bounds)).toEqual(expectedPosition);
});
