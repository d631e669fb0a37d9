import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { devnetContracts } from '../../chain/deploy.ts';
import type { TestChain } from '../../chain/test-chain.ts';

export async function readMintsOnChain({ client }: TestChain): Promise<{ hash: string; to: string; satoshi: bigint }[]> {
  const { ybtc: address } = devnetContracts;
  const events = await client.getContractEvents({ address, abi: ybtcAbi, eventName: 'DepositMinted', fromBlock: 0n });
  return events.map(({ args: { depositHash: hash = '0x', to = '0x', amount = 0n } }) => ({
    hash,
    to,
    satoshi: amount / 10_000_000_000n,
  }));
}
