import type { EvmChainInfo } from '../../api/custody/chain.ts';
import { api, ApiError } from './net/client.ts';
import { queryClient } from './net/query.ts';

export interface OnChain {
  chain: 'bitcoin' | 'evm';
  kind: 'tx' | 'address';
  value: string;
}

const on = (chain: OnChain['chain']) => ({
  tx: (value: string): OnChain => ({ chain, kind: 'tx', value }),
  address: (value: string): OnChain => ({ chain, kind: 'address', value }),
});
export const onBitcoin = on('bitcoin');
export const onEvm = on('evm');

/** Read once per page. */
export const chainQuery = {
  queryKey: ['chain'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.chain.get(undefined, { signal }),
  staleTime: Infinity,
  retry: false,
} as const;

/** Null if the chain has no public explorer or is not loaded. */
export function explorerUrl(chain: EvmChainInfo | undefined, { chain: of, kind, value }: OnChain): string | null {
  const base = chain?.explorers[of] ?? null;
  return base && `${base}/${kind}/${encodeURIComponent(value)}`;
}

/** Undefined until loaded. */
export const hasExplorer = (of: OnChain['chain']): boolean | undefined => {
  const known = queryClient.getQueryData<EvmChainInfo>(chainQuery.queryKey);
  return known && known.explorers[of] !== null;
};

/** Loads the chain first. Null if there is no explorer. Throws ApiError. */
export async function findExplorerUrl(what: OnChain): Promise<string | null> {
  try {
    return explorerUrl(await queryClient.fetchQuery(chainQuery), what);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAVAILABLE') return null;
    throw error;
  }
}
