import { useQuery } from '@tanstack/react-query';
import { batchReads } from '../batch-reads.ts';
import { api } from '../net/client.ts';
import { queryClient } from '../net/query.ts';

const maxAgeMs = 60_000;

const readAddressName = batchReads(async (addresses) => {
  const namesByAddress = await api.authority.names({ addresses });
  return new Map(namesByAddress.map(({ address, name }) => [address, name]));
});

/** Name of an address in the authority log's address book. Null: unknown or not loaded. */
export function useAddressName(address: string): string | null {
  const { data } = useQuery(
    {
      queryKey: ['addressNames', address],
      queryFn: () => readAddressName(address),
      staleTime: maxAgeMs,
      enabled: address !== '',
    },
    queryClient,
  );
  return data ?? null;
}
