import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical, canonicalHash } from './canonical.ts';

const options = { seed: 20_261_102, numRuns: 500 };

const textArbitrary = fc.string({ unit: 'binary' }).filter((value) => !/\p{Surrogate}/u.test(value));
const { plain: jsonArbitrary } = fc.letrec<{ plain: unknown }>((recursive) => ({
  plain: fc.oneof(
    { maxDepth: 4 },
    textArbitrary,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(recursive('plain'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(textArbitrary, fc.constant('__proto__')), recursive('plain'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, memberValue]) => [key, reverseMembers(memberValue)]),
  );
}

test('canonical JSON parses back to the same value', () => {
  fc.assert(
    fc.property(jsonArbitrary, (value) => {
      const canonicalText = canonical(value);
      expect(canonical(JSON.parse(canonicalText))).toBe(canonicalText);
      expect(JSON.parse(canonicalText)).toEqual(value);
    }),
    options,
  );
});

test('canonical JSON does not depend on the order of members', () => {
  fc.assert(
    fc.property(jsonArbitrary, (value) => {
      expect(canonical(reverseMembers(value))).toBe(canonical(value));
    }),
    options,
  );
});

test('canonical JSON and its hash differ for different content', () => {
  fc.assert(
    fc.property(jsonArbitrary, jsonArbitrary, (a, b) => {
      const areEqual = JSON.stringify(sortMembers(a)) === JSON.stringify(sortMembers(b));
      expect(canonical(a) === canonical(b)).toBe(areEqual);
      expect(canonicalHash(a) === canonicalHash(b)).toBe(areEqual);
    }),
    options,
  );
  for (const [a, b] of [
    ['1', 1],
    [null, 'null'],
    [{}, []],
    [{ a: 1 }, { A: 1 }],
    ['é', 'e\u0301'],
    [
      [1, [2]],
      [[1], 2],
    ],
    [{ 'a:1': 1 }, { a: '1:1' }],
  ])
    expect(canonicalHash(a)).not.toBe(canonicalHash(b));
});

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sortMembers)];
  if (typeof value !== 'object' || value === null) return value;
  const sortedEntries = Object.entries(value).map(([key, memberValue]) => [key, sortMembers(memberValue)] as const);
  return ['object', ...sortedEntries.toSorted(([a], [b]) => (a < b ? -1 : 1))];
}

describe('canonical JSON follows RFC 8785', () => {
  test('sorts members by UTF-16 units', () => {
    // §3.2.3 of the RFC.
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonical(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\u{1f600}":5,"\ufb33":3}');
  });

  test('escapes as little text as allowed', () => {
    expect(canonical('\u20ac$\u000f\nA\'B"\\\\"/')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"');
  });

  test('writes zero without a sign', () => {
    expect(canonical([-0, 0])).toBe('[0,0]');
  });

  test('hashes the UTF-8 text with SHA-256', () => {
    expect(canonicalHash({ b: 'é', a: [1] })).toBe(createHash('sha256').update('{"a":[1],"b":"é"}').digest('hex'));
  });
});

test.each<[string, unknown]>([
  ['a fraction', 0.5],
  ['more than is exact', 2 ** 53],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['undefined', undefined],
  ['undefined in an object', { a: undefined }],
  ['a hole', Array(1)],
  ['a bigint', 1n],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['a function', () => {}],
  ['half a letter', 'a\ud800'],
  ['half a letter in a name', { '\udc00': 1 }],
])('%s has no canonical form', (_name, value) => {
  expect(() => canonical(value)).toThrow(TypeError);
});
