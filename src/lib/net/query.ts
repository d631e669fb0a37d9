import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const transientCodes = new Set(['OFFLINE', 'UNAVAILABLE', 'INTERNAL']);

/** Reads only. Writes go through dispatch, which names the stale resources. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser's "online" flag is wrong for a server on this machine.
      networkMode: 'always',
      staleTime: 10_000,
      gcTime: 10 * 60_000,
      refetchOnReconnect: 'always',
      retry: (failureCount, error) => failureCount < 2 && error instanceof ApiError && transientCodes.has(error.code),
      retryDelay: (failureCount) => Math.min(500 * 2 ** failureCount, 4000),
    },
  },
});

/** What a screen shows and keeps fresh. Undefined: on no screen, or outdated by a change or an error. */
export function readShown<T>(queryKey: readonly string[]): T | undefined {
  const state = queryClient.getQueryCache().find<T>({ queryKey, type: 'active' })?.state;
  return state?.status === 'success' && !state.isInvalidated ? state.data : undefined;
}

/** Resolves when everything on screen is fresh. */
export async function refreshResources(resources: readonly string[]): Promise<void> {
  await Promise.all(
    resources.map(async (resource) => {
      const queryKey = [resource];
      // TanStack Query would treat a running first read as fresh, although it may predate the change.
      const firstQuery = queryClient
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
      await Promise.all(firstQuery.map(async ({ promise }) => promise?.catch(() => {})));
      await queryClient.invalidateQueries({ queryKey });
    }),
  );
}
