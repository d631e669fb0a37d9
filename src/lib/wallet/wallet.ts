import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { readWalletRefusal } from '../device/refusal.ts';

/** Texts: `wallet.failed.<code>`. */
export type WalletProblem = 'noAccount' | 'notTaproot' | 'network' | 'rejected' | 'pending' | 'unsupported' | 'failed';

export class WalletError extends Error {
  override name = 'WalletError';
  readonly code: WalletProblem;
  constructor(code: WalletProblem, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** Current address, null for none, undefined if it must be read again. */
export type WalletChange = string | null | undefined;

/** Adapter of a browser wallet. Self-reported: the server verifies. */
export interface BitcoinWallet {
  readonly id: string;
  readonly name: string;
  /** data: or https: URL. */
  readonly icon?: string;
  /** Asks the person. A taproot address if there is one, null for none. */
  connect(): Promise<string | null>;
  /** Without a prompt. Undefined if this wallet cannot tell. */
  current(): Promise<WalletChange>;
  /** 'other': unsupported network. Null if it cannot tell. */
  network(): Promise<BitcoinNetwork | 'other' | null>;
  /** BIP-322 simple signature. */
  signMessage(address: string, message: string): Promise<string>;
  /** Returns an unsubscribe function. */
  onChange(listener: (address: WalletChange) => void): () => void;
  disconnect(): Promise<void>;
}

/** Untrusted object of an extension. */
export type WalletProvider = Readonly<Record<string, unknown>>;

export const isProvider = (value: unknown): value is WalletProvider =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;

/** Such as 'XverseProviders.BitcoinProvider'. */
export function readProvider(path: string): WalletProvider | null {
  let current: unknown = globalThis;
  for (const name of path.split('.')) {
    if (!isProvider(current)) return null;
    current = current[name];
  }
  return isProvider(current) ? current : null;
}

export const hasMethod = (provider: WalletProvider, method: string): boolean => typeof provider[method] === 'function';

/** Throws only WalletError. */
export async function callProvider(provider: WalletProvider, method: string, ...params: unknown[]): Promise<unknown> {
  const providerMethod = provider[method];
  if (typeof providerMethod !== 'function') throw new WalletError('unsupported');
  try {
    return await Reflect.apply(providerMethod, provider, params);
  } catch (error) {
    throw toWalletError(error);
  }
}

export function toWalletError(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  const refusal = readWalletRefusal(error);
  if (refusal === 'rejected' || refusal === 'pending' || refusal === 'unsupported') return new WalletError(refusal, error);
  // Bitcoin wallets share no error codes, so match the message.
  const { message } = isProvider(error) ? error : { message: error };
  const isRejected = refusal === null && typeof message === 'string' && /\b(reject|denied|declin|cancel)/i.test(message);
  return new WalletError(isRejected ? 'rejected' : 'failed', error);
}

/** Needs `on` and `removeListener`. Returns an unsubscribe function. */
export function onWalletChange(
  provider: WalletProvider,
  handlers: Readonly<Record<string, (payload: unknown) => void>>,
): () => void {
  const callListener = (method: string, name: string, handler: unknown) => {
    const listenerMethod = provider[method];
    if (typeof listenerMethod === 'function') Reflect.apply(listenerMethod, provider, [name, handler]);
  };
  for (const [name, handler] of Object.entries(handlers)) callListener('on', name, handler);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) callListener('removeListener', name, handler);
  };
}

export const firstAddress = (response: unknown): string | null => {
  const [firstAccount]: unknown[] = Array.isArray(response) ? response : [];
  return typeof firstAccount === 'string' && firstAccount !== '' ? firstAccount : null;
};

export function requireText(response: unknown): string {
  if (typeof response === 'string' && response !== '') return response;
  throw new WalletError('failed');
}
