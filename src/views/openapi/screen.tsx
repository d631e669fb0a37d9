import { useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { inLocale, t } from '../../lib/i18n/i18n.ts';
import { ApiError } from '../../lib/net/client.ts';
import { fetchJson } from '../../lib/net/download.ts';
import { queryClient } from '../../lib/net/query.ts';
import { popContext, pushContext, type ListControls } from '../../lib/scope.ts';
import { Empty } from '../../lib/ui/empty.tsx';
import { LoadFailed } from '../../lib/ui/list/table/states.tsx';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { groupsOf, isDocument, matching, type Group } from './document.ts';
import { OperationLine } from './operation.tsx';

async function load({ signal }: { signal: AbortSignal }): Promise<Group[]> {
  const document = await fetchJson('/api/openapi.json', signal);
  if (!isDocument(document)) throw new ApiError('INTERNAL');
  return groupsOf(document);
}

export function ApiReference() {
  const { data, error, refetch } = useQuery({ queryKey: ['openapi'], queryFn: load, staleTime: Infinity }, queryClient);
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

const countOf = (groups: readonly Group[]): number => groups.reduce((sum, { operations }) => sum + operations.length, 0);

/** List keys and arrows move the focus from route to route. Enter opens one, as in any folded text. */
function Operations({ groups, refresh }: { groups: readonly Group[]; refresh: () => void }) {
  const listId = useId();
  const [query, setQuery] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => matching(groups, query), [groups, query]);

  const lines = () => [...(list.current?.querySelectorAll<HTMLElement>('summary[data-operation]') ?? [])];
  const current = () => {
    const open = document.activeElement?.closest('details:has(> summary[data-operation])');
    return lines().findIndex((line) => line.parentElement === open);
  };
  const go = (to: number) => {
    const all = lines();
    all[Math.max(0, Math.min(all.length - 1, to))]?.focus();
  };

  const latest = useRef({ go, current, refresh });
  useLayoutEffect(() => {
    latest.current = { go, current, refresh };
  });
  const [key] = useState(() => Symbol('operations'));
  const [controls] = useState<ListControls>(() => {
    const idle = () => {};
    return {
      move: (step) => latest.current.go(latest.current.current() < 0 ? 0 : latest.current.current() + step),
      moveTo: (place) => latest.current.go(place === 'first' ? 0 : Infinity),
      toggle: idle,
      extend: idle,
      selectAll: idle,
      clear: idle,
      open: idle,
      focusFilter: () => search.current?.focus(),
      openFilter: () => search.current?.focus(),
      closeFilter: idle,
      filters: () => ({}),
      clearFilter: () => setQuery(''),
      refresh: () => latest.current.refresh(),
      openColumns: idle,
      copy: idle,
    };
  });
  const isFiltered = query.trim() !== '';
  useLayoutEffect(() => {
    pushContext({ key, controls, checked: [], cursor: null, filtered: isFiltered });
  }, [key, controls, isFiltered]);
  useLayoutEffect(() => () => popContext(key), [key]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: current() + 1, ArrowUp: current() - 1, Home: 0, End: Infinity };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
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
            go(0);
          }}
        />
        <p role="status" className="text-meta text-2 tabular-nums">
          {isFiltered && t('openapi.found', { n: countOf(shown) })}
        </p>
      </div>
      <div ref={list} id={listId} className="min-h-0 flex-1 overflow-y-auto pb-8" onKeyDown={onKeyDown}>
        {shown.map(({ tag, name, operations }) => (
          <section key={tag} aria-labelledby={`${listId}-${tag}`}>
            <h2 id={`${listId}-${tag}`} className="flex items-baseline gap-2 px-cell pt-5 pb-2 text-section font-semibold">
              {name ? inLocale(name) : tag}
              <code dir="ltr" className="text-meta font-normal text-2">
                {tag}
              </code>
            </h2>
            {operations.map((operation) => (
              <OperationLine key={operation.id} operation={operation} />
            ))}
          </section>
        ))}
        {shown.length === 0 && <Empty title={t('openapi.none')}>{t('openapi.empty')}</Empty>}
      </div>
    </>
  );
}
