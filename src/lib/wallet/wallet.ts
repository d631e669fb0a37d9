import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { walletRefusalOf } from '../device/refusal.ts';

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
export function providerAt(path: string): WalletProvider | null {
  let at: unknown = globalThis;
  for (const name of path.split('.')) {
    if (!isProvider(at)) return null;
    at = at[name];
  }
  return isProvider(at) ? at : null;
}

export const hasMethod = (provider: WalletProvider, method: string): boolean => typeof provider[method] === 'function';

/** Throws only WalletError. */
export async function callProvider(provider: WalletProvider, method: string, ...params: unknown[]): Promise<unknown> {
  const call = provider[method];
  if (typeof call !== 'function') throw new WalletError('unsupported');
  try {
    return await Reflect.apply(call, provider, params);
  } catch (error) {
    throw toWalletError(error);
  }
}

export function toWalletError(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  const refusal = walletRefusalOf(error);
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
  const call = (method: string, name: string, handler: unknown) => {
    const of = provider[method];
    if (typeof of === 'function') Reflect.apply(of, provider, [name, handler]);
  };
  for (const [name, handler] of Object.entries(handlers)) call('on', name, handler);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) call('removeListener', name, handler);
  };
}

export const firstAddress = (answer: unknown): string | null => {
  const [first]: unknown[] = Array.isArray(answer) ? answer : [];
  return typeof first === 'string' && first !== '' ? first : null;
};

export function requireText(answer: unknown): string {
  if (typeof answer === 'string' && answer !== '') return answer;
  throw new WalletError('failed');
}
