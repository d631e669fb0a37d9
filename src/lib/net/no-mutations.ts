/**
 * Stands for query-core's cache of mutations (vite.config.ts), 2 kB of every page that nothing here uses: writes go through
 * dispatch, never through the query cache. What QueryClient calls of it is here.
 */
export class MutationCache {
  findAll = (): [] => [];
  resumePausedMutations = (): Promise<void> => Promise.resolve();
  clear = (): void => {};
}
