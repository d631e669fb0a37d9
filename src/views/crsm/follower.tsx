import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import type { CrsmFollower } from '../../../api/crsm/contract.ts';
import { roundedText } from '../../lib/money/amount-text.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $permittedPaths } from '../../lib/session/session.ts';
import { TimeText } from '../../lib/ui/value/time.tsx';

/** Freshness of the figures, and why they are late. Hidden without permission for the list of CRSMs. */
export function FollowerLine() {
  const isOpen = useStore($permittedPaths).has('/CRSMTrove/CRSMList');
  const { data } = useQuery(
    {
      queryKey: ['crsms', 'follower'],
      queryFn: ({ signal }) => api.crsm.follower(undefined, { signal }),
      refetchInterval: 5_000,
      enabled: isOpen,
    },
    queryClient,
  );
  if (!data) return null;
  if (data.state === 'ok') return <FollowerStatus data={data} />;
  return (
    <span role="status" data-follower={data.state} className="flex items-start gap-1.5 text-body text-warn-text">
      <TriangleAlert size={14} aria-hidden="true" className="mt-0.5 text-warn-icon" />
      <span>
        {t(`crsm.follower.${data.state}`, { block: data.block ?? '—', head: data.head ?? '—' })}{' '}
        {(data.state === 'unreachable' || data.state === 'noPrice') && <TimeText iso={data.at} />}
      </span>
    </span>
  );
}

const FollowerStatus = ({ data: { block, at, price } }: { data: CrsmFollower }) => (
  <span data-follower="ok">
    {t('crsm.follower.ok', { block: block ?? '—' })}
    <TimeText iso={at} />
    {price !== null && ` · ${t('crsm.follower.price', { price: roundedText(BigInt(price), 18, 2, 'down') })}`}
  </span>
);
