import { toSafeInteger } from '../../../api/integers.ts';
import { getAddress, TransactionReceiptNotFoundError, type Address, type Hex, type PublicClient } from 'viem';
import { custodyBridgeAbi } from '../../../chain/abi/custody-bridge.ts';
import { createLogReader } from './logs.ts';
import { askEveryNode, NodesDisagreeError, openNodes, type ChainBlock } from './read.ts';
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
  events(firstBlock: bigint, lastBlock: bigint): Promise<BridgeEvent[]>;
  /** Newest block of one node, or block `blockNumber` of all. Throws NodesDisagreeError. */
  refund(nonce: number, blockNumber?: bigint): Promise<Refund>;
  /** All lower nonces are used. */
  count(blockNumber?: bigint): Promise<bigint>;
  transaction(hash: Hex): Promise<ChainTransaction | null>;
}

const statuses = ['none', 'requested', 'confirmed', 'done', 'canceled'] as const;

export interface BridgeOptions extends ChainBlock, TransportOptions {
  address: Address;
}

/** PostgreSQL cannot store NUL in text. */
const replaceNul = (text: string): string => text.replaceAll('\0', '\uFFFD');

export function createBridgeChain({ urls, chainId, address, ...options }: BridgeOptions): BridgeChain {
  const nodes = openNodes({ urls, chainId }, options);
  const bridgeLogReader = createLogReader();
  const checkedClient = nodes[0].client;
  const bridgeCall = { address, abi: custodyBridgeAbi } as const;

  const readRefund = async (client: PublicClient, nonce: number, blockNumber?: bigint): Promise<Refund> => {
    const [srcHash, , requester, amount, refundableAt, , receiver, status] = await client.readContract({
      ...bridgeCall,
      functionName: 'refundRequests',
      args: [BigInt(nonce)],
      ...(blockNumber !== undefined && { blockNumber }),
    });
    return {
      srcHash,
      from: requester,
      amount,
      endAt: refundableAt,
      receiver: replaceNul(receiver),
      status: statuses[status] ?? 'none',
    };
  };

  /** Nodes are compared on the same block. */
  const readSettledRefund = async (client: PublicClient, nonce: number, blockNumber: bigint) => {
    const [refund, { hash }] = await Promise.all([readRefund(client, nonce, blockNumber), client.getBlock({ blockNumber })]);
    return { refund, text: [hash, ...Object.values(refund).map(String)].join(' ') };
  };

  return {
    chainId,
    address,
    async head() {
      const { number, hash, timestamp } = await (await checkedClient()).getBlock({ blockTag: 'latest' });
      return { number, hash, time: timestamp };
    },
    async hashAt(block) {
      const foundBlock = await (await checkedClient()).getBlock({ blockNumber: block }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'BlockNotFoundError') return null;
        throw error;
      });
      return foundBlock?.hash ?? null;
    },
    async events(firstBlock, lastBlock) {
      const client = await checkedClient();
      const searchEvents = (fromBlock: bigint, toBlock: bigint) =>
        client.getContractEvents({ ...bridgeCall, fromBlock, toBlock, strict: true });
      return (await bridgeLogReader.read(searchEvents, firstBlock, lastBlock)).flatMap((log): BridgeEvent[] => {
        const eventPosition = { hash: log.transactionHash, block: log.blockNumber };
        if (log.eventName === 'RefundConfirmed')
          return [{ name: 'confirmed', nonce: toSafeInteger(log.args.nonce), ...eventPosition }];
        if (log.eventName !== 'RefundRequested') return [];
        const { nonce, srcHash, from: account, receiver, amount } = log.args;
        return [
          {
            name: 'requested',
            nonce: toSafeInteger(nonce),
            srcHash,
            from: account,
            receiver: replaceNul(receiver),
            amount,
            ...eventPosition,
          },
        ];
      });
    },
    async refund(nonce, blockNumber) {
      if (blockNumber === undefined) return readRefund(await checkedClient(), nonce);
      const [firstNode, ...otherNodes] = await askEveryNode(nodes, `refund ${nonce} at block ${blockNumber}`, (client) =>
        readSettledRefund(client, nonce, blockNumber),
      );
      const differingNode = otherNodes.find(({ value }) => value.text !== firstNode.value.text);
      if (differingNode)
        throw new NodesDisagreeError(
          `${firstNode.name} and ${differingNode.name} differ on refund ${nonce} at block ${blockNumber}`,
        );
      return firstNode.value.refund;
    },
    async count(blockNumber) {
      const nonceCall = {
        ...bridgeCall,
        functionName: 'nonce',
        ...(blockNumber !== undefined && { blockNumber }),
      } as const;
      const nonceResults = await Promise.allSettled(nodes.map(async ({ client }) => (await client()).readContract(nonceCall)));
      const knownNonces = nonceResults.flatMap((nonceResult) => (nonceResult.status === 'fulfilled' ? [nonceResult.value] : []));
      const [failedReads] = nonceResults.flatMap((nonceResult): unknown[] =>
        nonceResult.status === 'rejected' ? [nonceResult.reason] : [],
      );
      if (knownNonces.length === 0) throw failedReads;
      return knownNonces.reduce((a, b) => (a > b ? a : b));
    },
    async transaction(hash) {
      const client = await checkedClient();
      const foundTransaction = await client.getTransaction({ hash }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'TransactionNotFoundError') return null;
        throw error;
      });
      if (!foundTransaction) return null;
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      });
      const sentTransaction = {
        from: getAddress(foundTransaction.from),
        to: foundTransaction.to && getAddress(foundTransaction.to),
        data: foundTransaction.input,
      };
      return receipt
        ? { state: 'mined', block: receipt.blockNumber, ...sentTransaction }
        : { state: 'waiting', ...sentTransaction };
    },
  };
}
