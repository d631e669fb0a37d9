import {
  createPublicClient,
  encodeFunctionData,
  http,
  keccak256,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  type Address,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { onChain } from './read.ts';

/** Signs for the account that may mint. The key is behind it and nowhere else. */
export interface Signer {
  readonly address: Address;
  sign(transaction: MintTransaction): Promise<Hex>;
}

export interface MintTransaction {
  chainId: number;
  nonce: number;
  to: Address;
  data: Hex;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** A signer out of a private key (0x and 64 hex digits). */
export function keySigner(key: Hex): Signer {
  const account = privateKeyToAccount(key);
  return {
    address: account.address,
    sign: (transaction) => account.signTransaction({ ...transaction, type: 'eip1559', gas: mintGas, value: 0n }),
  };
}

/** Several times what the call needs: a token's transfer hook may not make it fail. */
const mintGas = 300_000n;

export interface Mined {
  success: boolean;
  blockNumber: bigint;
  blockHash: Hex;
  /** What the token says it minted in it. */
  minted: { depositHash: Hex; recipient: Address; amount: bigint } | null;
}

/** All the mint pipeline knows of a chain. Every call may fail, be late, or be answered by a chain that has changed since. */
export interface MintChain {
  readonly chainId: number;
  readonly signer: Signer;
  fees(): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }>;
  /** Wei minted for a deposit; 0n when none. */
  minted(depositHash: Hex): Promise<bigint>;
  /** How many transactions of the signer are in blocks: now, or `depth` blocks ago. */
  nonce(depth?: bigint): Promise<number>;
  /** Hands a signed transaction over. Throws when the node does not take it; one that it has already is fine. */
  send(raw: Hex): Promise<void>;
  /** What became of a transaction, in the chain as it is now. */
  mined(hash: Hex): Promise<Mined | null>;
  head(): Promise<bigint>;
  callData(mint: { depositHash: Hex; recipient: Address; amount: bigint }): { to: Address; data: Hex };
}

export interface EvmOptions {
  url: string;
  chainId: number;
  ybtc: Address;
  signer: Signer;
  /** Milliseconds for one call. */
  timeout?: number;
}

/** The chain behind an RPC URL. Every answer is bounded in time; nothing is tried twice here: who calls knows when to. */
export function evmChain({ url, chainId, ybtc, signer, timeout = 5_000 }: EvmOptions): MintChain {
  const client = createPublicClient({ transport: http(url, { timeout, retryCount: 0 }) });
  const checked = onChain(client, chainId);
  return {
    chainId,
    signer,
    async fees() {
      const { baseFeePerGas } = await (await checked()).getBlock({ blockTag: 'latest' });
      const maxPriorityFeePerGas = await client.estimateMaxPriorityFeePerGas().catch(() => 1_000_000_000n);
      return { maxFeePerGas: (baseFeePerGas ?? 0n) * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas };
    },
    minted: async (depositHash) =>
      (await checked()).readContract({ address: ybtc, abi: ybtcAbi, functionName: 'mintedFor', args: [depositHash] }),
    async nonce(depth = 0n) {
      const { address } = signer;
      if (depth === 0n) return (await checked()).getTransactionCount({ address, blockTag: 'latest' });
      const head = await (await checked()).getBlockNumber({ cacheTime: 0 });
      return head < depth ? 0 : client.getTransactionCount({ address, blockNumber: head - depth });
    },
    async send(raw) {
      const serializedTransaction = raw as Hex;
      await (await checked()).sendRawTransaction({ serializedTransaction }).catch((error: unknown) => {
        if (!/already known|already imported|known transaction/i.test(String(error))) throw error;
      });
    },
    async mined(hash) {
      const receipt = await (await checked()).getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      });
      if (!receipt) return null;
      const { hash: blockHash } = await client.getBlock({ blockNumber: receipt.blockNumber });
      if (blockHash !== receipt.blockHash) return null; // of a block that is no longer in the chain
      const [log] = parseEventLogs({ abi: ybtcAbi, eventName: 'DepositMinted', logs: receipt.logs }).filter(
        ({ address }) => address.toLowerCase() === ybtc.toLowerCase(),
      );
      const minted = log ? { depositHash: log.args.depositHash, recipient: log.args.to, amount: log.args.amount } : null;
      return { success: receipt.status === 'success', blockNumber: receipt.blockNumber, blockHash: receipt.blockHash, minted };
    },
    head: async () => (await checked()).getBlockNumber({ cacheTime: 0 }),
    callData: ({ depositHash, recipient, amount }) => ({
      to: ybtc,
      data: encodeFunctionData({ abi: ybtcAbi, functionName: 'mint', args: [depositHash, recipient, amount] }),
    }),
  };
}

/** The hash a signed transaction has wherever it goes. */
export const hashOf = (raw: Hex): Hex => keccak256(raw);
