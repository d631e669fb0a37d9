import { createHash } from 'node:crypto';
import { schnorr } from '@noble/curves/secp256k1.js';
import { OutScript, Transaction } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
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
    return schnorr.verify(witness.signature, sighash(key, message, witness.hashType), key);
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

/** What is signed: the BIP-341 hash of `to_sign`, which spends the output of `to_spend` (BIP-322, "Full"). */
function sighash(key: Uint8Array, message: string, hashType: number): Uint8Array {
  const script = OutScript.encode({ type: 'tr', pubkey: key });
  return toSign(toSpend(script, message)).preimageWitnessV1(0, [script], hashType, [0n]);
}

/** The virtual transaction that holds the message. `script` is what the address pays to. */
export function toSpend(script: Uint8Array, message: string): Transaction {
  const transaction = virtual();
  transaction.addOutput({ script, amount: 0n });
  transaction.addInput({
    txid: new Uint8Array(32),
    index: 0xffff_ffff,
    sequence: 0,
    finalScriptSig: Buffer.concat([Buffer.of(0x00, 0x20), messageHash(message)]),
  });
  return transaction;
}

/** The virtual transaction that spends it. */
export function toSign(spent: Transaction): Transaction {
  const transaction = virtual();
  transaction.addOutput({ script: Buffer.of(0x6a), amount: 0n }); // OP_RETURN
  transaction.addInput({ txid: spent.id, index: 0, sequence: 0 });
  return transaction;
}

const virtual = () => new Transaction({ version: 0, lockTime: 0, allowUnknownOutputs: true });

/** The message's tagged hash (BIP-340). */
export function messageHash(message: string): Buffer {
  const tag = sha256('BIP0322-signed-message');
  return sha256(Buffer.concat([tag, tag, Buffer.from(message, 'utf8')]));
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
