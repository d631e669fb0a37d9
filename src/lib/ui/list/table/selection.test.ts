import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clear, extend, extendTo, move, moveTo, nothing, selectAll, settle, toggle, type Selection } from './selection.ts';

fc.configureGlobal({ seed: 20_260_101 });

const ids = ['a', 'b', 'c', 'd', 'e'];
const at = (cursor: string): Selection => moveTo(nothing, cursor);
const checked = (selection: Selection) => Object.keys(selection.checked).toSorted().join('');

describe('moving', () => {
  it('starts at the first row going down and at the last going up', () => {
    expect(move(nothing, ids, 1).cursor).toBe('a');
    expect(move(nothing, ids, -1).cursor).toBe('e');
    expect(move(nothing, [], 1).cursor).toBeNull();
  });

  it('stops at both ends', () => {
    expect(move(at('d'), ids, 10).cursor).toBe('e');
    expect(move(at('b'), ids, -10).cursor).toBe('a');
  });

  it('leaves the checks alone', () => {
    expect(checked(move(toggle(at('a'), 'b'), ids, 1))).toBe('b');
  });
});

describe('checking', () => {
  it('turns one row on and off', () => {
    expect(checked(toggle(at('a'), 'a'))).toBe('a');
    expect(checked(toggle(toggle(at('a'), 'a'), 'a'))).toBe('');
  });

  it('extends from where it began and shrinks again when turned back', () => {
    const down = extend(extend(at('b'), ids, 1), ids, 1);
    expect(checked(down)).toBe('bcd');
    expect(checked(extend(down, ids, -1))).toBe('bc');
    const over = extend(extend(extend(down, ids, -1), ids, -1), ids, -1);
    expect(checked(over)).toBe('ab');
  });

  it('extends to a clicked row and starts anew after a plain move', () => {
    const first = extendTo(at('a'), ids, 'b');
    const second = extendTo(moveTo(first, 'd'), ids, 'e');
    expect(checked(second)).toBe('abde');
  });

  it('takes all, and none', () => {
    expect(checked(selectAll(at('c'), ids))).toBe('abcde');
    expect(checked(clear(selectAll(at('c'), ids)))).toBe('');
    expect(clear(selectAll(at('c'), ids)).cursor).toBe('c');
  });
});

describe('all at once', () => {
  const all = selectAll(at('c'), ids);

  it('is still known when more rows come, some go, or the cursor moves', () => {
    const more = settle(all, ids, [...ids, 'f']);
    expect(more.all).toBe(true);
    expect(checked(more)).toBe('abcde');
    expect(settle(all, ids, ['a', 'b', 'd']).all).toBe(true);
    expect(moveTo(all, 'a').all).toBe(true);
  });

  it('is over with the first row that is taken or left by itself', () => {
    for (const after of [toggle(all, 'a'), extendTo(all, ids, 'a'), clear(all), toggle(clear(all), 'a')])
      expect(after.all ?? false).toBe(false);
  });
});

describe('rows that change under it', () => {
  it('keeps cursor and checks by id when rows move about', () => {
    const before = toggle(toggle(at('a'), 'b'), 'd');
    expect(settle(before, ids, ['d', 'x', 'b', 'a'])).toBe(before);
  });

  it('unchecks what is gone', () => {
    expect(checked(settle(toggle(toggle(at('a'), 'b'), 'd'), ids, ['a', 'b', 'c', 'e']))).toBe('b');
  });

  it('hands the cursor to the next row, at the end to the one before, with nothing left to none', () => {
    expect(settle(at('c'), ids, ['a', 'b', 'd', 'e']).cursor).toBe('d');
    expect(settle(at('c'), ids, ['a', 'b']).cursor).toBe('b');
    expect(settle(at('e'), ids, ['a', 'b', 'c', 'd']).cursor).toBe('d');
    expect(settle(at('c'), ids, []).cursor).toBeNull();
    expect(settle(at('c'), ids, ['x', 'y']).cursor).toBeNull();
  });

  it('never names a row that is not there, whatever was done before', () => {
    const step = fc.constantFrom<(selection: Selection) => Selection>(
      (s) => move(s, ids, 1),
      (s) => move(s, ids, -1),
      (s) => extend(s, ids, 1),
      (s) => extend(s, ids, -1),
      (s) => toggle(s, s.cursor ?? 'a'),
      (s) => selectAll(s, ids),
      clear,
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.subarray(ids), (steps, left) => {
        const done = settle(
          steps.reduce((selection, next) => next(selection), nothing),
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
