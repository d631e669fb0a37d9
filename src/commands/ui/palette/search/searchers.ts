import type { RoutePath } from '../../../../../api/menu.ts';
import type { Api } from '../../../../lib/net/client.ts';
import type { EntityName, Target } from '../../../../lib/scope.ts';
import { records } from '../../../app/all-records.ts';
import { loaders } from '../../../app/loaders.ts';
import type { RecordKind } from '../../../engine/resource.ts';
import type { ClueQuery } from './clues.ts';

const kinds: { readonly [E in EntityName]?: RecordKind<E> } = records;

export const recordKindOf = ({ entity }: Pick<Target, 'entity'>): { open?: RecordKind<EntityName>['open']; place?: RoutePath } =>
  kinds[entity] ?? {};

export const recordNoteOf = ({ entity, row }: Target): string => kinds[entity]?.note?.(row as never) ?? '';

export interface RecordSearch {
  entity: EntityName;
  find: (api: Api) => Promise<readonly Target[]>;
}

export function searchesFor({ text, clues }: ClueQuery, canOpen: (screenPath: RoutePath) => boolean): RecordSearch[] {
  return (Object.entries(kinds) as [EntityName, RecordKind<EntityName>][])
    .filter(([, { place, by = [] }]) => canOpen(place) && by.some((clue) => clues.includes(clue)))
    .map(([entity, { find, target }]) => ({
      entity,
      find: async (api) => {
        // Log entries are also found by their record's id, even if it is deleted.
        const idMatches = clues.includes('id') ? await loaders[entity](api, [text]) : [];
        if (idMatches.length > 0 || !find || (clues.includes('id') && entity !== 'audit')) return idMatches;
        return (await find(api, text, clues)).map(target);
      },
    }));
}
