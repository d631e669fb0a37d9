import { memoizePerServer, type Services } from '../services/context.ts';

const runningOf = memoizePerServer(() => new Set<Promise<unknown>>());

/** Shutdown waits for it, also after the response. */
export function trackRunning<T>(services: Services, work: Promise<T>): Promise<T> {
  const running = runningOf(services);
  const forget = () => running.delete(work);
  running.add(work);
  void work.then(forget, forget);
  return work;
}

/** Running work may start more. */
export async function waitForRunning(services: Services): Promise<void> {
  const running = runningOf(services);
  while (running.size > 0) await Promise.allSettled(running);
}
