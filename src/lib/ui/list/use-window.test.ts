import { describe, expect, it } from 'vitest';
import { isViewCovered, scrollTopToReveal, computeWindow } from './use-window.ts';

const view = { scrollTop: 0, height: 360, rowHeight: 36, count: 10_000 };

describe('the drawn rows of a list', () => {
  it.each([
    ['at the top: what is seen and eight more', view, { first: 0, end: 18 }],
    ['in the middle: four before, eight after', { ...view, scrollTop: 3600 }, { first: 96, end: 118 }],
    ['three rows on: the same', { ...view, scrollTop: 3743 }, { first: 96, end: 118 }],
    ['four rows on: both ends moved', { ...view, scrollTop: 3744 }, { first: 100, end: 122 }],
    ['at the end: no more than there are', { ...view, scrollTop: 359_640 }, { first: 9984, end: 10_000 }],
    ['scrolled past what a refetch left', { ...view, scrollTop: 359_640, count: 5 }, { first: 5, end: 5 }],
    ['none', { ...view, count: 0 }, { first: 0, end: 0 }],
    ['a scroller not laid out yet', { ...view, height: -32 }, { first: 0, end: 8 }],
  ])('%s', (_where, windowInput, expectedSpan) => {
    expect(computeWindow(windowInput)).toEqual(expectedSpan);
  });

  it('stay few however long the list is', () => {
    const { first, end } = computeWindow({ ...view, scrollTop: 36_000_000, count: 2_000_000 });
    expect(end - first).toBeLessThanOrEqual(22);
  });
});

describe('drawing a long list', () => {
  const expectedSpan = { first: 96, end: 118 };
  it.each([
    ['covers what is in sight', { ...view, scrollTop: 3600 }, true],
    ['covers it to the last row that is drawn', { ...view, scrollTop: 3888 }, true],
    ['and no pixel beyond', { ...view, scrollTop: 3889 }, false],
    ['nor above the first', { ...view, scrollTop: 3455 }, false],
    ['covers a list that has got shorter', { ...view, scrollTop: 3600, count: 105 }, true],
  ])('%s', (_what, windowInput, isExpected) => {
    expect(isViewCovered(expectedSpan, windowInput)).toBe(isExpected);
  });
});

it('the drawn rows of a list cover the scroll position with four spare rows', () => {
  for (let scrollTop = 3500; scrollTop < 3900; scrollTop += 7) {
    const { first, end } = computeWindow({ ...view, scrollTop });
    expect(isViewCovered({ first: first + 4, end: end - 4 }, { ...view, scrollTop })).toBe(true);
  }
});

describe('revealing a row', () => {
  it.each([
    ['in sight: stays', 5, { ...view, scrollTop: 36 }, 36],
    ['above: to the top edge', 2, { ...view, scrollTop: 360 }, 72],
    ['below: to the bottom edge', 20, view, 396],
    ['the last fully seen row', 9, view, 0],
    ['the first half-hidden one', 10, view, 36],
    ['none: stays', -1, { ...view, scrollTop: 36 }, 36],
  ])('%s', (_where, index, windowInput, scrollTop) => {
    expect(scrollTopToReveal(index, windowInput)).toBe(scrollTop);
  });
});
