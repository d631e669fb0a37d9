import { useEffect, useState } from 'react';
import type { RoutePath } from '../../../../../api/menu.ts';
import { createApi, type Api } from '../../../../lib/net/client.ts';
import type { Target } from '../../../../lib/scope.ts';
import { parseClues } from './clues.ts';
import { searchesFor, type RecordSearch } from './searchers.ts';

const debounceMs = 250; // ms, longer than between two keys
const timeoutMs = 700; // ms until results are shown unsorted
export const maxRecords = 15;
const maxConcurrent = 4; // leaves database connections for colleagues

export interface FoundRecords {
  records: readonly Target[];
  busy: boolean;
}

const noRecords: FoundRecords = { records: [], busy: false };

/** Results of an older query are dropped. */
export function useRecords(query: string, canOpen: (screenPath: RoutePath) => boolean): FoundRecords {
  const [foundRecords, setFoundRecords] = useState<FoundRecords & { query: string }>({ query: '', ...noRecords });
  const trimmedQuery = query.trim();
  useEffect(() => {
    const clueQuery = parseClues(trimmedQuery);
    if (!clueQuery) return;
    const abortController = new AbortController();
    const timer = setTimeout(() => {
      const api = createApi(null, null, abortController.signal);
      const show = (records: readonly Target[], isBusy: boolean) =>
        abortController.signal.aborted ||
        setFoundRecords({ query: trimmedQuery, records: records.slice(0, maxRecords), busy: isBusy });
      void searchRecords(api, searchesFor(clueQuery, canOpen), { timeoutMs, show });
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      abortController.abort();
    };
  }, [trimmedQuery, canOpen]);
  if (foundRecords.query === trimmedQuery) return foundRecords;
  return { ...noRecords, busy: parseClues(trimmedQuery) !== null };
}

interface SearchDisplay {
  timeoutMs: number;
  show: (records: readonly Target[], isBusy: boolean) => void;
}

/**
 * Results grow only at the end, so that no row moves under the highlight. A failed or empty search
 * shows nothing.
 */
export async function searchRecords(
  api: Api,
  searches: readonly RecordSearch[],
  { timeoutMs: resultTimeoutMs, show }: SearchDisplay,
): Promise<void> {
  const resultsByIndex = new Map<number, readonly Target[]>();
  const shownIndexes: number[] = [];
  let isSorting = true;
  let isFinished = false;
  let lastDuration = 0;

  const showResults = () => {
    for (let index = 0; index < searches.length; index++) {
      if (resultsByIndex.has(index)) shownIndexes.push(...(shownIndexes.includes(index) ? [] : [index]));
      else if (isSorting) break;
    }
    const records = shownIndexes.flatMap((index) => resultsByIndex.get(index) ?? []);
    if (records.length === lastDuration && !isFinished) return;
    lastDuration = records.length;
    show(records, !isFinished);
  };
  let nextIndex = 0;
  const searchNext = async () => {
    while (nextIndex < searches.length) {
      const index = nextIndex++;
      resultsByIndex.set(index, (await searches[index]?.find(api).catch(() => [])) ?? []);
      if (resultsByIndex.size < searches.length) showResults();
    }
  };

  const timer = setTimeout(() => {
    isSorting = false;
    showResults();
  }, resultTimeoutMs);
  await Promise.all(Array.from({ length: maxConcurrent }, searchNext));
  clearTimeout(timer);
  [isSorting, isFinished] = [false, true];
  showResults();
}
