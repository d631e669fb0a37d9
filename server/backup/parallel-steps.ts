const maxConcurrency = 8;

/** Limited concurrency. Rejects after running ones have ended. */
export async function inParallelSteps<T>(all: readonly T[], one: (item: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < all.length; first += maxConcurrency) {
    const ends = await Promise.allSettled(all.slice(first, first + maxConcurrency).map(one));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}
