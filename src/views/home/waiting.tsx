import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { maxWaiting, type WaitingKind } from '../../../api/home/contract.ts';
import type { RoutePath } from '../../../api/menu.ts';
import { api } from '../../lib/net/client.ts';
import { groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { UnreadValue } from '../../lib/ui/value/unread.tsx';

/** The screen for each kind, and the filter for its rows. */
const taskTargets: Readonly<Record<WaitingKind, { path: RoutePath; search: string; isBad?: true }>> = {
  freeze: { path: '/selfCustody/dataPanel', search: '', isBad: true },
  nearTrigger: { path: '/CRSMTrove/CRSMList', search: '?near=true' },
  staleFigures: { path: '/CRSMTrove/CRSMList', search: '?health=stale', isBad: true },
  failedMints: { path: '/selfCustody/deposit', search: '?mintStatus=failed', isBad: true },
  canceledMints: { path: '/selfCustody/deposit', search: '?mintStatus=canceled', isBad: true },
  statements: { path: '/selfCustody/authority', search: '?mine=true' },
  deposits: { path: '/selfCustody/deposit', search: '?status=created' },
  refunds: { path: '/selfCustody/withdraw', search: '?toSign=true' },
  withdrawals: { path: '/selfCustody/withdraw', search: '?cooled=true' },
  feedback: { path: '/feedback', search: '?processed=false' },
};

/** Most urgent first, refreshed every 30 seconds. */
export function WaitingList() {
  const { data, isError, refetch } = useQuery(
    { queryKey: ['home', 'waiting'], queryFn: ({ signal }) => api.home.waiting(undefined, { signal }), refetchInterval: 30_000 },
    queryClient,
  );
  if (isError) return <UnreadValue words={t('home.unread')} retry={refetch} />;
  if (!data) return <div className="h-row" aria-hidden="true" />;
  if (data.length === 0) return <p className="text-body text-2">{t('home.nothing')}</p>;
  return (
    <ul className="-mx-2 max-w-120">
      {data.map(({ kind, count }) => {
        const { path, search, isBad } = taskTargets[kind];
        return (
          <li key={kind} data-waiting={kind}>
            <Link href={`${path}${search}`} className="flex h-row items-center gap-2 rounded-control px-2 hover:bg-layer-hover">
              <span className="w-14 shrink-0 tabular-nums">
                <Chip state={isBad ? 'failed' : 'pending'}>{count > maxWaiting ? `${maxWaiting}+` : groupDigits(count)}</Chip>
              </span>
              <span className="flex-1 truncate">{t(`home.waiting.${kind}`)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
