import { useEffect, useRef } from 'react';
import { queryClient, refreshResources } from '../../lib/net/query.ts';

const everyMs = 6_000;

/** The chain moves them, and whose are one's own hangs on the wallet: the list is read again by itself while somebody looks. */
export function useFollowing(resource: 'crsms' | 'positions', account: string | undefined): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void refreshResources([resource]);
    }, everyMs);
    return () => clearInterval(timer);
  }, [resource]);
  const isOpening = useRef(true);
  useEffect(() => {
    // As it opens, a first read that is under way is of now, and one is enough.
    if (isOpening.current) void queryClient.invalidateQueries({ queryKey: [resource] });
    else void refreshResources([resource]);
    isOpening.current = false;
  }, [resource, account]);
}
