import { expect, test } from 'vitest';
import { assess, type CommandContext } from './assess.ts';
import { notApplicable, defineCommand, noTarget } from './define.ts';

const command = {
  id: 'qa.record',
  permission: 'anyone',
  icon: 'list-checks',
  place: 'global',
  target: noTarget,
  params: null,
  danger: 'none',
  run: () => null,
} as const;
const context = (isExpert: boolean): CommandContext => ({
  signedIn: true,
  codes: new Set(),
  paths: new Set(),
  viewContext: null,
  expert: isExpert,
});

test('an expert command is hidden without the expert setting, and the setting grants no permission', () => {
  const expertCommand = defineCommand({ ...command, expert: true });
  expect(assess(expertCommand, context(false), []).state).toBe('hidden');
  expect(assess(expertCommand, context(true), []).state).toBe('ok');
  expect(assess(defineCommand(command), context(false), []).state).toBe('ok');
  expect(assess({ ...expertCommand, permission: 'news.add' }, context(true), []).state).toBe('hidden');
});

test('the absence of targets is reported first, on every screen', () => {
  const listCommand = { ...command, place: 'list' as const };
  const reason = 'palette.blocked.noList';
  expect(assess(defineCommand(listCommand), context(false), [])).toEqual({ state: 'blocked', reason });
  const inapplicableCommand = defineCommand({ ...listCommand, when: () => notApplicable('views.none') });
  expect(assess(inapplicableCommand, context(false), [])).toEqual({ state: 'blocked', reason: 'views.none', absent: true });
});
