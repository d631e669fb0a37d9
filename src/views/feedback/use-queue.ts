import { useCallback, useEffect, useRef, useState } from 'react';
import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import { onArrival } from '../../lib/net/arrivals.ts';
import { api } from '../../lib/net/client.ts';
import { queryClient } from '../../lib/net/query.ts';

const pageSize = 50;
/** Rows before the end at which the next page loads. */
const prefetchCount = 10;

interface LoadedQueue {
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

/** Loads a page ahead of `currentIndex`. New feedback is added at the end. */
export function useQueue(currentIndex: number): TriageQueue {
  const [loadedQueue, setLoadedQueue] = useState<LoadedQueue | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isRunning = useRef(false);
  /** Something arrived while a read was running. */
  const hasMissedArrival = useRef(false);
  const [loadCount, setLoadCount] = useState(0);

  const runExclusive = useCallback(async (operation: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await operation();
      setError(null);
    } catch (cause) {
      setError(cause);
    } finally {
      isRunning.current = false;
      setLoadCount((previous) => previous + 1);
    }
  }, []);

  const loadNextPage = useCallback(
    (cursor: string | null) =>
      runExclusive(async () => {
        const page = await fetchPage('asc', cursor);
        setLoadedQueue((previous) => {
          const rows = [...(previous?.rows ?? []), ...page.rows];
          return {
            rows: uniqueById(rows),
            cursor: page.nextCursor,
            total: page.count?.value ?? previous?.total ?? 0,
            readAt: Date.now(),
          };
        });
      }),
    [runExclusive],
  );
  useEffect(() => void loadNextPage(null), [loadNextPage]);

  const cursor = loadedQueue?.cursor ?? null;
  const remainingCount = (loadedQueue?.rows.length ?? 0) - currentIndex;
  useEffect(() => {
    if (cursor !== null && remainingCount <= prefetchCount) void loadNextPage(cursor);
  }, [cursor, remainingCount, loadNextPage]);

  const isComplete = loadedQueue !== null && cursor === null;
  const loadArrivals = useCallback(() => {
    hasMissedArrival.current = isRunning.current || !isComplete; // the running read may predate it
    if (hasMissedArrival.current) return;
    void runExclusive(async () => {
      const page = await fetchPage('desc', null);
      setLoadedQueue(
        (previous) =>
          previous && {
            ...previous,
            rows: uniqueById([...previous.rows, ...page.rows.toReversed().filter(isNewerThan(previous.rows.at(-1)))]),
          },
      );
    });
  }, [isComplete, runExclusive]);
  useEffect(() => onArrival('feedback', loadArrivals), [loadArrivals]);
  useEffect(() => {
    if (hasMissedArrival.current) loadArrivals();
  }, [loadCount, loadArrivals]);

  const rows = loadedQueue?.rows ?? [];
  return {
    rows,
    total: Math.max(isComplete ? 0 : (loadedQueue?.total ?? 0), rows.length),
    readAt: loadedQueue?.readAt ?? 0,
    status: loadedQueue ? 'ready' : error === null ? 'loading' : 'failed',
    error,
    retry: () => void loadNextPage(cursor),
    drop: useCallback(
      (id: string) =>
        setLoadedQueue((previous) => previous && { ...previous, rows: previous.rows.filter((row) => row.id !== id) }),
      [],
    ),
    bring: useCallback((id: string) => {
      void api.feedback.many({ ids: [id] }).then(
        (foundRows) => {
          queryClient.setQueryData(['feedback', 'one', id], foundRows);
          setLoadedQueue((previous) => {
            const newRows = foundRows.filter((row) => !previous?.rows.some((queuedRow) => queuedRow.id === row.id));
            if (!previous || newRows.length === 0) return previous;
            const insertIndex = previous.rows.findIndex((queuedRow) => newRows.some((row) => isNewerThan(row)(queuedRow)));
            return {
              ...previous,
              rows: insertIndex < 0 ? [...previous.rows, ...newRows] : previous.rows.toSpliced(insertIndex, 0, ...newRows),
            };
          });
        },
        () => {}, // an error is shown by the list
      );
    }, []),
  };
}

const isNewerThan = (lastRow: FeedbackRow | undefined) => (row: FeedbackRow) =>
  lastRow === undefined || row.createdAt > lastRow.createdAt || (row.createdAt === lastRow.createdAt && row.id > lastRow.id);

function uniqueById(rows: readonly FeedbackRow[]): readonly FeedbackRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
