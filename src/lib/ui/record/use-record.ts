import { useQuery, type InfiniteData, type QueryObserverOptions } from '@tanstack/react-query';
import { queryClient } from '../../net/query.ts';

type Read<Row> = (input: { ids: string[] }, options: { signal: AbortSignal }) => Promise<Row[]>;

/**
 * One record by its id: at once as its list has it, then as it stands now. `isGone`: there is none any more.
 * `more`: how else it is read (refetchInterval).
 */
export function useRecord<Row extends { id: string }>(
  resource: string,
  id: string,
  read: Read<Row>,
  more: Pick<QueryObserverOptions<Row[]>, 'refetchInterval'> = {},
): { row: Row | undefined; isGone: boolean } {
  const { data, isSuccess, isError } = useQuery(
    {
      queryKey: [resource, 'one', id],
      queryFn: ({ signal }) => read({ ids: [id] }, { signal }),
      placeholderData: () => listed<Row>(resource, id),
      ...more,
    },
    queryClient,
  );
  const row = data?.[0];
  return { row, isGone: (isSuccess && !row) || (isError && !row) };
}

/** The record as a list that was read has it. */
function listed<Row extends { id: string }>(resource: string, id: string): Row[] | undefined {
  for (const [, list] of queryClient.getQueriesData<InfiniteData<{ rows: Row[] }>>({ queryKey: [resource, 'list'] }))
    for (const { rows } of list?.pages ?? []) {
      const row = rows.find((one) => one.id === id);
      if (row) return [row];
    }
  return undefined;
}
