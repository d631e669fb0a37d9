import type { AnyCommand } from '../engine/define.ts';
import type { DispatchedRun } from '../engine/dispatch/interface.ts';
import { isSecretParam, withoutSecrets } from '../engine/parameters.ts';
import { toScriptResult } from './script-result.ts';
import { $recording, recordStep, type RecordedStep } from '../qa/recording.ts';
import { registry } from './registry.ts';

export async function recordRun({ invocation, frozen, outcome: outcomePromise }: DispatchedRun): Promise<void> {
  const outcome = await outcomePromise;
  const command = registry.get(invocation.id);
  if (!$recording.get() || !command || outcome.status === 'canceled') return;
  if (isExcludedFromRecording(command) || (outcome.status === 'done' && command.id.startsWith('go.'))) return; // listenToMoves records it
  const executedInvocation =
    outcome.status === 'done' ? outcome.ran : { targets: command.target.kind === 'none' ? [] : frozen, ...invocation };
  recordStep({
    ...describeCommand(command),
    targets: (executedInvocation.targets ?? []).map((target) => (typeof target === 'string' ? target : target.id)),
    params: changedParams(command, frozen, withoutSecrets(command, executedInvocation.params ?? {})),
    unsaid: Object.keys(command.params?.fields ?? {}).filter((name) => isSecretParam(command, name)),
    refused: outcome.status === 'failed' ? outcome.error.code : null,
    ids: outcome.status === 'done' ? idsIn(toScriptResult(outcome.result)) : [],
  });
}

/** Records navigation by link as the command that goes there. */
export function recordNavigation(): void {
  const recording = $recording.get(); // it may have gone on to another address while no panel was there
  const lastNavigation = recording?.steps.findLast(({ id }) => id.startsWith('go.'));
  let previousPath = lastNavigation?.permission ?? recording?.path ?? location.pathname;
  const recordMove = () => {
    const path = location.pathname;
    if (path === previousPath) return;
    previousPath = path;
    const command = registry.all.find(({ id, permission }) => id.startsWith('go.') && permission === path);
    if (command) recordStep({ ...describeCommand(command), targets: [], params: {}, unsaid: [], refused: null, ids: [] });
  };
  recordMove();
  for (const event of ['pushState', 'replaceState', 'popstate']) addEventListener(event, recordMove);
}

const describeCommand = ({ id, permission, confirm, danger }: AnyCommand) => ({
  id,
  permission,
  confirms: confirm === true || danger === 'irreversible' || danger === 'money',
});

function changedParams(command: AnyCommand, frozenTargets: DispatchedRun['frozen'], params: Readonly<Record<string, unknown>>) {
  const initialValues =
    command.params?.merges && frozenTargets.length === 1
      ? command.params.initial?.({ targets: frozenTargets, now: new Date() })
      : null;
  if (!initialValues) return params;
  const changedEntries = Object.entries(params).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify((initialValues as Record<string, unknown>)[name]),
  );
  return changedEntries.length > 0 ? Object.fromEntries(changedEntries) : params;
}

/** Cursor moves and opening dialogs need no step in a script. */
const isExcludedFromRecording = ({ id, place }: AnyCommand): boolean =>
  place === 'list' || id.startsWith('qa.') || ['palette.open', 'keys.help', 'history.undo', 'history.repeat'].includes(id);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function idsIn(result: unknown, path: readonly (string | number)[] = []): RecordedStep['ids'] {
  if (Array.isArray(result)) return result.slice(0, 200).flatMap((item: unknown, index) => idsIn(item, [...path, index]));
  if (!isRecord(result) || path.length > 3) return [];
  return Object.entries(result).flatMap(([name, value]) =>
    name === 'id' && typeof value === 'string' ? [{ path: [...path, name], id: value }] : idsIn(value, [...path, name]),
  );
}
