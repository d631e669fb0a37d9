import { startTransition, useCallback, useEffect, useState } from 'react';
import { inSight, type PaletteRow } from './options.tsx';

const quiet = 300; // ms without a key, after which those below the edge are drawn too

/**
 * To a new question the rows that fit into the palette at once, the others when no key follows, or as soon as somebody goes there:
 * nobody who types waits for what is below the edge.
 */
export function useDrawn(rows: readonly PaletteRow[], query: string, isBelow: boolean): [readonly PaletteRow[], () => void] {
  const [wholeFor, setWholeFor] = useState<string | null>(null);
  const drawAll = useCallback(() => setWholeFor(query), [query]);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(drawAll), quiet);
    return () => clearTimeout(timer);
  }, [drawAll]);
  return [isBelow || wholeFor === query ? rows : rows.slice(0, inSight), drawAll];
}
