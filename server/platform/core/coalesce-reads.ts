/** Every caller gets a read that started after its call. Only one read runs at a time. */
export function coalesceReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const run = read();
    const ended = run.then(noop, noop).then(() => {
      if (running === ended) running = null;
    });
    running = ended;
    return run;
  };
  return () => next ?? (running ? (next = running.then(begin)) : begin());
}

/** Like `coalesceReads`, by key. Undefined if the read found nothing for a key. */
export function coalesceReadsByKey<Key, Value>(
  read: (keys: ReadonlySet<Key>) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let pendingKeys = new Set<Key>();
  const answers = coalesceReads(() => {
    const keys = pendingKeys;
    pendingKeys = new Set();
    return read(keys);
  });
  return async (key) => {
    pendingKeys.add(key);
    return (await answers()).get(key);
  };
}

const noop = () => {};
