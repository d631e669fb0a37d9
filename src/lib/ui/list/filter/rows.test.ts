import { expect, it } from 'vitest';
import { choiceFilter, flagFilter, timeFilter } from '../../../../../api/filter.ts';
import { bitcoinFilter, countryCode, nullableValue, valueFilter } from '../../../../../api/filter-kinds.ts';
import { createFilters } from './filters.ts';
import { fieldRows, type FilterRowsInput } from './rows.ts';
import { parseTime } from './typed-time.ts';

const zh: Record<string, string> = { DE: '德国', FR: '法国', US: '美国' };
const filters = createFilters(
  {
    country: nullableValue(countryCode),
    time: timeFilter,
    state: choiceFilter(['open', 'closed']),
    amount: bitcoinFilter,
    mine: flagFilter,
  },
  {
    country: {
      label: 'list.search',
      words: (code) => ({ DE: 'Germany', FR: 'France', US: 'United States' })[code] ?? code,
      also: (code) => zh[code] ?? '',
    },
    time: { label: 'list.display' },
    state: { label: 'list.display' },
    amount: { label: 'list.count' },
    mine: { label: 'list.none' },
  },
);
const foundValues = {
  isLoading: false,
  of: new Map([
    [
      'country',
      {
        values: [
          { value: 'US', count: 9 },
          { value: 'DE', count: 4 },
          { value: 'FR', count: 2 },
          { value: null, count: 1 },
        ],
      },
    ],
  ]),
};
const createRows = (enteredText: string, overrides: Partial<FilterRowsInput> = {}) =>
  fieldRows({
    filters,
    values: {},
    found: foundValues,
    step: null,
    typed: enteredText,
    isNot: false,
    time: parseTime(enteredText, new Date()),
    ...overrides,
  });
const firstCondition = (enteredText: string, overrides?: Partial<FilterRowsInput>) =>
  createRows(enteredText, overrides)[0]?.asked;

it.each(['de', 'germ', '德国', 'deguo', 'DE'])('a value is found by %s, without its field', (enteredText) =>
  expect(firstCondition(enteredText)).toBe('DE'),
);
it.each(['lm', 'last m', '上月', 'last month'])('a time range is found by %s', (enteredText) =>
  expect(firstCondition(enteredText)).toBe('last-month'),
);

it('the filter menu lists fields first, and a field’s values by count', () => {
  expect(createRows('').map(({ field, asked }) => [field, asked])).toEqual(
    ['country', 'time', 'state', 'amount', 'mine'].map((field) => [field, undefined]),
  );
  expect(createRows('', { step: 'country' }).map(({ asked }) => asked)).toEqual(['US', 'DE', 'FR', '-']);
  expect(createRows('', { step: 'state' }).map(({ asked }) => asked)).toEqual(['open', 'closed']);
});

it('the filter menu adds a value, removes it and inverts the filter', () => {
  expect(firstCondition('fr', { values: { country: 'DE' } })).toBe('DE,FR');
  expect(firstCondition('de', { values: { country: 'DE,FR' }, step: 'country' })).toBe('FR');
  expect(firstCondition('de', { isNot: true, step: 'country' })).toBe('!DE');
  expect(firstCondition('true', { values: { mine: 'false' }, step: 'mine' })).toBe('true');
});

it('the filter menu accepts amounts as people write them', () => {
  const readConditions = (text: string) => createRows(text, { step: 'amount' }).map(({ asked }) => asked);
  expect(readConditions('≥ 0.5 BTC')).toEqual(['0.5..']);
  expect(readConditions('<=2')).toEqual(['..2']);
  expect(readConditions('0.5..2')).toEqual(['0.5..2']);
  expect(readConditions('0.5 到 2')).toEqual(['0.5..2']);
  expect(readConditions('1,000')).toEqual(['1000..', '..1000', '1000']);
  expect(readConditions('0.000000001')).toEqual([]);
  expect(readConditions('x')).toEqual([]);
});

it('the filter menu accepts a value that does not exist yet if it has the right form', () => {
  expect(createRows('JP', { step: 'country' }).map(({ asked }) => asked)).toContain('JP');
  expect(createRows('Atlantis', { step: 'country' })).toEqual([]);
});

it('the start of an address finds a person before a command’s initials, and an id needs most of its text', () => {
  const recordId = '01a201f0-809d-7288-876a-a0e6b9e0ad00';
  const uuidValues = {
    filters: createFilters(
      { what: valueFilter(), actor: valueFilter(), id: nullableValue() },
      { what: { label: 'list.search' }, actor: { label: 'list.count' }, id: { label: 'list.none' } },
    ),
    found: {
      isLoading: false,
      of: new Map([
        ['what', { values: [{ value: 'accounts.disable', count: 9 }] }],
        ['actor', { values: [{ value: 'admin@demo.local', count: 1 }] }],
        ['id', { values: [{ value: recordId, count: 1 }] }],
      ]),
    },
  };
  expect(createRows('adm', uuidValues).map(({ asked }) => asked)).toEqual(['admin@demo.local']);
  expect(createRows('ad', uuidValues).map(({ asked }) => asked)).toEqual(['admin@demo.local', 'accounts.disable']);
  expect(createRows(recordId.slice(0, 8), uuidValues).map(({ asked }) => asked)).toEqual([recordId]);
  expect(createRows('ad', { ...uuidValues, step: 'id' }).map(({ asked }) => asked)).toContain(recordId);
});
