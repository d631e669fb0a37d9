import type { MintEffect } from '../../api/deposits/contract.ts';
import { satoshiToWei } from '../../api/money.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import type { Address } from 'viem';
import { memoizePerServer, type RequestContext } from '../platform/services/context.ts';
import { describeError } from '../platform/core/log.ts';
import { createChainReader } from '../platform/evm/read.ts';
import type { Deposit } from './rows.ts';

const chainReaders = memoizePerServer(
  ({ config, stopping }) => config.evm && createChainReader(config.evm, { signal: stopping }),
);

/** Wei on chain before the mint, null if the node does not respond. Null: no chain. */
export async function readMintEffect(
  { services, log }: Pick<RequestContext, 'services' | 'log'>,
  { userAddress, amount }: Pick<Deposit, 'userAddress' | 'amount'>,
): Promise<MintEffect | null> {
  const { evm } = services.config;
  const reader = chainReaders(services);
  if (!evm || !reader) return null;
  const mintEffectFields = { chainId: evm.chainId, amount: satoshiToWei(amount).toString() };
  try {
    const client = await reader.client();
    const ybtc = { address: evm.contracts.ybtc, abi: ybtcAbi } as const;
    const [supply, balance] = await Promise.all([
      client.readContract({ ...ybtc, functionName: 'totalSupply' }),
      client.readContract({ ...ybtc, functionName: 'balanceOf', args: [userAddress as Address] }),
    ]);
    return { ...mintEffectFields, supply: supply.toString(), balance: balance.toString() };
  } catch (error) {
    log.warn({ err: describeError(error) }, 'could not read the effect of a mint from the chain');
    return { ...mintEffectFields, supply: null, balance: null };
  }
}
