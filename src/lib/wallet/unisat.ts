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

const networksByChain: Readonly<Record<string, BitcoinNetwork>> = {
  BITCOIN_MAINNET: 'mainnet',
  BITCOIN_TESTNET: 'testnet',
  BITCOIN_TESTNET4: 'testnet',
  BITCOIN_SIGNET: 'signet',
};

/** Without the second argument UniSat signs with ECDSA. */
export const createUnisatWallet = (provider: WalletProvider): BitcoinWallet => ({
  id: 'unisat',
  name: 'UniSat',
  connect: async () => firstAddress(await callProvider(provider, 'requestAccounts')),
  current: async () => firstAddress(await callProvider(provider, 'getAccounts')),
  async network() {
    if (hasMethod(provider, 'getChain')) {
      const chain = await callProvider(provider, 'getChain');
      // Fractal addresses look like Bitcoin's, so read the chain's name.
      return (isProvider(chain) && typeof chain['enum'] === 'string' ? networksByChain[chain['enum']] : undefined) ?? 'other';
    }
    if (!hasMethod(provider, 'getNetwork')) return null;
    const network = await callProvider(provider, 'getNetwork');
    return network === 'livenet' ? 'mainnet' : network === 'testnet' ? 'testnet' : 'other';
  },
  signMessage: async (_, message) => requireText(await callProvider(provider, 'signMessage', message, 'bip322-simple')),
  onChange: (listener) =>
    onWalletChange(provider, {
      accountsChanged: (accounts) => listener(firstAddress(accounts)),
      chainChanged: () => listener(undefined),
      networkChanged: () => listener(undefined),
      disconnect: () => listener(null),
      close: () => listener(null),
    }),
  async disconnect() {
    if (hasMethod(provider, 'disconnect')) await callProvider(provider, 'disconnect');
  },
});
