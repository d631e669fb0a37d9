import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { onArrival } from '../../net/arrivals.ts';
import { queryClient } from '../../net/query.ts';
import type { ListData, Page, PageInput } from './use-list.ts';

const looked = 50;

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

interface Source<Row, S extends string> {
  resource: string;
  /** The sort that puts new rows first. */
  sort: S;
  at: (row: Row) => string;
  load: (input: PageInput<S>, signal: AbortSignal) => Promise<Page<Row>>;
}

/** New rows wait until someone asks, so that rows on screen do not move. */
export function holdArrivals<Row extends { id: string }, S extends string>({
  resource,
  sort,
  at,
  load,
}: Source<Row, S>): Arrivals<Row, S> {
  const $waiting = atom(0);
  let requested: { question: string; input: PageInput<S> } | null = null;
  /** Newest row shown. Null: another sort, or an empty list. */
  let mark: string | null = null;

  const placeOf = (row: Row) => `${at(row)} ${row.id}`;
  const isNew = (row: Row) => mark !== null && placeOf(row) > mark;
  const questionOf = ({ sort: by, direction, filter }: PageInput<S>) => JSON.stringify([by, direction, filter]);
  const isNewestFirst = (input: PageInput<S>) => input.sort === sort && input.direction === 'desc';
  const reread = () => queryClient.invalidateQueries({ queryKey: [resource, 'list'] });
  const forget = () => {
    requested = null;
    mark = null;
    $waiting.set(0);
  };

  return {
    resource,
    $waiting,
    async load(input, signal) {
      const page = await load(input, signal);
      const question = questionOf(input);
      if (input.cursor === null && (requested?.question !== question || mark === null)) {
        forget();
        requested = { question, input };
        const [first] = page.rows;
        if (first && isNewestFirst(input)) mark = placeOf(first);
      }
      if (requested?.question !== question || !page.rows.some(isNew)) {
        if (input.cursor === null) $waiting.set(0);
        return page;
      }
      const rows = page.rows.filter((row) => !isNew(row));
      const held = page.rows.length - rows.length;
      if (input.cursor === null) $waiting.set(held);
      return { ...page, rows, count: page.count && { ...page.count, value: page.count.value - held } };
    },
    async look() {
      if (!requested) return;
      // An empty list or the reverse order can't move.
      if (mark === null) return void (requested.input.sort === sort && (await reread()));
      const { question, input } = requested;
      const page = await load({ ...input, cursor: null, limit: looked }, new AbortController().signal);
      if (question === requested?.question) $waiting.set(page.rows.filter(isNew).length);
    },
    async show() {
      forget();
      await reread();
    },
    forget,
  };
}

/** Returns how many wait. */
export function useArrivals<Row extends { id: string }, S extends string>(
  arrivals: Arrivals<Row, S>,
  { store, rows }: ListData<Row, S>,
): number {
  useEffect(() => {
    const stop = onArrival(arrivals.resource, () => void arrivals.look().catch(() => {}));
    return () => {
      stop();
      arrivals.forget();
    };
  }, [arrivals]);
  const shown = useRef(false);
  useLayoutEffect(() => {
    store.controls.arrivals = {
      waiting: () => arrivals.$waiting.get(),
      show: () => {
        shown.current = true;
        return arrivals.show();
      },
    };
  }, [arrivals, store]);
  // The cursor moves to the first new row.
  useEffect(() => {
    if (!shown.current || rows.length === 0) return;
    shown.current = false;
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

export const waitingCountText = (waiting: number): string => (waiting >= looked ? `${looked}+` : String(waiting));
