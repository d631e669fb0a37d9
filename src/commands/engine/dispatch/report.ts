import { $batch, dismissBatch, reportBatch } from '../../../lib/batch.ts';
import { t, type TextKey } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { failedRow, maxUndoItems } from './batches.ts';
import type { AnyCommand, CommandResult, Invocation } from '../define.ts';
import type { Dependencies, DispatchOutcome } from './interface.ts';
import type { ParamValues } from '../fields.ts';
import { resultText } from './result-text.ts';
import { addToHistory } from './history.ts';
import { withoutSecrets } from '../parameters.ts';
import type { Notice } from '../host.ts';
import type { InvocationSource } from '../ui.ts';

/** Another person who signed in meanwhile gets no notices of this run. */
export const isOtherPerson = ({ by, person }: Dependencies): boolean => !!by && person() !== '' && person() !== by;

export async function reportResult(
  dependencies: Dependencies,
  command: AnyCommand,
  source: InvocationSource,
  targets: readonly Pick<Target, 'id' | 'name'>[],
  params: ParamValues,
  result: unknown,
  done: CommandResult = command.done?.(result as never, { targets, params } as never) ?? { toast: null },
): Promise<DispatchOutcome> {
  const { host, worked, by } = dependencies;
  worked?.(done.undo);
  const executed: Invocation = { id: command.id };
  if (targets.length > 0 && targets.length <= maxUndoItems) executed.targets = targets.map(({ id }) => id);
  if (command.params) executed.params = withoutSecrets(command, params);
  const newIds = targets.length === 0 ? createdIds(result, done.undo) : [];
  let entry: string | undefined;
  if (!command.excludeFromHistory && source !== 'undo') {
    entry = addToHistory({
      invocation: executed,
      at: Date.now(),
      ...(by ? { by } : {}),
      ...(targets.length > 0 ? { names: targets.slice(0, maxNames).map(({ name }) => name.slice(0, maxNameLength)) } : {}),
      ...(newIds.length > 0 ? { made: newIds } : {}),
      ...(done.undo ? { undo: done.undo } : {}),
      ...(done.instead ? { instead: done.instead } : {}),
    });
  }
  const { stale = [] } = done;
  if (isOtherPerson(dependencies)) {
    await host.refresh(stale);
    return { status: 'done', result, ran: executed };
  }
  // Where a new or restored record is listed is known only after the list is refetched.
  const isNew = source === 'undo' || done.undo?.id.endsWith('.delete');
  const changedIds = isNew ? (done.undo?.targets ?? []).map(idOf) : newIds;
  const isRecordSearched = source !== 'macro' && changedIds.length > 0 && stale.length > 0;
  if (isRecordSearched) await host.refresh(stale);
  // Other screens' lists are refetched too, but only the command's own has the record.
  const ownPrefix = command.id.slice(0, command.id.indexOf('.'));
  const list = isRecordSearched ? await host.reach(stale.includes(ownPrefix) ? [ownPrefix] : stale, changedIds) : null;
  if (source === 'macro') {
    // It tells step by step how far it is.
  } else if (done.failed && done.failed.length > 0) {
    if (!done.reported) report(command, targets, params, done.failed);
    host.notify({
      kind: 'error',
      key: 'finder.partly',
      values: { done: targets.length - done.failed.length, failed: done.failed.length },
    });
  } else if (done.toast !== null && source !== 'undo') {
    if (!done.reported && $batch.get()?.command === command.id) dismissBatch();
    const [id] = changedIds;
    host.notify({
      kind: 'success',
      ...successToast(command, done, recordNames(command, done, targets, params)),
      ...(done.undo && entry ? { undo: entry } : {}),
      ...(list && id ? { unseen: { resource: list, id } } : {}),
    });
  }
  if (!isRecordSearched) await host.refresh(stale);
  return {
    status: 'done',
    result,
    ran: executed,
    ...(done.undo ? { undo: done.undo } : {}),
    ...(entry ? { entry } : {}),
    ...(done.failed?.length ? { failed: done.failed.length } : {}),
  };
}

/** Successes with their own words in the specification. */
const genericToasts: ReadonlySet<TextKey> = new Set(['common.success', 'common.copied']);

function successToast(
  command: AnyCommand,
  { toast, undo }: CommandResult,
  targetNames: readonly string[],
): Pick<Notice, 'key' | 'values'> {
  if (toast && genericToasts.has(toast.key)) return toast;
  const effectText = resultText(command.id, targetNames, undo?.targets?.length ?? targetNames.length);
  if (toast?.key === 'common.sent') return { key: 'common.sentWhat', values: { what: effectText } };
  return { key: 'common.happened', values: { what: toast ? t(toast.key, { what: effectText, ...toast.values }) : effectText } };
}

const renamingCommand = /\.(edit|rename|copy)$/;

function recordNames(
  { id }: AnyCommand,
  { about }: CommandResult,
  targets: readonly Pick<Target, 'name'>[],
  params: ParamValues,
): readonly string[] {
  if (about) return about;
  const createdNames = targets.length === 0 || (targets.length === 1 && renamingCommand.test(id)) ? createdName(params) : [];
  return createdNames.length > 0 ? createdNames : targets.map(({ name }) => name);
}

const idOf = (target: NonNullable<Invocation['targets']>[number]): string => (typeof target === 'string' ? target : target.id);

const maxNames = 5;
const maxNameLength = 120;
function report(
  command: AnyCommand,
  targets: readonly Pick<Target, 'id' | 'name'>[],
  params: ParamValues,
  failed: NonNullable<CommandResult['failed']>,
): void {
  const codes = new Map(failed.map(({ id, code }) => [id, code]));
  const rows = targets.map(({ id, name }) => {
    const code = codes.get(id);
    return { id, name, ...(code === undefined ? { state: 'done' as const, note: null } : failedRow(code)) };
  });
  reportBatch({ command: command.id, rows, ...(command.params ? { params: withoutSecrets(command, params) } : {}) });
}

function createdIds(result: unknown, undo?: Invocation): string[] {
  if (undo?.targets) return undo.targets.map(idOf);
  const row = isRecord(result) && isRecord(result['row']) ? result['row'] : result;
  return isRecord(row) && typeof row['id'] === 'string' ? [row['id']] : [];
}

const createdName = (params: ParamValues): string[] =>
  ['title', 'name', 'email', 'content', 'address']
    .flatMap((name) => (typeof params[name] === 'string' ? [params[name]] : []))
    .slice(0, 1);

const isRecord = (value: unknown): value is ParamValues => typeof value === 'object' && value !== null;
