import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterInput } from './base.ts';
import { parseCondition, serializeCondition, parseTimeRange } from './condition.ts';
import { choiceFilter, flagFilter, searchFilter, timeFilter, type Condition, type FilterField } from './filter.ts';
import { anyText, bitcoinFilter, countFilter, countryCode, nullableValue, valueFilter } from './filter-kinds.ts';

fc.configureGlobal({ seed: 20_260_101 });

const countryFilter = nullableValue(countryCode);
const resultFilter = choiceFilter(['done', 'refused', 'none']);
const parse = (field: FilterField, text: string) => parseCondition(field, text);

describe('a filter condition', () => {
  it('matches one value, several values, none, or all but them', () => {
    expect(parse(countryFilter, 'DE')).toEqual({ op: 'is', values: ['DE'] });
    expect(parse(countryFilter, 'DE,FR,DE')).toEqual({ op: 'is', values: ['DE', 'FR'] });
    expect(parse(countryFilter, '!DE,-')).toEqual({ op: 'isNot', values: ['DE', null] });
    expect(parse(countryFilter, '-')).toEqual({ op: 'is', values: [null] });
    expect(parse(resultFilter, '!none')).toEqual({ op: 'isNot', values: ['none'] });
    expect(parse(flagFilter, 'false')).toEqual({ op: 'is', values: ['false'] });
  });

  it('matches a range of times or numbers, open on one side or not at all', () => {
    const [from, to] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'];
    expect(parse(timeFilter, `${from}..${to}`)).toEqual({ op: 'between', from, to });
    expect(parse(timeFilter, `..${to}`)).toEqual({ op: 'between', from: null, to });
    expect(parse(bitcoinFilter, '0.5..2')).toEqual({ op: 'between', from: '50000000', to: '200000000' });
    expect(parse(bitcoinFilter, '0.00000001..')).toEqual({ op: 'between', from: '1', to: null });
    expect(parse(countFilter('int'), '-5..-1')).toEqual({ op: 'between', from: '-5', to: '-1' });
    expect(parse(countFilter('int'), '7')).toEqual({ op: 'between', from: '7', to: '7' });
    expect(parseTimeRange(`${from}..`)).toEqual({ from: new Date(from), to: null });
    expect(parseTimeRange(undefined)).toEqual({ from: null, to: null });
  });

  it('is refused where the field does not support it', () => {
    for (const text of ['', '!', ',', 'DE,', 'de', 'Germany', '!!DE', String.raw`DE\,FR`, '\\'])
      expect(parse(countryFilter, text)).toBeNull();
    for (const text of ['-', 'open', 'done,open']) expect(parse(resultFilter, text)).toBeNull();
    for (const text of ['', '..', 'yesterday', '2026-11-01', '2026-02-30T00:00:00.000Z..', 'a..b..c', '..x'])
      expect(parse(timeFilter, text)).toBeNull();
    for (const text of ['0.000000001', '1e3', '..', 'x..', '99999999999999999999..', '1..2..3', 'NaN', '-'])
      expect(parse(bitcoinFilter, text)).toBeNull();
    expect(parse(countFilter('int'), '2147483648')).toBeNull();
    expect(parse(valueFilter(), 'a\u0000b')).toBeNull();
    expect(parse(valueFilter(), '\uD800')).toBeNull();
    expect(parse(searchFilter, '  ')).toBeNull();
    expect(parse(valueFilter(), Array.from({ length: 51 }, (_, index) => index).join(','))).toBeNull();
  });

  it('formats back to the text it was parsed from', () => {
    const textArbitrary = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => anyText.test(text));
    const valuesArbitrary = fc.record({
      op: fc.constantFrom<'is' | 'isNot'>('is', 'isNot'),
      values: fc.uniqueArray(fc.option(textArbitrary), { minLength: 1, maxLength: 6 }),
    });
    fc.assert(
      fc.property(valuesArbitrary, (requested: Condition) => {
        expect(parse(nullableValue(), serializeCondition(requested, nullableValue()))).toEqual(requested);
      }),
    );
    const endArbitrary = fc.option(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map(String));
    const betweenArbitrary = fc
      .record({ op: fc.constant('between' as const), from: endArbitrary, to: endArbitrary })
      .filter(({ from, to }) => from !== null || to !== null);
    fc.assert(
      fc.property(betweenArbitrary, (requested) => {
        expect(parse(bitcoinFilter, serializeCondition(requested, bitcoinFilter))).toEqual(requested);
      }),
    );
  });

  it('never throws while parsing', () => {
    const utf16Arbitrary = fc.uint16Array({ maxLength: 60 }).map((units) => String.fromCharCode(...units));
    for (const field of [searchFilter, countryFilter, resultFilter, flagFilter, timeFilter, bitcoinFilter, valueFilter()])
      fc.assert(
        fc.property(utf16Arbitrary, (text) => {
          expect(() => parse(field, text)).not.toThrow();
        }),
      );
  });
});

describe('a filter input', () => {
  const schema = filterInput({ q: searchFilter, country: countryFilter, time: timeFilter });
  it('names the field that it refuses', () => {
    expect(schema.safeParse({ country: 'DE', q: '' }).success).toBe(true);
    const parseResult = schema.safeParse({ country: 'Germany', time: 'last-month', rank: '1' });
    expect(parseResult.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual(
      expect.arrayContaining([
        ['country', 'invalid'],
        ['time', 'time'],
      ]),
    );
    expect(schema.safeParse({ password: 'x' }).success).toBe(false);
  });
});
