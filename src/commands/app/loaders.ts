import type { RoutePath } from '../../../api/menu.ts';
import type { Api } from '../../lib/net/client.ts';
import type { EntityName, Target } from '../../lib/scope.ts';
import { versionTarget } from '../engine/versions.ts';
import type { Loaders } from '../engine/dispatch/interface.ts';
import type { RecordKind, RestorableRecord } from '../engine/resource.ts';
import { records } from './all-records.ts';

export const restorableKinds: ReadonlyMap<string, RestorableRecord & { place: RoutePath }> = new Map(
  Object.values(records).flatMap(({ place, restored }) => (restored ? [[restored.as, { ...restored, place }] as const] : [])),
);

/** Keyed by `<audit kind>:<entry>:<state>`. */
async function readVersions(api: Api, ids: readonly string[]): Promise<Target<'version'>[]> {
  const versionLists = await Promise.all(
    [...restorableKinds].map(async ([kindName, { read }]) => {
      const recordIds = ids.filter((id) => id.startsWith(`${kindName}:`)).map((id) => id.slice(kindName.length + 1));
      return recordIds.length > 0 ? read(api, recordIds, {}) : [];
    }),
  );
  return versionLists.flat().map(versionTarget);
}

const loaderOf =
  ({ read, target }: RecordKind<EntityName>) =>
  async (api: Api, ids: readonly string[]) =>
    (await read(api, [...ids])).map(target);

export const loaders = {
  ...Object.fromEntries(Object.entries(records).map(([entity, kind]) => [entity, loaderOf(kind as RecordKind<EntityName>)])),
  version: readVersions,
} as Loaders;
