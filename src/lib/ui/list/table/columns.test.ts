import { expect, test } from 'vitest';
import { orderWithSecondLines, secondLines } from './columns.ts';

const columns = [{ id: 'name' }, { id: 'debt', below: 'collateral' }, { id: 'btc' }, { id: 'collateral' }];

test('a column is a second line only while the column above it is shown', () => {
  expect([...secondLines(columns)]).toEqual([['debt', 'collateral']]);
  expect([...secondLines(columns.filter(({ id }) => id !== 'collateral'))]).toEqual([]);
});

test('a second line follows its first line, wherever a person dragged it', () => {
  const lines = secondLines(columns);
  expect(orderWithSecondLines(['name', 'debt', 'btc', 'collateral'], lines)).toEqual(['name', 'btc', 'collateral', 'debt']);
  expect(orderWithSecondLines(['name', 'debt', 'btc'], new Map())).toEqual(['name', 'debt', 'btc']);
});
