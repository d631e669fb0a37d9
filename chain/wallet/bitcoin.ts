import type { BitcoinNetwork } from '../../api/access/wallet.ts';
import { connectedWallets, rememberConnected, walletName } from './notice.ts';

const owners = [
  { number: 1, zh: '托管操作员', en: 'custody operator' },
  { number: 2, zh: '未绑定', en: 'not bound' },
];

const network = (new URL(import.meta.url).searchParams.get('network') ?? 'mainnet') as BitcoinNetwork;

/** WBIP004. */
export function offerBitcoin(): void {
  const listed: unknown = Reflect.get(window, 'btc_providers');
  const known: unknown[] = Array.isArray(listed) ? listed : [];
  const own = owners.map(({ number, zh, en }) => {
    const id = `demoWallet${number}`;
    Reflect.set(window, id, providerOf(number, id));
    return { id, name: walletName(zh, en) };
  });
  Reflect.set(window, 'btc_providers', [...known, ...own]);
}

function providerOf(number: number, id: string) {
  const wallet = async () => (await import('./keys.ts')).demoTaproot(number, network);
  const shown = async () => {
    if (!connectedWallets.has(id)) return [];
    const { address, publicKey } = await wallet();
    return [{ address, publicKey: hexOf(publicKey), purpose: 'ordinals', addressType: 'p2tr' }];
  };
  const answers: Record<string, (params: { message: string }) => unknown> = {
    wallet_connect: async () => {
      rememberConnected(id, true);
      return { addresses: await shown() };
    },
    wallet_getAccount: async () => ({ addresses: await shown() }),
    wallet_getNetwork: () => ({ bitcoin: { name: network } }),
    wallet_disconnect: () => {
      rememberConnected(id, false);
      return null;
    },
    signMessage: async ({ message }) => ({ signature: (await wallet()).sign(message) }),
  };
  return {
    request: async (method: string, params: { message: string }): Promise<unknown> => {
      const answer = answers[method];
      return answer ? { result: await answer(params) } : { error: { code: -32601, message: 'Method not found' } };
    },
  };
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
