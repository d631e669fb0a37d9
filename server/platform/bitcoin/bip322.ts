import { schnorr } from '@noble/curves/secp256k1.js';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { computeMessageSighash } from '../../../chain/bitcoin.ts';
import { parseTaprootKey } from '../../../chain/taproot-address.ts';

/** Signatures have 88 or 92 characters, plus a prefix of 3. */
const maxLength = 200;

// Lone surrogates have no UTF-8 form.
const loneSurrogate = /[\uD800-\uDFFF]/u;

const sighashDefault = 0x00;
const sighashAll = 0x01;

export interface SignedMessage {
  address: string;
  message: string;
  /** Base64 witness, optionally prefixed with `smp`. */
  signature: string;
}

/**
 * Only a BIP-322 simple signature by the key path of a taproot address of the network, in its one encoding. Takes milliseconds of
 * CPU. Never throws.
 */
export function isSignedByTaproot({ address, message, signature }: SignedMessage, network: BitcoinNetwork): boolean {
  try {
    const key = parseTaprootKey(address, network);
    const witness = readWitness(signature);
    if (key === null || witness === null || loneSurrogate.test(message)) return false;
    return schnorr.verify(witness.signature, computeMessageSighash(key, message, witness.hashType), key);
  } catch {
    return false;
  }
}

/** 64 bytes, or 65 ending in SIGHASH_ALL (BIP-341). */
function readWitness(text: string): { signature: Uint8Array; hashType: number } | null {
  if (text.length > maxLength) return null;
  const base64 = text.startsWith('smp') ? text.slice('smp'.length) : text;
  const bytes = Buffer.from(base64, 'base64');
  // The decoder skips unknown characters, so the text must round-trip.
  if (bytes.toString('base64') !== base64) return null;
  const [items, length] = bytes;
  if (items !== 1 || length === undefined || bytes.length !== 2 + length) return null;
  const signature = bytes.subarray(2, 66);
  if (length === 64) return { signature, hashType: sighashDefault };
  return length === 65 && bytes[66] === sighashAll ? { signature, hashType: sighashAll } : null;
}
