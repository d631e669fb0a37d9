import { maxTargets } from '../../../../api/bulk.ts';
import { ApiError } from '../../../lib/net/client.ts';
import { matchingFilterOf, type EntityName, type Target } from '../../../lib/scope.ts';
import type { AnyCommand, Invocation } from '../define.ts';
import type { Dependencies } from './interface.ts';
import type { ParamValues } from '../fields.ts';

/** Named records are refetched. Otherwise the selection is used. */
export async function resolveTargets(
  deps: Dependencies,
  command: AnyCommand,
  invocation: Invocation,
  frozen?: readonly Target[],
): Promise<readonly Target[]> {
  if (command.target.kind === 'none') return [];
  const { entity } = command.target;
  if (!invocation.targets) {
    const chosen = frozen ?? deps.freeze();
    const isOurs = chosen.length > 0 && chosen.every((target) => target.entity === entity);
    return command.refreshesTargets && isOurs && !matchingFilterOf(chosen)
      ? read(
          deps,
          entity,
          chosen.map(({ id }) => id),
        )
      : chosen;
  }
  const requested = invocation.targets.map((target) => (typeof target === 'string' ? { id: target, version: null } : target));
  const found = await read(
    deps,
    entity,
    requested.map(({ id }) => id),
  );
  return found.map((target) => {
    const version = requested.find(({ id }) => id === target.id)?.version;
    return version ? { ...target, version } : target;
  });
}

/** Throws NOT_FOUND unless all exist. */
async function read(deps: Dependencies, entity: EntityName, ids: readonly string[]): Promise<readonly Target[]> {
  const load = (await deps.loaders())[entity];
  if (!load) throw new Error(`nothing reads ${entity}`);
  const found: Target[] = [];
  for (let from = 0; from < ids.length; from += maxTargets)
    found.push(...(await load(deps.apiFor(null, null), ids.slice(from, from + maxTargets))));
  if (found.length < ids.length) throw new ApiError('NOT_FOUND');
  return found;
}

/** With the current version, so that a retry is checked against what the person saw. */
export function refreshTarget(target: Target, current: ParamValues): Target {
  const isThis = current['id'] === target.id && typeof current['version'] === 'number';
  return isThis ? ({ ...target, version: current['version'], row: current } as unknown as Target) : target;
}
