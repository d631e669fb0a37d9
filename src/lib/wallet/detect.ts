import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { okx, okxPaths } from './okx.ts';
import { bitcoinWalletOf } from './request-wallet.ts';
import { unisat } from './unisat.ts';
import { hasMethod, isProvider, providerAt, type BitcoinWallet, type WalletProvider } from './wallet.ts';

/** Known wallets first, then announced ones. */
export function detectWallets(network: BitcoinNetwork): BitcoinWallet[] {
  const seen = new Set<WalletProvider>();
  const found: BitcoinWallet[] = [];
  const add = (provider: WalletProvider | null, make: (provider: WalletProvider) => BitcoinWallet) => {
    if (!provider || seen.has(provider)) return;
    seen.add(provider);
    found.push(make(provider));
  };
  // Forks also use `unisat`.
  add(providerAt('unisat_wallet') ?? providerAt('unisat'), unisat);
  const okxPath = okxPaths[network];
  if (okxPath !== undefined) add(providerAt(okxPath), (provider) => okx(provider, network));
  const xverse = { id: 'xverse', name: 'Xverse' };
  add(providerAt('XverseProviders.BitcoinProvider'), (provider) => bitcoinWalletOf(provider, xverse, network));
  for (const { id, name, icon } of announced()) {
    const provider = providerAt(id);
    if (provider && hasMethod(provider, 'request'))
      add(provider, () => bitcoinWalletOf(provider, { id: `announced ${id}`, name, ...(icon !== null && { icon }) }, network));
  }
  return found;
}

/** `window.btc_providers` (WBIP004). Any script can write there, so check the shape. */
function announced(): { id: string; name: string; icon: string | null }[] {
  const list: unknown = Reflect.get(globalThis, 'btc_providers');
  return (Array.isArray(list) ? list : []).slice(0, 20).flatMap((entry: unknown) => {
    const { id, name, icon } = isProvider(entry) ? entry : {};
    if (typeof id !== 'string' || !/^[\w$]+(\.[\w$]+){0,4}$/.test(id) || typeof name !== 'string' || name.trim() === '')
      return [];
    const isPicture = typeof icon === 'string' && icon.length < 200_000 && /^(data:image\/|https:\/\/)/.test(icon);
    return [{ id, name: name.trim().slice(0, 40), icon: isPicture ? icon : null }];
  });
}
