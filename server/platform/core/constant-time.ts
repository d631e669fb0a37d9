import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any of these answers takes. */
const floorMs = 60;

/** Timing must not reveal whether an account exists. */
export async function withConstantDuration<T>(task: () => Promise<T>): Promise<T> {
  const minimumDelay = sleep(floorMs);
  try {
    return await task();
  } finally {
    await minimumDelay;
  }
}
