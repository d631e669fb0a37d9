import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { createChunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { recordFirstList } from '../../net/prefetch-list.ts';
import { queryClient } from '../../net/query.ts';
import type { MatchCount, MatchedResult, Target } from '../../scope.ts';
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
  matching?: (input: { filter: FilterValues; expected: number; seal: string | null }) => Promise<MatchedResult>;
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
  setFilter(changes: FilterValues): void;
  clearFilter(): void;
  retry(): void;
}

interface PageParam {
  cursor: string | null;
  limit: number;
}

const grammarChunk = createChunk(() => import('./filter/grammar.ts'));

// Later pages are larger, so that a refetch takes few requests.
const firstPages = 4;
const pageLimit = (pages: number) => (pages < firstPages ? 50 : 200);

export function useList<Row extends { id: string }, S extends string>(options: ListOptions<Row, S>): ListData<Row, S> {
  const { resource, sorts, defaultSort, filters, load, values, matching, toTarget, onOpen, onCopy } = options;
  const search = useSearch();
  const parsedQuery = useMemo(() => readQuery(search, { sorts, defaultSort, filters }), [search, sorts, defaultSort, filters]);
  const needsGrammar = hasConditions(filters, parsedQuery.filter);
  const grammarState = useChunk(grammarChunk, needsGrammar);
  const { value: grammarModule } = grammarState;
  const isQueryReady = !needsGrammar || grammarModule !== null;
  const currentDate = currentDay();
  const { asked, ...query } = useMemo(() => {
    if (!needsGrammar) return { ...parsedQuery, asked: parsedQuery.filter };
    return {
      ...parsedQuery,
      ...(grammarModule?.readFilter(filters, parsedQuery.filter, new Date(currentDate)) ?? { filter: {}, asked: {} }),
    };
  }, [parsedQuery, needsGrammar, grammarModule, filters, currentDate]);
  const hasFilter = isFiltered(query.filter);

  const result = useInfiniteQuery(
    {
      queryKey: [resource, 'list', query.sort, asked],
      queryFn: ({ pageParam, signal }) => {
        const page = () => load({ sort: query.sort.by, direction: query.sort.direction, filter: asked, ...pageParam }, signal);
        return pageParam.cursor === null ? recordFirstList(page) : page();
      },
      initialPageParam: { cursor: null, limit: pageLimit(0) } as PageParam,
      getNextPageParam: (lastPage: Page<Row>, pages: Page<Row>[]): PageParam | undefined =>
        lastPage.nextCursor === null ? undefined : { cursor: lastPage.nextCursor, limit: pageLimit(pages.length) },
      placeholderData: keepPreviousData,
      enabled: isQueryReady,
    },
    queryClient,
  );
  const { data, error, isPlaceholderData, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = result;
  const count = data?.pages[0]?.count ?? null;
  const isRendered = useFirstRender(data !== undefined);
  const rows = data && isRendered ? mergeRows(data.pages) : emptyList;
  const [store] = useState(() => createListStore<Row>(toTarget, resource, rows));

  const changeQuery = useCallback(
    (change: (query: ListQuery<S>) => ListQuery<S>) => {
      const queryShape = { sorts, defaultSort, filters };
      const text = writeQuery(location.search, change(readQuery(location.search, queryShape)), queryShape);
      navigate(`${location.pathname}${text ? `?${text}` : ''}`, { replace: true });
    },
    [sorts, defaultSort, filters],
  );
  const setSort = useCallback(
    ({ by: name, direction }: Sort) => {
      const sortColumn = sorts.find((sortName) => sortName === name);
      if (sortColumn !== undefined) changeQuery(({ filter }) => ({ filter, sort: { by: sortColumn, direction } }));
    },
    [sorts, changeQuery],
  );
  const setFilter = useCallback(
    (changes: FilterValues) => changeQuery(({ sort, filter }) => ({ sort, filter: { ...filter, ...changes } })),
    [changeQuery],
  );
  const clearFilter = useCallback(() => changeQuery(({ sort }) => ({ sort, filter: {} })), [changeQuery]);
  const { retry: retryGrammar } = grammarState;
  const retry = useCallback(() => void (isQueryReady ? refetch() : retryGrammar()), [isQueryReady, refetch, retryGrammar]);

  useLayoutEffect(() => {
    Object.assign(store.parts, {
      loadMore: async () => {
        if (!hasNextPage) return null;
        const loadedPages = data?.pages.length;
        let result = await fetchNextPage({ cancelRefetch: false });
        // A refetch that was under way answered instead.
        if (result.isSuccess && result.hasNextPage && result.data.pages.length === loadedPages)
          result = await fetchNextPage({ cancelRefetch: false });
        return result.isSuccess ? mergeRows(result.data.pages).length : null;
      },
      clearFilter,
      filters,
      asked: query.filter,
      setFilter,
      refresh: retry,
      filtered: hasFilter,
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

  const listError = grammarState.error ?? error;
  const status = data ? (isRendered ? 'ready' : 'loading') : listError ? 'failed' : 'loading';
  return {
    resource,
    store,
    opens: onOpen !== undefined,
    sorts,
    filters,
    valuesOf: values,
    query,
    asked,
    filtered: hasFilter,
    rows,
    count,
    status,
    error: listError,
    stale: isPlaceholderData,
    loadingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    readAt: result.dataUpdatedAt,
    setSort,
    setFilter,
    clearFilter,
    retry,
  };
}

let hasRenderedOnce = false;

/** The first rows render in slices, so that the page still handles keys. */
function useFirstRender(hasRows: boolean): boolean {
  const [isRendered, setIsRendered] = useState(hasRenderedOnce);
  useEffect(() => {
    if (!hasRows) return;
    hasRenderedOnce = true;
    startTransition(() => setIsRendered(true));
  }, [hasRows]);
  return isRendered;
}

const noop = () => {};

const currentDay = () => new Date().toDateString();

const emptyList: readonly never[] = [];

/** Cached per pages, because flattening ten thousand rows takes time. */
const itemsByPages = new WeakMap<readonly unknown[], readonly unknown[]>();

/** A row whose sort key changed may be on two pages; the first counts. */
function mergeRows<Row extends { id: string }>(pages: readonly Page<Row>[]): readonly Row[] {
  const cachedRows = itemsByPages.get(pages) as readonly Row[] | undefined;
  if (cachedRows) return cachedRows;
  const seenIds = new Set<string>();
  const rows = pages.flatMap((page) => page.rows).filter(({ id }) => !seenIds.has(id) && seenIds.add(id));
  itemsByPages.set(pages, rows);
  return rows;
}
