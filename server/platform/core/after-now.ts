/**
 * Shares one run of a reading among all who ask for it before it begins: each gets what was read after they asked, and never
 * more than one runs at a time, however many ask.
 */
export function afterNow<T>(read: () => Promise<T>): () => Promise<T> {
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

/**
 * The same for readings that are each of a key: those who ask while one runs are told by the next, which reads all their keys at
 * once. Undefined where it read nothing for a key.
 */
export function afterNowEach<Key, Value>(
  read: (keys: ReadonlySet<Key>) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let asked = new Set<Key>();
  const answers = afterNow(() => {
    const keys = asked;
    asked = new Set();
    return read(keys);
  });
  return async (key) => {
    asked.add(key);
    return (await answers()).get(key);
  };
}

const noop = () => {};
