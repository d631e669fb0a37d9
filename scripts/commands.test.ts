import { expect, test } from 'vitest';
import { registry } from '../src/commands/app/all.ts';
import { committedManual, commandManual } from './commands.ts';

test('docs/commands.md is up to date (npm run commands)', async () => {
  expect(committedManual()).toBe(await commandManual());
});

test('docs/commands.md has a row for every command', () => {
  const rows = committedManual().matchAll(/^\| `([^`]+)`/gm);
  expect([...rows].map(([, id]) => id).toSorted()).toEqual(registry.all.map(({ id }) => id).toSorted());
});
