import { describe, expect, test } from 'vitest';
import type { CommandHistoryEntry } from '../engine/dispatch/history.ts';
import { invocationOf, readMacros, runSteps, stepsOf, type MacroStep } from './macro.ts';

const entry = (
  invocation: CommandHistoryEntry['invocation'],
  overrides: Partial<CommandHistoryEntry> = {},
): CommandHistoryEntry => ({
  id: crypto.randomUUID(),
  by: 'a@b.c',
  at: 1,
  invocation,
  ...overrides,
});

const step = (overrides: Partial<MacroStep> = {}): MacroStep => ({
  command: 'news.show',
  on: { from: 'none' },
  params: {},
  asks: [],
  ...overrides,
});

describe('the steps of a macro from history', () => {
  test('link a later step to records of an earlier one, use the first records as selection, and fix the others', () => {
    const steps = stepsOf([
      entry({ id: 'news.add', params: { title: 'x' } }, { made: ['new'] }),
      entry({ id: 'news.show', targets: ['new'] }),
      entry({ id: 'notices.show', targets: ['a', { id: 'b', version: 3 }] }),
      entry({ id: 'notices.hide', targets: ['b', 'a'] }),
      entry({ id: 'news.hide', targets: ['c'] }, { names: ['C'] }),
    ]);
    expect(steps.map(({ on }) => on)).toEqual([
      { from: 'none' },
      { from: 'step', step: 0 },
      { from: 'selection' },
      { from: 'selection' },
      { from: 'records', ids: ['c'], names: ['C'] },
    ]);
    expect(steps[0]?.params).toEqual({ title: 'x' });
  });

  test('keep only the changed values of an edit', () => {
    const [firstStep] = stepsOf([
      entry(
        { id: 'news.edit', targets: ['a'], params: { title: 'new', link: 'same' } },
        { undo: { id: 'news.edit', targets: ['a'], params: { title: 'old', link: 'same' } } },
      ),
    ]);
    expect(firstStep?.params).toEqual({ title: 'new' });
  });
});

test('the steps of a macro become invocations on their records, and none without records', () => {
  expect(invocationOf(step({ on: { from: 'selection' } }), ['a', 'b'], [])).toEqual({ id: 'news.show', targets: ['a', 'b'] });
  expect(invocationOf(step({ on: { from: 'step', step: 0 } }), [], [['made']])).toEqual({ id: 'news.show', targets: ['made'] });
  expect(invocationOf(step({ params: { title: 'x' }, asks: ['title'] }), ['a'], [])).toEqual({
    id: 'news.show',
    params: { title: 'x' },
    asks: ['title'],
  });
  expect(invocationOf(step({ on: { from: 'selection' } }), [], [])).toBeNull();
  expect(invocationOf(step({ on: { from: 'step', step: 3 } }), ['a'], [['made'], []])).toBeNull();
});

test('the steps of a macro stop at the first failure, report it, and start nothing after it', async () => {
  const startedSteps: number[] = [];
  const stopResult = await runSteps([step(), step(), step()], async (index, createdIds) => {
    startedSteps.push(index);
    expect(createdIds).toHaveLength(index);
    return { made: [`made by ${index}`], stop: index === 1 ? 'CONFLICT' : null };
  });
  expect(stopResult).toEqual({ at: 1, why: 'CONFLICT' });
  expect(startedSteps).toEqual([0, 1]);
  expect(await runSteps([step()], async () => ({ made: [], stop: null }))).toBeNull();
});

describe('stored macros', () => {
  const validMacro = {
    id: '1',
    by: 'a@b.c',
    name: ' <img onerror=x> ',
    steps: [step(), step({ on: { from: 'step', step: 0 } })],
  };

  test('are loaded unchanged with trimmed names', () => {
    expect(readMacros(JSON.parse(JSON.stringify([validMacro])))).toEqual([{ ...validMacro, name: '<img onerror=x>' }]);
  });

  test.each([
    ['no list', { 0: validMacro }],
    ['nothing', null],
    ['no steps', [{ ...validMacro, steps: [] }]],
    ['too many steps', [{ ...validMacro, steps: Array.from({ length: 21 }, () => step()) }]],
    ['a name that is none', [{ ...validMacro, name: { toString: 1 } }]],
    ['a step that runs on what a later one makes', [{ ...validMacro, steps: [step({ on: { from: 'step', step: 0 } })] }]],
    ['parameters that are a list', [{ ...validMacro, steps: [{ ...step(), params: [] }] }]],
    ['far too long', [{ ...validMacro, steps: [step({ params: { a: 'x'.repeat(30_000) } })] }]],
    ['targets of no kind', [{ ...validMacro, steps: [{ ...step(), on: { from: '__proto__' } }] }]],
  ])('%s: dropped', (_, storedValue) => expect(readMacros(storedValue)).toEqual([]));
});
