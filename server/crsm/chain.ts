import { integerOf } from '../../api/integers.ts';
import {
  BaseError,
  ContractFunctionExecutionError,
  HttpRequestError,
  getAddress,
  TimeoutError,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem';
import { ratioOf } from '../../api/crsm/values.ts';
import { crsmAbi } from '../../chain/abi/crsm.ts';
import { crsmFactoryAbi } from '../../chain/abi/crsm-factory.ts';
import { crsmUtilsAbi } from '../../chain/abi/crsm-utils.ts';
import { stabilityPoolAbi } from '../../chain/abi/stability-pool.ts';
import { troveManagerAbi } from '../../chain/abi/trove-manager.ts';
import { yuAbi } from '../../chain/abi/yu.ts';
import type { Head } from '../platform/evm/bridge.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { chainReader, inGroups, type ReadOptions } from '../platform/evm/read.ts';

/** An event as the chain has it: values as text, addresses in EIP-55 spelling. */
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

/** A transaction as a node has it. `mined` says in which block, and whether it went through. */
export interface FoundTransaction {
  from: Address;
  to: Address | null;
  data: Hex;
  value: bigint;
  chainId: number | undefined;
  mined: { block: bigint; blockHash: Hex; success: boolean } | null;
}

/** A deployment that has CRSMs. */
export type CrsmContracts = EvmConfig['contracts'] & { crsmFactory: Address; crsmUtils: Address };

/** What the index knows of the chain. Every call may fail, or be answered by a chain that has changed since. */
export interface CrsmChain {
  readonly chainId: number;
  readonly contracts: CrsmContracts;
  client(): Promise<PublicClient>;
  head(): Promise<Head>;
  /** Those of these blocks that the chain has. */
  blocks(numbers: readonly bigint[]): Promise<Map<bigint, Head>>;
  /** Of the factory, the trove manager and the stability pool; both ends included, in the chain's order. */
  protocolEvents(from: bigint, to: bigint): Promise<ChainLog[]>;
  cloneEvents(from: bigint, to: bigint, clones: readonly Address[]): Promise<ChainLog[]>;
  /** All there are, through the reader contract. One that cannot be read is left out. */
  crsms(block: bigint): Promise<CrsmReading[]>;
  /** Of the trove manager, in the asked order. */
  troves(ids: readonly bigint[], block: bigint): Promise<TroveReading[]>;
  /** What has been committed to, and from when on (unix seconds; 0n: nothing) it may be accepted. */
  pending(crsms: readonly Address[], block: bigint): Promise<{ value: bigint; deadline: bigint }[]>;
  /** Price and minimum ratio of the trove manager. */
  market(block: bigint): Promise<{ price: bigint; MCR: bigint }>;
  transaction(hash: Hex): Promise<FoundTransaction | null>;
}

/** Positions a call to the reader contract is asked for, and calls under way at a time. */
const page = 50;
const together = 4;
/** Addresses one request for events names. */
const addressesAsked = 500;

const event = <const Abi extends readonly { type: string; name?: string }[], Name extends string>(abi: Abi, name: Name) => {
  const found = abi.find((item) => item.type === 'event' && item.name === name);
  if (!found) throw new Error(`no event ${name}`);
  return found as Extract<Abi[number], { type: 'event'; name: Name }>;
};
const protocolAbi = [
  event(crsmFactoryAbi, 'NewCRSMDeployment'),
  event(crsmFactoryAbi, 'Deposited'),
  event(troveManagerAbi, 'Transfer'), // the factory's tokens have the same
  event(stabilityPoolAbi, 'YieldClaimed'),
  event(stabilityPoolAbi, 'CollateralGainWithdrawn'),
] as const;
const cloneAbi = crsmAbi.filter((item) => item.type === 'event');

/** Whether a node was reached and did not want to: another question may be answered. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const outside = error.walk((cause) => cause instanceof HttpRequestError);
  if (outside instanceof HttpRequestError) return outside.status !== undefined;
  return true; // an answer that says no, or one that took too long
}

/** The chain behind the configuration's RPC; null where it has no CRSMs. */
export function crsmChain(evm: EvmConfig, options: ReadOptions = {}): CrsmChain | null {
  const { crsmFactory, crsmUtils, ...others } = evm.contracts;
  if (!crsmFactory || !crsmUtils) return null;
  const contracts = { ...others, crsmFactory, crsmUtils };
  const reader = chainReader(evm, { timeout: 10_000, ...options });
  const symbols = new Map<Address, string>();

  const symbolOf = async (client: PublicClient, token: Address): Promise<string> => {
    const known = symbols.get(token);
    if (known !== undefined) return known;
    const asked = await client.readContract({ address: token, abi: yuAbi, functionName: 'symbol' }).catch((error: unknown) => {
      if (error instanceof ContractFunctionExecutionError && isRefused(error)) return ''; // a token without one
      throw error;
    });
    symbols.set(token, asked.slice(0, 20));
    return asked.slice(0, 20);
  };

  const minimumRatio = async (client: PublicClient, manager: Address, blockNumber: bigint): Promise<bigint> =>
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

  /** A page, in halves where the whole is too much; one that cannot be read alone is left out. */
  const readStates = async (client: PublicClient, start: bigint, end: bigint, block: bigint): Promise<States> => {
    try {
      return (await readPage(client, start, end, block)).states;
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (end - start <= 1n) {
        if (error instanceof BaseError && error.walk((cause) => cause instanceof TimeoutError)) throw error;
        return [];
      }
      const middle = (start + end) / 2n;
      return [...(await readStates(client, start, middle, block)), ...(await readStates(client, middle, end, block))];
    }
  };

  return {
    chainId: evm.chainId,
    contracts,
    client: reader.client,
    async head() {
      const { number, hash, timestamp } = await (await reader.client()).getBlock({ blockTag: 'latest' });
      return { number, hash, time: timestamp };
    },
    async blocks(numbers) {
      const client = await reader.client();
      const found = await inGroups([...new Set(numbers)], 400, async (blockNumber) =>
        client.getBlock({ blockNumber }).catch((error: unknown) => {
          if (error instanceof Error && error.name === 'BlockNotFoundError') return null;
          throw error;
        }),
      );
      return new Map(
        found.flatMap((block) =>
          block ? [[block.number, { number: block.number, hash: block.hash, time: block.timestamp }]] : [],
        ),
      );
    },
    async protocolEvents(fromBlock, toBlock) {
      const logs = await (
        await reader.client()
      ).getLogs({
        address: [crsmFactory, contracts.troveManager, contracts.stabilityPool],
        events: protocolAbi,
        fromBlock,
        toBlock,
        strict: true,
      });
      return logs.map((log) => plainLog(log));
    },
    async cloneEvents(fromBlock, toBlock, clones) {
      const client = await reader.client();
      const logs: ChainLog[] = [];
      for (let from = 0; from < clones.length; from += addressesAsked) {
        const address = clones.slice(from, from + addressesAsked);
        const some = await client.getLogs({ address, events: cloneAbi, fromBlock, toBlock, strict: true });
        for (const log of some) logs.push(plainLog(log));
      }
      return logs;
    },
    async crsms(block) {
      const client = await reader.client();
      const { total } = await readPage(client, 0n, 0n, block);
      const starts = Array.from({ length: Math.ceil(integerOf(total) / page) }, (_, index) => BigInt(index * page));
      const pages = await inGroups(starts, together, async (start) =>
        readStates(client, start, start + BigInt(page) < total ? start + BigInt(page) : total, block),
      );
      const states = pages.flat();
      const managers = [...new Set(states.map(({ crsmState }) => crsmState.troveManager))];
      const minimums = new Map(
        await inGroups(managers, 50, async (manager) => [manager, await minimumRatio(client, manager, block)] as const),
      );
      for (const token of new Set(states.flatMap(({ crsmState }) => crsmState.collateralTokens))) await symbolOf(client, token);
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
        MCR: minimums.get(crsmState.troveManager) ?? 0n,
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
    async troves(ids, blockNumber) {
      const client = await reader.client();
      const { price, MCR } = await this.market(blockNumber);
      return inGroups(ids, 400, async (id) => {
        const { coll, debt, interest } = await client.readContract({
          address: contracts.troveManager,
          abi: troveManagerAbi,
          functionName: 'getCurrentTrove',
          args: [id],
          blockNumber,
        });
        return { collateral: coll, debt, interest, price, MCR, icr: ratioOf(coll, debt + interest, price) };
      });
    },
    async pending(crsms, blockNumber) {
      const client = await reader.client();
      return inGroups(crsms, 200, async (address) => {
        const [value, deadline] = await Promise.all([
          client.readContract({ address, abi: crsmAbi, functionName: 'pendingDebtGasCompensation', blockNumber }),
          client.readContract({ address, abi: crsmAbi, functionName: 'deadline', blockNumber }),
        ]);
        return { value, deadline };
      });
    },
    async market(blockNumber) {
      const client = await reader.client();
      const manager = { address: contracts.troveManager, abi: troveManagerAbi, blockNumber } as const;
      const [price, MCR] = await Promise.all([
        client.readContract({ ...manager, functionName: 'fetchPrice' }),
        client.readContract({ ...manager, functionName: 'MCR' }),
      ]);
      return { price, MCR };
    },
    async transaction(hash) {
      const client = await reader.client();
      const found = await client.getTransaction({ hash }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'TransactionNotFoundError') return null;
        throw error;
      });
      if (!found) return null;
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return null;
        throw error;
      });
      return {
        from: getAddress(found.from),
        to: found.to && getAddress(found.to),
        data: found.input,
        value: found.value,
        chainId: found.chainId,
        mined: receipt && {
          block: receipt.blockNumber,
          blockHash: receipt.blockHash,
          success: receipt.status === 'success',
        },
      };
    },
  };
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

const plainLog = ({ address, eventName, args, transactionHash, logIndex, blockNumber, blockHash }: DecodedLog): ChainLog => ({
  contract: getAddress(address),
  name: eventName,
  args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)])),
  hash: transactionHash,
  logIndex,
  block: blockNumber,
  blockHash,
});
