import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { createChunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { notingFirstList } from '../../net/prefetch-list.ts';
import { queryClient } from '../../net/query.ts';
import type { MatchCount, Matched, Target } from '../../scope.ts';
import {
  hasConditions,
  isFiltered,
  readQuery,
  writeQuery,
  type Filters,
  type FilterValues,
  type ListQuery,
  type Sort,
} from './filter/filters.ts';
import type { ValuesRoute } from './filter/values.ts';
import { createListStore, type ListStore } from './store.ts';

export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
  count: MatchCount | null;
}
export interface PageInput<S extends string = string> {
  sort: S;
  direction: 'asc' | 'desc';
  filter: FilterValues;
  cursor: string | null;
  limit: number;
}

export interface ListOptions<Row extends { id: string }, S extends string> {
  /** Names the queries that a command's `done.stale` refetches. */
  resource: string;
  sorts: readonly S[];
  defaultSort: Sort<S>;
  filters: Filters;
  load: (input: PageInput<S>, signal: AbortSignal) => Promise<Page<Row>>;
  values?: ValuesRoute;
  matching?: (input: { filter: FilterValues; expected: number; seal: string | null }) => Promise<Matched>;
  /** Null: commands can't act on rows. */
  toTarget: ((row: Row) => Target) | null;
  onOpen?: (target: Target) => void;
  onCopy?: (target: Target) => void;
}

export interface ListData<Row extends { id: string }, S extends string = string> {
  resource: string;
  store: ListStore<Row>;
  opens: boolean;
  sorts: readonly S[];
  filters: Filters;
  valuesOf: ValuesRoute | undefined;
  query: ListQuery<S>;
  asked: FilterValues;
  filtered: boolean;
  rows: readonly Row[];
  count: MatchCount | null;
  /** 'failed': the first page did not load. */
  status: 'loading' | 'failed' | 'ready';
  /** Also set while older rows are shown. */
  error: unknown;
  /** The rows are from the previous query. */
  stale: boolean;
  loadingMore: boolean;
  hasMore: boolean;
  /** Milliseconds. */
  readAt: number;
  setSort(sort: Sort): void;
  /** Undefined removes a filter. */
  setFilter(patch: FilterValues): void;
  clearFilter(): void;
  retry(): void;
  loadMore(): void;
}

interface PageParam {
  cursor: string | null;
  limit: number;
}

const grammarChunk = createChunk(() => import('./filter/grammar.ts'));

// Later pages are larger, so that a refetch takes few requests.
const firstPages = 4;
const limitAfter = (pages: number) => (pages < firstPages ? 50 : 200);

