import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../../../api/condition.ts';
import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../../../../../api/filter.ts';
import { nullableValue } from '../../../../../api/filter-kinds.ts';
import { createFilters, isFiltered, readQuery, writeQuery, type SortDirection } from './filters.ts';
import { toFilterInput, parseFieldCondition, readFilter } from './grammar.ts';
import { namedTimes, resolveTime } from './times.ts';
import { parseSentence, parseTime } from './typed-time.ts';

fc.configureGlobal({ seed: 20_260_101 });

const label = { label: 'list.search' } as const;
const queryShape = {
  sorts: ['time', 'createdAt'] as const,
  defaultSort: { by: 'time', direction: 'desc' } as const,
  filters: createFilters(
    { q: searchFilter, shown: flagFilter, kind: choiceFilter(['one', 'two']), actor: nullableValue(), from: timeFilter },
    { q: label, shown: label, kind: label, actor: label, from: label },
  ),
};

describe('a list in the URL', () => {
  it('is parsed as written, and keeps other parameters', () => {
    const query = fc.record({
      sort: fc.record({ by: fc.constantFrom(...queryShape.sorts), direction: fc.constantFrom<SortDirection>('asc', 'desc') }),
      filter: fc.record(
        {
          q: fc
            .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
            .filter((text) => parseCondition(searchFilter, text) !== null),
          shown: fc.constantFrom('true', 'false'),
          kind: fc.constantFrom('one', '!two', 'one,two'),
          actor: fc.constantFrom('a@b.example', '!-', String.raw`a\,b,-`, '德国'),
          from: fc.constantFrom(...namedTimes, 'past-30-days', '2026-11-01..2026-11-15', '2026-11-01T08:30..'),
        },
        { requiredKeys: [] },
      ),
    });
    fc.assert(
      fc.property(query, (expectedQuery) => {
        const text = writeQuery('?open=7', expectedQuery, queryShape);
        expect(readQuery(text, queryShape)).toEqual(expectedQuery);
        expect(new URLSearchParams(text).get('open')).toBe('7');
      }),
    );
  });

  it('leaves out defaults, and is readable', () => {
    expect(
      writeQuery('?q=x&sort=createdAt&shown=true', { sort: { by: 'time', direction: 'desc' }, filter: {} }, queryShape),
    ).toBe('');
    expect(
      writeQuery(
        '',
        { sort: { by: 'createdAt', direction: 'desc' }, filter: { kind: '!one,two', from: 'last-month' } },
        queryShape,
      ),
    ).toBe('kind=!one,two&from=last-month&sort=-createdAt');
  });

  it('ignores invalid values', () => {
    const parsedQuery = readQuery('?q=%20%20&shown=maybe&kind=three&actor=&from=whenever&sort=-password&__proto__=1', queryShape);
    expect(parsedQuery.sort).toEqual(queryShape.defaultSort);
    expect(readFilter(queryShape.filters, parsedQuery.filter, now)).toEqual({ filter: {}, asked: {} });
    expect(readQuery('?sort=', queryShape).sort).toEqual(queryShape.defaultSort);
  });

  it('counts as filtered with any filter', () => {
    expect(isFiltered({})).toBe(false);
    expect(isFiltered({ q: undefined })).toBe(false);
    expect(isFiltered({ shown: 'false' })).toBe(true);
  });
});

// A Sunday, in the runner's zone.
const now = new Date(2026, 10, 22, 15, 30);
const dayRange = (fromDay: [number, number, number], toDay: [number, number, number]) =>
  `${new Date(fromDay[0], fromDay[1] - 1, fromDay[2]).toISOString()}..${new Date(toDay[0], toDay[1] - 1, toDay[2]).toISOString()}`;

