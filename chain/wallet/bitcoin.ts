import type { BitcoinNetwork } from '../../api/access/wallet.ts';
import { connectedWallets, setConnected, formatWalletName } from './notice.ts';

const demoOwners = [
  { number: 1, zh: '托管操作员', en: 'custody operator' },
  { number: 2, zh: '未绑定', en: 'not bound' },
];

const network = (new URL(import.meta.url).searchParams.get('network') ?? 'mainnet') as BitcoinNetwork;

/** WBIP004. */
export function registerBitcoinProviders(): void {
  const registeredProviders: unknown = Reflect.get(window, 'btc_providers');
  const existingProviders: unknown[] = Array.isArray(registeredProviders) ? registeredProviders : [];
  const demoProviders = demoOwners.map(({ number, zh, en }) => {
    const id = `demoWallet${number}`;
    Reflect.set(window, id, createProvider(number, id));
    return { id, name: formatWalletName(zh, en) };
  });
  Reflect.set(window, 'btc_providers', [...existingProviders, ...demoProviders]);
}

function createProvider(number: number, id: string) {
  const loadWallet = async () => (await import('./keys.ts')).createDemoTaproot(number, network);
  const readConnectedAddresses = async () => {
    if (!connectedWallets.has(id)) return [];
    const { address, publicKey } = await loadWallet();
    return [{ address, publicKey: bytesToHex(publicKey), purpose: 'ordinals', addressType: 'p2tr' }];
  };
  const methodHandlers: Record<string, (params: { message: string }) => unknown> = {
    wallet_connect: async () => {
      setConnected(id, true);
      return { addresses: await readConnectedAddresses() };
    },
    wallet_getAccount: async () => ({ addresses: await readConnectedAddresses() }),
    wallet_getNetwork: () => ({ bitcoin: { name: network } }),
    wallet_disconnect: () => {
      setConnected(id, false);
      return null;
    },
    signMessage: async ({ message }) => ({ signature: (await loadWallet()).sign(message) }),
  };
  return {
    request: async (method: string, params: { message: string }): Promise<unknown> => {
      const methodHandler = methodHandlers[method];
      return methodHandler ? { result: await methodHandler(params) } : { error: { code: -32601, message: 'Method not found' } };
    },
  };
}

const bytesToHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
