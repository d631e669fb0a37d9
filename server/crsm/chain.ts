import { toSafeInteger } from '../../api/integers.ts';
import { getAddress, type Address, type Hex, type PublicClient } from 'viem';
import { ratioOf } from '../../api/crsm/values.ts';
import { crsmAbi } from '../../chain/abi/crsm.ts';
import { crsmFactoryAbi } from '../../chain/abi/crsm-factory.ts';
import { crsmUtilsAbi } from '../../chain/abi/crsm-utils.ts';
import { stabilityPoolAbi } from '../../chain/abi/stability-pool.ts';
import { troveManagerAbi } from '../../chain/abi/trove-manager.ts';
import { yuAbi } from '../../chain/abi/yu.ts';
import type { BlockHead } from '../platform/evm/bridge.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { createLogReader } from '../platform/evm/logs.ts';
import { createChainReader, mapInGroups } from '../platform/evm/read.ts';
import { isContractFault, classifyRpcError } from '../platform/evm/rpc-problem.ts';
import type { TransportOptions } from '../platform/evm/transport.ts';

/** Values as text, addresses in EIP-55. */
export interface ChainLog {
  contract: Address;
  name: string;
  args: Record<string, string>;
  hash: Hex;
  logIndex: number;
  block: bigint;
  blockHash: Hex;
}

export interface TroveReading {
  collateral: bigint;
  debt: bigint;
  interest: bigint;
  icr: bigint;
  price: bigint;
  MCR: bigint;
}

export interface CrsmReading extends TroveReading {
  crsm: Address;
  owner: Address;
  troveManager: Address;
  troveId: bigint;
  TRGCR: bigint;
  TARCR: bigint;
  MAX_TARCR: bigint;
  debtGasCompensation: bigint;
  deposits: bigint;
  yieldGains: bigint;
  debtTokenBalance: bigint;
  collateralGains: { token: Address; symbol: string; amount: bigint }[];
}

/** `mined`: block and success. */
export interface FoundTransaction {
  from: Address;
  to: Address | null;
  data: Hex;
  value: bigint;
  chainId: number | undefined;
  mined: { block: bigint; blockHash: Hex; success: boolean } | null;
}

export type CrsmContracts = EvmConfig['contracts'] & { crsmFactory: Address; crsmUtils: Address };

export interface MarketPrice {
  price: bigint;
  MCR: bigint;
}

/** The price feed fails, so nothing that depends on it can be read. */
export class PriceUnavailableError extends Error {
  override name = 'PriceUnknown';
}

/** Any call may fail, or see a chain that has changed since. */
export interface CrsmChain {
  readonly chainId: number;
  readonly contracts: CrsmContracts;
  client(): Promise<PublicClient>;
  head(): Promise<BlockHead>;
  blocks(blockNumbers: readonly bigint[]): Promise<Map<bigint, BlockHead>>;
  /** Inclusive, in chain order. */
  protocolEvents(from: bigint, to: bigint): Promise<ChainLog[]>;
  cloneEvents(from: bigint, to: bigint, clones: readonly Address[]): Promise<ChainLog[]>;
  /** Skips contracts that fail. A node error fails the call. */
  crsms(block: bigint): Promise<CrsmReading[]>;
  /** In the requested order. Null: the contract fails. */
  troves(ids: readonly bigint[], block: bigint, market: MarketPrice): Promise<(TroveReading | null)[]>;
  /** Committed value and earliest acceptance (Unix seconds, 0n: none). Null: the contract fails. */
  pending(crsms: readonly Address[], block: bigint): Promise<({ value: bigint; deadline: bigint } | null)[]>;
  /** Throws PriceUnavailableError. */
  market(block: bigint): Promise<MarketPrice>;
  transaction(hash: Hex): Promise<FoundTransaction | null>;
}

const maxPageSize = 50;
const maxConcurrency = 4;
const maxAddressesPerQuery = 500;

const findEvent = <const Abi extends readonly { type: string; name?: string }[], Name extends string>(abi: Abi, name: Name) => {
  const eventAbi = abi.find((item) => item.type === 'event' && item.name === name);
  if (!eventAbi) throw new Error(`no event ${name}`);
  return eventAbi as Extract<Abi[number], { type: 'event'; name: Name }>;
};
const protocolAbi = [
  findEvent(crsmFactoryAbi, 'NewCRSMDeployment'),
  findEvent(crsmFactoryAbi, 'Deposited'),
  findEvent(troveManagerAbi, 'Transfer'), // the factory's tokens have the same
  findEvent(stabilityPoolAbi, 'YieldClaimed'),
  findEvent(stabilityPoolAbi, 'CollateralGainWithdrawn'),
] as const;
const cloneAbi = crsmAbi.filter((item) => item.type === 'event');

