import { keccak256, type Address, type PublicClient } from 'viem';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { readAgreed, type ChainNodes } from './read.ts';

/** Compared between nodes before every money decision. Wei. */
export async function tokenFigures(client: PublicClient, token: Address, blockNumber: bigint) {
  const [code, supply] = await Promise.all([
    client.getCode({ address: token, blockNumber }),
    client.readContract({ address: token, abi: ybtcAbi, functionName: 'totalSupply', blockNumber }),
  ]);
  return { 'the contract code': keccak256(code ?? '0x'), 'the supply': supply };
}

/** Wei. Null: chain too short. Throws NodesDisagree. */
export async function settledSupply(nodes: ChainNodes, token: Address, depth: bigint) {
  const found = await readAgreed(nodes, depth, (client, block) => tokenFigures(client, token, block));
  return found && { block: found.block, hash: found.hash, supply: found.figures['the supply'] };
}
