import { useEffect, useRef } from 'react';
import { queryClient, refreshResources } from '../../lib/net/query.ts';

const intervalMs = 6_000;

/** Refreshes the list while visible, because it depends on the chain and the connected wallet. */
export function useFollowing(resource: 'crsms' | 'positions', account: string | undefined): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void refreshResources([resource]);
    }, intervalMs);
    return () => clearInterval(timer);
  }, [resource]);
  const isOpening = useRef(true);
  useEffect(() => {
    // A first read is already fresh, so do not repeat it.
    if (isOpening.current) void queryClient.invalidateQueries({ queryKey: [resource] });
    else void refreshResources([resource]);
    isOpening.current = false;
  }, [resource, account]);
}
