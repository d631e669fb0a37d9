import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { refusalOf } from '../device/refusal.ts';

/** What went wrong between the panel and a wallet. Words: `wallet.failed.<code>`. */
export type WalletProblem = 'noAccount' | 'notTaproot' | 'network' | 'rejected' | 'pending' | 'unsupported' | 'failed';

export class WalletError extends Error {
  override name = 'WalletError';
  readonly code: WalletProblem;
  constructor(code: WalletProblem, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** The address the wallet has now, null for none; undefined where it must be asked again. */
export type WalletChange = string | null | undefined;

/** A Bitcoin wallet in the browser, whatever its own way of talking. What it says is believed by nobody: the server verifies. */
export interface BitcoinWallet {
  readonly id: string;
  readonly name: string;
  /** A picture as a data: or https: URL. */
  readonly icon?: string;
  /** Asks the person to connect; the address, taproot if the wallet has one. Null when there is none. */
  connect(): Promise<string | null>;
  /** The connected address, without asking the person; undefined when this wallet cannot say. */
  current(): Promise<WalletChange>;
  /** The network it is on: 'other' for one that is none of ours, null when it cannot say. */
  network(): Promise<BitcoinNetwork | 'other' | null>;
  /** BIP-322 simple signature of a message, as the wallet writes it. */
  signMessage(address: string, message: string): Promise<string>;
  /** Hears of another account, another network, or of being disconnected. Returns what stops it. */
  onChange(listener: (address: WalletChange) => void): () => void;
  disconnect(): Promise<void>;
}

// ── Talking to a provider ──────────────────────────────────────────────────

/** What an extension puts on the page: nothing is known of it before it is looked at. */
export type Provider = Readonly<Record<string, unknown>>;

export const isProvider = (value: unknown): value is Provider =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;

/** What stands at a path on the window ('XverseProviders.BitcoinProvider'), or null. */
export function providerAt(path: string): Provider | null {
  let at: unknown = globalThis;
  for (const name of path.split('.')) {
    if (!isProvider(at)) return null;
    at = at[name];
  }
  return isProvider(at) ? at : null;
}

export const can = (provider: Provider, method: string): boolean => typeof provider[method] === 'function';

/** Calls a provider's method. Throws WalletError, whatever the wallet throws. */
export async function ask(provider: Provider, method: string, ...given: unknown[]): Promise<unknown> {
  const call = provider[method];
  if (typeof call !== 'function') throw new WalletError('unsupported');
  try {
    return await Reflect.apply(call, provider, given);
  } catch (error) {
    throw toWalletError(error);
  }
}

/** A wallet's error as one of ours. */
export function toWalletError(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  const refusal = refusalOf(error);
  if (refusal === 'rejected' || refusal === 'pending' || refusal === 'unsupported') return new WalletError(refusal, error);
  // Bitcoin wallets have no codes in common: their words tell.
  const { message } = isProvider(error) ? error : { message: error };
  const isRejected = refusal === null && typeof message === 'string' && /\b(reject|denied|declin|cancel)/i.test(message);
  return new WalletError(isRejected ? 'rejected' : 'failed', error);
}

/** Subscribes to events of a provider that has `on` and `removeListener`. Returns what undoes it. */
export function listen(provider: Provider, handlers: Readonly<Record<string, (payload: unknown) => void>>): () => void {
  const call = (method: string, name: string, handler: unknown) => {
    const of = provider[method];
    if (typeof of === 'function') Reflect.apply(of, provider, [name, handler]);
  };
  for (const [name, handler] of Object.entries(handlers)) call('on', name, handler);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) call('removeListener', name, handler);
  };
}

/** The first address in what wallets answer: a list of addresses, or null. */
export const firstAddress = (answer: unknown): string | null => {
  const [first]: unknown[] = Array.isArray(answer) ? answer : [];
  return typeof first === 'string' && first !== '' ? first : null;
};

/** Text, or the wallet did not do what it was asked. */
export function asText(answer: unknown): string {
  if (typeof answer === 'string' && answer !== '') return answer;
  throw new WalletError('failed');
}
