import { maxTargets } from '../../../../api/bulk.ts';
import { ApiError } from '../../../lib/net/client.ts';
import type { Target } from '../../../lib/scope.ts';
import type { AnyCommand, Invocation } from '../define.ts';
import type { Dependencies } from './interface.ts';
import type { ParamValues } from '../fields.ts';

/** What an invocation aims at: the records it names, read anew, else what was frozen or stands selected. */
export async function resolveTargets(
  deps: Dependencies,
  command: AnyCommand,
  invocation: Invocation,
  frozen?: readonly Target[],
): Promise<readonly Target[]> {
  if (command.target.kind === 'none') return [];
  if (!invocation.targets) return frozen ?? deps.freeze();
  const asked = invocation.targets.map((target) => (typeof target === 'string' ? { id: target, version: null } : target));
  const load = (await deps.loaders())[command.target.entity];
  if (!load) throw new Error(`nothing reads ${command.target.entity}`);
  const ids = asked.map(({ id }) => id);
  const found: Target[] = [];
  for (let from = 0; from < ids.length; from += maxTargets)
    found.push(...(await load(deps.apiFor(null, null), ids.slice(from, from + maxTargets))));
  if (found.length < asked.length) throw new ApiError('NOT_FOUND');
  return found.map((target) => {
    const version = asked.find(({ id }) => id === target.id)?.version;
    return version ? { ...target, version } : target;
  });
}

/** The same target as the record stands now, so that the next try is made against what the person has seen. */
export function renew(target: Target, current: ParamValues): Target {
  const isThis = current['id'] === target.id && typeof current['version'] === 'number';
  return isThis ? ({ ...target, version: current['version'], row: current } as unknown as Target) : target;
}
