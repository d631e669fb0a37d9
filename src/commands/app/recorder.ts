import type { AnyCommand } from '../engine/define.ts';
import type { DispatchedRun } from '../engine/dispatch/interface.ts';
import { isNeverStored, withoutSecrets } from '../engine/parameters.ts';
import { answerOf } from './answer.ts';
import { $recording, recordStep, type RecordedStep } from '../qa/recording.ts';
import { registry } from './registry.ts';

export async function recordRun({ invocation, frozen, outcome: underWay }: DispatchedRun): Promise<void> {
  const outcome = await underWay;
  const command = registry.get(invocation.id);
  if (!$recording.get() || !command || outcome.status === 'canceled') return;
  if (isNotRecorded(command) || (outcome.status === 'done' && command.id.startsWith('go.'))) return; // listenToMoves records it
  const ran = outcome.status === 'done' ? outcome.ran : { targets: command.target.kind === 'none' ? [] : frozen, ...invocation };
  recordStep({
    ...describeCommand(command),
    targets: (ran.targets ?? []).map((target) => (typeof target === 'string' ? target : target.id)),
    params: changedParams(command, frozen, withoutSecrets(command, ran.params ?? {})),
    unsaid: Object.keys(command.params?.fields ?? {}).filter((name) => isNeverStored(command, name)),
    refused: outcome.status === 'failed' ? outcome.error.code : null,
    ids: outcome.status === 'done' ? idsIn(answerOf(outcome.result)) : [],
  });
}

/** Records navigation by link as the command that goes there. */
export function recordNavigation(): void {
  const recording = $recording.get(); // it may have gone on to another address while no panel was there
  const last = recording?.steps.findLast(({ id }) => id.startsWith('go.'));
  let before = last?.permission ?? recording?.path ?? location.pathname;
  const moved = () => {
    const path = location.pathname;
    if (path === before) return;
    before = path;
    const command = registry.all.find(({ id, permission }) => id.startsWith('go.') && permission === path);
    if (command) recordStep({ ...describeCommand(command), targets: [], params: {}, unsaid: [], refused: null, ids: [] });
  };
  moved();
  for (const event of ['pushState', 'replaceState', 'popstate']) addEventListener(event, moved);
}

const describeCommand = ({ id, permission, confirm, danger }: AnyCommand) => ({
  id,
  permission,
  confirms: confirm === true || danger === 'irreversible' || danger === 'money',
});

function changedParams(command: AnyCommand, frozen: DispatchedRun['frozen'], params: Readonly<Record<string, unknown>>) {
  const was =
    command.params?.merges && frozen.length === 1 ? command.params.initial?.({ targets: frozen, now: new Date() }) : null;
  if (!was) return params;
  const own = Object.entries(params).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify((was as Record<string, unknown>)[name]),
  );
  return own.length > 0 ? Object.fromEntries(own) : params;
}

/** Cursor moves and opening dialogs need no step in a script. */
const isNotRecorded = ({ id, place }: AnyCommand): boolean =>
  place === 'list' || id.startsWith('qa.') || ['palette.open', 'keys.help', 'history.undo', 'history.repeat'].includes(id);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function idsIn(result: unknown, path: readonly (string | number)[] = []): RecordedStep['ids'] {
  if (Array.isArray(result)) return result.slice(0, 200).flatMap((one: unknown, at) => idsIn(one, [...path, at]));
  if (!isRecord(result) || path.length > 3) return [];
  return Object.entries(result).flatMap(([name, value]) =>
    name === 'id' && typeof value === 'string' ? [{ path: [...path, name], id: value }] : idsIn(value, [...path, name]),
  );
}
