import { Address } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { bitcoinParameters } from '../../../chain/bitcoin.ts';
import { parseTaprootAddress } from './taproot.ts';

const longest = 90;
const paysTo = new Set(['pkh', 'sh', 'wpkh', 'wsh']);

/**
 * An address of the network that somebody holds keys for, in its one spelling (bech32 in lower case, base58 as it is);
 * null for everything else, such as a wrong checksum, another network or an anchor that anyone may spend.
 */
export function parseBitcoinAddress(text: string, network: BitcoinNetwork): string | null {
  if (text.length > longest) return null;
  const taproot = parseTaprootAddress(text, network);
  if (taproot !== null) return taproot;
  const { bech32 } = bitcoinParameters[network];
  const isSegwit = text.toLowerCase().startsWith(`${bech32}1`);
  // BIP-173: all of one case, never mixed. The library takes lower case only.
  if (isSegwit && text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const spelled = isSegwit ? text.toLowerCase() : text;
  try {
    return paysTo.has(Address(bitcoinParameters[network]).decode(spelled).type) ? spelled : null;
  } catch {
    return null;
  }
}
