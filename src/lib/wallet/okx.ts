import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { ask, asText, can, firstAddress, isProvider, listen, type BitcoinWallet, type Provider } from './wallet.ts';

export const okxPaths: Readonly<Partial<Record<BitcoinNetwork, string>>> = {
  mainnet: 'okxwallet.bitcoin',
  testnet: 'okxwallet.bitcoinTestnet',
  signet: 'okxwallet.bitcoinSignet',
};

/** OKX has one provider per network. */
export const okx = (provider: Provider, network: BitcoinNetwork): BitcoinWallet => ({
  id: 'okx',
  name: 'OKX Wallet',
  connect: async () => addressIn(await ask(provider, 'connect')),
  // Versions before 2.77 lack the method.
  current: async () => (can(provider, 'getAccounts') ? firstAddress(await ask(provider, 'getAccounts')) : undefined),
  async network() {
    if (!can(provider, 'getNetwork')) return network;
    const said = await ask(provider, 'getNetwork');
    return said === 'livenet' ? 'mainnet' : said === network ? network : 'other';
  },
  signMessage: async (_, message) => asText(await ask(provider, 'signMessage', message, 'bip322-simple')),
  onChange: (listener) =>
    listen(provider, {
      // Event names and payloads differ by version.
      accountsChanged: (accounts) => listener(Array.isArray(accounts) ? firstAddress(accounts) : addressIn(accounts)),
      accountChanged: (account) => listener(addressIn(account)),
      networkChanged: () => listener(undefined),
      disconnect: () => listener(null),
    }),
  async disconnect() {
    if (can(provider, 'disconnect')) await ask(provider, 'disconnect');
  },
});

const addressIn = (account: unknown): string | null => {
  const address = isProvider(account) ? account['address'] : null;
  return typeof address === 'string' && address !== '' ? address : null;
};
