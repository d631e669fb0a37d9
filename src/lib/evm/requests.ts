import { requestDevice, isAbortError, type DeviceRequestKind } from '../device/device-request.ts';
import type { Eip1193 } from './discovery.ts';
import { EvmError, toEvmError } from './problem.ts';

export interface WalletCall {
  method: string;
  params?: unknown;
}

/** Milliseconds, for local wallet data. */
const ownAnswerMs = 5_000;
const nodeAnswerMs = 15_000;

/** Throws EvmError, 'silent' after the timeout. */
export async function requestWallet(provider: Eip1193, method: string, params?: unknown): Promise<unknown> {
  try {
    return await inTime(provider, params === undefined ? { method } : { method, params }, ownAnswerMs);
  } catch (error) {
    throw toEvmError(error);
  }
}

/** For requests that a person decides. Throws EvmError, or AbortError once they stop waiting. */
export async function requestWithNotice(
  wallet: { name: string; provider: Eip1193 },
  kind: Exclude<DeviceRequestKind, 'passkey'>,
  call: WalletCall,
  onLate?: (answer: unknown) => void,
): Promise<unknown> {
  const { name: device, provider } = wallet;
  try {
    return await requestDevice({ kind, device, request: async () => provider.request(call), ...(onLate && { onLate }) });
  } catch (error) {
    throw isAbortError(error) ? error : toEvmError(error);
  }
}

/** Throws the wallet's error, or EvmError 'silent' after the timeout. */
export const nodeOf = (provider: Eip1193): Eip1193 => ({ request: (call) => inTime(provider, call, nodeAnswerMs) });

async function inTime(provider: Eip1193, call: WalletCall, ms: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EvmError('silent')), ms);
  });
  try {
    return await Promise.race([provider.request(call), silence]);
  } finally {
    clearTimeout(timer);
  }
}
