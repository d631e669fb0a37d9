/** Server limit for one call. */
const max = 200;

/** Combines the keys of one render into one call. Null for keys whose call failed. */
export function batchReads<T>(
  loadValues: (keys: string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | null> {
  let pendingReads: { key: string; answer: (value: T | null) => void }[] = [];
  function loadAll(): void {
    const batch = pendingReads;
    pendingReads = [];
    for (let from = 0; from < batch.length; from += max) void resolveBatch(batch.slice(from, from + max));
  }
  async function resolveBatch(batch: typeof pendingReads): Promise<void> {
    const valuesByKey = await loadValues(batch.map(({ key }) => key)).catch(() => new Map<string, T>());
    for (const { key, answer: resolve } of batch) resolve(valuesByKey.get(key) ?? null);
  }
  return (key) =>
    new Promise((resolveOne) => {
      pendingReads.push({ key, answer: resolveOne });
      if (pendingReads.length === 1) setTimeout(loadAll, 0);
    });
}
