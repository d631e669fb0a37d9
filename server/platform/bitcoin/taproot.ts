import { schnorr } from '@noble/curves/secp256k1.js';
import { Address } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { bitcoinParameters } from '../../../chain/bitcoin.ts';

// bech32m of a 32-byte program: prefix, '1', and 59 characters.
const longest = 64;

/** The address in its one spelling (BIP-350, lower case), or null when it is no taproot address of the network. */
export function parseTaprootAddress(text: string, network: BitcoinNetwork): string | null {
  if (taprootKey(text, network) === null) return null;
  return text.toLowerCase();
}

/** The x-only output key an address pays to, or null as above. A key that is not on the curve is nobody's. */
export function taprootKey(text: string, network: BitcoinNetwork): Uint8Array | null {
  // BIP-173: all of one case, never mixed. The library takes lower case only.
  if (text.length > longest || !/^([\da-z]+|[\dA-Z]+)$/.test(text)) return null;
  try {
    const decoded = Address(bitcoinParameters[network]).decode(text.toLowerCase());
    if (decoded.type !== 'tr') return null;
    schnorr.utils.lift_x(BigInt(`0x${Buffer.from(decoded.pubkey).toString('hex')}`));
    return decoded.pubkey;
  } catch {
    return null;
  }
}
