import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLists, diffRecords, diffWords } from './diff.ts';

fc.configureGlobal({ seed: 20_260_101 });

const kinds = (before: unknown, after: unknown) => diffRecords(before, after).map(({ field, kind }) => `${field} ${kind}`);

describe('a record in two states', () => {
  test('says what changed first and what stayed after it', () => {
    expect(kinds({ id: 1, title: 'a', old: 1 }, { id: 1, title: 'b', new: null })).toEqual([
      'title changed',
      'new added',
      'old removed',
      'id same',
    ]);
  });

  test('that was made or deleted has only fields that came or left', () => {
    expect(kinds(null, { title: 'a', image: null })).toEqual(['title added', 'image added']);
    expect(kinds({ title: 'a' }, null)).toEqual(['title removed']);
    expect(kinds(null, null)).toEqual([]);
  });

  test('is the same whatever the order of keys, and another when a list has another order', () => {
    expect(kinds({ a: { x: 1, y: [1, 2] } }, { a: { y: [1, 2], x: 1 } })).toEqual(['a same']);
    expect(kinds({ a: [1, 2] }, { a: [2, 1] })).toEqual(['a changed']);
    expect(kinds({ a: 1 }, { a: '1' })).toEqual(['a changed']);
    expect(kinds({ a: null }, { a: {} })).toEqual(['a changed']);
  });

  test('may have fields named like what every object has', () => {
    const record = JSON.parse('{"__proto__":"x","constructor":"y"}') as unknown;
    expect(kinds(null, record)).toEqual(['__proto__ added', 'constructor added']);
    expect(kinds({}, { toString: 1 })).toEqual(['toString added']);
  });

  test('that is none has no fields', () => {
    expect(diffRecords(null, 'text')).toEqual([]);
  });
});

test('two lists say which items left and which came, also where items are records', () => {
  expect(diffLists(['a', 'b'], ['b', 'c'])).toEqual({ removed: ['a'], added: ['c'], kept: 1 });
  expect(diffLists([{ x: 1, y: 2 }], [{ y: 2, x: 1 }, { x: 2 }])).toEqual({ removed: [], added: [{ x: 2 }], kept: 1 });
  expect(diffLists('a', ['a'])).toBeNull();
});

describe('two texts', () => {
  test('are compared word by word, Chinese by character', () => {
    expect(diffWords('the old title', 'the new title')).toEqual([
      { kind: 'same', text: 'the ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' title' },
    ]);
    expect(diffWords('第一条新闻', '第二条新闻').map(({ text }) => text)).toEqual(['第', '一', '二', '条新闻']);
  });

  test('give both back, whatever they are', () => {
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

  test('that are long and have nothing in common change as a whole', () => {
    const parts = diffWords('a '.repeat(3000), 'b '.repeat(3000));
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added', 'same']);
  });
});
