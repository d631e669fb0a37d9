import { schnorr } from '@noble/curves/secp256k1.js';
import { Address } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../api/access/wallet.ts';
import { bitcoinParameters } from './bitcoin.ts';

// bech32m of 32 bytes: prefix, '1', and 59 characters.
const maxLength = 64;

/** Lower case (BIP-350). Null if it is not a taproot address of the network. */
export function parseTaprootAddress(text: string, network: BitcoinNetwork): string | null {
  if (parseTaprootKey(text, network) === null) return null;
  return text.toLowerCase();
}

/** x-only output key. Null also for a key that is not on the curve. */
export function parseTaprootKey(text: string, network: BitcoinNetwork): Uint8Array | null {
  // BIP-173 forbids mixed case. The library accepts lower case only.
  if (text.length > maxLength || !/^([\da-z]+|[\dA-Z]+)$/.test(text)) return null;
  try {
    const decoded = Address(bitcoinParameters[network]).decode(text.toLowerCase());
    if (decoded.type !== 'tr') return null;
    schnorr.utils.lift_x(BigInt(`0x${Buffer.from(decoded.pubkey).toString('hex')}`));
    return decoded.pubkey;
  } catch {
    return null;
  }
}
