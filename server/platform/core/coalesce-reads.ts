/** Every caller gets a read that started after its call. Only one read runs at a time. */
export function coalesceReads<T>(read: () => Promise<T>): () => Promise<T> {
  let currentRun: Promise<unknown> | null = null;
  let queuedRun: Promise<T> | null = null;
  const startRun = (): Promise<T> => {
    queuedRun = null;
    const currentRead = read();
    const runEnd = currentRead.then(noop, noop).then(() => {
      if (currentRun === runEnd) currentRun = null;
    });
    currentRun = runEnd;
    return currentRead;
  };
  return () => queuedRun ?? (currentRun ? (queuedRun = currentRun.then(startRun)) : startRun());
}

/** Like `coalesceReads`, by key. Undefined if the read found nothing for a key. */
export function coalesceReadsByKey<Key, Value>(
  read: (keys: ReadonlySet<Key>) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let pendingKeys = new Set<Key>();
  const valuesByKey = coalesceReads(() => {
    const keys = pendingKeys;
    pendingKeys = new Set();
    return read(keys);
  });
  return async (key) => {
    pendingKeys.add(key);
    return (await valuesByKey()).get(key);
  };
}

const noop = () => {};
