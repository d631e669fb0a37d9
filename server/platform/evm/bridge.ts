import { integerOf } from '../../../api/integers.ts';
import { createPublicClient, http, TransactionReceiptNotFoundError, type Address, type Hex } from 'viem';
import { custodyBridgeAbi } from '../../../chain/abi/custody-bridge.ts';
import { onChain } from './read.ts';

/** What the bridge says of one refund. */
export interface Refund {
  srcHash: Hex;
  from: Address;
  /** Wei of YBTC. */
  amount: bigint;
  /** Unix seconds. */
  endAt: bigint;
  receiver: string;
  status: 'none' | 'requested' | 'confirmed' | 'done' | 'canceled';
}

export type BridgeEvent =
  | { name: 'requested'; nonce: number; hash: Hex; block: bigint; srcHash: Hex; from: Address; receiver: string; amount: bigint }
  | { name: 'confirmed'; nonce: number; hash: Hex; block: bigint };

export interface Head {
  number: bigint;
  hash: Hex;
  /** Unix seconds. */
  time: bigint;
}

/** All the watcher knows of the chain. Every call may fail, or be answered by a chain that has changed since. */
export interface BridgeChain {
  readonly chainId: number;
  readonly address: Address;
  head(): Promise<Head>;
  /** The block's hash; null when the chain is not that long. */
  hashAt(block: bigint): Promise<Hex | null>;
  /** Both ends included, in the chain's order. */
  events(from: bigint, to: bigint): Promise<BridgeEvent[]>;
  /** As of the newest block, or of `at`. */
  refund(nonce: number, at?: bigint): Promise<Refund>;
  /** How many refunds it has had: every nonce below is taken. */
  count(at?: bigint): Promise<bigint>;
  /** Whether a transaction is in a block, waits for one, or is not known (any more). */
  transaction(hash: Hex): Promise<{ state: 'mined'; block: bigint } | { state: 'waiting' | 'unknown' }>;
}

const statuses = ['none', 'requested', 'confirmed', 'done', 'canceled'] as const;

export interface BridgeOptions {
  url: string;
  chainId: number;
  address: Address;
  /** Milliseconds for one call. */
  timeout?: number;
}

/** Text that others wrote into a contract as PostgreSQL can keep it: it has no text with a zero in it. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');

/** The bridge behind an RPC URL. Nothing is tried twice here: the watcher comes by again. */
export function bridgeChain({ url, chainId, address, timeout = 5_000 }: BridgeOptions): BridgeChain {
  const client = createPublicClient({ transport: http(url, { timeout, retryCount: 0 }) });
  const checked = onChain(client, chainId);
  return {
    chainId,
    address,
    async head() {
      const { number, hash, timestamp } = await (await checked()).getBlock({ blockTag: 'latest' });
      return { number, hash, time: timestamp };
    },
    async hashAt(block) {
      const found = await (await checked()).getBlock({ blockNumber: block }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'BlockNotFoundError') return null;
        throw error;
      });
      return found?.hash ?? null;
    },
    async events(from, to) {
      const logs = await (
        await checked()
      ).getContractEvents({ address, abi: custodyBridgeAbi, fromBlock: from, toBlock: to, strict: true });
      return logs.flatMap((log): BridgeEvent[] => {
        const at = { hash: log.transactionHash, block: log.blockNumber };
        if (log.eventName === 'RefundConfirmed') return [{ name: 'confirmed', nonce: integerOf(log.args.nonce), ...at }];
        if (log.eventName !== 'RefundRequested') return [];
        const { nonce, srcHash, from: account, receiver, amount } = log.args;
        return [
          { name: 'requested', nonce: integerOf(nonce), srcHash, from: account, receiver: storable(receiver), amount, ...at },
        ];
      });
    },
    async refund(nonce, at) {
      const [srcHash, , from, amount, endAt, , receiver, status] = await (
        await checked()
      ).readContract({
        address,
        abi: custodyBridgeAbi,
        functionName: 'refundRequests',
        args: [BigInt(nonce)],
        ...(at !== undefined && { blockNumber: at }),
      });
      return { srcHash, from, amount, endAt, receiver: storable(receiver), status: statuses[status] ?? 'none' };
    },
    async count(at) {
      return (await checked()).readContract({
        address,
        abi: custodyBridgeAbi,
        functionName: 'nonce',
        ...(at !== undefined && { blockNumber: at }),
      });
    },
    async transaction(hash) {
      const found = await (await checked()).getTransaction({ hash }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'TransactionNotFoundError') return null;
        throw error;
      });
      if (!found) return { state: 'unknown' };
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      });
      return receipt ? { state: 'mined', block: receipt.blockNumber } : { state: 'waiting' };
    },
  };
}
