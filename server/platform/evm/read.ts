import { createPublicClient, http, type PublicClient } from 'viem';
import type { EvmConfig } from '../core/config.ts';

export interface ReadOptions {
  /** Milliseconds for one request. */
  timeout?: number;
}

/** Reads the chain: calls made together go in one request, each bounded in time and tried once. */
export interface ChainReader {
  /** The client, once the node has said that it is of the right chain. Throws when it is not, or says nothing. */
  client(): Promise<PublicClient>;
}

export function chainReader(
  { url, chainId }: Pick<EvmConfig, 'url' | 'chainId'>,
  { timeout = 5_000 }: ReadOptions = {},
): ChainReader {
  const client = createPublicClient({
    cacheTime: 0,
    transport: http(url, { timeout, retryCount: 0, batch: { batchSize: 100 } }),
  });
  return { client: onChain(client, chainId) };
}

const believedMs = 5_000;

/**
 * Gives the client once its node has said that it is of the right chain, and asks again every few seconds: behind one URL another
 * node may answer by then. Throws when it is of another chain, or says nothing: it would answer everything, and wrongly.
 */
export function onChain<C extends Pick<PublicClient, 'getChainId'>>(client: C, chainId: number): () => Promise<C> {
  let askedAt: number | null = null;
  return async () => {
    const now = performance.now();
    if (askedAt !== null && now - askedAt < believedMs) return client;
    const found = await client.getChainId();
    if (found !== chainId) throw new Error(`EVM_RPC_URL belongs to chain ${found}, not to EVM_CHAIN_ID ${chainId}`);
    askedAt = now;
    return client;
  };
}

/** All answers in order, `size` questions on the way at a time. */
export async function inGroups<T, R>(items: readonly T[], size: number, ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let from = 0; from < items.length; from += size)
    answers.push(...(await Promise.all(items.slice(from, from + size).map(ask))));
  return answers;
}
