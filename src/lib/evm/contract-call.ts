import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionData,
  numberToHex,
  type Abi,
  type Address,
  type Hex,
} from 'viem';
import { toChecksumAddress, computeGasLimit } from '../../../api/evm.ts';
import { t } from '../i18n/i18n.ts';
import { queryClient } from '../net/query.ts';
import { showToast } from '../ui/overlay/toasts-store.ts';
import type { AnnouncedWallet, Eip1193 } from './discovery.ts';
import { EvmError, toEvmError } from './problem.ts';
import { requestWithNotice, withNodeTimeout } from './requests.ts';
import { $evmStep } from './store.ts';
import { requireWallet } from './wallet.ts';

/** A call that the person's wallet signs. This file imports viem, so load it lazily. */
export interface ContractCall {
  chainId: number;
  from: Address;
  to: Address;
  contract: string;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
}

export interface SendResult {
  hash: `0x${string}`; // part of command results, so not viem's name
  isMined: boolean;
}

type OnHash = (hash: Hex) => Promise<unknown>;

const pollIntervalMs = 15 * 60_000;

/** Decoded from the bytes to be signed. */
export function decodeCall({ abi, functionName, args }: ContractCall): { name: string; args: { name: string; value: string }[] } {
  const decodedCall = decodeFunctionData({ abi, data: encodeFunctionData({ abi, functionName, args }) });
  const entry = abi.find((item) => item.type === 'function' && item.name === decodedCall.functionName);
  const inputs = entry?.type === 'function' ? entry.inputs : [];
  return {
    name: decodedCall.functionName,
    args: (decodedCall.args ?? []).map((value, index) => ({ name: inputs[index]?.name ?? String(index), value: String(value) })),
  };
}

export const encodeCallData = ({ abi, functionName, args }: ContractCall): Hex => encodeFunctionData({ abi, functionName, args });

/** The call as the server recorded it. */
export interface PreparedCall {
  readonly data: string;
  readonly to: string;
  readonly from: string;
  readonly chainId: number;
}

/** True if the page's call equals the server's. Never sign otherwise. */
export function isSameCall(prepared: PreparedCall, call: ContractCall): boolean {
  const isSameAddress = (a: string, b: string) => toChecksumAddress(a) === toChecksumAddress(b);
  return (
    prepared.data.toLowerCase() === encodeCallData(call) &&
    isSameAddress(prepared.to, call.to) &&
    isSameAddress(prepared.from, call.from) &&
    prepared.chainId === call.chainId
  );
}

/** Throws EvmError for a wrong chain or account, or with the contract's reason. */
export async function simulate(call: ContractCall): Promise<void> {
  const { provider } = await requireWallet(call.chainId, call.from);
  await simulateWithProvider(provider, call);
}

/** Reads through the wallet, because the page has no network access to a node. */
export async function readContract(call: ContractCall): Promise<unknown> {
  const { abi, functionName, args } = call;
  const { provider } = await requireWallet(call.chainId, call.from);
  return reader(provider)
    .readContract({ address: call.to, abi, functionName, args })
    .catch((error: unknown) => {
      throw toEvmError(error);
    });
}

/**
 * Checks chain, account and pending transactions, simulates, sends and waits. `onHash` gets the hash immediately, after a
 * speed-up, and if the person approves after they stopped waiting. After 15 minutes returns `isMined: false`, and the server's
 * watcher continues. Throws EvmError (after `onHash` only if canceled, replaced or reverted), or AbortError once the person stops
 * waiting.
 */
export async function sendAndWait(call: ContractCall, onHash: OnHash): Promise<SendResult> {
  try {
    $evmStep.set('checking');
    const wallet = await requireWallet(call.chainId, call.from);
    const { provider } = wallet;
    await rejectPendingTransaction(provider, call.from);
    await simulateWithProvider(provider, call);
    const gas = await estimateGas(provider, call);
    $evmStep.set('signing');
    const transactionHash = await sendTransaction(wallet, call, gas, onHash);
    $evmStep.set('mining');
    await onHash(transactionHash);
    return await followTransaction(provider, transactionHash, onHash);
  } finally {
    $evmStep.set(null);
  }
}

