import { integerOf } from '../../../api/integers.ts';
import { getAddress, TransactionReceiptNotFoundError, type Address, type Hex, type PublicClient } from 'viem';
import { custodyBridgeAbi } from '../../../chain/abi/custody-bridge.ts';
import { logReader } from './logs.ts';
import { askEveryNode, NodesDisagree, openNodes, type ChainBlock } from './read.ts';
import type { TransportOptions } from './transport.ts';

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

export type ChainTransaction = ({ state: 'mined'; block: bigint } | { state: 'waiting' }) & {
  from: Address;
  to: Address | null;
  data: Hex;
};

export interface BlockHead {
  number: bigint;
  hash: Hex;
  /** Unix seconds. */
  time: bigint;
}

export interface BridgeChain {
  readonly chainId: number;
  readonly address: Address;
  head(): Promise<BlockHead>;
  /** Null if the chain is shorter. */
  hashAt(block: bigint): Promise<Hex | null>;
  /** Inclusive, in chain order. */
  events(from: bigint, to: bigint): Promise<BridgeEvent[]>;
  /** Newest block of one node, or block `at` of all. Throws NodesDisagree. */
  refund(nonce: number, at?: bigint): Promise<Refund>;
  /** All lower nonces are used. */
  count(at?: bigint): Promise<bigint>;
  transaction(hash: Hex): Promise<ChainTransaction | null>;
}

const statuses = ['none', 'requested', 'confirmed', 'done', 'canceled'] as const;

export interface BridgeOptions extends ChainBlock, TransportOptions {
  address: Address;
}

/** PostgreSQL cannot store NUL in text. */
const replaceNul = (text: string): string => text.replaceAll('\0', '\uFFFD');

export function bridgeChain({ urls, chainId, address, ...options }: BridgeOptions): BridgeChain {
  const nodes = openNodes({ urls, chainId }, options);
  const logs = logReader();
  const checked = nodes[0].client;
  const bridge = { address, abi: custodyBridgeAbi } as const;

  const refundOf = async (client: PublicClient, nonce: number, at?: bigint): Promise<Refund> => {
    const [srcHash, , from, amount, endAt, , receiver, status] = await client.readContract({
      ...bridge,
      functionName: 'refundRequests',
      args: [BigInt(nonce)],
      ...(at !== undefined && { blockNumber: at }),
    });
    return { srcHash, from, amount, endAt, receiver: replaceNul(receiver), status: statuses[status] ?? 'none' };
  };

  /** Nodes are compared on the same block. */
  const settledRefund = async (client: PublicClient, nonce: number, at: bigint) => {
    const [refund, { hash }] = await Promise.all([refundOf(client, nonce, at), client.getBlock({ blockNumber: at })]);
    return { refund, text: [hash, ...Object.values(refund).map(String)].join(' ') };
  };

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
      const client = await checked();
      const search = (fromBlock: bigint, toBlock: bigint) =>
        client.getContractEvents({ ...bridge, fromBlock, toBlock, strict: true });
      return (await logs.read(search, from, to)).flatMap((log): BridgeEvent[] => {
        const at = { hash: log.transactionHash, block: log.blockNumber };
        if (log.eventName === 'RefundConfirmed') return [{ name: 'confirmed', nonce: integerOf(log.args.nonce), ...at }];
        if (log.eventName !== 'RefundRequested') return [];
        const { nonce, srcHash, from: account, receiver, amount } = log.args;
        return [
          { name: 'requested', nonce: integerOf(nonce), srcHash, from: account, receiver: replaceNul(receiver), amount, ...at },
        ];
      });
    },
    async refund(nonce, at) {
      if (at === undefined) return refundOf(await checked(), nonce);
      const [one, ...others] = await askEveryNode(nodes, `refund ${nonce} at block ${at}`, (client) =>
        settledRefund(client, nonce, at),
      );
      const other = others.find(({ value }) => value.text !== one.value.text);
      if (other) throw new NodesDisagree(`${one.name} and ${other.name} differ on refund ${nonce} at block ${at}`);
      return one.value.refund;
    },
    async count(at) {
      const read = { ...bridge, functionName: 'nonce', ...(at !== undefined && { blockNumber: at }) } as const;
      const counts = await Promise.allSettled(nodes.map(async ({ client }) => (await client()).readContract(read)));
      const known = counts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const [failed] = counts.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
      if (known.length === 0) throw failed;
      return known.reduce((a, b) => (a > b ? a : b));
    },
    async transaction(hash) {
      const client = await checked();
      const found = await client.getTransaction({ hash }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'TransactionNotFoundError') return null;
        throw error;
      });
      if (!found) return null;
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      });
      const sent = { from: getAddress(found.from), to: found.to && getAddress(found.to), data: found.input };
      return receipt ? { state: 'mined', block: receipt.blockNumber, ...sent } : { state: 'waiting', ...sent };
    },
  };
}
