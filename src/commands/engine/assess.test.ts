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
const context = (expert: boolean): CommandContext => ({
  signedIn: true,
  codes: new Set(),
  paths: new Set(),
  viewContext: null,
  expert,
});

test('an expert command is hidden without the expert setting, and the setting grants no permission', () => {
  const forExperts = defineCommand({ ...command, expert: true });
  expect(assess(forExperts, context(false), []).state).toBe('hidden');
  expect(assess(forExperts, context(true), []).state).toBe('ok');
  expect(assess(defineCommand(command), context(false), []).state).toBe('ok');
  expect(assess({ ...forExperts, permission: 'news.add' }, context(true), []).state).toBe('hidden');
});

test('the absence of targets is reported first, on every screen', () => {
  const onLists = { ...command, place: 'list' as const };
  const reason = 'palette.blocked.noList';
  expect(assess(defineCommand(onLists), context(false), [])).toEqual({ state: 'blocked', reason });
  const ofNothing = defineCommand({ ...onLists, when: () => notApplicable('views.none') });
  expect(assess(ofNothing, context(false), [])).toEqual({ state: 'blocked', reason: 'views.none', absent: true });
});
