import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../../../api/condition.ts';
import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../../../../../api/filter.ts';
import { nullableValue } from '../../../../../api/filter-kinds.ts';
import { filtersOf, isFiltered, readQuery, writeQuery, type SortDirection } from './filters.ts';
import { toFilterInput, conditionOf, readFilter } from './grammar.ts';
import { namedTimes, resolveTime } from './times.ts';
import { parseSentence, parseTime } from './typed-time.ts';

fc.configureGlobal({ seed: 20_260_101 });

const label = { label: 'list.search' } as const;
const shape = {
  sorts: ['time', 'createdAt'] as const,
  defaultSort: { by: 'time', direction: 'desc' } as const,
  filters: filtersOf(
    { q: searchFilter, shown: flagFilter, kind: choiceFilter(['one', 'two']), actor: nullableValue(), from: timeFilter },
    { q: label, shown: label, kind: label, actor: label, from: label },
  ),
};

describe('a list in the URL', () => {
  it('is parsed as written, and keeps other parameters', () => {
    const query = fc.record({
      sort: fc.record({ by: fc.constantFrom(...shape.sorts), direction: fc.constantFrom<SortDirection>('asc', 'desc') }),
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
      fc.property(query, (requested) => {
        const text = writeQuery('?open=7', requested, shape);
        expect(readQuery(text, shape)).toEqual(requested);
        expect(new URLSearchParams(text).get('open')).toBe('7');
      }),
    );
  });

  it('leaves out defaults, and is readable', () => {
    expect(writeQuery('?q=x&sort=createdAt&shown=true', { sort: { by: 'time', direction: 'desc' }, filter: {} }, shape)).toBe('');
    expect(
      writeQuery('', { sort: { by: 'createdAt', direction: 'desc' }, filter: { kind: '!one,two', from: 'last-month' } }, shape),
    ).toBe('kind=!one,two&from=last-month&sort=-createdAt');
  });

  it('ignores invalid values', () => {
    const read = readQuery('?q=%20%20&shown=maybe&kind=three&actor=&from=whenever&sort=-password&__proto__=1', shape);
    expect(read.sort).toEqual(shape.defaultSort);
    expect(readFilter(shape.filters, read.filter, now)).toEqual({ filter: {}, asked: {} });
    expect(readQuery('?sort=', shape).sort).toEqual(shape.defaultSort);
  });

  it('counts as filtered with any filter', () => {
    expect(isFiltered({})).toBe(false);
    expect(isFiltered({ q: undefined })).toBe(false);
    expect(isFiltered({ shown: 'false' })).toBe(true);
  });
});

// A Sunday, in the runner's zone.
const now = new Date(2026, 10, 22, 15, 30);
const days = (from: [number, number, number], to: [number, number, number]) =>
  `${new Date(from[0], from[1] - 1, from[2]).toISOString()}..${new Date(to[0], to[1] - 1, to[2]).toISOString()}`;

describe('a time range', () => {
  it.each([
    ['today', days([2026, 11, 22], [2026, 11, 23])],
    ['yesterday', days([2026, 11, 21], [2026, 11, 22])],
    ['past-7-days', days([2026, 11, 16], [2026, 11, 23])],
    ['this-week', days([2026, 11, 16], [2026, 11, 23])],
    ['last-week', days([2026, 11, 9], [2026, 11, 16])],
    ['last-month', days([2026, 10, 1], [2026, 11, 1])],
    ['this-quarter', days([2026, 10, 1], [2027, 1, 1])],
    ['last-quarter', days([2026, 7, 1], [2026, 10, 1])],
    ['last-year', days([2025, 1, 1], [2026, 1, 1])],
    ['2026-11-15', days([2026, 11, 15], [2026, 11, 16])],
    ['2026-11-01..2026-11-15', days([2026, 11, 1], [2026, 11, 16])],
    ['2026-11-01..', `${new Date(2026, 10, 1).toISOString()}..`],
    ['2026-11-01T08:30..', `${new Date(2026, 10, 1, 8, 30).toISOString()}..`],
  ])('%s is resolved in the person’s zone', (text, instants) => {
    expect(resolveTime(text, now)).toBe(instants);
    expect(toFilterInput(shape.filters, { from: text }, now)).toEqual({ from: instants });
  });

  it.each(['America/New_York', 'Asia/Shanghai', 'Pacific/Kiritimati'])('uses UTC days where named, also in %s', (zone) => {
    const before = process.env['TZ'];
    process.env['TZ'] = zone;
    try {
      const utc = { kind: 'time', utc: true } as const;
      const noon = new Date(2026, 10, 22, 12);
      const of = (text: string) => conditionOf(utc, text, noon);
      expect(of('2026-11-01')).toMatchObject({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' });
      expect(of('this-month')).toMatchObject({ from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' });
      const early = new Date('2026-11-22T23:30:00.000Z'); // the 23rd in the east, the 22nd in UTC
      expect(conditionOf(utc, 'today', early)).toMatchObject({
        from: '2026-11-22T00:00:00.000Z',
        to: '2026-11-23T00:00:00.000Z',
      });
      expect(of('2026-11-01T05:00:00.000Z..')).toMatchObject({ from: '2026-11-01T05:00:00.000Z' });
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
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
  ])('%s can be typed for %s', (typed, spelled) => expect(parseTime(typed, now)).toBe(spelled));

  it.each(['', 'Germany', '13-45', '11-31..', '0x12', 'last'])('%j is not a time range', (typed) =>
    expect(parseTime(typed, now)).toBeNull(),
  );

  it('is parsed from a sentence in both languages', async () => {
    expect(await parseSentence('three days ago', now)).toMatch(/^2026-11-19/);
    expect(await parseSentence('前天', now)).toMatch(/^2026-11-20/);
    expect(await parseSentence('Germany', now)).toBeNull();
  });

  it('never throws, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (typed) => {
        const spelled = parseTime(typed, now);
        expect(spelled === null || resolveTime(spelled, now) !== null).toBe(true);
      }),
    );
  });
});
