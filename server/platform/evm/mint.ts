import {
  createPublicClient,
  encodeFunctionData,
  getAbiItem,
  http,
  keccak256,
  parseEventLogs,
  parseTransaction,
  recoverTransactionAddress,
  TransactionReceiptNotFoundError,
  type Address,
  type Hex,
  type TransactionSerializedEIP1559,
  type TypedDataDefinition,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { onChain } from './read.ts';

/** Signs for the account that may mint. The key is behind it and nowhere else. */
export interface Signer {
  readonly address: Address;
  sign(transaction: MintTransaction): Promise<Hex>;
}

/** Signs statements with the same key (EIP-712): no transaction can be made of one. */
export interface Attester {
  readonly address: Address;
  signTypedData(data: TypedDataDefinition): Promise<Hex>;
}

/** Wei for a unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface MintTransaction extends Fees {
  chainId: number;
  nonce: number;
  to: Address;
  data: Hex;
}

/** A signer out of a private key (0x and 64 hex digits). */
export function keySigner(key: Hex): Signer & Attester {
  const account = privateKeyToAccount(key);
  return {
    address: account.address,
    signTypedData: (data) => account.signTypedData(data),
    sign: (transaction) => account.signTransaction({ ...transaction, type: 'eip1559', gas: mintGas, value: 0n }),
  };
}

/** Whether bytes are just this transaction, signed by the address, whatever it offers: what a database says of it is not asked. */
export async function isSignedBy(raw: Hex, address: Address, { chainId, nonce, to, data }: Omit<MintTransaction, keyof Fees>) {
  try {
    const said = parseTransaction(raw);
    // Of nonce 0 nothing stands in the bytes.
    if (said.chainId !== chainId || (said.nonce ?? 0) !== nonce) return false;
    if (said.to?.toLowerCase() !== to.toLowerCase() || said.data !== data) return false;
    return (await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerializedEIP1559 })) === address;
  } catch {
    return false;
  }
}

/** Several times what the call needs: a token's transfer hook may not make it fail. */
const mintGas = 300_000n;

export interface Mined {
  success: boolean;
  blockNumber: bigint;
  blockHash: Hex;
  /** What the token says it minted in it. */
  minted: { depositHash: Hex; recipient: Address; amount: bigint }[];
}

/** All the mint pipeline knows of a chain. Every call may fail, be late, or be answered by a chain that has changed since. */
export interface MintChain {
  readonly chainId: number;
  readonly token: Address;
  readonly bridge: Address;
  readonly signer: Signer;
  fees(): Promise<Fees>;
  /** Wei minted for a deposit, 0n when none: now, or `depth` blocks ago. */
  minted(depositHash: Hex, depth?: bigint): Promise<bigint>;
  /** The transaction that minted for a deposit, whoever signed it; null where the node shows none. */
  mintOf(depositHash: Hex): Promise<(Mined & { hash: Hex }) | null>;
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
  bridge: Address;
  signer: Signer;
  /** The token is not older than this block. */
  startBlock?: bigint;
  /** Milliseconds for one call. */
  timeout?: number;
}

/** The chain behind an RPC URL. Every answer is bounded in time; nothing is tried twice here: who calls knows when to. */
export function evmChain({ url, chainId, ybtc, bridge, signer, startBlock = 0n, timeout = 5_000 }: EvmOptions): MintChain {
  const client = createPublicClient({ transport: http(url, { timeout, retryCount: 0 }) });
  const checked = onChain(client, chainId);
  const headOf = async () => (await checked()).getBlockNumber({ cacheTime: 0 });
  const minedOf = async (hash: Hex): Promise<Mined | null> => {
    const receipt = await (await checked()).getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (!receipt) return null;
    const { hash: blockHash } = await client.getBlock({ blockNumber: receipt.blockNumber });
    if (blockHash !== receipt.blockHash) return null; // of a block that is no longer in the chain
    const logs = parseEventLogs({ abi: ybtcAbi, eventName: 'DepositMinted', logs: receipt.logs });
    const minted = logs
      .filter(({ address }) => address.toLowerCase() === ybtc.toLowerCase())
      .map(({ args: { depositHash, to: recipient, amount } }) => ({ depositHash, recipient, amount }));
    return { success: receipt.status === 'success', blockNumber: receipt.blockNumber, blockHash, minted };
  };
  return {
    chainId,
    token: ybtc,
    bridge,
    signer,
    async fees() {
      const { baseFeePerGas } = await (await checked()).getBlock({ blockTag: 'latest' });
      const maxPriorityFeePerGas = await client.estimateMaxPriorityFeePerGas().catch(() => 1_000_000_000n);
      return { maxFeePerGas: (baseFeePerGas ?? 0n) * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas };
    },
    async minted(depositHash, depth = 0n) {
      const read = { address: ybtc, abi: ybtcAbi, functionName: 'mintedFor', args: [depositHash] } as const;
      if (depth === 0n) return (await checked()).readContract(read);
      const head = await headOf();
      return head < depth ? 0n : client.readContract({ ...read, blockNumber: head - depth });
    },
    async mintOf(depositHash) {
      const event = getAbiItem({ abi: ybtcAbi, name: 'DepositMinted' });
      const search = (fromBlock: bigint, toBlock: bigint) =>
        client.getLogs({ address: ybtc, event, args: { depositHash }, fromBlock, toBlock, strict: true });
      for (const { transactionHash: hash } of (await newestLogs(search, startBlock, await headOf())).toReversed()) {
        const mined = await minedOf(hash);
        if (mined?.success) return { hash, ...mined };
      }
      return null;
    },
    async nonce(depth = 0n) {
      const { address } = signer;
      if (depth === 0n) return (await checked()).getTransactionCount({ address, blockTag: 'latest' });
      const head = await headOf();
      return head < depth ? 0 : client.getTransactionCount({ address, blockNumber: head - depth });
    },
    async send(raw) {
      const serializedTransaction = raw as Hex;
      await (await checked()).sendRawTransaction({ serializedTransaction }).catch((error: unknown) => {
        if (!/already known|already imported|known transaction/i.test(String(error))) throw error;
      });
    },
    mined: minedOf,
    head: headOf,
    callData: ({ depositHash, recipient, amount }) => ({
      to: ybtc,
      data: encodeFunctionData({ abi: ybtcAbi, functionName: 'mint', args: [depositHash, recipient, amount] }),
    }),
  };
}

const span = 5_000n;
const mostSpans = 400;

/** Logs of all blocks where the node gives them at once; else, backwards, of the newest span of blocks that has any. */
async function newestLogs<L>(search: (from: bigint, to: bigint) => Promise<L[]>, from: bigint, head: bigint): Promise<L[]> {
  const all = await search(from, head).catch(() => null);
  if (all) return all;
  let to = head;
  for (let spans = 0; spans < mostSpans && to >= from; spans++) {
    const first = to - span + 1n > from ? to - span + 1n : from;
    const some = await search(first, to);
    if (some.length > 0) return some;
    to = first - 1n;
  }
  return [];
}

/** The hash a signed transaction has wherever it goes. */
export const hashOf = (raw: Hex): Hex => keccak256(raw);
