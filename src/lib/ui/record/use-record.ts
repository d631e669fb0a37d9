import { useQuery, type InfiniteData, type QueryObserverOptions } from '@tanstack/react-query';
import { ApiError } from '../../net/client.ts';
import { queryClient } from '../../net/query.ts';

type Read<Row> = (input: { ids: string[] }, options: { signal: AbortSignal }) => Promise<Row[]>;

const gone = new Set(['NOT_FOUND', 'BAD_REQUEST', 'FORBIDDEN']);

/** Whether a read that failed says that there is no such record, for this person; a server that is away says nothing of it. */
export const saysGone = (error: unknown): boolean => error instanceof ApiError && gone.has(error.code);

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
  const { data, isSuccess, error } = useQuery(
    {
      queryKey: [resource, 'one', id],
      queryFn: ({ signal }) => read({ ids: [id] }, { signal }),
      placeholderData: () => listed<Row>(resource, id),
      ...more,
    },
    queryClient,
  );
  const isGone = saysGone(error);
  const [row] = data ?? (error && !isGone ? listed<Row>(resource, id) : undefined) ?? [];
  return { row, isGone: !row && (isSuccess || isGone) };
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
