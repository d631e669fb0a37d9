import { maxTargets } from '../../../../api/bulk.ts';
import { ApiError } from '../../../lib/net/client.ts';
import { matchingFilterOf, type EntityName, type Target } from '../../../lib/scope.ts';
import type { AnyCommand, Invocation } from '../define.ts';
import type { Dependencies } from './interface.ts';
import type { ParamValues } from '../fields.ts';

/** Named records are refetched. Otherwise the selection is used. */
export async function resolveTargets(
  dependencies: Dependencies,
  command: AnyCommand,
  invocation: Invocation,
  frozenTargets?: readonly Target[],
): Promise<readonly Target[]> {
  if (command.target.kind === 'none') return [];
  const { entity } = command.target;
  if (!invocation.targets) {
    const selectedTargets = frozenTargets ?? dependencies.freeze();
    const isSameEntity = selectedTargets.length > 0 && selectedTargets.every((target) => target.entity === entity);
    return command.refreshesTargets && isSameEntity && !matchingFilterOf(selectedTargets)
      ? loadTargets(
          dependencies,
          entity,
          selectedTargets.map(({ id }) => id),
        )
      : selectedTargets;
  }
  const requestedVersions = invocation.targets.map((target) =>
    typeof target === 'string' ? { id: target, version: null } : target,
  );
  const loadedTargets = await loadTargets(
    dependencies,
    entity,
    requestedVersions.map(({ id }) => id),
  );
  return loadedTargets.map((target) => {
    const version = requestedVersions.find(({ id }) => id === target.id)?.version;
    return version ? { ...target, version } : target;
  });
}

/** Throws NOT_FOUND unless all exist. */
async function loadTargets(dependencies: Dependencies, entity: EntityName, ids: readonly string[]): Promise<readonly Target[]> {
  const load = (await dependencies.loaders())[entity];
  if (!load) throw new Error(`nothing reads ${entity}`);
  const loadedTargets: Target[] = [];
  for (let offset = 0; offset < ids.length; offset += maxTargets)
    loadedTargets.push(...(await load(dependencies.apiFor(null, null), ids.slice(offset, offset + maxTargets))));
  if (loadedTargets.length < ids.length) throw new ApiError('NOT_FOUND');
  return loadedTargets;
}

/** With the current version, so that a retry is checked against what the person saw. */
export function refreshTarget(target: Target, current: ParamValues): Target {
  const isSameRecord = current['id'] === target.id && typeof current['version'] === 'number';
  return isSameRecord ? ({ ...target, version: current['version'], row: current } as unknown as Target) : target;
}
