import { requestDevice, isAbortError, type DeviceRequestKind } from '../device/device-request.ts';
import type { Eip1193 } from './discovery.ts';
import { EvmError, toEvmError } from './problem.ts';

export interface WalletCall {
  method: string;
  params?: unknown;
}

/** Milliseconds, for local wallet data. */
const walletTimeoutMs = 5_000;
const nodeTimeoutMs = 15_000;

/** Throws EvmError, 'silent' after the timeout. */
export async function requestWallet(provider: Eip1193, method: string, params?: unknown): Promise<unknown> {
  try {
    return await requestWithTimeout(provider, params === undefined ? { method } : { method, params }, walletTimeoutMs);
  } catch (error) {
    throw toEvmError(error);
  }
}

/** For requests that a person decides. Throws EvmError, or AbortError once they stop waiting. */
export async function requestWithNotice(
  wallet: { name: string; provider: Eip1193 },
  kind: Exclude<DeviceRequestKind, 'passkey'>,
  call: WalletCall,
  onLateResponse?: (response: unknown) => void,
): Promise<unknown> {
  const { name: deviceName, provider } = wallet;
  try {
    return await requestDevice({
      kind,
      device: deviceName,
      request: async () => provider.request(call),
      ...(onLateResponse && { onLate: onLateResponse }),
    });
  } catch (error) {
    throw isAbortError(error) ? error : toEvmError(error);
  }
}

/** Throws the wallet's error, or EvmError 'silent' after the timeout. */
export const withNodeTimeout = (provider: Eip1193): Eip1193 => ({
  request: (call) => requestWithTimeout(provider, call, nodeTimeoutMs),
});

async function requestWithTimeout(provider: Eip1193, call: WalletCall, timeoutMs: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeoutPromise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EvmError('silent')), timeoutMs);
  });
  try {
    return await Promise.race([provider.request(call), timeoutPromise]);
  } finally {
    clearTimeout(timer);
  }
}
