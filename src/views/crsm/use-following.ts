import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { $evmWallet } from '../../lib/evm/store.ts';
import { queryClient, refreshResources } from '../../lib/net/query.ts';
import { useRefresh } from '../layout/list-screen.tsx';

/** Refreshes the list while visible, because it depends on the chain and the connected wallet. */
export function useFollowing(resource: 'crsms' | 'positions'): void {
  useRefresh(resource, 6_000);
  const account = useStore($evmWallet)?.account;
  const isOpening = useRef(true);
  useEffect(() => {
    // A first read is already fresh, so do not repeat it.
    if (isOpening.current) void queryClient.invalidateQueries({ queryKey: [resource] });
    else void refreshResources([resource]);
    isOpening.current = false;
  }, [resource, account]);
}
