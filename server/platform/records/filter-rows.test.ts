import { expect, test } from 'vitest';
import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../../../api/filter.ts';
import { bitcoinFilter, nullableValue } from '../../../api/filter-kinds.ts';
import { filteringRows } from './filter-rows.ts';

const rows = [
  { name: 'Alpha', kind: 'a', own: true, at: '2026-01-01T00:00:00.000Z', amount: '100000000', vault: '7' },
  { name: 'Beta', kind: 'b', own: false, at: '2026-02-01T00:00:00.000Z', amount: '50000000', vault: null },
  { name: 'Gamma', kind: 'b', own: false, at: '2026-03-01T00:00:00.000Z', amount: '1', vault: null },
];
const fields = {
  q: searchFilter,
  kind: choiceFilter(['a', 'b']),
  own: flagFilter,
  at: timeFilter,
  amount: bitcoinFilter,
  vault: nullableValue(),
};
const filter = filteringRows<typeof fields, (typeof rows)[number]>(fields, {
  q: ({ name }) => name,
  kind: ({ kind }) => kind,
  own: ({ own }) => String(own),
  at: ({ at }) => at,
  amount: ({ amount }) => amount,
  vault: ({ vault }) => vault,
});
const found = (requested: Parameters<typeof filter.passing>[1]) => filter.passing(rows, requested).map(({ name }) => name);

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
])('finds with the filter %j the rows %j', (requested, names) => {
  expect(found(requested)).toEqual(names);
});

test('lists a field’s values among the rows that match the other fields', () => {
  expect(filter.values(rows, { field: 'kind', filter: { kind: 'a', own: 'false' } })).toEqual({
    values: [{ value: 'b', count: 2 }],
  });
  expect(filter.values(rows, { field: 'vault', filter: {} }).values[0]).toEqual({ value: null, count: 2 });
});

test('refuses an invalid filter', () => {
  expect(() => found({ kind: 'c' })).toThrow();
  expect(() => found({ at: 'yesterday' })).toThrow();
});
