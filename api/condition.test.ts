import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterInput } from './base.ts';
import { parseCondition, serializeCondition, timeRangeOf } from './condition.ts';
import { choiceFilter, flagFilter, searchFilter, timeFilter, type Condition, type FilterField } from './filter.ts';
import { anyText, bitcoinFilter, countFilter, countryCode, nullableValue, valueFilter } from './filter-kinds.ts';

fc.configureGlobal({ seed: 20_260_101 });

const country = nullableValue(countryCode);
const result = choiceFilter(['done', 'refused', 'none']);
const read = (field: FilterField, text: string) => parseCondition(field, text);

describe('a filter condition', () => {
  it('matches one value, several values, none, or all but them', () => {
    expect(read(country, 'DE')).toEqual({ op: 'is', values: ['DE'] });
    expect(read(country, 'DE,FR,DE')).toEqual({ op: 'is', values: ['DE', 'FR'] });
    expect(read(country, '!DE,-')).toEqual({ op: 'isNot', values: ['DE', null] });
    expect(read(country, '-')).toEqual({ op: 'is', values: [null] });
    expect(read(result, '!none')).toEqual({ op: 'isNot', values: ['none'] });
    expect(read(flagFilter, 'false')).toEqual({ op: 'is', values: ['false'] });
  });

  it('matches a range of times or numbers, open on one side or not at all', () => {
    const [from, to] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'];
    expect(read(timeFilter, `${from}..${to}`)).toEqual({ op: 'between', from, to });
    expect(read(timeFilter, `..${to}`)).toEqual({ op: 'between', from: null, to });
    expect(read(bitcoinFilter, '0.5..2')).toEqual({ op: 'between', from: '50000000', to: '200000000' });
    expect(read(bitcoinFilter, '0.00000001..')).toEqual({ op: 'between', from: '1', to: null });
    expect(read(countFilter('int'), '-5..-1')).toEqual({ op: 'between', from: '-5', to: '-1' });
    expect(read(countFilter('int'), '7')).toEqual({ op: 'between', from: '7', to: '7' });
    expect(timeRangeOf(`${from}..`)).toEqual({ from: new Date(from), to: null });
    expect(timeRangeOf(undefined)).toEqual({ from: null, to: null });
  });

  it('is refused where the field does not support it', () => {
    for (const text of ['', '!', ',', 'DE,', 'de', 'Germany', '!!DE', String.raw`DE\,FR`, '\\'])
      expect(read(country, text)).toBeNull();
    for (const text of ['-', 'open', 'done,open']) expect(read(result, text)).toBeNull();
    for (const text of ['', '..', 'yesterday', '2026-11-01', '2026-02-30T00:00:00.000Z..', 'a..b..c', '..x'])
      expect(read(timeFilter, text)).toBeNull();
    for (const text of ['0.000000001', '1e3', '..', 'x..', '99999999999999999999..', '1..2..3', 'NaN', '-'])
      expect(read(bitcoinFilter, text)).toBeNull();
    expect(read(countFilter('int'), '2147483648')).toBeNull();
    expect(read(valueFilter(), 'a\u0000b')).toBeNull();
    expect(read(valueFilter(), '\uD800')).toBeNull();
    expect(read(searchFilter, '  ')).toBeNull();
    expect(read(valueFilter(), Array.from({ length: 51 }, (_, at) => at).join(','))).toBeNull();
  });

  it('formats back to the text it was parsed from', () => {
    const any = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => anyText.test(text));
    const several = fc.record({
      op: fc.constantFrom<'is' | 'isNot'>('is', 'isNot'),
      values: fc.uniqueArray(fc.option(any), { minLength: 1, maxLength: 6 }),
    });
    fc.assert(
      fc.property(several, (requested: Condition) => {
        expect(read(nullableValue(), serializeCondition(requested, nullableValue()))).toEqual(requested);
      }),
    );
    const end = fc.option(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map(String));
    const between = fc
      .record({ op: fc.constant('between' as const), from: end, to: end })
      .filter(({ from, to }) => from !== null || to !== null);
    fc.assert(
      fc.property(between, (requested) => {
        expect(read(bitcoinFilter, serializeCondition(requested, bitcoinFilter))).toEqual(requested);
      }),
    );
  });

  it('never throws while parsing', () => {
    const utf16 = fc.uint16Array({ maxLength: 60 }).map((units) => String.fromCharCode(...units));
    for (const field of [searchFilter, country, result, flagFilter, timeFilter, bitcoinFilter, valueFilter()])
      fc.assert(
        fc.property(utf16, (text) => {
          expect(() => read(field, text)).not.toThrow();
        }),
      );
  });
});

describe('a filter input', () => {
  const schema = filterInput({ q: searchFilter, country, time: timeFilter });
  it('names the field that it refuses', () => {
    expect(schema.safeParse({ country: 'DE', q: '' }).success).toBe(true);
    const refused = schema.safeParse({ country: 'Germany', time: 'last-month', rank: '1' });
    expect(refused.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual(
      expect.arrayContaining([
        ['country', 'invalid'],
        ['time', 'time'],
      ]),
    );
    expect(schema.safeParse({ password: 'x' }).success).toBe(false);
  });
});
