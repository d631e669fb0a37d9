import { expect, test } from 'vitest';
import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../../../api/filter.ts';
import { bitcoinFilter, nullableValue } from '../../../api/filter-kinds.ts';
import { createRowFilter } from './filter-rows.ts';

const sampleRows = [
  { name: 'Alpha', kind: 'a', own: true, at: '2026-01-01T00:00:00.000Z', amount: '100000000', vault: '7' },
  { name: 'Beta', kind: 'b', own: false, at: '2026-02-01T00:00:00.000Z', amount: '50000000', vault: null },
  { name: 'Gamma', kind: 'b', own: false, at: '2026-03-01T00:00:00.000Z', amount: '1', vault: null },
];
const filterFields = {
  q: searchFilter,
  kind: choiceFilter(['a', 'b']),
  own: flagFilter,
  at: timeFilter,
  amount: bitcoinFilter,
  vault: nullableValue(),
};
const rowFilter = createRowFilter<typeof filterFields, (typeof sampleRows)[number]>(filterFields, {
  q: ({ name }) => name,
  kind: ({ kind }) => kind,
  own: ({ own }) => String(own),
  at: ({ at }) => at,
  amount: ({ amount }) => amount,
  vault: ({ vault }) => vault,
});
const findNames = (filterInput: Parameters<typeof rowFilter.passing>[1]) =>
  rowFilter.passing(sampleRows, filterInput).map(({ name }) => name);

test.each([
  [{}, ['Alpha', 'Beta', 'Gamma']],
  [{ q: 'MM' }, ['Gamma']],
  [{ kind: 'b' }, ['Beta', 'Gamma']],
  [{ kind: '!b' }, ['Alpha']],
  [{ own: 'false', q: 'a' }, ['Beta', 'Gamma']],
  [{ at: '2026-01-01T00:00:00.000Z..2026-02-01T00:00:00.000Z' }, ['Alpha']],
  [{ at: '2026-02-01T00:00:00.000Z..' }, ['Beta', 'Gamma']],
  [{ amount: '0.5..1' }, ['Alpha', 'Beta']],
  [{ vault: '-' }, ['Beta', 'Gamma']],
  [{ vault: '!-' }, ['Alpha']],
])('finds with the filter %j the rows %j', (filterInput, names) => {
  expect(findNames(filterInput)).toEqual(names);
});

test('lists a field’s values among the rows that match the other fields', () => {
  expect(rowFilter.values(sampleRows, { field: 'kind', filter: { kind: 'a', own: 'false' } })).toEqual({
    values: [{ value: 'b', count: 2 }],
  });
  expect(rowFilter.values(sampleRows, { field: 'vault', filter: {} }).values[0]).toEqual({ value: null, count: 2 });
});

test('refuses an invalid filter', () => {
  expect(() => findNames({ kind: 'c' })).toThrow();
  expect(() => findNames({ at: 'yesterday' })).toThrow();
});
