const maxConcurrency = 8;

/** Limited concurrency. Rejects after running ones have ended. */
export async function runInBatches<T>(items: readonly T[], runItem: (item: T) => Promise<void>): Promise<void> {
  for (let offset = 0; offset < items.length; offset += maxConcurrency) {
    const results = await Promise.allSettled(items.slice(offset, offset + maxConcurrency).map(runItem));
    for (const end of results) if (end.status === 'rejected') throw end.reason;
  }
}
