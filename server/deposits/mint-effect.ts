import type { MintEffect } from '../../api/deposits/contract.ts';
import { weiOfSatoshi } from '../../api/money.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import type { Address } from 'viem';
import { memoizePerServer, type RequestContext } from '../platform/services/context.ts';
import { describeError } from '../platform/core/log.ts';
import { chainReader } from '../platform/evm/read.ts';
import type { Deposit } from './rows.ts';

const readerOf = memoizePerServer(({ config, stopping }) => config.evm && chainReader(config.evm, { signal: stopping }));

/** Wei on chain before the mint, null if the node does not respond. Null: no chain. */
export async function mintEffect(
  { services, log }: Pick<RequestContext, 'services' | 'log'>,
  { userAddress, amount }: Pick<Deposit, 'userAddress' | 'amount'>,
): Promise<MintEffect | null> {
  const { evm } = services.config;
  const reader = readerOf(services);
  if (!evm || !reader) return null;
  const effect = { chainId: evm.chainId, amount: weiOfSatoshi(amount).toString() };
  try {
    const client = await reader.client();
    const ybtc = { address: evm.contracts.ybtc, abi: ybtcAbi } as const;
    const [supply, balance] = await Promise.all([
      client.readContract({ ...ybtc, functionName: 'totalSupply' }),
      client.readContract({ ...ybtc, functionName: 'balanceOf', args: [userAddress as Address] }),
    ]);
    return { ...effect, supply: supply.toString(), balance: balance.toString() };
  } catch (error) {
    log.warn({ err: describeError(error) }, 'could not read the effect of a mint from the chain');
    return { ...effect, supply: null, balance: null };
  }
}
