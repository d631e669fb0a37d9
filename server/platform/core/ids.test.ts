import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('ids are UUIDs of version 7 that carry their time', () => {
  const laterTime = Date.now() + 1_000_000;
  const id = newId(laterTime);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(laterTime);
});

test('ids are unique and ordered, even within a millisecond or after the clock was set back', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => newId(5_000_000_000_000 - (index % 3)));
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});
