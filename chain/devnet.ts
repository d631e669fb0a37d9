import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { toHex } from 'viem';
import { devnetChainId, startAnvil } from './anvil.ts';
import { deployOnDevnet, devnetAccounts, devnetContracts, type Contracts } from './deploy.ts';

export interface Devnet {
  url: string;
  chainId: number;
  contracts: Contracts;
  /** Of the account that may mint: public knowledge, like all of the devnet's. */
  minterKey: `0x${string}`;
  stop(): Promise<void>;
}

/** A chain on this machine with the protocol on it, kept in `dataDir`; `blockTime` in seconds. Throws NoAnvil where there is no anvil. */
export async function startDevnet(dataDir: string, blockTime: number): Promise<Devnet> {
  mkdirSync(dataDir, { recursive: true });
  const { url, stop } = await startAnvil({ stateFile: join(dataDir, 'devnet.json'), blockTime });
  try {
    await deployOnDevnet(url);
  } catch (error) {
    await stop();
    throw error;
  }
  const key = devnetAccounts.minter.getHdKey().privateKey;
  if (!key) throw new Error('the devnet has no minter');
  return { url, chainId: devnetChainId, contracts: devnetContracts, minterKey: toHex(key), stop };
}
