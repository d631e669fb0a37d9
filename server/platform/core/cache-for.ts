/** Limits calls, shared among callers. A failure is null and cached as long. */
export function cacheFor<T>(
  maxAgeMs: number,
  load: () => Promise<T>,
  readClock: () => number = () => performance.now(),
): () => Promise<T | null> {
  let cached: { at: number; answer: Promise<T | null> } | null = null;
  return () => {
    if (!cached || readClock() - cached.at >= maxAgeMs) cached = { at: readClock(), answer: load().catch(() => null) };
    return cached.answer;
  };
}
