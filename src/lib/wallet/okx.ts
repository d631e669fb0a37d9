import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import {
  callProvider,
  requireText,
  hasMethod,
  firstAddress,
  isProvider,
  onWalletChange,
  type BitcoinWallet,
  type WalletProvider,
} from './wallet.ts';

export const okxPaths: Readonly<Partial<Record<BitcoinNetwork, string>>> = {
  mainnet: 'okxwallet.bitcoin',
  testnet: 'okxwallet.bitcoinTestnet',
  signet: 'okxwallet.bitcoinSignet',
};

/** OKX has one provider per network. */
export const createOkxWallet = (provider: WalletProvider, network: BitcoinNetwork): BitcoinWallet => ({
  id: 'okx',
  name: 'OKX Wallet',
  connect: async () => readAddress(await callProvider(provider, 'connect')),
  // Versions before 2.77 lack the method.
  current: async () =>
    hasMethod(provider, 'getAccounts') ? firstAddress(await callProvider(provider, 'getAccounts')) : undefined,
  async network() {
    if (!hasMethod(provider, 'getNetwork')) return network;
    const networkResponse = await callProvider(provider, 'getNetwork');
    return networkResponse === 'livenet' ? 'mainnet' : networkResponse === network ? network : 'other';
  },
  signMessage: async (_, message) => requireText(await callProvider(provider, 'signMessage', message, 'bip322-simple')),
  onChange: (listener) =>
    onWalletChange(provider, {
      // Event names and payloads differ by version.
      accountsChanged: (accounts) => listener(Array.isArray(accounts) ? firstAddress(accounts) : readAddress(accounts)),
      accountChanged: (account) => listener(readAddress(account)),
      networkChanged: () => listener(undefined),
      disconnect: () => listener(null),
    }),
  async disconnect() {
    if (hasMethod(provider, 'disconnect')) await callProvider(provider, 'disconnect');
  },
});

const readAddress = (account: unknown): string | null => {
  const address = isProvider(account) ? account['address'] : null;
  return typeof address === 'string' && address !== '' ? address : null;
};
