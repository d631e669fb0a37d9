import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { HistoryEntry, RecordedRow, RecordedState, RecordedVersion } from '../../../../api/history.ts';
import { t } from '../../i18n/i18n.ts';
import { actionText, actorText } from './action-text.ts';
import { queryClient } from '../../net/query.ts';
import { Button } from '../button.tsx';
import type { RecordFields } from './fields.ts';
import { RecordedChange } from './record-diff.tsx';
import { TimeText } from '../value/time.tsx';

interface RecordHistoryProps {
  /** The query resource, and the audit's name for the record. */
  resource: string;
  entity: string;
  fields: RecordFields;
  id: string;
  load: (input: { id: string; from?: number }, signal: AbortSignal) => Promise<{ entries: HistoryEntry[]; next: number | null }>;
  current: RecordedRow | null;
  /** Actions for an earlier version. */
  action?: (version: RecordedVersion) => ReactNode;
}

/** Newest first. */
export function RecordHistory({ resource, entity, fields, id, load, current, action }: RecordHistoryProps) {
  const { data, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: [resource, 'history', id],
      queryFn: ({ pageParam, signal }) => load({ id, ...(pageParam === null ? {} : { from: pageParam }) }, signal),
      initialPageParam: null as number | null,
      getNextPageParam: (lastPage) => lastPage.next ?? undefined,
    },
    queryClient,
  );
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const version = (entry: HistoryEntry, state: RecordedState, record: RecordedRow): RecordedVersion => ({
    id: `${entry.id}:${state}`,
    entity,
    recordId: id,
    at: entry.at,
    actorEmail: entry.actorEmail,
    record,
    current,
  });
  return (
    <section data-history aria-label={t('record.history.title')} className="flex flex-col gap-3 border-t border-hairline pt-4">
      <h3 className="text-section font-semibold">{t('record.history.title')}</h3>
      {error && (
        <p className="flex items-center gap-2 text-2">
          {t('record.history.failed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </p>
      )}
      {data && entries.length === 0 && <p className="text-2">{t('record.history.none')}</p>}
      <ol className="flex flex-col gap-4">
        {entries.map((entry, index) => {
          const isCurrentVersion = index === 0 && entry.after !== null;
          const isFirst = !hasNextPage && index === entries.length - 1;
          return (
            <li key={entry.id} data-entry={entry.id} className="flex flex-col gap-2 border-s-2 border-hairline ps-3">
              <div className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{actionText({ ...entry, entity })}</span>
                <span className="text-meta text-2">{actorText(entry)}</span>
                <span className="text-meta text-2">
                  <TimeText iso={entry.at} />
                </span>
              </div>
              <RecordedChange fields={fields} before={entry.before} after={entry.after} />
              {action && entry.after !== null && !isCurrentVersion && <div>{action(version(entry, 'after', entry.after))}</div>}
              {action && isFirst && entry.before !== null && <div>{action(version(entry, 'before', entry.before))}</div>}
            </li>
          );
        })}
      </ol>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('record.history.older')}</Button>}
    </section>
  );
}
