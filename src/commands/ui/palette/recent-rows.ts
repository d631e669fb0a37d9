import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { apiFor } from '../../../lib/net/client.ts';
import { queryClient } from '../../../lib/net/query.ts';
import type { EntityName, Target } from '../../../lib/scope.ts';
import { recentRecords, renameRecent, type Recent } from '../../../lib/ui/record/recent.ts';
import { loaders } from '../../app/loaders.ts';
import { recordKindOf } from './search/searchers.ts';

export type RecentRow = Recent & { target: Target | null };

type RefreshedTargets = ReadonlyMap<string, Target | null>;

const keyOf = ({ entity, id }: Pick<Recent, 'entity' | 'id'>): string => `${entity}:${id}`;

/** Shows cached records first and removes missing ones after the refetch. */
export function useRecent(isAsked: boolean, mayOpen: (place: string) => boolean): readonly RecentRow[] {
  const [opened] = useState(recentRecords);
  const shown = useMemo(
    () =>
      opened.filter(({ entity }) => {
        const { open, place } = recordKindOf({ entity });
        return open !== undefined && place !== undefined && mayOpen(place);
      }),
    [opened, mayOpen],
  );
  const { data } = useQuery(
    {
      queryKey: ['recent', shown.map(keyOf)],
      queryFn: ({ signal }) => refreshRecents(shown, signal),
      enabled: isAsked && shown.length > 0,
      staleTime: 0,
    },
    queryClient,
  );
  return useMemo(
    () =>
      (isAsked ? shown : []).flatMap((recent) => {
        const target = data?.get(keyOf(recent));
        if (target === null) return [];
        return [{ ...recent, name: target?.name ?? recent.name, target: target ?? null }];
      }),
    [isAsked, shown, data],
  );
}

/** Null: it no longer exists. */
async function refreshRecents(recents: readonly Recent[], signal: AbortSignal): Promise<RefreshedTargets> {
  const api = apiFor(null, null, signal);
  const entities = [...new Set(recents.map(({ entity }) => entity))];
  const read = async (entity: EntityName) => {
    const ofEntity = recents.filter((one) => one.entity === entity);
    const found = await loaders[entity](
      api,
      ofEntity.map(({ id }) => id),
    ).catch(() => null);
    if (!found) return [];
    return ofEntity.map((one) => {
      const target: Target | null = found.find(({ id }) => id === one.id) ?? null;
      if (target?.name !== one.name) renameRecent(one, target?.name ?? null);
      return [keyOf(one), target] as const;
    });
  };
  return new Map((await Promise.all(entities.map(read))).flat());
}
