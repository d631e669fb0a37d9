import type { PublicClient } from 'viem';
import { multiTroveGettersAbi } from '../../../chain/abi/multi-trove-getters.ts';
import { stabilityPoolAbi } from '../../../chain/abi/stability-pool.ts';
import { troveManagerAbi } from '../../../chain/abi/trove-manager.ts';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { yuAbi } from '../../../chain/abi/yu.ts';
import type { EvmConfig } from '../../platform/core/config.ts';
import { memoizePerServer, type Services } from '../../platform/services/context.ts';
import { createChainReader, type ChainReader } from '../../platform/evm/read.ts';
import { describeError } from '../../platform/core/log.ts';

interface TroveFigures {
  id: bigint;
  collateral: bigint;
  /** Includes interest up to the block. */
  debt: bigint;
  interest: bigint;
  icr: bigint;
  liquidationPrice: bigint;
}

/** At one block, wei of YBTC and YU. */
export interface InstitutionReading {
  block: bigint;
  at: Date;
  troves: TroveFigures[];
  price: bigint;
  minimumRatio: bigint;
  ybtcInWallet: bigint;
  yuInPool: bigint;
  yuInWallet: bigint;
  claimableYbtc: bigint;
  claimableYu: bigint;
}

export interface TotalReading {
  block: bigint;
  at: Date;
  collateral: bigint;
  debt: bigint;
  inPool: bigint;
}

export type ChainState = 'ok' | 'off' | 'unreachable';

interface CachedReadings {
  reader: ChainReader | null;
  /** The last reading of each address, for outages. */
  readings: Map<string, InstitutionReading>;
}

const maxCached = 5_000;
/** Concurrent addresses, seven calls each. */
const batchSize = 50;

const readingCaches = memoizePerServer(({ config, stopping }): CachedReadings => ({
  reader: config.evm && createChainReader(config.evm, { signal: stopping }),
  readings: new Map(),
}));

/** At one block. Falls back to earlier readings. */
export async function readAddresses(
  services: Services,
  addresses: readonly string[],
): Promise<{ state: ChainState; readings: ReadonlyMap<string, InstitutionReading>; whole: TotalReading | null }> {
  const { reader, readings: cachedReadings } = readingCaches(services);
  const { evm } = services.config;
  if (!reader || !evm) return { state: 'off', readings: new Map(), whole: null };
  try {
    const client = await reader.client();
    const block = await client.getBlockNumber();
    const readTime = new Date(services.now());
    const readings = new Map<string, InstitutionReading>();
    const totalReading = readTotal(client, evm, block, readTime);
    totalReading.catch(() => {});
    for (let from = 0; from < addresses.length; from += batchSize) {
      const addressBatch = addresses.slice(from, from + batchSize);
      const batchReadings = await Promise.all(
        addressBatch.map((address) => readAddress(client, evm, address as `0x${string}`, block, readTime)),
      );
      for (const [index, address] of addressBatch.entries())
        if (batchReadings[index]) readings.set(address, batchReadings[index]);
    }
    for (const [address, reading] of readings) {
      cachedReadings.delete(address);
      cachedReadings.set(address, reading);
    }
    for (const address of cachedReadings.size > maxCached
      ? [...cachedReadings.keys()].slice(0, cachedReadings.size - maxCached)
      : [])
      cachedReadings.delete(address);
    return { state: 'ok', readings, whole: await totalReading };
  } catch (error) {
    services.log.info({ err: describeError(error).message }, 'could not read institution figures from the chain');
    const knownReadings = addresses.flatMap((address) => {
      const reading = cachedReadings.get(address);
      return reading ? [[address, reading] as const] : [];
    });
    return { state: 'unreachable', readings: new Map(knownReadings), whole: null };
  }
}

async function readTotal(client: PublicClient, { contracts }: EvmConfig, block: bigint, readTime: Date): Promise<TotalReading> {
  const [[collateral, debt, interest], inPool] = await Promise.all([
    client.readContract({
      address: contracts.troveManager,
      abi: troveManagerAbi,
      functionName: 'getEntireSystemBalances',
      blockNumber: block,
    }),
    client.readContract({
      address: contracts.stabilityPool,
      abi: stabilityPoolAbi,
      functionName: 'getTotalDeposits',
      blockNumber: block,
    }),
  ]);
  return { block, at: readTime, collateral, debt: debt + interest, inPool };
}

async function readAddress(
  client: PublicClient,
  { contracts }: EvmConfig,
  address: `0x${string}`,
  block: bigint,
  readTime: Date,
): Promise<InstitutionReading> {
  const blockNumber = block;
  const pool = { address: contracts.stabilityPool, abi: stabilityPoolAbi, args: [address], blockNumber } as const;
  const gettersContract = { address: contracts.multiTroveGetters, abi: multiTroveGettersAbi, blockNumber } as const;
  const balance = { functionName: 'balanceOf', args: [address], blockNumber } as const;
  const [[params, states], ybtcInWallet, yuInWallet, yuInPool, claimableYu, [tokens, gainAmounts], collateralSurplus] =
    await Promise.all([
      client.readContract({ ...gettersContract, functionName: 'getTrovesByOwner', args: [contracts.troveManager, address] }),
      client.readContract({ address: contracts.ybtc, abi: ybtcAbi, ...balance }),
      client.readContract({ address: contracts.yu, abi: yuAbi, ...balance }),
      client.readContract({ ...pool, functionName: 'getCompoundedDebtDeposit' }),
      client.readContract({ ...pool, functionName: 'getYieldGains' }),
      client.readContract({ ...pool, functionName: 'getDepositorCollateralGain' }),
      client.readContract({
        address: contracts.troveManager,
        abi: troveManagerAbi,
        functionName: 'accountCollSurplus',
        args: [address],
        blockNumber,
      }),
    ]);
  const ybtcGains = tokens.reduce(
    (sum, token, index) => (token.toLowerCase() === contracts.ybtc.toLowerCase() ? sum + (gainAmounts[index] ?? 0n) : sum),
    0n,
  );
  return {
    block,
    at: readTime,
    troves: states.map(({ id, entireDebt, ICR, liquidationPrice, trove }) => ({
      id,
      collateral: trove.coll,
      debt: entireDebt,
      interest: trove.interest,
      icr: ICR,
      liquidationPrice,
    })),
    price: params.price,
    minimumRatio: params.MCR,
    ybtcInWallet,
    yuInWallet,
    yuInPool,
    claimableYu,
    claimableYbtc: ybtcGains + collateralSurplus,
  };
}
