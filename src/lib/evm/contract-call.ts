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
import { checksummed, gasAllowed } from '../../../api/evm.ts';
import { t } from '../i18n/i18n.ts';
import { queryClient } from '../net/query.ts';
import { showToast } from '../ui/overlay/toasts-store.ts';
import type { Announced, Eip1193 } from './discovery.ts';
import { EvmError, toEvmError } from './problem.ts';
import { askPerson, nodeOf } from './requests.ts';
import { $evmStep } from './store.ts';
import { readyWallet } from './wallet.ts';

/** One call of a contract, to be signed by the person's own wallet. This file brings viem: it comes when a call is made. */
export interface ContractCall {
  chainId: number;
  /** Whose wallet must sign. */
  from: Address;
  to: Address;
  /** What people call the contract. */
  contract: string;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
}

/** A call that was sent: the hash it goes by, and whether the chain has it. */
export interface Sent {
  hash: `0x${string}`; // not by viem's name: it stands in what commands answer
  isMined: boolean;
}

type OnHash = (hash: Hex) => Promise<unknown>;

const followMs = 15 * 60_000;

/** What the bytes to be signed say, read back from them: function, and each argument under its name. */
export function decoded({ abi, functionName, args }: ContractCall): { name: string; args: { name: string; value: string }[] } {
  const found = decodeFunctionData({ abi, data: encodeFunctionData({ abi, functionName, args }) });
  const entry = abi.find((item) => item.type === 'function' && item.name === found.functionName);
  const inputs = entry?.type === 'function' ? entry.inputs : [];
  return {
    name: found.functionName,
    args: (found.args ?? []).map((value, at) => ({ name: inputs[at]?.name ?? String(at), value: String(value) })),
  };
}

/** The bytes that are signed. */
export const dataOf = ({ abi, functionName, args }: ContractCall): Hex => encodeFunctionData({ abi, functionName, args });

/** What of a call the server has written down. */
export interface PreparedCall {
  readonly data: string;
  readonly to: string;
  readonly from: string;
  readonly chainId: number;
}

/** Whether the server and this page have made the same call of one wish: nothing is signed where they have not. */
export function isSameCall(prepared: PreparedCall, call: ContractCall): boolean {
  const same = (one: string, other: string) => checksummed(one) === checksummed(other);
  return (
    prepared.data.toLowerCase() === dataOf(call) &&
    same(prepared.to, call.to) &&
    same(prepared.from, call.from) &&
    prepared.chainId === call.chainId
  );
}

/** Runs it without sending: throws EvmError when chain or account are wrong, or with the contract's own reason. */
export async function simulate(call: ContractCall): Promise<void> {
  const { provider } = await readyWallet(call.chainId, call.from);
  await simulateOn(provider, call);
}

/** A view of a contract, read through the wallet: the page itself reaches no network. */
export async function readThrough(call: ContractCall): Promise<unknown> {
  const { abi, functionName, args } = call;
  const { provider } = await readyWallet(call.chainId, call.from);
  return reader(provider)
    .readContract({ address: call.to, abi, functionName, args })
    .catch((error: unknown) => {
      throw toEvmError(error);
    });
}

/**
 * Takes a call through: right chain → right account → nothing of the account under way → simulate → send → follow until it is
 * mined. `onHash` hears the transaction's hash at once, and again when the person speeds it up. Answers the hash it was mined
 * under; one of which nobody could say so within a quarter of an hour is answered as not mined: whoever watches the chain goes on.
 * Throws EvmError; after `onHash` only for what was canceled, replaced or refused by the chain. Throws an AbortError once the
 * person stopped waiting for the wallet: when they approve it there later, `onHash` hears of it all the same.
 */
export async function takeThrough(call: ContractCall, onHash: OnHash): Promise<Sent> {
  try {
    $evmStep.set('checking');
    const wallet = await readyWallet(call.chainId, call.from);
    const { provider } = wallet;
    await refuseInFlight(provider, call.from);
    await simulateOn(provider, call);
    const gas = await gasFor(provider, call);
    $evmStep.set('signing');
    const sent = await send(wallet, call, gas, onHash);
    $evmStep.set('mining');
    await onHash(sent);
    return await follow(provider, sent, onHash);
  } finally {
    $evmStep.set(null);
  }
}

