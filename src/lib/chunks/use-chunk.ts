import { startTransition, useEffect, useState } from 'react';
import { ChunkError, type Chunk } from './loader.ts';
import { $newerBuild, $silentSince } from '../net/connectivity.ts';
import { isAtIt, reloadOnce } from './reload.ts';

/** A part of the page that comes in a file of its own, as far as it has come. */
export interface Part<T> {
  value: T | null;
  /** Why it did not come, when it was needed. */
  error: ChunkError | null;
  /** Asks for it again; `error` stands until that is answered. */
  retry: () => void;
  retrying: boolean;
}

/** How long what nobody needs yet waits for a quiet page, in milliseconds. */
const patience = 3_000;

/** Runs once the screen stands and nothing else is to do: on a slow line its rows come first. Answers with what takes that back. */
function whenIdle(run: () => void): () => void {
  const latest = performance.now() + patience;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (performance.now() >= latest || !document.querySelector('main [data-loading]')) return run();
    timer = setTimeout(look, 50);
  };
  // Safari has no idle time; where there is never any (a busy page, a hidden one) it comes all the same.
  if (window.requestIdleCallback) window.requestIdleCallback(look, { timeout: patience });
  else timer = setTimeout(look, 200);
  return () => clearTimeout(timer);
}

/**
 * Asked for when the page is idle, at once when it is needed. What failed in idle time is tried again by and by; what
 * failed for want of an answer is when the server answers again; what is gone with its build is fetched by one reload.
 */
export function useChunk<T>(of: Chunk<T>, isNeeded: boolean): Part<T> {
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
      if (error.reason === 'missing' && newer && !isAtIt() && reloadOnce(newer)) return;
      setState({ of, error, asked: attempt });
    };
    // What has come is drawn in slices, between which the page hears its keys.
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