const reader = (provider: Eip1193) =>
  createPublicClient({ transport: custom(withNodeTimeout(provider), { retryCount: 1 }), pollingInterval: 1_000 });

/** A pending transaction may be this call, sent from another tab or before this one was closed. */
async function rejectPendingTransaction(provider: Eip1193, address: Address): Promise<void> {
  const readNonce = (blockTag: 'pending' | 'latest') => reader(provider).getTransactionCount({ address, blockTag });
  const [pendingNonce, latestNonce] = await Promise.all([readNonce('pending'), readNonce('latest')]).catch((error: unknown) => {
    throw toEvmError(error);
  });
  if (pendingNonce > latestNonce) throw new EvmError('inFlight');
}

async function simulateWithProvider(provider: Eip1193, { from, to, abi, functionName, args }: ContractCall): Promise<void> {
  try {
    // On `pendingNonce`, because a time lock may expire with the next block.
    await reader(provider).simulateContract({ account: from, address: to, abi, functionName, args, blockTag: 'pending' });
  } catch (error) {
    throw toContractError(error);
  }
}

/** On `pendingNonce`, with a margin for changes until it is mined. */
async function estimateGas(provider: Eip1193, call: ContractCall): Promise<bigint> {
  try {
    const callRequest = { account: call.from, to: call.to, data: encodeCallData(call), blockTag: 'pending' } as const;
    return computeGasLimit(await reader(provider).estimateGas(callRequest));
  } catch (error) {
    throw toContractError(error);
  }
}

function toContractError(error: unknown): EvmError {
  const revertError = error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : null;
  if (!(revertError instanceof ContractFunctionRevertedError)) return toEvmError(error);
  const { errorName, args = [] } = revertError.data ?? {};
  const reason = errorName ? `${errorName}(${args.map(String).join(', ')})` : (revertError.reason ?? revertError.shortMessage);
  return new EvmError('reverted', { reason: reason.slice(0, 200) }, error);
}

async function sendTransaction(wallet: AnnouncedWallet, call: ContractCall, gas: bigint, onHash: OnHash): Promise<Hex> {
  const { from, to, chainId } = call;
  // With chainId, a wallet that switched networks refuses instead of sending there.
  const params = [{ from, to, data: encodeCallData(call), gas: numberToHex(gas), chainId: numberToHex(chainId) }];
  const response = await requestWithNotice(wallet, 'send', { method: 'eth_sendTransaction', params }, (lateResponse) => {
    if (isHash(lateResponse)) void recordLateHash(wallet.provider, lateResponse, onHash);
  });
  if (!isHash(response)) throw new EvmError('failed');
  return response;
}

const isHash = (response: unknown): response is Hex => typeof response === 'string' && /^0x[0-9a-f]{64}$/i.test(response);

async function recordLateHash(provider: Eip1193, hash: Hex, onHash: OnHash): Promise<void> {
  showToast({ kind: 'error', text: t('device.lateSend', { hash }) });
  await onHash(hash).catch(() => {}); // the server's watcher finds it
  await queryClient.invalidateQueries();
  await followTransaction(provider, hash, onHash).catch(() => {});
  await queryClient.invalidateQueries();
}

async function followTransaction(provider: Eip1193, hash: Hex, onHash: OnHash): Promise<SendResult> {
  let replacementReason: 'cancelled' | 'replaced' | 'repriced' | null = null;
  const receipt = await reader(provider)
    .waitForTransactionReceipt({ hash, timeout: pollIntervalMs, onReplaced: ({ reason }) => (replacementReason = reason) })
    .catch(() => null);
  if (!receipt) return { hash, isMined: false }; // timeout, or the wallet disconnected
  if (replacementReason === 'cancelled') throw new EvmError('canceled');
  if (replacementReason === 'replaced') throw new EvmError('replaced');
  if (receipt.transactionHash !== hash) await onHash(receipt.transactionHash);
  if (receipt.status !== 'success') throw new EvmError('undone', { hash: receipt.transactionHash });
  return { hash: receipt.transactionHash, isMined: true };
}
