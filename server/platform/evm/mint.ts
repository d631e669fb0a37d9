import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import {
  encodeFunctionData,
  getAbiItem,
  hexToBytes,
  isAddress,
  keccak256,
  parseEventLogs,
  parseTransaction,
  recoverTransactionAddress,
  TransactionReceiptNotFoundError,
  type Address,
  type Hex,
  type PublicClient,
  type TransactionSerializedEIP1559,
  type TypedDataDefinition,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { createLogReader } from './logs.ts';
import { readAgreed, NodesDisagreeError, openNodes, type ChainBlock } from './read.ts';
import { classifyRpcError } from './rpc-problem.ts';
import { readTokenFigures } from './supply.ts';
import type { TransportOptions } from './transport.ts';

/** The only holder of the minter's key. */
export interface MintSigner {
  readonly address: Address;
  sign(transaction: MintTransaction): Promise<Hex>;
  /** Only this signer can then broadcast stored bytes. */
  seal(rawTransaction: Hex): string;
  /** Null if changed or encrypted by another key. */
  open(sealedTransaction: string): Hex | null;
}

/** EIP-712 statements can never be transactions. */
export interface Attester {
  readonly address: Address;
  signTypedData(data: TypedDataDefinition): Promise<Hex>;
}

/** Wei per gas. */
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

/** 0x and 64 hex digits. */
export function createKeySigner(key: Hex): MintSigner & Attester {
  const account = privateKeyToAccount(key);
  const { address } = account;
  const sealingKey = Buffer.from(hkdfSync('sha256', hexToBytes(key), 'admin-panel', 'stored mint transactions', 32));
  return {
    address,
    signTypedData: (data) => account.signTypedData(data),
    sign: (transaction) => account.signTransaction({ ...transaction, type: 'eip1559', gas: mintGas, value: 0n }),
    seal(rawTransaction) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(address));
      const sealedBytes = Buffer.concat([cipher.update(hexToBytes(rawTransaction)), cipher.final()]);
      return `${sealedPrefix}${address}:${Buffer.concat([iv, cipher.getAuthTag(), sealedBytes]).toString('base64url')}`;
    },
    open(sealedTransaction) {
      if (!sealedTransaction.startsWith(sealedPrefix))
        return /^0x[0-9a-f]+$/.test(sealedTransaction) ? (sealedTransaction as Hex) : null;
      const bytes = Buffer.from(sealedTransaction.split(':')[2] ?? '', 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', sealingKey, bytes.subarray(0, 12)).setAAD(Buffer.from(address));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return `0x${Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('hex')}`;
      } catch {
        return null;
      }
    },
  };
}

/** `<prefix><signer>:<nonce, tag and ciphertext>`. Older rows are plain. */
const sealedPrefix = 'sealed1:';

/** Encrypted or plain. Null for neither. */
export async function recoverSigner(sealedTransaction: string): Promise<Address | null> {
  if (sealedTransaction.startsWith(sealedPrefix)) {
    const address = sealedTransaction.split(':')[1] ?? '';
    return isAddress(address) ? address : null;
  }
  try {
    return await recoverTransactionAddress({ serializedTransaction: sealedTransaction as TransactionSerializedEIP1559 });
  } catch {
    return null;
  }
}

/** Decodes the bytes instead of trusting the database. Ignores fees. */
export async function isSignedBy(
  rawTransaction: Hex,
  address: Address,
  { chainId, nonce, to, data }: Omit<MintTransaction, keyof Fees>,
) {
  try {
    const transaction = parseTransaction(rawTransaction);
    // Nonce 0 is encoded as empty.
    if (transaction.chainId !== chainId || (transaction.nonce ?? 0) !== nonce) return false;
    if (transaction.to?.toLowerCase() !== to.toLowerCase() || transaction.data !== data) return false;
    return (
      (await recoverTransactionAddress({ serializedTransaction: rawTransaction as TransactionSerializedEIP1559 })) === address
    );
  } catch {
    return false;
  }
}

/** Several times the need: a token's hook must not make it fail. */
const mintGas = 300_000n;

export interface MintReceipt {
  success: boolean;
  blockNumber: bigint;
  blockHash: Hex;
  /** From the token's events. */
  minted: { depositHash: Hex; recipient: Address; amount: bigint }[];
}

/** Calls may race with a reorg. */
export interface MintChain {
  readonly chainId: number;
  readonly token: Address;
  readonly bridge: Address;
  readonly signer: MintSigner;
  fees(): Promise<Fees>;
  /** Wei, now or `minDepth` blocks ago. All nodes must agree, also on the token's code and supply. Throws NodesDisagreeError. */
  minted(depositHash: Hex, minDepth?: bigint): Promise<bigint>;
  /** By any signer. Throws NodesDisagreeError. */
  mintOf(depositHash: Hex): Promise<(MintReceipt & { hash: Hex }) | null>;
  /** Mined, now or `minDepth` blocks ago. Throws NodesDisagreeError. */
  nonce(minDepth?: bigint): Promise<number>;
  /** To every node. Throws if none accepts. "Already known" is success. */
  send(rawTransaction: Hex): Promise<void>;
  /** By the first node. */
  mined(hash: Hex): Promise<MintReceipt | null>;
  head(): Promise<bigint>;
  callData(mint: { depositHash: Hex; recipient: Address; amount: bigint }): { to: Address; data: Hex };
}

export interface EvmOptions extends ChainBlock, TransportOptions {
  ybtc: Address;
  bridge: Address;
  signer: MintSigner;
  startBlock?: bigint;
}

