import { schnorr } from '@noble/curves/secp256k1.js';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { messageSighash } from '../../../chain/bitcoin.ts';
import { taprootKey } from './taproot.ts';

/** What a wallet answers is 88 characters long, or 92; three more with its prefix. */
const longest = 200;

// Text that has no bytes of its own in UTF-8.
const halfAPair = /[\uD800-\uDFFF]/u;

const sighashDefault = 0x00;
const sighashAll = 0x01;

/** A message that an address is said to have signed. */
export interface Signed {
  address: string;
  message: string;
  /** Base64 of the witness, with or without the prefix `smp`. */
  signature: string;
}

/**
 * Whether it is a BIP-322 simple signature of the message by a taproot address of the network, by its key path.
 * Everything else is false: other formats and prefixes (full, proof of funds, BIP-137), other addresses, other encodings of
 * the same bytes. Takes some milliseconds of the processor; never throws.
 */
export function isSignedByTaproot({ address, message, signature }: Signed, network: BitcoinNetwork): boolean {
  try {
    const key = taprootKey(address, network);
    const witness = readWitness(signature);
    if (key === null || witness === null || halfAPair.test(message)) return false;
    return schnorr.verify(witness.signature, messageSighash(key, message, witness.hashType), key);
  } catch {
    return false;
  }
}

/** The one signature in a witness stack of one item: 64 bytes, or 65 that end in SIGHASH_ALL (BIP-341). */
function readWitness(text: string): { signature: Uint8Array; hashType: number } | null {
  if (text.length > longest) return null;
  const base64 = text.startsWith('smp') ? text.slice('smp'.length) : text;
  const bytes = Buffer.from(base64, 'base64');
  // The decoder skips what it does not know: only what encodes to the very same text was meant.
  if (bytes.toString('base64') !== base64) return null;
  const [items, length] = bytes;
  if (items !== 1 || length === undefined || bytes.length !== 2 + length) return null;
  const signature = bytes.subarray(2, 66);
  if (length === 64) return { signature, hashType: sighashDefault };
  return length === 65 && bytes[66] === sighashAll ? { signature, hashType: sighashAll } : null;
}
