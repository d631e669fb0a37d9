import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { onArrival } from '../../net/arrivals.ts';
import { queryClient } from '../../net/query.ts';
import type { ListData, Page, PageInput } from './use-list.ts';

const maxChecked = 50;

export interface Arrivals<Row, S extends string> {
  /** Holds back rows that are newer than the first row shown. */
  load: (input: PageInput<S>, signal: AbortSignal) => Promise<Page<Row>>;
  resource: string;
  /** 50 means 50 or more. */
  $waiting: ReadableAtom<number>;
  look(): Promise<void>;
  show(): Promise<void>;
  forget(): void;
}

interface ArrivalsSource<Row, S extends string> {
  resource: string;
  /** The sort that puts new rows first. */
  sort: S;
  at: (row: Row) => string;
  load: (input: PageInput<S>, signal: AbortSignal) => Promise<Page<Row>>;
}

/** New rows wait until someone asks, so that rows on screen do not move. */
export function createArrivalsStore<Row extends { id: string }, S extends string>({
  resource,
  sort,
  at,
  load,
}: ArrivalsSource<Row, S>): Arrivals<Row, S> {
  const $waiting = atom(0);
  let lastRequest: { question: string; input: PageInput<S> } | null = null;
  /** Newest row shown. Null: another sort, or an empty list. */
  let newestSortKey: string | null = null;

  const sortKeyOf = (row: Row) => `${at(row)} ${row.id}`;
  const isNew = (row: Row) => newestSortKey !== null && sortKeyOf(row) > newestSortKey;
  const requestKeyOf = ({ sort: sortColumn, direction, filter }: PageInput<S>) => JSON.stringify([sortColumn, direction, filter]);
  const isNewestFirst = (input: PageInput<S>) => input.sort === sort && input.direction === 'desc';
  const reloadList = () => queryClient.invalidateQueries({ queryKey: [resource, 'list'] });
  const reset = () => {
    lastRequest = null;
    newestSortKey = null;
    $waiting.set(0);
  };

  return {
    resource,
    $waiting,
    async load(input, signal) {
      const page = await load(input, signal);
      const requestKey = requestKeyOf(input);
      if (input.cursor === null && (lastRequest?.question !== requestKey || newestSortKey === null)) {
        reset();
        lastRequest = { question: requestKey, input };
        const [firstRow] = page.rows;
        if (firstRow && isNewestFirst(input)) newestSortKey = sortKeyOf(firstRow);
      }
      if (lastRequest?.question !== requestKey || !page.rows.some(isNew)) {
        if (input.cursor === null) $waiting.set(0);
        return page;
      }
      const rows = page.rows.filter((row) => !isNew(row));
      const hiddenCount = page.rows.length - rows.length;
      if (input.cursor === null) $waiting.set(hiddenCount);
      return { ...page, rows, count: page.count && { ...page.count, value: page.count.value - hiddenCount } };
    },
    async look() {
      if (!lastRequest) return;
      // An empty list or the reverse order can't move.
      if (newestSortKey === null) return void (lastRequest.input.sort === sort && (await reloadList()));
      const { question, input } = lastRequest;
      const page = await load({ ...input, cursor: null, limit: maxChecked }, new AbortController().signal);
      if (question === lastRequest?.question) $waiting.set(page.rows.filter(isNew).length);
    },
    async show() {
      reset();
      await reloadList();
    },
    forget: reset,
  };
}

/** Returns how many wait. */
export function useArrivals<Row extends { id: string }, S extends string>(
  arrivals: Arrivals<Row, S>,
  { store, rows }: ListData<Row, S>,
): number {
  useEffect(() => {
    const unsubscribe = onArrival(arrivals.resource, () => void arrivals.look().catch(() => {}));
    return () => {
      unsubscribe();
      arrivals.forget();
    };
  }, [arrivals]);
  const hasShown = useRef(false);
  useLayoutEffect(() => {
    store.controls.arrivals = {
      waiting: () => arrivals.$waiting.get(),
      show: () => {
        hasShown.current = true;
        return arrivals.show();
      },
    };
  }, [arrivals, store]);
  // The cursor moves to the first new row.
  useEffect(() => {
    if (!hasShown.current || rows.length === 0) return;
    hasShown.current = false;
    store.controls.moveTo('first');
  }, [rows, store]);
  return useStore(arrivals.$waiting);
}

/** Its height never changes, so that rows do not move. */
export const ArrivalsNote = ({ children }: { children: ReactNode }) => (
  <div role="status" data-arrivals className="ms-auto">
    {children}
  </div>
);

export const waitingCountText = (waitingCount: number): string =>
  waitingCount >= maxChecked ? `${maxChecked}+` : String(waitingCount);
