/** Limits calls, shared among callers. A failure is null and cached as long. */
export function cacheFor<T>(
  ms: number,
  ask: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T | null> {
  let last: { at: number; answer: Promise<T | null> } | null = null;
  return () => {
    if (!last || now() - last.at >= ms) last = { at: now(), answer: ask().catch(() => null) };
    return last.answer;
  };
}
