import { keccak256, type Address, type PublicClient } from 'viem';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { agreed, type ChainNodes } from './read.ts';

/** The token's code (its hash) and supply in wei, as every money decision compares them between nodes. */
export async function tokenFigures(client: PublicClient, token: Address, blockNumber: bigint) {
  const [code, supply] = await Promise.all([
    client.getCode({ address: token, blockNumber }),
    client.readContract({ address: token, abi: ybtcAbi, functionName: 'totalSupply', blockNumber }),
  ]);
  return { 'the contract code': keccak256(code ?? '0x'), 'the supply': supply };
}

/** YBTC in wei, minted less burned, at the newest block with `depth` others on it; null while the chain is too young. Throws NodesDisagree. */
export async function settledSupply(nodes: ChainNodes, token: Address, depth: bigint) {
  const found = await agreed(nodes, depth, (client, block) => tokenFigures(client, token, block));
  return found && { block: found.block, hash: found.hash, supply: found.figures['the supply'] };
}
