import { perServer, type Services } from '../core/context.ts';

const runningOf = perServer(() => new Set<Promise<unknown>>());

/** Work that shutdown waits for, including work after the response. */
export function noteRunning<T>(services: Services, work: Promise<T>): Promise<T> {
  const running = runningOf(services);
  const forget = () => running.delete(work);
  running.add(work);
  void work.then(forget, forget);
  return work;
}

/** Repeats, because running work may start more. */
export async function allDone(services: Services): Promise<void> {
  const running = runningOf(services);
  while (running.size > 0) await Promise.allSettled(running);
}
