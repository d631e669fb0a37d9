import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../../../net/query.ts';
import type { Filter } from './filters.ts';

/** Undefined while loading. */
export function useNames(name: string, { names }: Pick<Filter, 'names'>): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery(
    { queryKey: ['names', name], queryFn: ({ signal }) => names?.(signal) ?? null, enabled: names !== undefined },
    queryClient,
  );
  return data ?? undefined;
}
