import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hexToNumber, toHex } from 'viem';
import { devnetChainId, startAnvil } from './anvil.ts';
import { deployOnDevnet, devnetAccounts, devnetContracts, type Contracts } from './deploy.ts';

export interface Devnet {
  url: string;
  chainId: number;
  contracts: Contracts;
  /** Publicly known. */
  minterKey: `0x${string}`;
  stop(): Promise<void>;
}

/** Milliseconds since 1970. Mines a block; never goes back. */
export async function advanceChainTime(url: string, targetTime: number): Promise<void> {
  const requestRpc = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error) throw new Error(`devnet ${method} failed: ${error.message}`);
    return result;
  };
  const { timestamp } = (await requestRpc('eth_getBlockByNumber', 'latest', false)) as { timestamp: `0x${string}` };
  const secondsToAdd = Math.floor(targetTime / 1000) - hexToNumber(timestamp);
  if (secondsToAdd <= 0) return;
  await requestRpc('evm_increaseTime', toHex(secondsToAdd));
  await requestRpc('evm_mine');
}

/** Kept in `dataDir`; `blockTime` in seconds. Throws AnvilMissingError. */
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
