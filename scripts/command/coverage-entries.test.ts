import { expect, test } from 'vitest';
import { commandCoverage } from './coverage-entries.ts';
import { coveragePage } from './coverage-page.ts';

const commands = [
  { id: 'news.add', permission: 'news.add' },
  { id: 'go.news', permission: '/news' },
  { id: 'theme.set', permission: 'anyone' },
];
const entry = (command: string, surface: string, email: string, outcome = 'done') => ({
  command,
  how: surface,
  as: email,
  outcome,
});

test('coverage counts commands by account and surface, ignores those not offered and shows refusals', () => {
  const coverage = commandCoverage(commands, [
    {
      workers: [{ email: 'editor', granted: ['news.add', '/news'] }],
      entries: [
        entry('news.add', 'script', 'editor'),
        entry('news.add', 'script', 'editor'),
        entry('news.add', 'key', 'editor'),
        entry('read news', 'read', 'editor'),
      ],
    },
    { workers: [{ email: 'analyst', granted: ['/news'] }], entries: [entry('news.add', 'script', 'analyst', 'NOT_PERMITTED')] },
    { workers: [], entries: [entry('theme.set', 'button', '')] },
  ]);
  expect(coverage).toMatchObject({ commands: 3, given: 2, percent: 66.7, surfaces: { button: 1, key: 1, script: 1 } });
  expect(coverage.accounts).toEqual([
    { email: '?', offered: 1, ran: 1, refused: 0 },
    { email: 'analyst', offered: 2, ran: 0, refused: 1 },
    { email: 'editor', offered: 3, ran: 1, refused: 0 },
  ]);
  expect(coverage.rows[0]?.by).toEqual({
    '?': null,
    analyst: { done: {}, refused: 1 },
    editor: { done: { key: 1, script: 2 }, refused: 0 },
  });
  expect(coveragePage(coverage)).toContain('<td class="done">key 1<br>script 2</td>');
});

test('coverage counts partial commands as done and failed ones as refused, and ignores canceled and open ones', () => {
  const outcomes = ['partly', 'canceled', 'opened', 'failed'];
  const coverage = commandCoverage(
    outcomes.map((id) => ({ id, permission: 'anyone' })),
    [{ workers: [], entries: outcomes.map((outcome) => entry(outcome, 'palette', 'editor', outcome)) }],
  );
  expect(coverage).toMatchObject({ given: 1, surfaces: { palette: 1 } });
  expect(Object.fromEntries(coverage.rows.map(({ id, by }) => [id, by['editor']]))).toEqual({
    partly: { done: { palette: 1 }, refused: 0 },
    canceled: { done: {}, refused: 0 },
    opened: { done: {}, refused: 0 },
    failed: { done: {}, refused: 1 },
  });
});
