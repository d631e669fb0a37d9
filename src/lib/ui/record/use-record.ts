import { useQuery, type InfiniteData, type QueryObserverOptions } from '@tanstack/react-query';
import { ApiError } from '../../net/client.ts';
import { queryClient } from '../../net/query.ts';

type ReadRows<Row> = (input: { ids: string[] }, options: { signal: AbortSignal }) => Promise<Row[]>;

const missingCodes = new Set(['NOT_FOUND', 'BAD_REQUEST', 'FORBIDDEN']);

/** True if the record does not exist or is hidden from this person. False if the server is down. */
export const isMissingError = (error: unknown): boolean => error instanceof ApiError && missingCodes.has(error.code);

/** Starts with the list's row, then reads the current one. `queryOptions`: query options (refetchInterval). */
export function useRecord<Row extends { id: string }>(
  resource: string,
  id: string,
  readRows: ReadRows<Row>,
  queryOptions: Pick<QueryObserverOptions<Row[]>, 'refetchInterval'> = {},
): { row: Row | undefined; isGone: boolean } {
  const { data, isSuccess, error } = useQuery(
    {
      queryKey: [resource, 'one', id],
      queryFn: ({ signal }) => readRows({ ids: [id] }, { signal }),
      placeholderData: () => cachedRows<Row>(resource, id),
      ...queryOptions,
    },
    queryClient,
  );
  const isMissing = isMissingError(error);
  const [row] = data ?? (error && !isMissing ? cachedRows<Row>(resource, id) : undefined) ?? [];
  return { row, isGone: !row && (isSuccess || isMissing) };
}

/** The row from a loaded list. */
function cachedRows<Row extends { id: string }>(resource: string, id: string): Row[] | undefined {
  for (const [, list] of queryClient.getQueriesData<InfiniteData<{ rows: Row[] }>>({ queryKey: [resource, 'list'] }))
    for (const { rows } of list?.pages ?? []) {
      const row = rows.find((cachedRow) => cachedRow.id === id);
      if (row) return [row];
    }
  return undefined;
}