/** Milliseconds. The next search continues. */
const searchMs = 3_000;

export function createMintChain({ urls, chainId, ybtc, bridge, signer, startBlock = 0n, ...options }: EvmOptions): MintChain {
  const nodes = openNodes({ urls, chainId }, options);
  const [firstNode, ...otherNodes] = nodes;
  const mintLogReader = createLogReader(500_000n);
  const searchedUntil = new Map<Hex, bigint>();
  const readHeadNumber = async () => (await firstNode.client()).getBlockNumber();

  const readReceiptOn = async (client: PublicClient, hash: Hex): Promise<MintReceipt | null> => {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (!receipt) return null;
    const { hash: blockHash } = await client.getBlock({ blockNumber: receipt.blockNumber });
    if (blockHash !== receipt.blockHash) return null; // reorged out
    const events = parseEventLogs({ abi: ybtcAbi, eventName: 'DepositMinted', logs: receipt.logs });
    const minted = events
      .filter(({ address }) => address.toLowerCase() === ybtc.toLowerCase())
      .map(({ args: { depositHash, to: recipient, amount } }) => ({ depositHash, recipient, amount }));
    return { success: receipt.status === 'success', blockNumber: receipt.blockNumber, blockHash, minted };
  };
  const readReceipt = async (hash: Hex): Promise<MintReceipt | null> => readReceiptOn(await firstNode.client(), hash);

  async function requireSame(hash: Hex, expectedReceipt: MintReceipt): Promise<void> {
    for (const { name, client } of otherNodes) {
      const otherReceipt = await readReceiptOn(await client(), hash);
      if (otherReceipt === null || formatReceipt(otherReceipt) !== formatReceipt(expectedReceipt))
        throw new NodesDisagreeError(
          `${name} ${otherReceipt === null ? 'does not have' : 'has another outcome of'} transaction ${hash}`,
        );
    }
  }

  return {
    chainId,
    token: ybtc,
    bridge,
    signer,
    async fees() {
      const client = await firstNode.client();
      const { baseFeePerGas } = await client.getBlock({ blockTag: 'latest' });
      const maxPriorityFeePerGas = await client.estimateMaxPriorityFeePerGas().catch(() => 1_000_000_000n);
      return { maxFeePerGas: (baseFeePerGas ?? 0n) * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas };
    },
    async minted(depositHash, minDepth = 0n) {
      const agreedState = await readAgreed(nodes, minDepth, async (client, blockNumber) => {
        const mintedForCall = {
          address: ybtc,
          abi: ybtcAbi,
          functionName: 'mintedFor',
          args: [depositHash],
          blockNumber,
        } as const;
        const [token, amount] = await Promise.all([
          readTokenFigures(client, ybtc, blockNumber),
          client.readContract(mintedForCall),
        ]);
        return { ...token, 'the minted amount': amount };
      });
      return agreedState?.figures['the minted amount'] ?? 0n;
    },
    async mintOf(depositHash) {
      const client = await firstNode.client();
      const event = getAbiItem({ abi: ybtcAbi, name: 'DepositMinted' });
      const searchMints = (fromBlock: bigint, toBlock: bigint) =>
        client.getLogs({ address: ybtc, event, args: { depositHash }, fromBlock, toBlock, strict: true });
      const foundLogs = await mintLogReader.newest(
        searchMints,
        startBlock,
        searchedUntil.get(depositHash) ?? (await readHeadNumber()),
        searchMs,
      );
      if (foundLogs.unread === null) searchedUntil.delete(depositHash);
      else searchedUntil.set(depositHash, foundLogs.unread);
      for (const { transactionHash: hash } of foundLogs.logs.toReversed()) {
        const readReceiptResult = await readReceipt(hash);
        if (!readReceiptResult?.success) continue;
        await requireSame(hash, readReceiptResult);
        return { hash, ...readReceiptResult };
      }
      return null;
    },
    async nonce(minDepth = 0n) {
      const { address } = signer;
      const agreedFigures = await readAgreed(nodes, minDepth, async (client, blockNumber) => ({
        'the nonce of the minter': await client.getTransactionCount({ address, blockNumber }),
      }));
      return agreedFigures?.figures['the nonce of the minter'] ?? 0;
    },
    async send(rawTransaction) {
      const sendResults = await Promise.allSettled(
        nodes.map(async ({ client }) => {
          await (await client()).sendRawTransaction({ serializedTransaction: rawTransaction }).catch((error: unknown) => {
            if (classifyRpcError(error) !== 'alreadyKnown') throw error;
          });
        }),
      );
      if (sendResults.some(({ status }) => status === 'fulfilled')) return;
      const errors = sendResults.map((sendResult): unknown => (sendResult.status === 'rejected' ? sendResult.reason : null));
      throw errors.find((error) => classifyRpcError(error) === 'nonceTooLow') ?? errors[0];
    },
    mined: readReceipt,
    head: readHeadNumber,
    callData: ({ depositHash, recipient, amount }) => ({
      to: ybtc,
      data: encodeFunctionData({ abi: ybtcAbi, functionName: 'mint', args: [depositHash, recipient, amount] }),
    }),
  };
}

const formatReceipt = ({ success, blockNumber, blockHash, minted }: MintReceipt): string =>
  [
    success,
    blockNumber,
    blockHash,
    ...minted.flatMap(({ depositHash, recipient, amount }) => [depositHash, recipient, amount]),
  ].join();

export const hashTransaction = (rawTransaction: Hex): Hex => keccak256(rawTransaction);
