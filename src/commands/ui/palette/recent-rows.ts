import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { createApi } from '../../../lib/net/client.ts';
import { queryClient } from '../../../lib/net/query.ts';
import type { EntityName, Target } from '../../../lib/scope.ts';
import { recentRecords, renameRecent, type RecentRecord } from '../../../lib/ui/record/recent.ts';
import { loaders } from '../../app/loaders.ts';
import { recordKindOf } from './search/searchers.ts';

export type RecentRow = RecentRecord & { target: Target | null };

type RefreshedTargets = ReadonlyMap<string, Target | null>;

const keyOf = ({ entity, id }: Pick<RecentRecord, 'entity' | 'id'>): string => `${entity}:${id}`;

/** Shows cached records first and removes missing ones after the refetch. */
export function useRecent(isRequested: boolean, canOpen: (screenPath: string) => boolean): readonly RecentRow[] {
  const [openedRecords] = useState(recentRecords);
  const shownRecords = useMemo(
    () =>
      openedRecords.filter(({ entity }) => {
        const { open, place } = recordKindOf({ entity });
        return open !== undefined && place !== undefined && canOpen(place);
      }),
    [openedRecords, canOpen],
  );
  const { data } = useQuery(
    {
      queryKey: ['recent', shownRecords.map(keyOf)],
      queryFn: ({ signal }) => refreshRecents(shownRecords, signal),
      enabled: isRequested && shownRecords.length > 0,
      staleTime: 0,
    },
    queryClient,
  );
  return useMemo(
    () =>
      (isRequested ? shownRecords : []).flatMap((recent) => {
        const target = data?.get(keyOf(recent));
        if (target === null) return [];
        return [{ ...recent, name: target?.name ?? recent.name, target: target ?? null }];
      }),
    [isRequested, shownRecords, data],
  );
}

/** Null: it no longer exists. */
async function refreshRecents(recents: readonly RecentRecord[], signal: AbortSignal): Promise<RefreshedTargets> {
  const api = createApi(null, null, signal);
  const entities = [...new Set(recents.map(({ entity }) => entity))];
  const readEntity = async (entity: EntityName) => {
    const recentsOfEntity = recents.filter((recent) => recent.entity === entity);
    const foundTargets = await loaders[entity](
      api,
      recentsOfEntity.map(({ id }) => id),
    ).catch(() => null);
    if (!foundTargets) return [];
    return recentsOfEntity.map((recent) => {
      const target: Target | null = foundTargets.find(({ id }) => id === recent.id) ?? null;
      if (target?.name !== recent.name) renameRecent(recent, target?.name ?? null);
      return [keyOf(recent), target] as const;
    });
  };
  return new Map((await Promise.all(entities.map(readEntity))).flat());
}
