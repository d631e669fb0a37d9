import { createPublicClient, type PublicClient } from 'viem';
import type { EvmConfig } from '../core/config.ts';
import { describeRpcError } from './rpc-problem.ts';
import { createNodeTransport, type TransportOptions } from './transport.ts';

export interface ChainReader {
  readonly name: string;
  /** Throws for another chain. */
  client(): Promise<PublicClient>;
}

export type ChainBlock = Pick<EvmConfig, 'urls' | 'chainId'>;

export function openNode(url: string, chainId: number, options: TransportOptions = {}): ChainReader {
  const client = createPublicClient({ cacheTime: 0, transport: createNodeTransport(url, options) });
  return { name: new URL(url).host, client: withChainCheck(client, chainId) };
}

/** Only where no money depends on the result. */
export const createChainReader = ({ urls: [firstItem], chainId }: ChainBlock, options: TransportOptions = {}): ChainReader =>
  openNode(firstItem, chainId, options);

export type ChainNodes = readonly [ChainReader, ...ChainReader[]];

export function openNodes({ urls: [firstItem, ...otherItems], chainId }: ChainBlock, options: TransportOptions = {}): ChainNodes {
  const openUrl = (url: string) => openNode(url, chainId, options);
  return [openUrl(firstItem), ...otherItems.map(openUrl)];
}

const chainCheckMs = 5_000;

/** Checks the chain id every few seconds, because one URL may lead to several nodes. */
export function withChainCheck<C extends Pick<PublicClient, 'getChainId'>>(client: C, chainId: number): () => Promise<C> {
  let askedAt: number | null = null;
  return async () => {
    const now = performance.now();
    if (askedAt !== null && now - askedAt < chainCheckMs) return client;
    const nodeChainId = await client.getChainId();
    if (nodeChainId !== chainId) throw new Error(`EVM_RPC_URL belongs to chain ${nodeChainId}, not to EVM_CHAIN_ID ${chainId}`);
    askedAt = now;
    return client;
  };
}

export class NodesDisagreeError extends Error {
  override name = 'NodesDisagree';
}

export class ChainReorganizedError extends Error {
  override name = 'ChainReorganized';
}

type Figures = Readonly<Record<string, string | number | bigint>>;

export interface AgreedRead<F extends Figures> {
  readonly block: bigint;
  readonly hash: `0x${string}`;
  readonly figures: F;
}

/** Nodes further behind are not waited for. */
const maxBlocksBehind = 100n;

/**
 * Compared at the newest block with `depth` confirmations everywhere. Null: chain too short. Throws NodesDisagreeError,
 * ChainReorganizedError, or a single node's error.
 */
export async function readAgreed<F extends Figures>(
  nodes: ChainNodes,
  depth: bigint,
  read: (client: PublicClient, blockNumber: bigint) => Promise<F>,
): Promise<AgreedRead<F> | null> {
  const heads = await askEveryNode(nodes, 'its newest block', (client) => client.getBlockNumber());
  const lowestHead = heads.reduce((a, b) => (b.value < a.value ? b : a));
  const highestHead = heads.reduce((a, b) => (b.value > a.value ? b : a));
  if (highestHead.value < depth) return null;
  if (lowestHead.value < depth || highestHead.value - lowestHead.value > maxBlocksBehind)
    throw new NodesDisagreeError(
      `${lowestHead.name} is at block ${lowestHead.value}, ${highestHead.name} at ${highestHead.value}`,
    );
  const block = lowestHead.value - depth;
  const agreedResults = await askEveryNode(nodes, `block ${block}`, async (client) => {
    const [blockBefore, figures] = await Promise.all([client.getBlock({ blockNumber: block }), read(client, block)]);
    const blockAfter = await client.getBlock({ blockNumber: block });
    if (blockAfter.hash !== blockBefore.hash) throw new ChainReorganizedError(`block ${block} changed while it was read`);
    return { hash: blockBefore.hash, figures };
  });
  const [firstResult, ...otherItems] = agreedResults;
  for (const { name, value } of otherItems) {
    if (value.hash !== firstResult.value.hash)
      throw new NodesDisagreeError(`${firstResult.name} and ${name} have different blocks ${block}`);
    for (const [figure, otherFigure] of Object.entries(firstResult.value.figures))
      if (value.figures[figure] !== otherFigure)
        throw new NodesDisagreeError(
          `${firstResult.name} and ${name} differ on ${figure} at block ${block}: ${otherFigure} and ${value.figures[figure]}`,
        );
  }
  return { block, ...firstResult.value };
}

export async function askEveryNode<T>(
  nodes: ChainNodes,
  description: string,
  readFromNode: (client: PublicClient) => Promise<T>,
): Promise<readonly [NodeAnswer<T>, ...NodeAnswer<T>[]]> {
  const [firstItem, ...otherItems] = nodes.map(async ({ name, client }): Promise<NodeAnswer<T>> => {
    try {
      return { name, value: await readFromNode(await client()) };
    } catch (error) {
      if (nodes.length === 1 || isAbortError(error) || error instanceof ChainReorganizedError) throw error;
      const rpcError = describeRpcError(error);
      throw new NodesDisagreeError(
        `${rpcError.startsWith(name) ? rpcError : `${name}: ${rpcError}`} (when asked for ${description})`,
      );
    }
  });
  if (!firstItem) throw new Error('a chain has a first node');
  return Promise.all([firstItem, ...otherItems] as const);
}

interface NodeAnswer<T> {
  readonly name: string;
  readonly value: T;
}

const isAbortError = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

export async function mapInGroups<T, R>(items: readonly T[], size: number, mapItem: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let groupStart = 0; groupStart < items.length; groupStart += size)
    results.push(...(await Promise.all(items.slice(groupStart, groupStart + size).map(mapItem))));
  return results;
}
