import { memoizePerServer, type Services } from '../services/context.ts';

const runningRequestsOf = memoizePerServer(() => new Set<Promise<unknown>>());

/** Shutdown waits for it, also after the response. */
export function trackRunning<T>(services: Services, pendingResponse: Promise<T>): Promise<T> {
  const runningRequests = runningRequestsOf(services);
  const removeRequest = () => runningRequests.delete(pendingResponse);
  runningRequests.add(pendingResponse);
  void pendingResponse.then(removeRequest, removeRequest);
  return pendingResponse;
}

/** Running work may start more. */
export async function waitForRunning(services: Services): Promise<void> {
  const runningRequests = runningRequestsOf(services);
  while (runningRequests.size > 0) await Promise.allSettled(runningRequests);
}
