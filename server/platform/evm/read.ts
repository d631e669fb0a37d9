import { createPublicClient, type PublicClient } from 'viem';
import type { EvmConfig } from '../core/config.ts';
import { describeRpcError } from './rpc-problem.ts';
import { nodeTransport, type TransportOptions } from './transport.ts';

export interface ChainReader {
  readonly name: string;
  /** Throws for another chain. */
  client(): Promise<PublicClient>;
}

export type ChainBlock = Pick<EvmConfig, 'urls' | 'chainId'>;

export function openNode(url: string, chainId: number, options: TransportOptions = {}): ChainReader {
  const client = createPublicClient({ cacheTime: 0, transport: nodeTransport(url, options) });
  return { name: new URL(url).host, client: withChainCheck(client, chainId) };
}

/** Only where no money depends on the result. */
export const chainReader = ({ urls: [first], chainId }: ChainBlock, options: TransportOptions = {}): ChainReader =>
  openNode(first, chainId, options);

export type ChainNodes = readonly [ChainReader, ...ChainReader[]];

export function openNodes({ urls: [first, ...others], chainId }: ChainBlock, options: TransportOptions = {}): ChainNodes {
  const open = (url: string) => openNode(url, chainId, options);
  return [open(first), ...others.map(open)];
}

const chainCheckMs = 5_000;

/** Checks the chain id every few seconds, because one URL may lead to several nodes. */
export function withChainCheck<C extends Pick<PublicClient, 'getChainId'>>(client: C, chainId: number): () => Promise<C> {
  let askedAt: number | null = null;
  return async () => {
    const now = performance.now();
    if (askedAt !== null && now - askedAt < chainCheckMs) return client;
    const found = await client.getChainId();
    if (found !== chainId) throw new Error(`EVM_RPC_URL belongs to chain ${found}, not to EVM_CHAIN_ID ${chainId}`);
    askedAt = now;
    return client;
  };
}

export class NodesDisagree extends Error {
  override name = 'NodesDisagree';
}

export class ChainReorganized extends Error {
  override name = 'ChainReorganized';
}

type Figures = Readonly<Record<string, string | number | bigint>>;

export interface AgreedRead<F extends Figures> {
  readonly block: bigint;
  readonly hash: `0x${string}`;
  readonly figures: F;
}

/** Nodes further behind are not waited for. */
const maxBehind = 100n;

/**
 * Compared at the newest block with `depth` confirmations everywhere. Null: chain too short. Throws NodesDisagree,
 * ChainReorganized, or a single node's error.
 */
export async function readAgreed<F extends Figures>(
  nodes: ChainNodes,
  depth: bigint,
  read: (client: PublicClient, blockNumber: bigint) => Promise<F>,
): Promise<AgreedRead<F> | null> {
  const heads = await askEveryNode(nodes, 'its newest block', (client) => client.getBlockNumber());
  const last = heads.reduce((a, b) => (b.value < a.value ? b : a));
  const first = heads.reduce((a, b) => (b.value > a.value ? b : a));
  if (first.value < depth) return null;
  if (last.value < depth || first.value - last.value > maxBehind)
    throw new NodesDisagree(`${last.name} is at block ${last.value}, ${first.name} at ${first.value}`);
  const block = last.value - depth;
  const found = await askEveryNode(nodes, `block ${block}`, async (client) => {
    const [before, figures] = await Promise.all([client.getBlock({ blockNumber: block }), read(client, block)]);
    const after = await client.getBlock({ blockNumber: block });
    if (after.hash !== before.hash) throw new ChainReorganized(`block ${block} changed while it was read`);
    return { hash: before.hash, figures };
  });
  const [one, ...others] = found;
  for (const { name, value } of others) {
    if (value.hash !== one.value.hash) throw new NodesDisagree(`${one.name} and ${name} have different blocks ${block}`);
    for (const [figure, said] of Object.entries(one.value.figures))
      if (value.figures[figure] !== said)
        throw new NodesDisagree(
          `${one.name} and ${name} differ on ${figure} at block ${block}: ${said} and ${value.figures[figure]}`,
        );
  }
  return { block, ...one.value };
}

export async function askEveryNode<T>(
  nodes: ChainNodes,
  what: string,
  ask: (client: PublicClient) => Promise<T>,
): Promise<readonly [NodeAnswer<T>, ...NodeAnswer<T>[]]> {
  const [first, ...others] = nodes.map(async ({ name, client }): Promise<NodeAnswer<T>> => {
    try {
      return { name, value: await ask(await client()) };
    } catch (error) {
      if (nodes.length === 1 || isAbort(error) || error instanceof ChainReorganized) throw error;
      const rpcError = describeRpcError(error);
      throw new NodesDisagree(`${rpcError.startsWith(name) ? rpcError : `${name}: ${rpcError}`} (when asked for ${what})`);
    }
  });
  if (!first) throw new Error('a chain has a first node');
  return Promise.all([first, ...others] as const);
}

interface NodeAnswer<T> {
  readonly name: string;
  readonly value: T;
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

export async function mapInGroups<T, R>(items: readonly T[], size: number, ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let from = 0; from < items.length; from += size)
    answers.push(...(await Promise.all(items.slice(from, from + size).map(ask))));
  return answers;
}
