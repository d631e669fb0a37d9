import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { createOkxWallet, okxPaths } from './okx.ts';
import { createRequestWallet } from './request-wallet.ts';
import { createUnisatWallet } from './unisat.ts';
import { hasMethod, isProvider, readProvider, type BitcoinWallet, type WalletProvider } from './wallet.ts';

/** Known wallets first, then announced ones. */
export function detectWallets(network: BitcoinNetwork): BitcoinWallet[] {
  const seenProviders = new Set<WalletProvider>();
  const wallets: BitcoinWallet[] = [];
  const addWallet = (provider: WalletProvider | null, createWallet: (provider: WalletProvider) => BitcoinWallet) => {
    if (!provider || seenProviders.has(provider)) return;
    seenProviders.add(provider);
    wallets.push(createWallet(provider));
  };
  // Forks also use `unisat`.
  addWallet(readProvider('unisat_wallet') ?? readProvider('unisat'), createUnisatWallet);
  const okxPath = okxPaths[network];
  if (okxPath !== undefined) addWallet(readProvider(okxPath), (provider) => createOkxWallet(provider, network));
  const xverse = { id: 'xverse', name: 'Xverse' };
  addWallet(readProvider('XverseProviders.BitcoinProvider'), (provider) => createRequestWallet(provider, xverse, network));
  for (const { id, name, icon } of readAnnouncedWallets()) {
    const provider = readProvider(id);
    if (provider && hasMethod(provider, 'request'))
      addWallet(provider, () =>
        createRequestWallet(provider, { id: `announced ${id}`, name, ...(icon !== null && { icon }) }, network),
      );
  }
  return wallets;
}

/** `window.btc_providers` (WBIP004). Any script can write there, so check the shape. */
function readAnnouncedWallets(): { id: string; name: string; icon: string | null }[] {
  const list: unknown = Reflect.get(globalThis, 'btc_providers');
  return (Array.isArray(list) ? list : []).slice(0, 20).flatMap((entry: unknown) => {
    const { id, name, icon } = isProvider(entry) ? entry : {};
    if (typeof id !== 'string' || !/^[\w$]+(\.[\w$]+){0,4}$/.test(id) || typeof name !== 'string' || name.trim() === '')
      return [];
    const isPicture = typeof icon === 'string' && icon.length < 200_000 && /^(data:image\/|https:\/\/)/.test(icon);
    return [{ id, name: name.trim().slice(0, 40), icon: isPicture ? icon : null }];
  });
}
