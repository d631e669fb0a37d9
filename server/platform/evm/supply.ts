import { keccak256, type Address, type PublicClient } from 'viem';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { readAgreed, type ChainNodes } from './read.ts';

/** Compared between nodes before every money decision. Wei. */
export async function readTokenFigures(client: PublicClient, token: Address, blockNumber: bigint) {
  const [code, supply] = await Promise.all([
    client.getCode({ address: token, blockNumber }),
    client.readContract({ address: token, abi: ybtcAbi, functionName: 'totalSupply', blockNumber }),
  ]);
  return { 'the contract code': keccak256(code ?? '0x'), 'the supply': supply };
}

/** Wei. Null: chain too short. Throws NodesDisagreeError. */
export async function readSettledSupply(nodes: ChainNodes, token: Address, depth: bigint) {
  const agreedFigures = await readAgreed(nodes, depth, (client, block) => readTokenFigures(client, token, block));
  return agreedFigures && { block: agreedFigures.block, hash: agreedFigures.hash, supply: agreedFigures.figures['the supply'] };
}
