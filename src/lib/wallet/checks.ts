import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { WalletError, type BitcoinWallet } from './wallet.ts';

const prefixByNetwork: Readonly<Record<BitcoinNetwork, string>> = { mainnet: 'bc', testnet: 'tb', signet: 'tb', regtest: 'bcrt' };

/** Checks only the shape. The server verifies. */
export const hasTaprootShape = (address: string): boolean => /^(bc|tb|bcrt)1p[02-9ac-hj-np-z]{58}$/i.test(address);

/** Prevents a signature that the server would refuse. Throws WalletError. */
export async function checkAddress(wallet: BitcoinWallet, address: string | null, network: BitcoinNetwork): Promise<string> {
  if (address === null) throw new WalletError('noAccount');
  if (!hasTaprootShape(address)) throw new WalletError('notTaproot');
  const walletNetwork = await wallet.network();
  const isTaprootAddress = address.toLowerCase().startsWith(`${prefixByNetwork[network]}1p`);
  if (!isTaprootAddress || !isSameNetwork(walletNetwork, network)) throw new WalletError('network');
  return address.toLowerCase();
}

/** A wallet that cannot tell its network is judged by its address. */
export const isSameNetwork = (walletNetwork: Awaited<ReturnType<BitcoinWallet['network']>>, network: BitcoinNetwork): boolean =>
  walletNetwork === null || walletNetwork === network;
