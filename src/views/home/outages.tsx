import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';

/** What is unavailable while everything else works. Nothing otherwise. */
export function Outages() {
  const { data = [] } = useQuery(
    { queryKey: ['home', 'outages'], queryFn: ({ signal }) => api.home.outages(undefined, { signal }), refetchInterval: 30_000 },
    queryClient,
  );
  return data.map((outage) => (
    <p
      key={outage}
      role="status"
      data-outage={outage}
      className="mb-4 rounded-control bg-warn-bg px-3 py-2 text-body text-warn-text"
    >
      {t(`shell.outage.${outage}`)}
    </p>
  ));
}
