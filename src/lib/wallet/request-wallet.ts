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
const networks: Readonly<Record<string, BitcoinNetwork>> = {
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
export function bitcoinWalletOf(provider: WalletProvider, named: NamedNetwork, network: BitcoinNetwork): BitcoinWallet {
  // Leather names the key by type instead of address.
  let signsByKind = false;

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
    signsByKind = true;
    return request(provider, 'getAddresses', null);
  };

  return {
    ...named,
    connect: async () => taprootIn(await addresses()),
    async current() {
      try {
        return taprootIn(await request(provider, 'wallet_getAccount', null));
      } catch (error) {
        if (isUnsupported(error)) return undefined;
        throw error;
      }
    },
    async network() {
      try {
        const answer = await request(provider, 'wallet_getNetwork', null);
        const bitcoin = isProvider(answer) ? answer['bitcoin'] : null;
        const name = isProvider(bitcoin) ? bitcoin['name'] : null;
        return typeof name === 'string' ? (networks[name.toLowerCase()] ?? 'other') : null;
      } catch (error) {
        if (isUnsupported(error)) return null;
        throw error;
      }
    },
    async signMessage(address, message) {
      const kind = signsByKind ? { message, paymentType: 'p2tr' } : { address, message, protocol: 'BIP322' };
      const answer = await request(provider, 'signMessage', kind);
      return requireText(isProvider(answer) ? answer['signature'] : null);
    },
    onChange(listener) {
      if (!hasMethod(provider, 'addListener')) return () => {};
      const on = (eventName: string, emit: () => void) => {
        const add = provider['addListener'];
        const off: unknown = typeof add === 'function' ? Reflect.apply(add, provider, [{ eventName, cb: emit }]) : null;
        return typeof off === 'function' ? () => void Reflect.apply(off, null, []) : () => {};
      };
      const unsubscribers = [
        on('accountChange', () => listener(undefined)),
        on('networkChange', () => listener(undefined)),
        on('disconnect', () => listener(null)),
      ];
      return () => unsubscribers.forEach((stop) => stop());
    },
    disconnect: async () => {
      await request(provider, 'wallet_disconnect', null).catch(() => {});
    },
  };
}

/** Also unwraps results of the vendors' library. Throws WalletError. */
async function request(provider: WalletProvider, method: string, params: unknown): Promise<unknown> {
  const answer = await callProvider(provider, 'request', method, params);
  if (!isProvider(answer)) throw new WalletError('failed');
  if (isProvider(answer['error'])) throw ofAnswer(answer['error']);
  if (!('result' in answer)) throw new WalletError('failed');
  return answer['result'];
}

// Xverse's codes: -32000 rejected, -32001 not supported, -32002 no access.
function ofAnswer(error: WalletProvider): WalletError {
  if (error['code'] === -32000) return new WalletError('rejected', error);
  if (error['code'] === -32001) return new WalletError('unsupported', error);
  if (error['code'] === -32002) return new WalletError('failed', error);
  return toWalletError(error);
}

const isUnsupported = (error: unknown) => error instanceof WalletError && error.code === 'unsupported';

/** Falls back to another address, so that the error can name its type. */
function taprootIn(answer: unknown): string | null {
  const list: unknown = isProvider(answer) && !Array.isArray(answer) ? answer['addresses'] : answer;
  const accounts = (Array.isArray(list) ? list : [])
    .filter(isProvider)
    .filter(({ address }) => typeof address === 'string' && address);
  const taproot = accounts.find((one) => one['addressType'] === 'p2tr' || one['type'] === 'p2tr');
  const address = (taproot ?? accounts.find(({ purpose }) => purpose === 'ordinals') ?? accounts[0])?.['address'];
  return typeof address === 'string' ? address : null;
}
