import { startTransition, useEffect, useState } from 'react';
import { ChunkError, type Chunk } from './loader.ts';
import { $newerBuild, $silentSince } from '../net/connectivity.ts';
import { isEditing, reloadOnce } from './reload.ts';

export interface ChunkState<T> {
  value: T | null;
  error: ChunkError | null;
  /** Keeps `error` until the retry settles. */
  retry: () => void;
  retrying: boolean;
}

/** Longest wait for idle time, in milliseconds. */
const timeoutMs = 3_000;

/** Runs after the first rows, which come first on a slow connection. Returns a cancel function. */
function whenIdle(run: () => void): () => void {
  const latest = performance.now() + timeoutMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (performance.now() >= latest || !document.querySelector('main [data-loading]')) return run();
    timer = setTimeout(look, 50);
  };
  // Safari has no requestIdleCallback. The timeout is for busy and hidden pages.
  if (window.requestIdleCallback) window.requestIdleCallback(look, { timeout: timeoutMs });
  else timer = setTimeout(look, 200);
  return () => clearTimeout(timer);
}

/**
 * Loads when idle, immediately if needed. Retries when the server responds again, and reloads the page once if the build is gone.
 */
export function useChunk<T>(of: Chunk<T>, isNeeded: boolean): ChunkState<T> {
  const [state, setState] = useState<{ of: Chunk<T>; error: ChunkError | null; asked: number } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (of.value !== null) return;
    let isCurrent = true;
    let wait = 5_000;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const failed = (thrown: unknown) => {
      if (!isCurrent) return;
      if (!isNeeded) return void (timer = setTimeout(load, (wait *= 2)));
      const error = thrown instanceof ChunkError ? thrown : new ChunkError('chunk', 'Error', thrown);
      const newer = $newerBuild.get();
      if (error.reason === 'missing' && newer && !isEditing() && reloadOnce(newer)) return;
      setState({ of, error, asked: attempt });
    };
    // A transition keeps the page responsive to keys.
    const come = () => isCurrent && startTransition(() => setState({ of, error: null, asked: attempt }));
    const load = () => void of.load().then(come, failed);
    const stop = isNeeded ? load() : whenIdle(load);
    return () => {
      isCurrent = false;
      stop?.();
      clearTimeout(timer);
    };
  }, [of, isNeeded, attempt]);

  const error = isNeeded && of.value === null && state?.of === of ? state.error : null;
  useEffect(
    () => (error?.canRetry ? $silentSince.listen((since) => since === null && setAttempt((n) => n + 1)) : undefined),
    [error],
  );
  return { value: of.value, error, retry: () => setAttempt(attempt + 1), retrying: error !== null && state?.asked !== attempt };
}
