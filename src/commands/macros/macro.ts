import type { CommandId } from '../../../api/names.ts';
import type { Invocation } from '../engine/define.ts';
import type { CommandHistoryEntry } from '../engine/dispatch/history.ts';

/** None, the macro's selection, those an earlier step made, or always the same. */
export type StepTargets =
  | { from: 'none' }
  | { from: 'selection' }
  | { from: 'step'; step: number }
  | { from: 'records'; ids: readonly string[]; names: readonly string[] };

export interface MacroStep {
  command: string;
  on: StepTargets;
  /** Never secrets. A missing one takes the form's start value. */
  params: Readonly<Record<string, unknown>>;
  /** Asked for at each run, starting with the stored value. */
  asks: readonly string[];
}

export interface Macro {
  id: string;
  by: string;
  name: string;
  steps: readonly MacroStep[];
}

export const maxSteps = 20;
export const maxNameLength = 60;
const maxMacros = 200;
const maxTextLength = 20_000;
const maxRecords = 200;

const idOf = (target: NonNullable<Invocation['targets']>[number]): string => (typeof target === 'string' ? target : target.id);
const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id) => b.includes(id));

/** Of a reversible edit only the changed fields. */
export function recordedInvocation({
  invocation: { id, params = {} },
  undo,
}: Pick<CommandHistoryEntry, 'invocation' | 'undo'>): Record<string, unknown> {
  const previousParams = undo?.id === id ? undo.params : undefined;
  const isChanged = ([name, value]: [string, unknown]) =>
    !previousParams || JSON.stringify(value) !== JSON.stringify(previousParams[name]);
  return Object.fromEntries(Object.entries(params).filter(isChanged));
}

/**
 * Records made by earlier steps are linked, the first existing ones become the selection, any
 * others stay fixed.
 */
export function stepsOf(entries: readonly CommandHistoryEntry[]): MacroStep[] {
  let selectedIds: readonly string[] | null = null;
  return entries.slice(0, maxSteps).map(({ invocation, names = [], ...rest }, index) => {
    const ids = (invocation.targets ?? []).map(idOf);
    const creatingStep = entries.slice(0, index).findLastIndex(({ made }) => made !== undefined && isSame(made, ids));
    let on: StepTargets = { from: 'none' };
    if (ids.length > 0) {
      if (creatingStep < 0) selectedIds ??= ids;
      on =
        creatingStep >= 0
          ? { from: 'step', step: creatingStep }
          : selectedIds && isSame(selectedIds, ids)
            ? { from: 'selection' }
            : { from: 'records', ids, names };
    }
    return { command: invocation.id, on, params: recordedInvocation({ invocation, ...rest }), asks: [] };
  });
}

/** Null: no records to run on. */
export function invocationOf(
  { command, on, params, asks }: MacroStep,
  selection: readonly string[],
  createdIds: readonly (readonly string[])[],
): Invocation | null {
  const ids =
    on.from === 'none' ? [] : on.from === 'selection' ? selection : on.from === 'step' ? (createdIds[on.step] ?? []) : on.ids;
  if (on.from !== 'none' && ids.length === 0) return null;
  return {
    id: command as CommandId,
    ...(ids.length > 0 ? { targets: ids } : {}),
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(asks.length > 0 ? { asks } : {}),
  };
}

export interface StepResult {
  made: readonly string[];
  stop: string | null;
}

/** Stops at the first failure and returns its index, or null. */
export async function runSteps(
  steps: readonly MacroStep[],
  runStep: (index: number, createdIds: readonly (readonly string[])[]) => Promise<StepResult>,
): Promise<{ at: number; why: string } | null> {
  const createdIds: (readonly string[])[] = [];
  for (const index of steps.keys()) {
    const stepResult = await runStep(index, createdIds);
    if (stepResult.stop !== null) return { at: index, why: stepResult.stop };
    createdIds.push(stepResult.made);
  }
  return null;
}

/** Stored data is validated. Invalid macros are dropped. */
export function readMacros(storedValue: unknown): Macro[] {
  return Array.isArray(storedValue) ? storedValue.slice(0, maxMacros).flatMap((item: unknown) => parseMacro(item) ?? []) : [];
}

function parseMacro(value: unknown): Macro | null {
  if (!isRecord(value) || !isText(value['id']) || !isText(value['by']) || !isText(value['name'])) return null;
  if (!isList(value['steps'], maxSteps) || value['steps'].length === 0) return null;
  const steps = value['steps'].map(parseStep);
  if (!steps.every((step, index): step is MacroStep => step !== null && (step.on.from !== 'step' || step.on.step < index)))
    return null;
  const name = value['name'].trim().slice(0, maxNameLength);
  return name === '' ? null : { id: value['id'], by: value['by'], name, steps };
}

function parseStep(value: unknown): MacroStep | null {
  if (!isRecord(value) || !isText(value['command']) || !isRecord(value['params']) || !isTextList(value['asks'], 100)) return null;
  const on = parseTargets(value['on']);
  if (!on || JSON.stringify(value['params']).length > maxTextLength) return null;
  return { command: value['command'], on, params: value['params'], asks: value['asks'] };
}

function parseTargets(value: unknown): StepTargets | null {
  if (!isRecord(value)) return null;
  const { from, step, ids, names } = value;
  if (from === 'none' || from === 'selection') return { from };
  if (from === 'step') return typeof step === 'number' && Number.isInteger(step) && step >= 0 ? { from, step } : null;
  return from === 'records' && isTextList(ids, maxRecords) && ids.length > 0 && isTextList(names, maxRecords)
    ? { from, ids, names }
    : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 1000;
const isList = (value: unknown, max: number): value is unknown[] => Array.isArray(value) && value.length <= max;
const isTextList = (value: unknown, max: number): value is string[] => isList(value, max) && value.every(isText);
