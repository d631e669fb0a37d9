import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choose,
  flag,
  isFiltered,
  moment,
  nextSort,
  readQuery,
  record,
  search,
  typed,
  writeQuery,
  type Direction,
} from './filters.ts';

fc.configureGlobal({ seed: 20_260_101 });

const shape = {
  sorts: ['time', 'createdAt'] as const,
  defaultSort: { by: 'time', direction: 'desc' } as const,
  filters: {
    q: search('list.search', 20),
    shown: flag('list.search', 'list.display', 'list.display'),
    kind: choose('list.search', [
      { value: 'one', label: 'list.search' },
      { value: 'two', label: 'list.display' },
    ]),
    actor: typed('list.search'),
    role: record('list.search', () => Promise.resolve([])),
    from: moment('list.search'),
  },
};

describe('a list in the URL', () => {
  it('comes back as it was written, and leaves other parameters alone', () => {
    const query = fc.record({
      sort: fc.record({ by: fc.constantFrom(...shape.sorts), direction: fc.constantFrom<Direction>('asc', 'desc') }),
      filter: fc.record(
        {
          q: fc
            .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
            .filter((text) => text.trim() !== '' && text.length <= 20),
          shown: fc.boolean(),
          kind: fc.constantFrom<'one' | 'two'>('one', 'two'),
          actor: fc.string({ minLength: 1, maxLength: 9 }).filter((text) => text.trim() !== ''),
          role: fc.uuid(),
          from: fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }).map((at) => at.toISOString()),
        },
        { requiredKeys: [] },
      ),
    });
    fc.assert(
      fc.property(query, (wanted) => {
        const text = writeQuery('?open=7', wanted, shape);
        expect(readQuery(text, shape)).toEqual(wanted);
        expect(new URLSearchParams(text).get('open')).toBe('7');
      }),
    );
  });

  it('leaves defaults out', () => {
    expect(writeQuery('?q=x&sort=createdAt&shown=true', { sort: { by: 'time', direction: 'desc' }, filter: {} }, shape)).toBe('');
    expect(writeQuery('', { sort: { by: 'createdAt', direction: 'desc' }, filter: { shown: false } }, shape)).toBe(
      'shown=false&sort=-createdAt',
    );
  });

  it('passes over what does not belong there', () => {
    const read = readQuery('?q=%20%20&shown=maybe&kind=three&actor=&from=yesterday&role=all&sort=-password&__proto__=1', shape);
    expect(read).toEqual({ sort: shape.defaultSort, filter: {} });
    expect(readQuery('?sort=', shape).sort).toEqual(shape.defaultSort);
    expect(readQuery(`?q=${'a'.repeat(50)}`, shape).filter.q).toHaveLength(20);
  });

  it('is filtered when any filter stands', () => {
    expect(isFiltered({})).toBe(false);
    expect(isFiltered({ q: undefined })).toBe(false);
    expect(isFiltered({ shown: false })).toBe(true);
  });

  it('turns round when the sorted column is asked for again', () => {
    expect(nextSort({ by: 'time', direction: 'desc' }, 'time')).toEqual({ by: 'time', direction: 'asc' });
    expect(nextSort({ by: 'time', direction: 'asc' }, 'time')).toEqual({ by: 'time', direction: 'desc' });
    expect(nextSort({ by: 'time', direction: 'asc' }, 'createdAt')).toEqual({ by: 'createdAt', direction: 'desc' });
  });
});
