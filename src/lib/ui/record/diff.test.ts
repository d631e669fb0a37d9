import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLists, diffRecords, diffWords } from './diff.ts';

fc.configureGlobal({ seed: 20_260_101 });

const changeKinds = (previous: unknown, current: unknown) =>
  diffRecords(previous, current).map(({ field, kind }) => `${field} ${kind}`);

describe('the diff of a record', () => {
  test('lists changed fields first', () => {
    expect(changeKinds({ id: 1, title: 'a', old: 1 }, { id: 1, title: 'b', new: null })).toEqual([
      'title changed',
      'new added',
      'old removed',
      'id same',
    ]);
  });

  test('that was created or deleted has only added or removed fields', () => {
    expect(changeKinds(null, { title: 'a', image: null })).toEqual(['title added', 'image added']);
    expect(changeKinds({ title: 'a' }, null)).toEqual(['title removed']);
    expect(changeKinds(null, null)).toEqual([]);
  });

  test('ignores the order of keys but not of lists', () => {
    expect(changeKinds({ a: { x: 1, y: [1, 2] } }, { a: { y: [1, 2], x: 1 } })).toEqual(['a same']);
    expect(changeKinds({ a: [1, 2] }, { a: [2, 1] })).toEqual(['a changed']);
    expect(changeKinds({ a: 1 }, { a: '1' })).toEqual(['a changed']);
    expect(changeKinds({ a: null }, { a: {} })).toEqual(['a changed']);
  });

  test('handles fields named like Object.prototype members', () => {
    const record = JSON.parse('{"__proto__":"x","constructor":"y"}') as unknown;
    expect(changeKinds(null, record)).toEqual(['__proto__ added', 'constructor added']);
    expect(changeKinds({}, { toString: 1 })).toEqual(['toString added']);
  });

  test('is empty for values that are not records', () => {
    expect(diffRecords(null, 'text')).toEqual([]);
  });
});

test('the diff of two lists has removed and added items, also for records', () => {
  expect(diffLists(['a', 'b'], ['b', 'c'])).toEqual({ removed: ['a'], added: ['c'], unchanged: 1 });
  expect(diffLists([{ x: 1, y: 2 }], [{ y: 2, x: 1 }, { x: 2 }])).toEqual({ removed: [], added: [{ x: 2 }], unchanged: 1 });
  expect(diffLists('a', ['a'])).toBeNull();
});

describe('the diff of two texts', () => {
  test('compares words, and Chinese by character', () => {
    expect(diffWords('the old title', 'the new title')).toEqual([
      { kind: 'same', text: 'the ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' title' },
    ]);
    expect(diffWords('第一条新闻', '第二条新闻').map(({ text }) => text)).toEqual(['第', '一', '二', '条新闻']);
  });

  test('reproduces both texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('a', ' ', '新', '<b>', '\n'), maxLength: 80 }),
    );
    fc.assert(
      fc.property(text, text, (previous, current) => {
        const parts = diffWords(previous, current);
        expect(
          parts
            .filter(({ kind }) => kind !== 'added')
            .map((part) => part.text)
            .join(''),
        ).toBe(previous);
        expect(
          parts
            .filter(({ kind }) => kind !== 'removed')
            .map((part) => part.text)
            .join(''),
        ).toBe(current);
      }),
    );
  });

  test('replaces long texts with nothing in common as a whole', () => {
    const parts = diffWords('a '.repeat(3000), 'b '.repeat(3000));
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added', 'same']);
  });
});
