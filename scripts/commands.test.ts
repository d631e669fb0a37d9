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

test('docs/commands.md has one line with both names for every command, before the folded part of its job', () => {
  const foldedSections = /<details>.*?<\/details>/gs;
  const visibleManual = committedManual().replaceAll(foldedSections, '');
  const lines = visibleManual.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:名称|---)/.test(line));
  expect(lines.length).toBe(registry.all.length);
  expect(committedManual().match(foldedSections)?.length).toBe(committedManual().match(/^## /gm)?.length);
});

test('docs/commands.md gives every built-in command a job', () => {
  expect(committedManual()).not.toContain('Other records');
});
