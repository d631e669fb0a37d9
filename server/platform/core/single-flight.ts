export interface SingleFlight<T> {
  running: Promise<T> | null;
  /** For callers that arrived during the running one. */
  next: Promise<T> | null;
}

/** Call only while `running` is null. */
export function joinRun<T>(flight: SingleFlight<T>, run: () => Promise<T>): Promise<T> {
  flight.running = run().finally(() => (flight.running = null));
  return flight.running;
}

/** The running one may have read too early. */
export function runAfterCurrent<T>(flight: SingleFlight<T>, run: () => Promise<T>): Promise<T> {
  flight.next ??= (async () => {
    await flight.running?.catch(() => {});
    flight.next = null;
    return flight.running ?? joinRun(flight, run);
  })();
  return flight.next;
}
