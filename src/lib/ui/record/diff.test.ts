import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLists, diffRecords, diffWords } from './diff.ts';

fc.configureGlobal({ seed: 20_260_101 });

const kinds = (before: unknown, after: unknown) => diffRecords(before, after).map(({ field, kind }) => `${field} ${kind}`);

describe('the diff of a record', () => {
  test('lists changed fields first', () => {
    expect(kinds({ id: 1, title: 'a', old: 1 }, { id: 1, title: 'b', new: null })).toEqual([
      'title changed',
      'new added',
      'old removed',
      'id same',
    ]);
  });

  test('that was created or deleted has only added or removed fields', () => {
    expect(kinds(null, { title: 'a', image: null })).toEqual(['title added', 'image added']);
    expect(kinds({ title: 'a' }, null)).toEqual(['title removed']);
    expect(kinds(null, null)).toEqual([]);
  });

  test('ignores the order of keys but not of lists', () => {
    expect(kinds({ a: { x: 1, y: [1, 2] } }, { a: { y: [1, 2], x: 1 } })).toEqual(['a same']);
    expect(kinds({ a: [1, 2] }, { a: [2, 1] })).toEqual(['a changed']);
    expect(kinds({ a: 1 }, { a: '1' })).toEqual(['a changed']);
    expect(kinds({ a: null }, { a: {} })).toEqual(['a changed']);
  });

  test('handles fields named like Object.prototype members', () => {
    const record = JSON.parse('{"__proto__":"x","constructor":"y"}') as unknown;
    expect(kinds(null, record)).toEqual(['__proto__ added', 'constructor added']);
    expect(kinds({}, { toString: 1 })).toEqual(['toString added']);
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
      fc.property(text, text, (before, after) => {
        const parts = diffWords(before, after);
        expect(
          parts
            .filter(({ kind }) => kind !== 'added')
            .map((part) => part.text)
            .join(''),
        ).toBe(before);
        expect(
          parts
            .filter(({ kind }) => kind !== 'removed')
            .map((part) => part.text)
            .join(''),
        ).toBe(after);
      }),
    );
  });

  test('replaces long texts with nothing in common as a whole', () => {
    const parts = diffWords('a '.repeat(3000), 'b '.repeat(3000));
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added', 'same']);
  });
});
