import { describe, expect, it } from 'vitest';
import { scrollTopFor, windowOf } from './use-window.ts';

const view = { scrollTop: 0, height: 360, rowHeight: 36, count: 10_000 };

describe('the rows drawn', () => {
  it.each([
    ['at the top: what is seen and eight more', view, { first: 0, end: 18 }],
    ['in the middle: eight more on both sides', { ...view, scrollTop: 3600 }, { first: 92, end: 118 }],
    ['half a row counts as seen', { ...view, scrollTop: 18 }, { first: 0, end: 19 }],
    ['at the end: no more than there are', { ...view, scrollTop: 359_640 }, { first: 9982, end: 10_000 }],
    ['scrolled past what a refetch left', { ...view, scrollTop: 359_640, count: 5 }, { first: 5, end: 5 }],
    ['none', { ...view, count: 0 }, { first: 0, end: 0 }],
    ['a scroller not laid out yet', { ...view, height: -32 }, { first: 0, end: 8 }],
  ])('%s', (_where, given, drawn) => {
    expect(windowOf(given)).toEqual(drawn);
  });

  it('stays small however long the list is', () => {
    const { first, end } = windowOf({ ...view, scrollTop: 36_000_000, count: 2_000_000 });
    expect(end - first).toBeLessThanOrEqual(27);
  });
});

describe('revealing a row', () => {
  it.each([
    ['in sight: stays', 5, { ...view, scrollTop: 36 }, 36],
    ['above: to the top edge', 2, { ...view, scrollTop: 360 }, 72],
    ['below: to the bottom edge', 20, view, 396],
    ['the last fully seen row', 9, view, 0],
    ['the first half-hidden one', 10, view, 36],
  ])('%s', (_where, index, given, scrollTop) => {
    expect(scrollTopFor(index, given)).toBe(scrollTop);
  });
});
