import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PointsRow } from '../../../../api/rewards/points.ts';
import { balanceTarget, pointsTarget } from '../../../commands/rewards/points.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { evmExplorerTarget } from '../../../lib/explorer.ts';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import { OnChainLink } from '../../../lib/ui/value/explorer-link.tsx';
import { Button } from '../../../lib/ui/button.tsx';
import { useOpenRecord } from '../../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../../lib/ui/record/peek.tsx';
import { isMissingError } from '../../../lib/ui/record/use-record.ts';
import { Time } from '../../../lib/ui/value/time.tsx';
import { EntrySource } from './source.tsx';

export function AddressRecord({ id: address }: { id: string }) {
  const { data, isSuccess, error } = useQuery(
    {
      queryKey: ['balances', 'one', address],
      queryFn: ({ signal }) => api.points.balancesOf({ addresses: [address] }, { signal }),
    },
    queryClient,
  );
  const row = data?.[0];
  useOpenRecord(row, balanceTarget, (isSuccess && !row) || isMissingError(error));
  const target = useMemo(() => (row ? [balanceTarget(row)] : []), [row]);
  const params = useMemo(() => (row ? { address: row.address } : {}), [row]);
  if (!row) return null;
  return (
    <RecordSheet title={t('points.ofAddress')} description={<OnChainLink {...evmExplorerTarget.address(row.address)} />}>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <CommandTrigger id="points.adjust" params={params} />
          <CommandTrigger id="balances.copyAddress" targets={target} />
        </div>
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          <div>
            <dt className="text-meta text-2">{t('points.field.balance')}</dt>
            <dd data-balance className="text-figure font-semibold">
              <Berries value={row.berries} />
            </dd>
          </div>
          <div>
            <dt className="text-meta text-2">{t('points.field.entries')}</dt>
            <dd className="text-figure font-semibold tabular-nums">{groupDigits(row.entries)}</dd>
          </div>
        </dl>
        <EntriesOf address={row.address} />
      </div>
    </RecordSheet>
  );
}

function EntriesOf({ address }: { address: string }) {
  const { data, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: ['points', 'of', address],
      queryFn: ({ pageParam, signal }) =>
        api.points.list({ sort: 'createdAt', direction: 'desc', filter: { address }, cursor: pageParam, limit: 30 }, { signal }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.nextCursor,
    },
    queryClient,
  );
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section aria-label={t('points.view.entries')} className="flex flex-col gap-3 border-t border-hairline pt-4">
      <h3 className="text-section font-semibold">{t('points.view.entries')}</h3>
      {error && (
        <p className="flex items-center gap-2 text-2">
          {t('points.failed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </p>
      )}
      <ol className="flex flex-col gap-4">
        {rows.map((row) => (
          <EntryLine key={row.id} row={row} />
        ))}
      </ol>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('points.older')}</Button>}
    </section>
  );
}

function EntryLine({ row }: { row: PointsRow }) {
  const target = useMemo(() => [pointsTarget(row)], [row]);
  return (
    <li data-entry={row.id} className="flex items-start gap-3 border-s-2 border-hairline ps-3">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">
            <Berries value={row.berries} change />
          </span>
          <EntrySource row={row} />
          <span className="text-meta text-2">
            <Time iso={row.createdAt} />
          </span>
        </div>
        <p className="break-words whitespace-pre-wrap">{row.reason}</p>
        <p className="text-meta text-2">{row.actorEmail}</p>
      </div>
      {row.source !== 'reversal' && row.reversedBy === null && <CommandTrigger id="points.reverse" targets={target} compact />}
    </li>
  );
}
