import { expect, it } from 'vitest';
import { placeFloating } from './floating.ts';

const opener = { top: 100, bottom: 128, left: 200, right: 300 };
const room = { width: 800, height: 600, floating: { width: 180, height: 240 }, rtl: false };

it.each([
  ['below, start edges in line', opener, 'start', room, { top: 132, left: 200 }],
  ['below, end edges in line', opener, 'end', room, { top: 132, left: 120 }],
  ['right to left, start is the right edge', opener, 'start', { ...room, rtl: true }, { top: 132, left: 120 }],
  ['above where below has no room', { ...opener, top: 500, bottom: 528 }, 'start', room, { top: 256, left: 200 }],
  ['never past the end of the window', { ...opener, left: 700, right: 790 }, 'start', room, { top: 132, left: 612 }],
  ['never before its beginning', { ...opener, left: 10, right: 40 }, 'end', room, { top: 132, left: 8 }],
] as const)('a popover is placed: %s', (_where, box, align, within, place) => {
  expect(placeFloating(box, align, within)).toEqual(place);
});
