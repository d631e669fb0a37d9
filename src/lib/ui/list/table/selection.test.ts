import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clearChecks,
  extendBy,
  extendTo,
  moveBy,
  moveTo,
  emptySelection,
  selectAll,
  reconcileSelection,
  toggleRow,
  type Selection,
} from './selection.ts';

fc.configureGlobal({ seed: 20_260_101 });

const ids = ['a', 'b', 'c', 'd', 'e'];
const at = (cursor: string): Selection => moveTo(emptySelection, cursor);
const checked = (selection: Selection) => Object.keys(selection.checked).toSorted().join('');

describe('moving the cursor of a list', () => {
  it('starts at the first row going down and at the last going up', () => {
    expect(moveBy(emptySelection, ids, 1).cursor).toBe('a');
    expect(moveBy(emptySelection, ids, -1).cursor).toBe('e');
    expect(moveBy(emptySelection, [], 1).cursor).toBeNull();
  });

  it('stops at both ends', () => {
    expect(moveBy(at('d'), ids, 10).cursor).toBe('e');
    expect(moveBy(at('b'), ids, -10).cursor).toBe('a');
  });

  it('keeps the checks', () => {
    expect(checked(moveBy(toggleRow(at('a'), 'b'), ids, 1))).toBe('b');
  });
});

describe('checking rows of a list', () => {
  it('toggles one row', () => {
    expect(checked(toggleRow(at('a'), 'a'))).toBe('a');
    expect(checked(toggleRow(toggleRow(at('a'), 'a'), 'a'))).toBe('');
  });

  it('extends a range from its start and shrinks it when reversed', () => {
    const down = extendBy(extendBy(at('b'), ids, 1), ids, 1);
    expect(checked(down)).toBe('bcd');
    expect(checked(extendBy(down, ids, -1))).toBe('bc');
    const over = extendBy(extendBy(extendBy(down, ids, -1), ids, -1), ids, -1);
    expect(checked(over)).toBe('ab');
  });

  it('extends to a clicked row and starts a new range after a plain move', () => {
    const first = extendTo(at('a'), ids, 'b');
    const second = extendTo(moveTo(first, 'd'), ids, 'e');
    expect(checked(second)).toBe('abde');
  });

  it('checks all rows, or none', () => {
    expect(checked(selectAll(at('c'), ids))).toBe('abcde');
    expect(checked(clearChecks(selectAll(at('c'), ids)))).toBe('');
    expect(clearChecks(selectAll(at('c'), ids)).cursor).toBe('c');
  });
});

describe('checking all rows of a list', () => {
  const all = selectAll(at('c'), ids);

  it('stays known when more rows load, some disappear, or the cursor moves', () => {
    const more = reconcileSelection(all, ids, [...ids, 'f']);
    expect(more.all).toBe(true);
    expect(checked(more)).toBe('abcde');
    expect(reconcileSelection(all, ids, ['a', 'b', 'd']).all).toBe(true);
    expect(moveTo(all, 'a').all).toBe(true);
  });

  it('ends with the first row that is checked or unchecked alone', () => {
    for (const after of [toggleRow(all, 'a'), extendTo(all, ids, 'a'), clearChecks(all), toggleRow(clearChecks(all), 'a')])
      expect(after.all ?? false).toBe(false);
  });
});

describe('rows that change in a list', () => {
  it('keep cursor and checks by id when they move', () => {
    const before = toggleRow(toggleRow(at('a'), 'b'), 'd');
    expect(reconcileSelection(before, ids, ['d', 'x', 'b', 'a'])).toBe(before);
  });

  it('are unchecked when they disappear', () => {
    expect(checked(reconcileSelection(toggleRow(toggleRow(at('a'), 'b'), 'd'), ids, ['a', 'b', 'c', 'e']))).toBe('b');
  });

  it('pass the cursor to the next row, at the end to the previous one, and to none in an empty list', () => {
    expect(reconcileSelection(at('c'), ids, ['a', 'b', 'd', 'e']).cursor).toBe('d');
    expect(reconcileSelection(at('c'), ids, ['a', 'b']).cursor).toBe('b');
    expect(reconcileSelection(at('e'), ids, ['a', 'b', 'c', 'd']).cursor).toBe('d');
    expect(reconcileSelection(at('c'), ids, []).cursor).toBeNull();
    expect(reconcileSelection(at('c'), ids, ['x', 'y']).cursor).toBeNull();
  });

  it('never leave the cursor or a check on a missing row, after random changes', () => {
    const step = fc.constantFrom<(selection: Selection) => Selection>(
      (s) => moveBy(s, ids, 1),
      (s) => moveBy(s, ids, -1),
      (s) => extendBy(s, ids, 1),
      (s) => extendBy(s, ids, -1),
      (s) => toggleRow(s, s.cursor ?? 'a'),
      (s) => selectAll(s, ids),
      clearChecks,
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.subarray(ids), (steps, left) => {
        const done = reconcileSelection(
          steps.reduce((selection, next) => next(selection), emptySelection),
          ids,
          left,
        );
        expect(done.cursor === null || left.includes(done.cursor)).toBe(true);
        for (const id of Object.keys(done.checked)) expect(left).toContain(id);
        expect(done.anchor === null || left.includes(done.anchor)).toBe(true);
      }),
    );
  });
});
