import { useQuery } from '@tanstack/react-query';
import { batchReads } from '../batch-reads.ts';
import { t } from '../i18n/i18n.ts';
import { api } from '../net/client.ts';
import { queryClient } from '../net/query.ts';

const readEmail = batchReads(async (ids) => {
  const emailsById = await api.authority.people({ ids });
  return new Map(emailsById.map(({ id, email }) => [id, email]));
});

/** An administrator's email, looked up by id. */
export function PersonName({ id }: { id: string }) {
  const { data, isPending } = useQuery(
    { queryKey: ['personNames', id], queryFn: () => readEmail(id), staleTime: Infinity },
    queryClient,
  );
  return <bdi>{data ?? t(isPending ? 'common.loading' : 'value.unknown')}</bdi>;
}
