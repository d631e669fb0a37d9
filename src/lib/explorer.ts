import type { EvmChainInfo } from '../../api/custody/chain.ts';
import { api, ApiError } from './net/client.ts';
import { queryClient } from './net/query.ts';

export interface ExplorerTarget {
  chain: 'bitcoin' | 'evm';
  kind: 'tx' | 'address';
  value: string;
}

const createTargets = (chain: ExplorerTarget['chain']) => ({
  tx: (value: string): ExplorerTarget => ({ chain, kind: 'tx', value }),
  address: (value: string): ExplorerTarget => ({ chain, kind: 'address', value }),
});
export const bitcoinExplorerTarget = createTargets('bitcoin');
export const evmExplorerTarget = createTargets('evm');

/** Read once per page. */
export const chainQuery = {
  queryKey: ['chain'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.chain.get(undefined, { signal }),
  staleTime: Infinity,
  retry: false,
} as const;

/** Null if the chain has no public explorer or is not loaded. */
export function explorerUrl(chain: EvmChainInfo | undefined, { chain: chainName, kind, value }: ExplorerTarget): string | null {
  const explorerBase = chain?.explorers[chainName] ?? null;
  return explorerBase && `${explorerBase}/${kind}/${encodeURIComponent(value)}`;
}

/** Undefined until loaded. */
export const hasExplorer = (chainName: ExplorerTarget['chain']): boolean | undefined => {
  const cachedChain = queryClient.getQueryData<EvmChainInfo>(chainQuery.queryKey);
  return cachedChain && cachedChain.explorers[chainName] !== null;
};

/** Loads the chain first. Null if there is no explorer. Throws ApiError. */
export async function findExplorerUrl(target: ExplorerTarget): Promise<string | null> {
  try {
    return explorerUrl(await queryClient.fetchQuery(chainQuery), target);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAVAILABLE') return null;
    throw error;
  }
}
