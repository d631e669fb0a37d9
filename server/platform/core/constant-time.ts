import { setTimeout as sleep } from 'node:timers/promises';

/** As long as any of these answers takes by itself. */
const floorMs = 60;

/** Answers, or fails, no sooner than after a fixed time: how long it took does not tell whether there is such an account. */
export async function evenly<T>(work: () => Promise<T>): Promise<T> {
  const floor = sleep(floorMs);
  try {
    return await work();
  } finally {
    await floor;
  }
}
