import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ImportKind, ImportRow } from '../../../api/imports/contract.ts';
import { importTargets } from '../../commands/imports/commands.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { errorText } from '../../lib/net/errors.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Drawer } from '../../lib/ui/overlay/drawer.tsx';
import { EmptyState } from '../../lib/ui/empty.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { importsAddress } from './address.ts';
import { countsText, ImportStatus } from './parts.tsx';

export function ImportList({ kind, onClose }: { kind: ImportKind; onClose: () => void }) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    {
      queryKey: [`${kind}Imports`, 'list'],
      initialPageParam: null as string | null,
      queryFn: ({ pageParam, signal }) =>
        api[`${kind}Imports`].list(
          { sort: 'createdAt', direction: 'desc', filter: {}, cursor: pageParam, limit: 50 },
          { signal },
        ),
      getNextPageParam: ({ nextCursor }) => nextCursor,
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ rows }) => rows.some((row) => row.state === 'running')) ? 1_000 : false,
    },
    queryClient,
  );
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Drawer
      open
      wide
      onClose={onClose}
      title={t(`imports.title.${kind}`)}
      footer={
        <>
          <CommandTrigger id={`${kind}.importTemplate`} />
          <CommandTrigger id={`${kind}.import`} look="primary" />
        </>
      }
    >
      <div data-imports>
        {isPending && <Skeleton lines={5} />}
        {error && <p role="alert">{errorText(error)}</p>}
        {data && rows.length === 0 && <EmptyState title={t('imports.none')}>{t('imports.empty')}</EmptyState>}
        <ul className="flex flex-col">
          {rows.map((row) => (
            <Item key={row.id} kind={kind} row={row} />
          ))}
        </ul>
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('imports.older')}
          </Button>
        )}
      </div>
    </Drawer>
  );
}

const Item = ({ kind, row }: { kind: ImportKind; row: ImportRow }) => (
  <li data-import={row.id} className="flex items-start gap-3 border-b border-hairline py-2.5 last:border-0">
    <div className="min-w-0 flex-1">
      <Link href={importsAddress(location.search, row.id)} className="block font-medium break-words text-1 hover:underline">
        {row.name}
      </Link>
      <p className="text-meta break-words text-2">{countsText(row)}</p>
      <p className="flex flex-wrap gap-x-2 text-meta text-2">
        <span>{row.by}</span>
        <TimeText iso={row.startedAt ?? row.createdAt} />
      </p>
    </div>
    <ImportStatus row={row} />
    <RowMenu target={importTargets[kind](row)} />
  </li>
);
