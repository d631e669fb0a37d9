import { useEffect } from 'react';
import { refreshResources } from '../../lib/net/query.ts';

const everyMs = 6_000;

/** The chain moves them, and whose are one's own hangs on the wallet: the list is read again by itself while somebody looks. */
export function useFollowing(resource: 'crsms' | 'positions', account: string | undefined): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void refreshResources([resource]);
    }, everyMs);
    return () => clearInterval(timer);
  }, [resource]);
  useEffect(() => void refreshResources([resource]), [resource, account]);
}
