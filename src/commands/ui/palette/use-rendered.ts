import { startTransition, useCallback, useEffect, useState } from 'react';
import { visibleRows, type PaletteRow } from './options.tsx';

const quiet = 300; // ms without a key until hidden rows are drawn

/** Draws the visible rows first, the rest when typing pauses. */
export function useRendered(rows: readonly PaletteRow[], query: string, isBelow: boolean): [readonly PaletteRow[], () => void] {
  const [wholeFor, setWholeFor] = useState<string | null>(null);
  const drawAll = useCallback(() => setWholeFor(query), [query]);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(drawAll), quiet);
    return () => clearTimeout(timer);
  }, [drawAll]);
  return [isBelow || wholeFor === query ? rows : rows.slice(0, visibleRows), drawAll];
}
