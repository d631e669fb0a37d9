import { Address } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../api/access/wallet.ts';
import { bitcoinParameters } from './bitcoin.ts';
import { parseTaprootAddress } from './taproot-address.ts';

const maxLength = 90;
const payableTypes = new Set(['pkh', 'sh', 'wpkh', 'wsh']);

/** Normalized: bech32 in lower case. Null for a wrong checksum, another network, or an output anyone can spend (anchor). */
export function parseBitcoinAddress(text: string, network: BitcoinNetwork): string | null {
  if (text.length > maxLength) return null;
  const taprootAddress = parseTaprootAddress(text, network);
  if (taprootAddress !== null) return taprootAddress;
  const { bech32: bech32Prefix } = bitcoinParameters[network];
  const isSegwit = text.toLowerCase().startsWith(`${bech32Prefix}1`);
  // BIP-173 forbids mixed case. The library accepts lower case only.
  if (isSegwit && text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const normalizedText = isSegwit ? text.toLowerCase() : text;
  try {
    return payableTypes.has(Address(bitcoinParameters[network]).decode(normalizedText).type) ? normalizedText : null;
  } catch {
    return null;
  }
}