const reader = (provider: Eip1193) =>
  createPublicClient({ transport: custom(nodeOf(provider), { retryCount: 1 }), pollingInterval: 1_000 });

/** Two tabs, or a tab that was closed after signing: what is on its way may be this very call. */
async function refuseInFlight(provider: Eip1193, address: Address): Promise<void> {
  const count = (blockTag: 'pending' | 'latest') => reader(provider).getTransactionCount({ address, blockTag });
  const [pending, latest] = await Promise.all([count('pending'), count('latest')]).catch((error: unknown) => {
    throw toEvmError(error);
  });
  if (pending > latest) throw new EvmError('inFlight');
}

async function simulateOn(provider: Eip1193, { from, to, abi, functionName, args }: ContractCall): Promise<void> {
  try {
    // As of the block that comes: what the newest one still forbids, it may allow.
    await reader(provider).simulateContract({ account: from, address: to, abi, functionName, args, blockTag: 'pending' });
  } catch (error) {
    throw reasonOf(error);
  }
}

/** What the call takes as of the block that comes, with room for what falls due until it is mined. */
async function gasFor(provider: Eip1193, call: ContractCall): Promise<bigint> {
  try {
    const asked = { account: call.from, to: call.to, data: dataOf(call), blockTag: 'pending' } as const;
    return gasAllowed(await reader(provider).estimateGas(asked));
  } catch (error) {
    throw reasonOf(error);
  }
}

/** The contract's own reason where it gave one. */
function reasonOf(error: unknown): EvmError {
  const reverted = error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : null;
  if (!(reverted instanceof ContractFunctionRevertedError)) return toEvmError(error);
  const { errorName, args = [] } = reverted.data ?? {};
  const reason = errorName ? `${errorName}(${args.map(String).join(', ')})` : (reverted.reason ?? reverted.shortMessage);
  return new EvmError('reverted', { reason: reason.slice(0, 200) }, error);
}

async function send(wallet: Announced, call: ContractCall, gas: bigint, onHash: OnHash): Promise<Hex> {
  const { from, to, chainId } = call;
  // A wallet whose network was switched in between refuses it, rather than to send it there.
  const params = [{ from, to, data: dataOf(call), gas: numberToHex(gas), chainId: numberToHex(chainId) }];
  const answer = await askPerson(wallet, 'send', { method: 'eth_sendTransaction', params }, (late) => {
    if (isHash(late)) void recordLate(wallet.provider, late, onHash);
  });
  if (!isHash(answer)) throw new EvmError('failed');
  return answer;
}

const isHash = (answer: unknown): answer is Hex => typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer);

/** Records a transaction that was approved in the wallet after the person had stopped waiting here. */
async function recordLate(provider: Eip1193, hash: Hex, onHash: OnHash): Promise<void> {
  showToast({ kind: 'error', text: t('device.lateSend', { hash }) });
  await onHash(hash).catch(() => {}); // whoever watches the chain finds it
  await queryClient.invalidateQueries();
  await follow(provider, hash, onHash).catch(() => {});
  await queryClient.invalidateQueries();
}

/** What becomes of a transaction, as `takeThrough` answers and throws it. */
async function follow(provider: Eip1193, hash: Hex, onHash: OnHash): Promise<Sent> {
  let instead: 'cancelled' | 'replaced' | 'repriced' | null = null;
  const receipt = await reader(provider)
    .waitForTransactionReceipt({ hash, timeout: followMs, onReplaced: ({ reason }) => (instead = reason) })
    .catch(() => null);
  if (!receipt) return { hash, isMined: false }; // nobody could say in time, or the wallet is gone
  if (instead === 'cancelled') throw new EvmError('canceled');
  if (instead === 'replaced') throw new EvmError('replaced');
  if (receipt.transactionHash !== hash) await onHash(receipt.transactionHash);
  if (receipt.status !== 'success') throw new EvmError('undone', { hash: receipt.transactionHash });
  return { hash: receipt.transactionHash, isMined: true };
}
