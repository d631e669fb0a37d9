import type { AnyCommand } from '../engine/define.ts';
import type { Run } from '../engine/dispatch/dispatch.ts';
import { withoutSecrets } from '../engine/parameters.ts';
import { $recording, type Step } from '../workspace/recording.ts';
import { registry } from './registry.ts';

/** Told of everything that was dispatched, whatever the surface; keeps what a script would have to do. */
export async function hear({ invocation, frozen, outcome: underWay }: Run): Promise<void> {
  const outcome = await underWay;
  const recording = $recording.get();
  const command = registry.get(invocation.id);
  if (!recording || !command || outcome.status === 'cancelled' || isAside(command)) return;
  const ran = outcome.status === 'done' ? outcome.ran : { targets: command.target.kind === 'none' ? [] : frozen, ...invocation };
  const step: Step = {
    command,
    targets: (ran.targets ?? []).map((target) => (typeof target === 'string' ? target : target.id)),
    params: withoutSecrets(command, ran.params ?? {}),
    refused: outcome.status === 'failed' ? outcome.error.code : null,
    ids: outcome.status === 'done' ? idsIn(outcome.result) : [],
  };
  $recording.set({ ...recording, steps: [...recording.steps, step] });
}

/** Moves the cursor, opens a surface, or stands for the command it gives (which is heard by itself): nothing a script would do. */
const isAside = ({ id, place }: AnyCommand): boolean =>
  place === 'list' || id.startsWith('qa.') || ['palette.open', 'keys.help', 'history.undo', 'history.repeat'].includes(id);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The ids of the records a result holds: of itself, of its row, of the rows that were done. */
function idsIn(result: unknown, path: readonly (string | number)[] = []): Step['ids'] {
  if (Array.isArray(result)) return result.slice(0, 200).flatMap((one: unknown, at) => idsIn(one, [...path, at]));
  if (!isRecord(result) || path.length > 3) return [];
  return Object.entries(result).flatMap(([name, value]) =>
    name === 'id' && typeof value === 'string' ? [{ path: [...path, name], id: value }] : idsIn(value, [...path, name]),
  );
}
