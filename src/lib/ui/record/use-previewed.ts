import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../net/query.ts';
import { removeParams } from './open-record.ts';

export const closePreview = () => removeParams('preview');

/** The record of `?preview=`. Closes the preview once the record is gone. */
export function usePreviewed<Row>(
  resource: string,
  id: string,
  readRows: (input: { ids: string[] }, options: { signal: AbortSignal }) => Promise<Row[]>,
): Row | null {
  const { data, isSuccess } = useQuery(
    { queryKey: [resource, 'one', id], queryFn: ({ signal }) => readRows({ ids: [id] }, { signal }) },
    queryClient,
  );
  const row = data?.[0] ?? null;
  const isMissing = isSuccess && row === null;
  useEffect(() => {
    if (isMissing) closePreview();
  }, [isMissing]);
  return row;
}
