import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n/i18n.ts';
import { errorText, isStatisticsOutage } from '../../lib/net/errors.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { AsOfNote } from './as-of.tsx';
import type { AnyStatistics, StatisticsFilter } from './description.ts';
import { StatisticsFigure } from './figure.tsx';

interface TotalsProps {
  of: AnyStatistics;
  filter: StatisticsFilter;
}

/** Exact sums of the filtered rows. */
export function TotalsStrip({ of: { name, routes, totals, follower }, filter }: TotalsProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(
    {
      queryKey: [name, 'totals', filter],
      queryFn: ({ signal }) => routes.totals({ filter }, { signal }),
      placeholderData: keepPreviousData,
    },
    queryClient,
  );
  return (
    <section aria-label={t('statistics.totals.title')} data-totals className="flex min-h-11 shrink-0 flex-col gap-1 px-4 pb-2">
      {error && !data && (
        <p className="flex items-center gap-2 text-2">
          {isStatisticsOutage(error) ? errorText(error) : t('statistics.totals.failed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </p>
      )}
      {data && (
        <div className={`flex flex-wrap items-end gap-x-8 gap-y-2 ${isPlaceholderData ? 'opacity-60' : ''}`}>
          <dl className="contents">
            <Total id="rows" label={t(`statistics.totals.${name}`)}>
              <StatisticsFigure value={data.rows} as="count" />
            </Total>
            {totals.map(({ id, label, ...figure }) => (
              <Total key={id} id={id} label={t(label)}>
                <StatisticsFigure value={data.sums[id] ?? '0'} unit alone {...figure} />
              </Total>
            ))}
          </dl>
          <div className="ms-auto text-meta text-2">
            <AsOfNote of={data} />
          </div>
        </div>
      )}
      {follower && <ChainNote name={name} follower={follower} />}
    </section>
  );
}

const Total = ({ id, label, children }: { id: string; label: string; children: ReactNode }) => (
  <div data-total={id}>
    <dt className="text-meta text-2">{label}</dt>
    <dd className="text-section font-semibold">{children}</dd>
  </div>
);

/** Why chain data may be late. Nothing if current, or without chain data. */
function ChainNote({ name, follower }: Pick<Required<AnyStatistics>, 'name' | 'follower'>) {
  const { data } = useQuery(
    {
      queryKey: [name, 'follower'],
      queryFn: ({ signal }) => follower(undefined, { signal }),
      refetchInterval: 30_000,
    },
    queryClient,
  );
  if (!data || data.state === 'ok') return null;
  return (
    <p role="status" data-chain={data.state} className="text-meta text-2">
      {t(`statistics.chain.${data.state}`)} {data.asOf && <TimeText iso={data.asOf} />}
    </p>
  );
}
