import { askDevice, isStopped, type DeviceRequestKind } from '../device/device-request.ts';
import type { Eip1193 } from './discovery.ts';
import { EvmError, toEvmError } from './problem.ts';

export interface WalletCall {
  method: string;
  params?: unknown;
}

/** For what a wallet knows by itself, in milliseconds. */
const ownAnswerMs = 5_000;
/** For what it reads from its node. */
const nodeAnswerMs = 15_000;

/** Asks a wallet for what it knows by itself. Throws EvmError, 'silent' when no answer comes. */
export async function askWallet(provider: Eip1193, method: string, params?: unknown): Promise<unknown> {
  try {
    return await inTime(provider, params === undefined ? { method } : { method, params }, ownAnswerMs);
  } catch (error) {
    throw toEvmError(error);
  }
}

/** Asks a wallet for what a person decides in it. Throws EvmError, and an AbortError once they stopped waiting. */
export async function askPerson(
  wallet: { name: string; provider: Eip1193 },
  kind: Exclude<DeviceRequestKind, 'passkey'>,
  call: WalletCall,
  onLate?: (answer: unknown) => void,
): Promise<unknown> {
  const { name: device, provider } = wallet;
  try {
    return await askDevice({ kind, device, request: async () => provider.request(call), ...(onLate && { onLate }) });
  } catch (error) {
    throw isStopped(error) ? error : toEvmError(error);
  }
}

/** The same wallet as a way to read its chain. Throws what the wallet throws, and EvmError 'silent' when no answer comes. */
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
