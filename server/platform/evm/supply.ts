import type { Address, Hex, PublicClient } from 'viem';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';

/** YBTC in wei, minted less burnt, at the newest block with `depth` others on it; null while the chain is too young, or changes under the question. */
export async function settledSupply(
  client: PublicClient,
  token: Address,
  depth: bigint,
): Promise<{ block: bigint; hash: Hex; supply: bigint } | null> {
  const head = await client.getBlockNumber();
  if (head < depth) return null;
  const blockNumber = head - depth;
  const { hash } = await client.getBlock({ blockNumber });
  const supply = await client.readContract({ address: token, abi: ybtcAbi, functionName: 'totalSupply', blockNumber });
  const after = await client.getBlock({ blockNumber });
  return after.hash === hash ? { block: blockNumber, hash, supply } : null;
}
