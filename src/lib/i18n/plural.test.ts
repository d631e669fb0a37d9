import { expect, test } from 'vitest';
import { countText, pluralForm } from './plural.ts';

test('plural uses the singular only for one and groups large numbers', () => {
  expect([0, 1, 2].map((count) => pluralForm(count, 'entry', 'entries'))).toEqual(['entries', 'entry', 'entries']);
  expect([0, 1, 1200].map((count) => countText(count, 'row'))).toEqual(['0 rows', '1 row', '1,200 rows']);
});
