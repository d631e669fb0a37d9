import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { onArrival } from '../../net/arrivals.ts';
import { queryClient } from '../../net/query.ts';
import type { List, Page, PageInput } from './use-list.ts';

const looked = 50;

/** What of a list has come in from outside since it was read, kept out of it until somebody asks. */
export interface Arrivals<Row, S extends string> {
  /** The list's `load`, holding back what is newer than what stood there first. */
  load: (input: PageInput<S>, signal: AbortSignal) => Promise<Page<Row>>;
  resource: string;
  /** How many wait; 50 is 50 or more. */
  $waiting: ReadableAtom<number>;
  /** Counts those that wait now. */
  look(): Promise<void>;
  /** Lets them in. */
  show(): Promise<void>;
  /** The next read is a first one. */
  forget(): void;
}

interface Source<Row, S extends string> {
  resource: string;
  /** The sort by which new rows come first, and the time it goes by. */
  sort: S;
  at: (row: Row) => string;
  load: (input: PageInput<S>, signal: AbortSignal) => Promise<Page<Row>>;
}

/**
 * A list that fills from outside, newest first: new rows wait at the door, so that the row somebody looks at stays where
 * it is, whatever reads the list again. Under another order they stand where they belong when it is read next.
 */
export function holdArrivals<Row extends { id: string }, S extends string>({
  resource,
  sort,
  at,
  load,
}: Source<Row, S>): Arrivals<Row, S> {
  const $waiting = atom(0);
  let asked: { question: string; input: PageInput<S> } | null = null;
  /** Time and id of the newest row let in; null where the order has no door, or nothing stands before it. */
  let mark: string | null = null;

  const placeOf = (row: Row) => `${at(row)} ${row.id}`;
  const isNew = (row: Row) => mark !== null && placeOf(row) > mark;
  const questionOf = ({ sort: by, direction, filter }: PageInput<S>) => JSON.stringify([by, direction, filter]);
  const isNewestFirst = (input: PageInput<S>) => input.sort === sort && input.direction === 'desc';
  const reread = () => queryClient.invalidateQueries({ queryKey: [resource, 'list'] });
  const forget = () => {
    asked = null;
    mark = null;
    $waiting.set(0);
  };

  return {
    resource,
    $waiting,
    async load(input, signal) {
      const page = await load(input, signal);
      const question = questionOf(input);
      if (input.cursor === null && (asked?.question !== question || mark === null)) {
        forget();
        asked = { question, input };
        const [first] = page.rows;
        if (first && isNewestFirst(input)) mark = placeOf(first);
      }
      if (asked?.question !== question || !page.rows.some(isNew)) {
        if (input.cursor === null) $waiting.set(0);
        return page;
      }
      const rows = page.rows.filter((row) => !isNew(row));
      const held = page.rows.length - rows.length;
      if (input.cursor === null) $waiting.set(held);
      return { ...page, rows, count: page.count && { ...page.count, value: page.count.value - held } };
    },
    async look() {
      if (!asked) return;
      // Nothing stands there, or what is new stands at the end: nothing can move.
      if (mark === null) return void (asked.input.sort === sort && (await reread()));
      const { question, input } = asked;
      const page = await load({ ...input, cursor: null, limit: looked }, new AbortController().signal);
      if (question === asked?.question) $waiting.set(page.rows.filter(isNew).length);
    },
    async show() {
      forget();
      await reread();
    },
    forget,
  };
}

/** Follows what comes in while the list is on screen, and lets its command (list.arrivals) show it. Answers how many wait. */
export function useArrivals<Row extends { id: string }, S extends string>(
  arrivals: Arrivals<Row, S>,
  { store, rows }: List<Row, S>,
): number {
  useEffect(() => {
    const stop = onArrival(arrivals.resource, () => void arrivals.look().catch(() => {})); // the next one tries again
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
  // Whoever asked for them stands on the first of them, once they are there.
  useEffect(() => {
    if (!shown.current || rows.length === 0) return;
    shown.current = false;
    store.controls.moveTo('first');
  }, [rows, store]);
  return useStore(arrivals.$waiting);
}

/** Where it is said that something waits: in a line that keeps its height, so that saying so moves nothing either. */
export const ArrivalsNote = ({ children }: { children: ReactNode }) => (
  <div role="status" data-arrivals className="ms-auto">
    {children}
  </div>
);

/** How many, as words have it. */
export const waitingText = (waiting: number): string => (waiting >= looked ? `${looked}+` : String(waiting));
