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
const cursorAt = (cursor: string): Selection => moveTo(emptySelection, cursor);
const checkedIds = (selection: Selection) => Object.keys(selection.checked).toSorted().join('');

describe('moving the cursor of a list', () => {
  it('starts at the first row going down and at the last going up', () => {
    expect(moveBy(emptySelection, ids, 1).cursor).toBe('a');
    expect(moveBy(emptySelection, ids, -1).cursor).toBe('e');
    expect(moveBy(emptySelection, [], 1).cursor).toBeNull();
  });

  it('stops at both ends', () => {
    expect(moveBy(cursorAt('d'), ids, 10).cursor).toBe('e');
    expect(moveBy(cursorAt('b'), ids, -10).cursor).toBe('a');
  });

  it('keeps the checks', () => {
    expect(checkedIds(moveBy(toggleRow(cursorAt('a'), 'b'), ids, 1))).toBe('b');
  });
});

describe('checking rows of a list', () => {
  it('toggles one row', () => {
    expect(checkedIds(toggleRow(cursorAt('a'), 'a'))).toBe('a');
    expect(checkedIds(toggleRow(toggleRow(cursorAt('a'), 'a'), 'a'))).toBe('');
  });

  it('extends a range from its start and shrinks it when reversed', () => {
    const extendedDown = extendBy(extendBy(cursorAt('b'), ids, 1), ids, 1);
    expect(checkedIds(extendedDown)).toBe('bcd');
    expect(checkedIds(extendBy(extendedDown, ids, -1))).toBe('bc');
    const extendedUp = extendBy(extendBy(extendBy(extendedDown, ids, -1), ids, -1), ids, -1);
    expect(checkedIds(extendedUp)).toBe('ab');
  });

  it('extends to a clicked row and starts a new range after a plain move', () => {
    const firstRange = extendTo(cursorAt('a'), ids, 'b');
    const secondRange = extendTo(moveTo(firstRange, 'd'), ids, 'e');
    expect(checkedIds(secondRange)).toBe('abde');
  });

  it('checks all rows, or none', () => {
    expect(checkedIds(selectAll(cursorAt('c'), ids))).toBe('abcde');
    expect(checkedIds(clearChecks(selectAll(cursorAt('c'), ids)))).toBe('');
    expect(clearChecks(selectAll(cursorAt('c'), ids)).cursor).toBe('c');
  });
});

describe('checking all rows of a list', () => {
  const allSelected = selectAll(cursorAt('c'), ids);

  it('stays known when more rows load, some disappear, or the cursor moves', () => {
    const reconciled = reconcileSelection(allSelected, ids, [...ids, 'f']);
    expect(reconciled.all).toBe(true);
    expect(checkedIds(reconciled)).toBe('abcde');
    expect(reconcileSelection(allSelected, ids, ['a', 'b', 'd']).all).toBe(true);
    expect(moveTo(allSelected, 'a').all).toBe(true);
  });

  it('ends with the first row that is checked or unchecked alone', () => {
    for (const changedSelection of [
      toggleRow(allSelected, 'a'),
      extendTo(allSelected, ids, 'a'),
      clearChecks(allSelected),
      toggleRow(clearChecks(allSelected), 'a'),
    ])
      expect(changedSelection.all ?? false).toBe(false);
  });
});

describe('rows that change in a list', () => {
  it('keep cursor and checks by id when they move', () => {
    const selectionBefore = toggleRow(toggleRow(cursorAt('a'), 'b'), 'd');
    expect(reconcileSelection(selectionBefore, ids, ['d', 'x', 'b', 'a'])).toBe(selectionBefore);
  });

  it('are unchecked when they disappear', () => {
    expect(checkedIds(reconcileSelection(toggleRow(toggleRow(cursorAt('a'), 'b'), 'd'), ids, ['a', 'b', 'c', 'e']))).toBe('b');
  });

  it('pass the cursor to the next row, at the end to the previous one, and to none in an empty list', () => {
    expect(reconcileSelection(cursorAt('c'), ids, ['a', 'b', 'd', 'e']).cursor).toBe('d');
    expect(reconcileSelection(cursorAt('c'), ids, ['a', 'b']).cursor).toBe('b');
    expect(reconcileSelection(cursorAt('e'), ids, ['a', 'b', 'c', 'd']).cursor).toBe('d');
    expect(reconcileSelection(cursorAt('c'), ids, []).cursor).toBeNull();
    expect(reconcileSelection(cursorAt('c'), ids, ['x', 'y']).cursor).toBeNull();
  });

  it('never leave the cursor or a check on a missing row, after random changes', () => {
    const step = fc.constantFrom<(selection: Selection) => Selection>(
      (selection) => moveBy(selection, ids, 1),
      (selection) => moveBy(selection, ids, -1),
      (selection) => extendBy(selection, ids, 1),
      (selection) => extendBy(selection, ids, -1),
      (selection) => toggleRow(selection, selection.cursor ?? 'a'),
      (selection) => selectAll(selection, ids),
      clearChecks,
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.subarray(ids), (steps, remainingIds) => {
        const reconciled = reconcileSelection(
          steps.reduce((selection, applyStep) => applyStep(selection), emptySelection),
          ids,
          remainingIds,
        );
        expect(reconciled.cursor === null || remainingIds.includes(reconciled.cursor)).toBe(true);
        for (const id of Object.keys(reconciled.checked)) expect(remainingIds).toContain(id);
        expect(reconciled.anchor === null || remainingIds.includes(reconciled.anchor)).toBe(true);
      }),
    );
  });
});
