import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const passing = new Set(['OFFLINE', 'UNAVAILABLE', 'INTERNAL']);

/** The cache of everything read. Writes never go through it: dispatch calls the API and names what is stale. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser's own "online" flag is wrong for a server on this machine; only an answer tells.
      networkMode: 'always',
      staleTime: 10_000,
      gcTime: 10 * 60_000,
      refetchOnReconnect: 'always',
      retry: (failures, error) => failures < 2 && error instanceof ApiError && passing.has(error.code),
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 4000),
    },
  },
});

/** Reads the named resources again; resolves when what is on screen is fresh. */
export async function refreshResources(resources: readonly string[]): Promise<void> {
  await Promise.all(
    resources.map(async (resource) => {
      const queryKey = [resource];
      // A first read that is under way may be of before. TanStack Query joins it and takes its answer for fresh; it is let end instead.
      const first = queryClient
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
      await Promise.all(first.map(async ({ promise }) => promise?.catch(() => {})));
      await queryClient.invalidateQueries({ queryKey });
    }),
  );
}
