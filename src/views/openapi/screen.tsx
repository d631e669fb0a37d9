import { useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import { ApiError } from '../../lib/net/client.ts';
import { fetchJson } from '../../lib/net/download.ts';
import { queryClient } from '../../lib/net/query.ts';
import { popContext, pushContext, type ListControls } from '../../lib/scope.ts';
import { EmptyState } from '../../lib/ui/empty.tsx';
import { LoadFailed } from '../../lib/ui/list/table/states.tsx';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { groupsOf, isDocument, filterGroups, type Group } from './document.ts';
import { OperationLine } from './operation.tsx';

async function loadGroups({ signal }: { signal: AbortSignal }): Promise<Group[]> {
  const document = await fetchJson('/api/openapi.json', signal);
  if (!isDocument(document)) throw new ApiError('INTERNAL');
  return groupsOf(document);
}

export function ApiReference() {
  const { data, error, refetch } = useQuery({ queryKey: ['openapi'], queryFn: loadGroups, staleTime: Infinity }, queryClient);
  const refresh = () => void refetch();
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('openapi.title')} note={data && t('openapi.count', { n: countOf(data) })} />
      {data ? (
        <Operations groups={data} refresh={refresh} />
      ) : error ? (
        <LoadFailed error={error} retry={refresh} />
      ) : (
        <Skeleton lines={10} />
      )}
    </div>
  );
}

const countOf = (groups: readonly Group[]): number => groups.reduce((total, { operations }) => total + operations.length, 0);

/** List keys and arrows move the focus from route to route. Enter opens one, as in any folded text. */
function Operations({ groups, refresh }: { groups: readonly Group[]; refresh: () => void }) {
  const listId = useId();
  const [query, setQuery] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const shownGroups = useMemo(() => filterGroups(groups, query), [groups, query]);

  const lines = () => [...(list.current?.querySelectorAll<HTMLElement>('summary[data-operation]') ?? [])];
  const currentIndex = () => {
    const openDetails = document.activeElement?.closest('details:has(> summary[data-operation])');
    return lines().findIndex((line) => line.parentElement === openDetails);
  };
  const focusLine = (index: number) => {
    const allLines = lines();
    allLines[Math.max(0, Math.min(allLines.length - 1, index))]?.focus();
  };

  const latestActions = useRef({ go: focusLine, current: currentIndex, refresh });
  useLayoutEffect(() => {
    latestActions.current = { go: focusLine, current: currentIndex, refresh };
  });
  const [key] = useState(() => Symbol('operations'));
  const [controls] = useState<ListControls>(() => {
    const noop = () => {};
    return {
      move: (step) => latestActions.current.go(latestActions.current.current() < 0 ? 0 : latestActions.current.current() + step),
      moveTo: (edge) => latestActions.current.go(edge === 'first' ? 0 : Infinity),
      toggle: noop,
      extend: noop,
      selectAll: noop,
      clear: noop,
      open: noop,
      focusFilter: () => search.current?.focus(),
      openFilter: () => search.current?.focus(),
      closeFilter: noop,
      filters: () => ({}),
      clearFilter: () => setQuery(''),
      refresh: () => latestActions.current.refresh(),
      openColumns: noop,
      copy: noop,
    };
  });
  const isFiltered = query.trim() !== '';
  useLayoutEffect(() => {
    pushContext({ key, controls, checked: [], cursor: null, filtered: isFiltered });
  }, [key, controls, isFiltered]);
  useLayoutEffect(() => () => popContext(key), [key]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: currentIndex() + 1,
      ArrowUp: currentIndex() - 1,
      Home: 0,
      End: Infinity,
    };
    const index = steps[event.key];
    if (index === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    focusLine(index);
  }

  return (
    <>
      <div className="flex flex-wrap items-center gap-3 border-y border-hairline bg-canvas px-cell py-1.5">
        <input
          ref={search}
          type="search"
          aria-label={t('openapi.search')}
          aria-controls={listId}
          placeholder={t('openapi.search')}
          autoComplete="off"
          className="h-control w-96 max-w-full rounded-control border border-control bg-surface px-2 text-body"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown') return;
            if (event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            if (event.key === 'Escape') flushSync(() => setQuery('')); // so that there is a first route to focus
            focusLine(0);
          }}
        />
        <p role="status" className="text-meta text-2 tabular-nums">
          {isFiltered && t('openapi.found', { n: countOf(shownGroups) })}
        </p>
      </div>
      <div ref={list} id={listId} className="min-h-0 flex-1 overflow-y-auto pb-8" onKeyDown={onKeyDown}>
        {shownGroups.map(({ tag, name, operations }) => (
          <section key={tag} aria-labelledby={`${listId}-${tag}`}>
            <h2 id={`${listId}-${tag}`} className="flex items-baseline gap-2 px-cell pt-5 pb-2 text-section font-semibold">
              {name ? pickLocaleName(name) : tag}
              <code dir="ltr" className="text-meta font-normal text-2">
                {tag}
              </code>
            </h2>
            {operations.map((operation) => (
              <OperationLine key={operation.id} operation={operation} />
            ))}
          </section>
        ))}
        {shownGroups.length === 0 && <EmptyState title={t('openapi.none')}>{t('openapi.empty')}</EmptyState>}
      </div>
    </>
  );
}
