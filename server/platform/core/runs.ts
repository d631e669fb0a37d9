/** Something that is done for many who ask, never twice at once. */
export interface Runs<T> {
  running: Promise<T> | null;
  /** What begins when that ends, for those who asked meanwhile. */
  next: Promise<T> | null;
}

/** One that nothing else runs beside: `running` is null. */
export function begin<T>(runs: Runs<T>, run: () => Promise<T>): Promise<T> {
  runs.running = run().finally(() => (runs.running = null));
  return runs.running;
}

/** One that begins from now on: what is under way may have read already what is asked for. All who wait share the next. */
export function fromNowOn<T>(runs: Runs<T>, run: () => Promise<T>): Promise<T> {
  runs.next ??= (async () => {
    await runs.running?.catch(() => {});
    runs.next = null;
    return runs.running ?? begin(runs, run);
  })();
  return runs.next;
}
