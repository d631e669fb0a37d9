import { perServer, type Services } from '../core/context.ts';

const runningOf = perServer(() => new Set<Promise<unknown>>());

/** Notes what a server that stops waits for: an answer, and what goes on behind one that is there already. */
export function noteRunning<T>(services: Services, work: Promise<T>): Promise<T> {
  const running = runningOf(services);
  const forget = () => running.delete(work);
  running.add(work);
  void work.then(forget, forget);
  return work;
}

/** Waits until nothing runs any more. What ran may have begun more: it is asked again. */
export async function allDone(services: Services): Promise<void> {
  const running = runningOf(services);
  while (running.size > 0) await Promise.allSettled(running);
}
