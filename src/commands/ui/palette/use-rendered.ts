import { startTransition, useCallback, useEffect, useState } from 'react';
import { visibleRows, type PaletteRow } from './options.tsx';

const idleMs = 300; // ms without a key until hidden rows are drawn

/** Draws the visible rows first, the rest when typing pauses. */
export function useRendered(
  rows: readonly PaletteRow[],
  query: string,
  isBelowFold: boolean,
): [readonly PaletteRow[], () => void] {
  const [fullyRenderedQuery, setFullyRenderedQuery] = useState<string | null>(null);
  const renderAll = useCallback(() => setFullyRenderedQuery(query), [query]);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(renderAll), idleMs);
    return () => clearTimeout(timer);
  }, [renderAll]);
  return [isBelowFold || fullyRenderedQuery === query ? rows : rows.slice(0, visibleRows), renderAll];
}
