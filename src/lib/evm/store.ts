import { atom } from 'nanostores';

/** Self-reported: the chain and the server verify it. */
export interface ConnectedWallet {
  /** Self-attested reverse domain name. */
  id: string;
  name: string;
  /** EIP-55. */
  account: string;
  chainId: number;
}

/** Null while disconnected. Updated by lib/evm/wallet.ts. */
export const $evmWallet = atom<ConnectedWallet | null>(null);

/** Texts: `evm.step.<step>`. */
export type EvmStep = 'checking' | 'signing' | 'mining';
export const $evmStep = atom<EvmStep | null>(null);

export const evmKey = 'prefs.evm';
