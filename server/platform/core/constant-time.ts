import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any of these answers takes. */
const floorMs = 60;

/** Timing must not reveal whether an account exists. */
export async function withConstantDuration<T>(work: () => Promise<T>): Promise<T> {
  const floor = sleep(floorMs);
  try {
    return await work();
  } finally {
    await floor;
  }
}
