import { useEffect, useState } from 'react';
import type { Chunk, ChunkError } from './loader.ts';

/**
 * A part that comes in a file of its own: asked for when the page is idle, at once when it is needed; null until it is here.
 * A failure while it is needed goes to `onFail`; an earlier one is tried again when it is.
 */
export function useChunk<T>(of: Chunk<T>, isNeeded: boolean, onFail: (error: ChunkError) => void): T | null {
  const [, setLoaded] = useState(of.value !== null);
  useEffect(() => {
    if (of.value !== null) return;
    const load = () => of.load().then(() => setLoaded(true), isNeeded ? onFail : () => {});
    if (isNeeded) return void load();
    const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
    later(() => void load());
    // `onFail` is whatever it is when the chunk is asked for
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [of, isNeeded]);
  return of.value;
}
