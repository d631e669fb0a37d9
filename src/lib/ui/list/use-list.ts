import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { chunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { asFirst } from '../../net/early.ts';
import { queryClient } from '../../net/query.ts';
import type { Count, Matched, Target } from '../../scope.ts';
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

/** A page as every list route answers it (api/base.ts). */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
  count: Count | null;
}
export interface PageInput<S extends string = string> {
  sort: S;
  direction: 'asc' | 'desc';
  /** Times are instants. */
  filter: FilterValues;
  cursor: string | null;
  limit: number;
}

export interface ListOptions<Row extends { id: string }, S extends string> {
  /** First part of every query key, and what `done.stale` of a command names. */
  resource: string;
  sorts: readonly S[];
  defaultSort: Sort<S>;
  filters: Filters;
  load: (input: PageInput<S>, signal: AbortSignal) => Promise<Page<Row>>;
  /** The values there are of a field. */
  values?: ValuesRoute;
  /** All that match the filter, for commands that run on as many. */
  matching?: (input: { filter: FilterValues; expected: number; seal: string | null }) => Promise<Matched>;
  /** How commands aim at a row; null where nothing can be done to one. */
  toTarget: ((row: Row) => Target) | null;
  /** Enter, or a click on the row. */
  onOpen?: (target: Target) => void;
  /** What `y` copies is up to the view. */
  onCopy?: (target: Target) => void;
}

/** A list on screen: its rows, what it shows, and the store of its cursor and selection. */
export interface List<Row extends { id: string }, S extends string = string> {
  resource: string;
  store: ListStore<Row>;
  /** Whether a row has a record behind it. */
  opens: boolean;
  sorts: readonly S[];
  filters: Filters;
  valuesOf: ValuesRoute | undefined;
  query: ListQuery<S>;
  /** The filter as routes take it. */
  asked: FilterValues;
  filtered: boolean;
  rows: readonly Row[];
  count: Count | null;
  /** 'loading' until the first page is there; 'failed' when it did not come. */
  status: 'loading' | 'failed' | 'ready';
  /** Why the last read failed, also while older rows are shown. */
  error: unknown;
  /** The rows are those of the question before this one. */
  stale: boolean;
  loadingMore: boolean;
  hasMore: boolean;
  /** When the rows shown were read, milliseconds. */
  readAt: number;
  setSort(sort: Sort): void;
  /** Changes some filters; undefined takes one away. */
  setFilter(patch: FilterValues): void;
  clearFilter(): void;
  retry(): void;
  loadMore(): void;
}

interface PageParam {
  cursor: string | null;
  limit: number;
}

const grammarChunk = chunk(() => import('./filter/grammar.ts'));

// Pages grow once somebody reads on, so that reading all again after a write takes few requests.
const firstPages = 4;
const limitAfter = (pages: number) => (pages < firstPages ? 50 : 200);

/** Reads a keyset list whose sort and filters stand in the URL, and puts it on screen for commands to act on. */
export function useList<Row extends { id: string }, S extends string>(options: ListOptions<Row, S>): List<Row, S> {
  const { resource, sorts, defaultSort, filters, load, values, matching, toTarget, onOpen, onCopy } = options;
  const search = useSearch();
  const read = useMemo(() => readQuery(search, { sorts, defaultSort, filters }), [search, sorts, defaultSort, filters]);
  const needsGrammar = hasConditions(filters, read.filter);
  const grammar = useChunk(grammarChunk, needsGrammar);
  const { value: parts } = grammar;
  const isRead = !needsGrammar || parts !== null;
  const today = dayNow(); // another day, another yesterday
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
        return pageParam.cursor === null ? asFirst(page) : page();
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
  const rows = data && isDrawn ? rowsOf(data.pages) : none;
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
      open: onOpen ?? idle,
      copy: onCopy ?? idle,
      question: JSON.stringify(asked),
      count,
      matching: matching && ((expected: number, seal: string | null) => matching({ filter: asked, expected, seal })),
    });
    store.publish();
  });
  useLayoutEffect(() => store.setRows(rows), [store, rows]);
  useEffect(() => store.mount(), [store]);
  // A connection that went or came back is found out by asking, not by the browser's flag.
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

let anyDrawn = false;

/**
 * Whether a list's rows may be drawn once they are there. The first ones of a page come while much else does: they are drawn in
 * slices, between which the page hears its keys. Later ones are drawn at once.
 */
function useFirstDrawn(areThere: boolean): boolean {
  const [isDrawn, setDrawn] = useState(anyDrawn);
  useEffect(() => {
    if (!areThere) return;
    anyDrawn = true;
    startTransition(() => setDrawn(true));
  }, [areThere]);
  return isDrawn;
}

const idle = () => {};

const dayNow = () => new Date().toDateString();

const none: readonly never[] = [];

/** Of pages that were read, kept as long as they are: who comes back to ten thousand rows does not have them gone through again. */
const known = new WeakMap<readonly unknown[], readonly unknown[]>();

/** A row whose sort key changed between two pages may come in both: the first one counts. */
function rowsOf<Row extends { id: string }>(pages: readonly Page<Row>[]): readonly Row[] {
  const before = known.get(pages) as readonly Row[] | undefined;
  if (before) return before;
  const seen = new Set<string>();
  const rows = pages.flatMap((page) => page.rows).filter(({ id }) => !seen.has(id) && seen.add(id));
  known.set(pages, rows);
  return rows;
}
