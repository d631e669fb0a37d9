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

const noop = () => {};