/** Null: no CRSMs in this deployment. */
export function crsmChain(evmConfig: EvmConfig, options: TransportOptions = {}): CrsmChain | null {
  const { crsmFactory, crsmUtils, ...others } = evmConfig.contracts;
  if (!crsmFactory || !crsmUtils) return null;
  const contracts = { ...others, crsmFactory, crsmUtils };
  const reader = createChainReader(evmConfig, { timeoutMs: 10_000, ...options });
  const logs = createLogReader();
  const symbols = new Map<Address, string>();
  let page = maxPageSize;

  const readSymbol = async (client: PublicClient, token: Address): Promise<string> => {
    const cachedSymbol = symbols.get(token);
    if (cachedSymbol !== undefined) return cachedSymbol;
    const symbol = await client.readContract({ address: token, abi: yuAbi, functionName: 'symbol' }).catch((error: unknown) => {
      if (isContractFault(error)) return ''; // no symbol
      throw error;
    });
    symbols.set(token, symbol.slice(0, 20));
    return symbol.slice(0, 20);
  };

  const readMinimumRatio = async (client: PublicClient, manager: Address, blockNumber: bigint): Promise<bigint> =>
    client.readContract({ address: manager, abi: troveManagerAbi, functionName: 'MCR', blockNumber });

  type States = Awaited<ReturnType<typeof readPage>>['states'];
  const readPage = async (client: PublicClient, start: bigint, end: bigint, blockNumber: bigint) => {
    const { result } = await client.simulateContract({
      address: crsmUtils,
      abi: crsmUtilsAbi,
      functionName: 'getCRSM',
      args: [start, end],
      blockNumber,
    });
    return { states: result[0], total: result[1] };
  };

  /** Halves a page that fails or is too large. A single failing entry is left out. */
  const readStates = async (client: PublicClient, start: bigint, end: bigint, block: bigint): Promise<States> => {
    try {
      return (await readPage(client, start, end, block)).states;
    } catch (error) {
      const rpcProblem = classifyRpcError(error);
      if (rpcProblem === 'timeout') page = Math.max(1, Math.floor(page / 2)); // the next look asks for less
      const isCallFailure = rpcProblem === 'outOfGas' || rpcProblem === 'tooMuch' || isContractFault(error);
      if (!isCallFailure || (end - start <= 1n && rpcProblem === 'tooMuch')) throw error;
      if (end - start <= 1n) return [];
      const midpoint = (start + end) / 2n;
      return [...(await readStates(client, start, midpoint, block)), ...(await readStates(client, midpoint, end, block))];
    }
  };

  return {
    chainId: evmConfig.chainId,
    contracts,
    client: reader.client,
    async head() {
      const { number, hash, timestamp } = await (await reader.client()).getBlock({ blockTag: 'latest' });
      return { number, hash, time: timestamp };
    },
    async blocks(blockNumbers) {
      const client = await reader.client();
      const blockHeads = await mapInGroups([...new Set(blockNumbers)], 400, async (blockNumber) =>
        client.getBlock({ blockNumber }).catch((error: unknown) => {
          if (error instanceof Error && error.name === 'BlockNotFoundError') return null;
          throw error;
        }),
      );
      return new Map(
        blockHeads.flatMap((block) =>
          block ? [[block.number, { number: block.number, hash: block.hash, time: block.timestamp }]] : [],
        ),
      );
    },
    async protocolEvents(from, to) {
      const client = await reader.client();
      const address = [crsmFactory, contracts.troveManager, contracts.stabilityPool];
      const search = (fromBlock: bigint, toBlock: bigint) =>
        client.getLogs({ address, events: protocolAbi, fromBlock, toBlock, strict: true });
      return (await logs.read(search, from, to)).map((log) => toChainLog(log));
    },
    async cloneEvents(from, to, clones) {
      const client = await reader.client();
      const foundLogs: ChainLog[] = [];
      for (let offset = 0; offset < clones.length; offset += maxAddressesPerQuery) {
        const address = clones.slice(offset, offset + maxAddressesPerQuery);
        const search = (fromBlock: bigint, toBlock: bigint) =>
          client.getLogs({ address, events: cloneAbi, fromBlock, toBlock, strict: true });
        for (const log of await logs.read(search, from, to)) foundLogs.push(toChainLog(log));
      }
      return foundLogs;
    },
    async crsms(block) {
      const client = await reader.client();
      const { total } = await readPage(client, 0n, 0n, block);
      const pageSize = page;
      const pageStarts = Array.from({ length: Math.ceil(toSafeInteger(total) / pageSize) }, (_, index) =>
        BigInt(index * pageSize),
      );
      const pages = await mapInGroups(pageStarts, maxConcurrency, async (start) =>
        readStates(client, start, start + BigInt(pageSize) < total ? start + BigInt(pageSize) : total, block),
      );
      const states = pages.flat();
      const managers = [...new Set(states.map(({ crsmState }) => crsmState.troveManager))];
      const minimumRatios = new Map(
        await mapInGroups(managers, 50, async (manager) => [manager, await readMinimumRatio(client, manager, block)] as const),
      );
      for (const token of new Set(states.flatMap(({ crsmState }) => crsmState.collateralTokens))) await readSymbol(client, token);
      return states.map(({ crsm, price, ICR, crsmState, trove }) => ({
        crsm,
        owner: crsmState.owner,
        troveManager: crsmState.troveManager,
        troveId: crsmState.troveId,
        collateral: trove.coll,
        debt: trove.debt,
        interest: trove.interest,
        icr: ICR,
        price,
        MCR: minimumRatios.get(crsmState.troveManager) ?? 0n,
        TRGCR: crsmState.TRGCR,
        TARCR: crsmState.TARCR,
        MAX_TARCR: crsmState.MAX_TARCR,
        debtGasCompensation: crsmState.DEBT_GAS_COMPENSATION,
        deposits: crsmState.deposits,
        yieldGains: crsmState.yieldGains,
        debtTokenBalance: crsmState.debtTokenBalance,
        collateralGains: crsmState.collateralTokens.map((token, index) => ({
          token,
          symbol: symbols.get(token) ?? '',
          amount: crsmState.collateralGains[index] ?? 0n,
        })),
      }));
    },
    async troves(ids, blockNumber, { price, MCR }) {
      const client = await reader.client();
      return mapInGroups(ids, 400, async (id) =>
        nullOnContractError(async () => {
          const { coll, debt, interest } = await client.readContract({
            address: contracts.troveManager,
            abi: troveManagerAbi,
            functionName: 'getCurrentTrove',
            args: [id],
            blockNumber,
          });
          return { collateral: coll, debt, interest, price, MCR, icr: ratioOf(coll, debt + interest, price) };
        }),
      );
    },
    async pending(crsms, blockNumber) {
      const client = await reader.client();
      return mapInGroups(crsms, 200, async (address) =>
        nullOnContractError(async () => {
          const [value, deadline] = await Promise.all([
            client.readContract({ address, abi: crsmAbi, functionName: 'pendingDebtGasCompensation', blockNumber }),
            client.readContract({ address, abi: crsmAbi, functionName: 'deadline', blockNumber }),
          ]);
          return { value, deadline };
        }),
      );
    },
    async market(blockNumber) {
      const client = await reader.client();
      const manager = { address: contracts.troveManager, abi: troveManagerAbi, blockNumber } as const;
      const [price, MCR] = await Promise.all([
        client.readContract({ ...manager, functionName: 'fetchPrice' }).catch((error: unknown) => {
          throw isContractFault(error) ? new PriceUnavailableError(`the price feed fails at block ${blockNumber}`) : error;
        }),
        client.readContract({ ...manager, functionName: 'MCR' }),
      ]);
      return { price, MCR };
    },
    async transaction(hash) {
      const client = await reader.client();
      const transaction = await client.getTransaction({ hash }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'TransactionNotFoundError') return null;
        throw error;
      });
      if (!transaction) return null;
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return null;
        throw error;
      });
      return {
        from: getAddress(transaction.from),
        to: transaction.to && getAddress(transaction.to),
        data: transaction.input,
        value: transaction.value,
        chainId: transaction.chainId,
        mined: receipt && {
          block: receipt.blockNumber,
          blockHash: receipt.blockHash,
          success: receipt.status === 'success',
        },
      };
    },
  };
}

/** Null for a contract error. Node errors are thrown. */
export async function nullOnContractError<T>(readContract: () => Promise<T>): Promise<T | null> {
  try {
    return await readContract();
  } catch (error) {
    if (isContractFault(error)) return null;
    throw error;
  }
}

interface DecodedLog {
  address: Address;
  eventName: string;
  args: object;
  transactionHash: Hex;
  logIndex: number;
  blockNumber: bigint;
  blockHash: Hex;
}

const toChainLog = ({ address, eventName, args, transactionHash, logIndex, blockNumber, blockHash }: DecodedLog): ChainLog => ({
  contract: getAddress(address),
  name: eventName,
  args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)])),
  hash: transactionHash,
  logIndex,
  block: blockNumber,
  blockHash,
});
