import { useInfiniteQuery } from '@tanstack/react-query';
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
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { Details, RecordSection } from '../../../lib/ui/record/details.tsx';
import { LoadedData, RecordView, useOpenedRecord } from '../../layout/record-view.tsx';
import { EntrySource } from './source.tsx';

const readBalances = ({ ids }: { ids: string[] }, options: { signal: AbortSignal }) =>
  api.points.balancesOf({ addresses: ids }, options);

export function AddressRecord({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('balances', id, readBalances, balanceTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  return (
    <RecordView
      title={t('points.ofAddress')}
      state={<OnChainLink {...evmExplorerTarget.address(row.address)} />}
      targets={targets}
      primary={{ id: 'points.adjust', params: { address: row.address } }}
      commands={['balances.copyAddress']}
    >
      <Details
        of={{
          'points.field.balance': (
            <span data-balance className="font-semibold">
              <Berries value={row.berries} />
            </span>
          ),
          'points.field.entries': groupDigits(row.entries),
          'points.field.updatedAt': <TimeText iso={row.updatedAt} />,
        }}
      />
      <AddressEntries address={row.address} />
    </RecordView>
  );
}

function AddressEntries({ address }: { address: string }) {
  const entries = useInfiniteQuery(
    {
      queryKey: ['points', 'of', address],
      queryFn: ({ pageParam, signal }) =>
        api.points.list({ sort: 'createdAt', direction: 'desc', filter: { address }, cursor: pageParam, limit: 30 }, { signal }),
      initialPageParam: null as string | null,
      getNextPageParam: (lastPage) => lastPage.nextCursor,
    },
    queryClient,
  );
  return (
    <RecordSection title={t('points.view.entries')}>
      <LoadedData of={entries}>
        {({ pages }) => (
          <ol className="flex flex-col gap-4">
            {pages.flatMap(({ rows }) => rows.map((row) => <EntryLine key={row.id} row={row} />))}
          </ol>
        )}
      </LoadedData>
      {entries.hasNextPage && <Button onClick={() => void entries.fetchNextPage()}>{t('points.older')}</Button>}
    </RecordSection>
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
            <TimeText iso={row.createdAt} />
          </span>
        </div>
        <p className="break-words whitespace-pre-wrap">{row.reason}</p>
        <p className="text-meta text-2">{row.actorEmail}</p>
      </div>
      {row.source !== 'reversal' && row.reversedBy === null && <CommandTrigger id="points.reverse" targets={target} compact />}
    </li>
  );
}