describe('a time range', () => {
  it.each([
    ['today', dayRange([2026, 11, 22], [2026, 11, 23])],
    ['yesterday', dayRange([2026, 11, 21], [2026, 11, 22])],
    ['past-7-days', dayRange([2026, 11, 16], [2026, 11, 23])],
    ['this-week', dayRange([2026, 11, 16], [2026, 11, 23])],
    ['last-week', dayRange([2026, 11, 9], [2026, 11, 16])],
    ['last-month', dayRange([2026, 10, 1], [2026, 11, 1])],
    ['this-quarter', dayRange([2026, 10, 1], [2027, 1, 1])],
    ['last-quarter', dayRange([2026, 7, 1], [2026, 10, 1])],
    ['last-year', dayRange([2025, 1, 1], [2026, 1, 1])],
    ['2026-11-15', dayRange([2026, 11, 15], [2026, 11, 16])],
    ['2026-11-01..2026-11-15', dayRange([2026, 11, 1], [2026, 11, 16])],
    ['2026-11-01..', `${new Date(2026, 10, 1).toISOString()}..`],
    ['2026-11-01T08:30..', `${new Date(2026, 10, 1, 8, 30).toISOString()}..`],
  ])('%s is resolved in the person’s zone', (text, expectedInstants) => {
    expect(resolveTime(text, now)).toBe(expectedInstants);
    expect(toFilterInput(queryShape.filters, { from: text }, now)).toEqual({ from: expectedInstants });
  });

  it.each(['America/New_York', 'Asia/Shanghai', 'Pacific/Kiritimati'])('uses UTC days where named, also in %s', (timeZone) => {
    const previousTimeZone = process.env['TZ'];
    process.env['TZ'] = timeZone;
    try {
      const utcField = { kind: 'time', utc: true } as const;
      const noon = new Date(2026, 10, 22, 12);
      const createCondition = (text: string) => parseFieldCondition(utcField, text, noon);
      expect(createCondition('2026-11-01')).toMatchObject({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' });
      expect(createCondition('this-month')).toMatchObject({ from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' });
      const earlyInstant = new Date('2026-11-22T23:30:00.000Z'); // the 23rd in the east, the 22nd in UTC
      expect(parseFieldCondition(utcField, 'today', earlyInstant)).toMatchObject({
        from: '2026-11-22T00:00:00.000Z',
        to: '2026-11-23T00:00:00.000Z',
      });
      expect(createCondition('2026-11-01T05:00:00.000Z..')).toMatchObject({ from: '2026-11-01T05:00:00.000Z' });
    } finally {
      if (previousTimeZone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = previousTimeZone;
    }
  });

  it.each(['', '..', 'never', 'past-0-days', '2026-02-30', '2026-11-31..', '2026-11-01T08:30', 'a..b', '1..2..3'])(
    '%j is invalid',
    (text) => expect(resolveTime(text, now)).toBeNull(),
  );

  it.each([
    ['上周', 'last-week'],
    ['Last Month', 'last-month'],
    ['last 30 days', 'past-30-days'],
    ['最近 7 天', 'past-7-days'],
    ['过去30天', 'past-30-days'],
    ['11-01..11-15', '2026-11-01..2026-11-15'],
    ['11/1 - 11/15', '2026-11-01..2026-11-15'],
    ['2026-11-01..', '2026-11-01..'],
    ['11月1日到11月15日', '2026-11-01..2026-11-15'],
    ['q3', '2026-07-01..2026-09-30'],
    ['2025年第一季度', '2025-01-01..2025-03-31'],
    ['2026-10', '2026-10-01..2026-10-31'],
    ['10月', '2026-10-01..2026-10-31'],
  ])('%s can be typed for %s', (enteredText, expectedText) => expect(parseTime(enteredText, now)).toBe(expectedText));

  it.each(['', 'Germany', '13-45', '11-31..', '0x12', 'last'])('%j is not a time range', (enteredText) =>
    expect(parseTime(enteredText, now)).toBeNull(),
  );

  it('is parsed from a sentence in both languages', async () => {
    expect(await parseSentence('three days ago', now)).toMatch(/^2026-11-19/);
    expect(await parseSentence('前天', now)).toMatch(/^2026-11-20/);
    expect(await parseSentence('Germany', now)).toBeNull();
    expect(await parseSentence('上周五', new Date('2026-11-29T15:00:00'))).toBe('2026-11-20');
    expect(await parseSentence('上周日', new Date('2026-11-29T15:00:00'))).toBe('2026-11-22');
  });

  it.each(['last m', 'last mo', 'Last mon', 'this w', '上个'])(
    'is not guessed from %s, the start of a name',
    async (enteredText) => {
      expect(await parseSentence(enteredText, now)).toBeNull();
    },
  );

  it('never throws, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (enteredText) => {
        const parsedText = parseTime(enteredText, now);
        expect(parsedText === null || resolveTime(parsedText, now) !== null).toBe(true);
      }),
    );
  });
});
