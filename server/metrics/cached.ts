/** Asks at most every so many milliseconds, whoever else asks meanwhile. What failed is null, and is asked again as late. */
export function cached<T>(
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
