import { expect, test } from 'vitest';
import type { TextKey } from '../../../i18n/i18n.ts';
import type { RowCells } from '../../../scope.ts';
import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../../../../../api/filter.ts';
import { bitcoinFilter, nullableValue, uuidFilter, valueFilter } from '../../../../../api/filter-kinds.ts';
import { createFilters } from './filters.ts';
import { listCellFilters } from './cell-filters.ts';

const [status, country, amount, at, title, roles] = [
  'news.field.status',
  'list.search',
  'list.count',
  'list.display',
  'news.field.title',
  'list.none',
] as const satisfies TextKey[];

const filters = createFilters(
  {
    q: searchFilter,
    shown: flagFilter,
    state: choiceFilter(['open', 'shut']),
    country: nullableValue(/^[A-Z]{2}$/),
    amount: bitcoinFilter,
    at: timeFilter,
    role: valueFilter(uuidFilter),
  },
  {
    q: { label: 'news.search' },
    shown: { label: status },
    state: { label: title },
    country: { label: country },
    amount: { label: amount },
    at: { label: at },
    role: { label: roles, of: (row: { roles: { id: string }[] }) => row.roles.map(({ id }) => id) },
  },
);
const columns = [status, title, country, amount, at, roles, 'news.field.link' as const].map((header) => ({ id: header, header }));
const ids = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];
const row = {
  shown: true,
  state: 'open',
  country: 'DE',
  amount: '150000000',
  at: new Date(2026, 10, 22, 23, 30).toISOString(),
  roles: ids.map((id) => ({ id })),
  link: 'x',
};
const createCellFilters = (overrides: object = {}, requestedFilter: RowCells['asked'] = {}) =>
  Object.fromEntries(
    listCellFilters({ row: { ...row, ...overrides }, columns, filters, asked: requestedFilter, setFilter: () => {} }).map(
      ({ field, only, not }) => [field, [only, not]],
    ),
  );

test('a cell’s menu offers its value, or all other values, for each column with a filter', () => {
  expect(createCellFilters()).toEqual({
    shown: ['true', 'false'],
    state: ['open', '!open'],
    country: ['DE', '!DE'],
    amount: ['1.5', null],
    at: ['2026-11-22', null],
    role: [ids.join(','), `!${ids.join(',')}`],
  });
});

test('an existing exclusion stays, and a chosen value is inverted', () => {
  expect(createCellFilters({}, { country: '!FR,DE' })['country']).toEqual(['DE', '!FR,DE']);
  expect(createCellFilters({ country: 'CN' }, { country: '!FR,DE' })['country']).toEqual(['CN', '!FR,DE,CN']);
  expect(createCellFilters({}, { country: 'DE,FR' })['country']).toEqual(['DE', '!DE']);
});

test('an empty cell offers a filter only where empty is a value', () => {
  expect(createCellFilters({ country: null })['country']).toEqual(['-', '!-']);
  expect(Object.keys(createCellFilters({ amount: null, at: null, state: null, roles: [] }))).toEqual(['shown', 'country']);
  expect(createCellFilters({ state: 'elsewhere' })['state']).toBeUndefined();
});
