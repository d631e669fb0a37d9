/** Server limit for one call. */
const max = 200;

/** Combines the keys of one render into one call. Null for keys whose call failed. */
export function batchReads<T>(load: (keys: string[]) => Promise<ReadonlyMap<string, T>>): (key: string) => Promise<T | null> {
  let waiting: { key: string; answer: (found: T | null) => void }[] = [];
  function loadAll(): void {
    const batch = waiting;
    waiting = [];
    for (let from = 0; from < batch.length; from += max) void answer(batch.slice(from, from + max));
  }
  async function answer(batch: typeof waiting): Promise<void> {
    const found = await load(batch.map(({ key }) => key)).catch(() => new Map<string, T>());
    for (const { key, answer: done } of batch) done(found.get(key) ?? null);
  }
  return (key) =>
    new Promise((resolveOne) => {
      waiting.push({ key, answer: resolveOne });
      if (waiting.length === 1) setTimeout(loadAll, 0);
    });
}
