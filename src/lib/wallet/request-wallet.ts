import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import {
  callProvider,
  requireText,
  hasMethod,
  isProvider,
  toWalletError,
  WalletError,
  type BitcoinWallet,
  type WalletProvider,
} from './wallet.ts';

const networkNames = { mainnet: 'Mainnet', testnet: 'Testnet', signet: 'Signet', regtest: 'Regtest' } as const;
const networksByName: Readonly<Record<string, BitcoinNetwork>> = {
  mainnet: 'mainnet',
  testnet: 'testnet',
  testnet4: 'testnet',
  signet: 'signet',
  regtest: 'regtest',
};

interface NamedNetwork {
  id: string;
  name: string;
  icon?: string;
}

/** Xverse and WBIP004 wallets: `request(method, params)` with JSON-RPC responses. The ordinals address is the taproot one. */
export function createRequestWallet(
  provider: WalletProvider,
  namedNetwork: NamedNetwork,
  network: BitcoinNetwork,
): BitcoinWallet {
  // Leather names the key by type instead of address.
  let usesPaymentType = false;

  const addresses = async (): Promise<unknown> => {
    const message = 'Admin Panel';
    try {
      return await request(provider, 'wallet_connect', { addresses: ['ordinals'], message, network: networkNames[network] });
    } catch (error) {
      if (!isUnsupported(error)) throw error;
    }
    try {
      return await request(provider, 'getAccounts', { purposes: ['ordinals'], message });
    } catch (error) {
      if (!isUnsupported(error)) throw error;
    }
    usesPaymentType = true;
    return request(provider, 'getAddresses', null);
  };

  return {
    ...namedNetwork,
    connect: async () => findTaprootAddress(await addresses()),
    async current() {
      try {
        return findTaprootAddress(await request(provider, 'wallet_getAccount', null));
      } catch (error) {
        if (isUnsupported(error)) return undefined;
        throw error;
      }
    },
    async network() {
      try {
        const response = await request(provider, 'wallet_getNetwork', null);
        const bitcoinInfo = isProvider(response) ? response['bitcoin'] : null;
        const name = isProvider(bitcoinInfo) ? bitcoinInfo['name'] : null;
        return typeof name === 'string' ? (networksByName[name.toLowerCase()] ?? 'other') : null;
      } catch (error) {
        if (isUnsupported(error)) return null;
        throw error;
      }
    },
    async signMessage(address, message) {
      const kind = usesPaymentType ? { message, paymentType: 'p2tr' } : { address, message, protocol: 'BIP322' };
      const response = await request(provider, 'signMessage', kind);
      return requireText(isProvider(response) ? response['signature'] : null);
    },
    onChange(listener) {
      if (!hasMethod(provider, 'addListener')) return () => {};
      const addProviderListener = (eventName: string, onEmit: () => void) => {
        const addListener = provider['addListener'];
        const removeListener: unknown =
          typeof addListener === 'function' ? Reflect.apply(addListener, provider, [{ eventName, cb: onEmit }]) : null;
        return typeof removeListener === 'function' ? () => void Reflect.apply(removeListener, null, []) : () => {};
      };
      const unsubscribers = [
        addProviderListener('accountChange', () => listener(undefined)),
        addProviderListener('networkChange', () => listener(undefined)),
        addProviderListener('disconnect', () => listener(null)),
      ];
      return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
    },
    disconnect: async () => {
      await request(provider, 'wallet_disconnect', null).catch(() => {});
    },
  };
}

/** Also unwraps results of the vendors' library. Throws WalletError. */
async function request(provider: WalletProvider, method: string, params: unknown): Promise<unknown> {
  const response = await callProvider(provider, 'request', method, params);
  if (!isProvider(response)) throw new WalletError('failed');
  if (isProvider(response['error'])) throw toRequestError(response['error']);
  if (!('result' in response)) throw new WalletError('failed');
  return response['result'];
}

// Xverse's codes: -32000 rejected, -32001 not supported, -32002 no access.
function toRequestError(error: WalletProvider): WalletError {
  if (error['code'] === -32000) return new WalletError('rejected', error);
  if (error['code'] === -32001) return new WalletError('unsupported', error);
  if (error['code'] === -32002) return new WalletError('failed', error);
  return toWalletError(error);
}

const isUnsupported = (error: unknown) => error instanceof WalletError && error.code === 'unsupported';

/** Falls back to another address, so that the error can name its type. */
function findTaprootAddress(response: unknown): string | null {
  const list: unknown = isProvider(response) && !Array.isArray(response) ? response['addresses'] : response;
  const accounts = (Array.isArray(list) ? list : [])
    .filter(isProvider)
    .filter(({ address }) => typeof address === 'string' && address);
  const taprootAccount = accounts.find((account) => account['addressType'] === 'p2tr' || account['type'] === 'p2tr');
  const address = (taprootAccount ?? accounts.find(({ purpose }) => purpose === 'ordinals') ?? accounts[0])?.['address'];
  return typeof address === 'string' ? address : null;
}