export function useList<Row extends { id: string }, S extends string>(options: ListOptions<Row, S>): ListData<Row, S> {
  const { resource, sorts, defaultSort, filters, load, values, matching, toTarget, onOpen, onCopy } = options;
  const search = useSearch();
  const read = useMemo(() => readQuery(search, { sorts, defaultSort, filters }), [search, sorts, defaultSort, filters]);
  const needsGrammar = hasConditions(filters, read.filter);
  const grammar = useChunk(grammarChunk, needsGrammar);
  const { value: parts } = grammar;
  const isRead = !needsGrammar || parts !== null;
  const today = dayNow();
  const { asked, ...query } = useMemo(() => {
    if (!needsGrammar) return { ...read, asked: read.filter };
    return { ...read, ...(parts?.readFilter(filters, read.filter, new Date(today)) ?? { filter: {}, asked: {} }) };
  }, [read, needsGrammar, parts, filters, today]);
  const filtered = isFiltered(query.filter);

  const result = useInfiniteQuery(
    {
      queryKey: [resource, 'list', query.sort, asked],
      queryFn: ({ pageParam, signal }) => {
        const page = () => load({ sort: query.sort.by, direction: query.sort.direction, filter: asked, ...pageParam }, signal);
        return pageParam.cursor === null ? notingFirstList(page) : page();
      },
      initialPageParam: { cursor: null, limit: limitAfter(0) } as PageParam,
      getNextPageParam: (last: Page<Row>, pages: Page<Row>[]): PageParam | undefined =>
        last.nextCursor === null ? undefined : { cursor: last.nextCursor, limit: limitAfter(pages.length) },
      placeholderData: keepPreviousData,
      enabled: isRead,
    },
    queryClient,
  );
  const { data, error, isPlaceholderData, isFetchingNextPage, hasNextPage, isFetching, fetchNextPage, refetch } = result;
  const count = data?.pages[0]?.count ?? null;
  const isDrawn = useFirstDrawn(data !== undefined);
  const rows = data && isDrawn ? rowsOf(data.pages) : emptyList;
  const [store] = useState(() => createListStore<Row>(toTarget, resource, rows));

  const change = useCallback(
    (to: (query: ListQuery<S>) => ListQuery<S>) => {
      const shape = { sorts, defaultSort, filters };
      const text = writeQuery(location.search, to(readQuery(location.search, shape)), shape);
      navigate(`${location.pathname}${text ? `?${text}` : ''}`, { replace: true });
    },
    [sorts, defaultSort, filters],
  );
  const setSort = useCallback(
    ({ by: name, direction }: Sort) => {
      const by = sorts.find((one) => one === name);
      if (by !== undefined) change(({ filter }) => ({ filter, sort: { by, direction } }));
    },
    [sorts, change],
  );
  const setFilter = useCallback(
    (patch: FilterValues) => change(({ sort, filter }) => ({ sort, filter: { ...filter, ...patch } })),
    [change],
  );
  const clearFilter = useCallback(() => change(({ sort }) => ({ sort, filter: {} })), [change]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetching, fetchNextPage]);
  const { retry: retryGrammar } = grammar;
  const retry = useCallback(() => void (isRead ? refetch() : retryGrammar()), [isRead, refetch, retryGrammar]);

  useLayoutEffect(() => {
    Object.assign(store.parts, {
      loadMore,
      clearFilter,
      filters,
      asked: query.filter,
      setFilter,
      refresh: retry,
      filtered,
      stale: isPlaceholderData,
      open: onOpen ?? noop,
      copy: onCopy ?? noop,
      question: JSON.stringify(asked),
      count,
      matching: matching && ((expected: number, seal: string | null) => matching({ filter: asked, expected, seal })),
    });
    store.publish();
  });
  useLayoutEffect(() => store.setRows(rows), [store, rows]);
  useEffect(() => store.mount(), [store]);
  // Checks by a request, because the browser's flag is unreliable.
  useEffect(() => {
    addEventListener('offline', retry);
    return () => removeEventListener('offline', retry);
  }, [retry]);

  const failure = grammar.error ?? error;
  const status = data ? (isDrawn ? 'ready' : 'loading') : failure ? 'failed' : 'loading';
  return {
    resource,
    store,
    opens: onOpen !== undefined,
    sorts,
    filters,
    valuesOf: values,
    query,
    asked,
    filtered,
    rows,
    count,
    status,
    error: failure,
    stale: isPlaceholderData,
    loadingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    readAt: result.dataUpdatedAt,
    setSort,
    setFilter,
    clearFilter,
    retry,
    loadMore,
  };
}

let hasDrawn = false;

/** The first rows render in slices, so that the page still handles keys. */
function useFirstDrawn(areThere: boolean): boolean {
  const [isDrawn, setDrawn] = useState(hasDrawn);
  useEffect(() => {
    if (!areThere) return;
    hasDrawn = true;
    startTransition(() => setDrawn(true));
  }, [areThere]);
  return isDrawn;
}

const noop = () => {};

const dayNow = () => new Date().toDateString();

const emptyList: readonly never[] = [];

/** Cached per pages, because flattening ten thousand rows takes time. */
const itemsByPages = new WeakMap<readonly unknown[], readonly unknown[]>();

/** A row whose sort key changed may be on two pages; the first counts. */
function rowsOf<Row extends { id: string }>(pages: readonly Page<Row>[]): readonly Row[] {
  const before = itemsByPages.get(pages) as readonly Row[] | undefined;
  if (before) return before;
  const seen = new Set<string>();
  const rows = pages.flatMap((page) => page.rows).filter(({ id }) => !seen.has(id) && seen.add(id));
  itemsByPages.set(pages, rows);
  return rows;
}
