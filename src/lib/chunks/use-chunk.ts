import { startTransition, useEffect, useState } from 'react';
import { ChunkError, type Chunk } from './loader.ts';
import { $newerBuild, $unreachableSince } from '../net/connectivity.ts';
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
  const deadline = performance.now() + timeoutMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const checkIdle = () => {
    if (performance.now() >= deadline || !document.querySelector('main [data-loading]')) return run();
    timer = setTimeout(checkIdle, 50);
  };
  // Safari has no requestIdleCallback. The timeout is for busy and hidden pages.
  if (window.requestIdleCallback) window.requestIdleCallback(checkIdle, { timeout: timeoutMs });
  else timer = setTimeout(checkIdle, 200);
  return () => clearTimeout(timer);
}

/**
 * Loads when idle, immediately if needed. Retries when the server responds again, and reloads the page once if the build is gone.
 */
export function useChunk<T>(chunk: Chunk<T>, isNeeded: boolean): ChunkState<T> {
  const [state, setState] = useState<{ of: Chunk<T>; error: ChunkError | null; asked: number } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (chunk.value !== null) return;
    let isCurrent = true;
    let retryDelayMs = 5_000;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFailed = (loadFailure: unknown) => {
      if (!isCurrent) return;
      if (!isNeeded) return void (timer = setTimeout(startLoad, (retryDelayMs *= 2)));
      const error = loadFailure instanceof ChunkError ? loadFailure : new ChunkError('chunk', 'Error', loadFailure);
      const newerBuild = $newerBuild.get();
      if (error.reason === 'missing' && newerBuild && !isEditing() && reloadOnce(newerBuild)) return;
      setState({ of: chunk, error, asked: attempt });
    };
    // A transition keeps the page responsive to keys.
    const onLoaded = () => isCurrent && startTransition(() => setState({ of: chunk, error: null, asked: attempt }));
    const startLoad = () => void chunk.load().then(onLoaded, onFailed);
    const cancelLoad = isNeeded ? startLoad() : whenIdle(startLoad);
    return () => {
      isCurrent = false;
      cancelLoad?.();
      clearTimeout(timer);
    };
  }, [chunk, isNeeded, attempt]);

  const error = isNeeded && chunk.value === null && state?.of === chunk ? state.error : null;
  useEffect(
    () =>
      error?.canRetry ? $unreachableSince.listen((silentSince) => silentSince === null && setAttempt((n) => n + 1)) : undefined,
    [error],
  );
  return {
    value: chunk.value,
    error,
    retry: () => setAttempt(attempt + 1),
    retrying: error !== null && state?.asked !== attempt,
  };
}
