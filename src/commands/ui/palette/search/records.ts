import { useEffect, useState } from 'react';
import type { RoutePath } from '../../../../../api/menu.ts';
import { apiFor, type Api } from '../../../../lib/net/client.ts';
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

const nothing: FoundRecords = { records: [], busy: false };

/** Results of an older query are dropped. */
export function useRecords(query: string, mayOpen: (place: RoutePath) => boolean): FoundRecords {
  const [found, setFound] = useState<FoundRecords & { query: string }>({ query: '', ...nothing });
  const requested = query.trim();
  useEffect(() => {
    const question = parseClues(requested);
    if (!question) return;
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      const api = apiFor(null, null, aborter.signal);
      const show = (records: readonly Target[], busy: boolean) =>
        aborter.signal.aborted || setFound({ query: requested, records: records.slice(0, maxRecords), busy });
      void searchRecords(api, searchesFor(question, mayOpen), { timeoutMs, show });
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [requested, mayOpen]);
  if (found.query === requested) return found;
  return { ...nothing, busy: parseClues(requested) !== null };
}

interface Showing {
  timeoutMs: number;
  show: (records: readonly Target[], busy: boolean) => void;
}

/**
 * Results grow only at the end, so that no row moves under the highlight. A failed or empty search
 * shows nothing.
 */
export async function searchRecords(
  api: Api,
  searches: readonly RecordSearch[],
  { timeoutMs: ms, show }: Showing,
): Promise<void> {
  const answers = new Map<number, readonly Target[]>();
  const shown: number[] = [];
  let isPatient = true;
  let hasEnded = false;
  let lastDuration = 0;

  const reveal = () => {
    for (let at = 0; at < searches.length; at++) {
      if (answers.has(at)) shown.push(...(shown.includes(at) ? [] : [at]));
      else if (isPatient) break;
    }
    const records = shown.flatMap((at) => answers.get(at) ?? []);
    if (records.length === lastDuration && !hasEnded) return;
    lastDuration = records.length;
    show(records, !hasEnded);
  };
  let next = 0;
  const ask = async () => {
    while (next < searches.length) {
      const at = next++;
      answers.set(at, (await searches[at]?.find(api).catch(() => [])) ?? []);
      if (answers.size < searches.length) reveal();
    }
  };

  const timer = setTimeout(() => {
    isPatient = false;
    reveal();
  }, ms);
  await Promise.all(Array.from({ length: maxConcurrent }, ask));
  clearTimeout(timer);
  [isPatient, hasEnded] = [false, true];
  reveal();
}
