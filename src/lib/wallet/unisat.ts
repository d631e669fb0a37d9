import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { ask, asText, can, firstAddress, isProvider, listen, type BitcoinWallet, type Provider } from './wallet.ts';

const chains: Readonly<Record<string, BitcoinNetwork>> = {
  BITCOIN_MAINNET: 'mainnet',
  BITCOIN_TESTNET: 'testnet',
  BITCOIN_TESTNET4: 'testnet',
  BITCOIN_SIGNET: 'signet',
};

/** Without the second argument UniSat signs with ECDSA. */
export const unisat = (provider: Provider): BitcoinWallet => ({
  id: 'unisat',
  name: 'UniSat',
  connect: async () => firstAddress(await ask(provider, 'requestAccounts')),
  current: async () => firstAddress(await ask(provider, 'getAccounts')),
  async network() {
    if (can(provider, 'getChain')) {
      const chain = await ask(provider, 'getChain');
      // Fractal addresses look like Bitcoin's, so read the chain's name.
      return (isProvider(chain) && typeof chain['enum'] === 'string' ? chains[chain['enum']] : undefined) ?? 'other';
    }
    if (!can(provider, 'getNetwork')) return null;
    const network = await ask(provider, 'getNetwork');
    return network === 'livenet' ? 'mainnet' : network === 'testnet' ? 'testnet' : 'other';
  },
  signMessage: async (_, message) => asText(await ask(provider, 'signMessage', message, 'bip322-simple')),
  onChange: (listener) =>
    listen(provider, {
      accountsChanged: (accounts) => listener(firstAddress(accounts)),
      chainChanged: () => listener(undefined),
      networkChanged: () => listener(undefined),
      disconnect: () => listener(null),
      close: () => listener(null),
    }),
  async disconnect() {
    if (can(provider, 'disconnect')) await ask(provider, 'disconnect');
  },
});
