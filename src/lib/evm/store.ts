import { atom } from 'nanostores';

/** The EVM wallet that is connected. What it says is believed by nobody: the chain and the server decide. */
export interface ConnectedWallet {
  /** Its reverse domain name, as it announces itself. */
  id: string;
  name: string;
  /** The account it acts with, EIP-55. */
  account: string;
  chainId: number;
}

/** Null while none is connected. lib/evm/wallet.ts keeps it true. */
export const $evmWallet = atom<ConnectedWallet | null>(null);

/** What a contract call waits for, while one is under way. Words: `evm.step.<step>`. */
export type EvmStep = 'checking' | 'signing' | 'mining';
export const $evmStep = atom<EvmStep | null>(null);

/** Which wallet to find again after a reload. */
export const evmKey = 'prefs.evm';
