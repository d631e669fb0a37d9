export interface SingleFlight<T> {
  running: Promise<T> | null;
  /** For callers that arrived during the running one. */
  next: Promise<T> | null;
}

/** Call only while `running` is null. */
export function joinRun<T>(runs: SingleFlight<T>, run: () => Promise<T>): Promise<T> {
  runs.running = run().finally(() => (runs.running = null));
  return runs.running;
}

/** The running one may have read too early. */
export function runAfterCurrent<T>(runs: SingleFlight<T>, run: () => Promise<T>): Promise<T> {
  runs.next ??= (async () => {
    await runs.running?.catch(() => {});
    runs.next = null;
    return runs.running ?? joinRun(runs, run);
  })();
  return runs.next;
}
