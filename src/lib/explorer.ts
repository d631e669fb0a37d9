import type { EvmChainInfo } from '../../api/custody/chain.ts';
import { api, ApiError } from './net/client.ts';
import { queryClient } from './net/query.ts';

/** Something on a chain that a block explorer shows. */
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

/** The chain everything stands on, read once a page. */
export const chainQuery = {
  queryKey: ['chain'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.chain.get(undefined, { signal }),
  staleTime: Infinity,
  retry: false,
} as const;

/** Where a block explorer shows it, out of the panel; null: the chain has none that anybody can open, or is not known yet. */
export function explorerUrl(chain: EvmChainInfo | undefined, { chain: of, kind, value }: OnChain): string | null {
  const base = chain?.explorers[of] ?? null;
  return base && `${base}/${kind}/${encodeURIComponent(value)}`;
}

/** Whether the chain is known to have a block explorer, or to have none; undefined: not known yet. */
export const hasExplorer = (of: OnChain['chain']): boolean | undefined => {
  const known = queryClient.getQueryData<EvmChainInfo>(chainQuery.queryKey);
  return known && known.explorers[of] !== null;
};

/** The same as `explorerUrl`, once the chain is known; null as well where the server has none. Throws ApiError where it does not say. */
export async function findExplorerUrl(what: OnChain): Promise<string | null> {
  try {
    return explorerUrl(await queryClient.fetchQuery(chainQuery), what);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAVAILABLE') return null;
    throw error;
  }
}
