import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { RoutePath } from '../../../../api/menu.ts';
import type { RecordedVersion } from '../../../../api/history.ts';
import type { CommandId } from '../../../../api/names.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { buttonClass } from '../../../lib/ui/button-class.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { EmptyState } from '../../../lib/ui/empty.tsx';
import { LoadFailed } from '../../../lib/ui/list/table/states.tsx';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { versionTarget } from '../../engine/versions.ts';
import { CommandTrigger } from '../controls/command-trigger.tsx';

type ResourceWithBin<Id = CommandId> = Id extends `${infer Resource}.bin` ? Resource : never;

export interface BinProps {
  resource: ResourceWithBin;
  place: RoutePath;
  load: (
    input: { from?: number },
    options: { signal: AbortSignal },
  ) => Promise<{ versions: RecordedVersion[]; next: number | null }>;
  /** What the record says, in one line. */
  textOf: (record: RecordedVersion['record']) => string;
}

/** Deleted records with who deleted them and when, each to be restored. */
export function Bin({ resource, place, load, textOf }: BinProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: [resource, 'bin'],
      queryFn: ({ pageParam, signal }) => load(pageParam === null ? {} : { from: pageParam }, { signal }),
      initialPageParam: null as number | null,
      getNextPageParam: (lastPage) => lastPage.next ?? undefined,
    },
    queryClient,
  );
  const versions = data?.pages.flatMap((page) => page.versions);
  const title = bilingualName(`${resource}.bin`);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={title}>
        <Link href={place} className={buttonClass('secondary', 'px-2.5')}>
          {t('list.bin.back')}
        </Link>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {!versions && !error && <Skeleton lines={8} />}
        {!versions && error && <LoadFailed error={error} retry={() => void refetch()} />}
        {versions?.length === 0 && <EmptyState title={t('list.bin.none')}>{t('list.bin.empty')}</EmptyState>}
        <ul aria-label={title} data-bin className="border-t border-hairline empty:border-0">
          {versions?.map((version) => (
            <li key={version.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-hairline px-4 py-2">
              <span className="min-w-0 flex-1 basis-60">
                <span className="line-clamp-2 break-words" dir="auto">
                  {textOf(version.record)}
                </span>
                <span className="flex flex-wrap gap-x-3 text-meta text-2">
                  <span className="break-all">{t('list.bin.by', { email: version.actorEmail })}</span>
                  <TimeText iso={version.at} />
                </span>
              </span>
              <CommandTrigger id={`${resource}.restore`} targets={[versionTarget(version)]} label={t('list.bin.restore')} />
            </li>
          ))}
        </ul>
        {hasNextPage && (
          <div className="p-4">
            <Button aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
              {t('list.bin.older')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
