import { useCallback, useEffect, useRef, useState } from 'react';
import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import { onArrival } from '../../lib/net/arrivals.ts';
import { api } from '../../lib/net/client.ts';
import { queryClient } from '../../lib/net/query.ts';

const pageSize = 50;
/** Rows before the end at which the next page loads. */
const prefetchCount = 10;

interface Read {
  rows: readonly FeedbackRow[];
  /** Null at the end. */
  cursor: string | null;
  total: number;
  readAt: number;
}

export interface TriageQueue {
  /** Oldest first. Processed items keep their position, so that people can go back. */
  rows: readonly FeedbackRow[];
  total: number;
  readAt: number;
  status: 'loading' | 'failed' | 'ready';
  error: unknown;
  retry(): void;
  /** Removes a deleted item. */
  drop(id: string): void;
  /** Restores an item to its position. */
  bring(id: string): void;
}

const fetchPage = (direction: 'asc' | 'desc', cursor: string | null) =>
  api.feedback.list({ sort: 'createdAt', direction, filter: { processed: 'false' }, cursor, limit: pageSize });

/** Loads a page ahead of `at`. New feedback is added at the end. */
export function useQueue(at: number): TriageQueue {
  const [read, setRead] = useState<Read | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef(false);
  /** Something arrived while a read was running. */
  const missed = useRef(false);
  const [reads, setReads] = useState(0);

  const once = useCallback(async (act: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    try {
      await act();
      setError(null);
    } catch (failure) {
      setError(failure);
    } finally {
      running.current = false;
      setReads((before) => before + 1);
    }
  }, []);

  const readOn = useCallback(
    (cursor: string | null) =>
      once(async () => {
        const page = await fetchPage('asc', cursor);
        setRead((before) => {
          const rows = [...(before?.rows ?? []), ...page.rows];
          return {
            rows: unique(rows),
            cursor: page.nextCursor,
            total: page.count?.value ?? before?.total ?? 0,
            readAt: Date.now(),
          };
        });
      }),
    [once],
  );
  useEffect(() => void readOn(null), [readOn]);

  const cursor = read?.cursor ?? null;
  const left = (read?.rows.length ?? 0) - at;
  useEffect(() => {
    if (cursor !== null && left <= prefetchCount) void readOn(cursor);
  }, [cursor, left, readOn]);

  const isWhole = read !== null && cursor === null;
  const readNew = useCallback(() => {
    missed.current = running.current || !isWhole; // the running read may predate it
    if (missed.current) return;
    void once(async () => {
      const page = await fetchPage('desc', null);
      setRead(
        (before) =>
          before && {
            ...before,
            rows: unique([...before.rows, ...page.rows.toReversed().filter(isNewerThan(before.rows.at(-1)))]),
          },
      );
    });
  }, [isWhole, once]);
  useEffect(() => onArrival('feedback', readNew), [readNew]);
  useEffect(() => {
    if (missed.current) readNew();
  }, [reads, readNew]);

  const rows = read?.rows ?? [];
  return {
    rows,
    total: Math.max(isWhole ? 0 : (read?.total ?? 0), rows.length),
    readAt: read?.readAt ?? 0,
    status: read ? 'ready' : error === null ? 'loading' : 'failed',
    error,
    retry: () => void readOn(cursor),
    drop: useCallback(
      (id: string) => setRead((before) => before && { ...before, rows: before.rows.filter((row) => row.id !== id) }),
      [],
    ),
    bring: useCallback((id: string) => {
      void api.feedback.many({ ids: [id] }).then(
        (found) => {
          queryClient.setQueryData(['feedback', 'one', id], found);
          setRead((before) => {
            const more = found.filter((row) => !before?.rows.some((one) => one.id === row.id));
            if (!before || more.length === 0) return before;
            const place = before.rows.findIndex((one) => more.some((row) => isNewerThan(row)(one)));
            return { ...before, rows: place < 0 ? [...before.rows, ...more] : before.rows.toSpliced(place, 0, ...more) };
          });
        },
        () => {}, // an error is shown by the list
      );
    }, []),
  };
}

const isNewerThan = (last: FeedbackRow | undefined) => (row: FeedbackRow) =>
  last === undefined || row.createdAt > last.createdAt || (row.createdAt === last.createdAt && row.id > last.id);

function unique(rows: readonly FeedbackRow[]): readonly FeedbackRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
