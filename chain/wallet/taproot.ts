import { schnorr } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { p2tr } from '@scure/btc-signer';
import { pubSchnorr, taprootTweakPrivKey } from '@scure/btc-signer/utils.js';
import type { BitcoinNetwork } from '../../api/access/wallet.ts';
import { bitcoinParameters, computeMessageSighash } from '../bitcoin.ts';

export interface DemoTaproot {
  address: string;
  /** x-only, 32 bytes. */
  publicKey: Uint8Array;
  /** BIP-322 simple signature, base64. */
  sign(message: string): string;
}

/** The key is publicly known. */
export function createDemoTaproot(number: number, network: BitcoinNetwork): DemoTaproot {
  const privateKey = sha256(utf8ToBytes(`demo wallet ${number}`));
  const publicKey = pubSchnorr(privateKey);
  const { address, tweakedPubkey } = p2tr(publicKey, undefined, bitcoinParameters[network]);
  if (address === undefined) throw new Error('a key without an address');
  return {
    address,
    publicKey,
    sign(message) {
      const signature = schnorr.sign(computeMessageSighash(tweakedPubkey, message, 0), taprootTweakPrivKey(privateKey));
      return btoa(String.fromCodePoint(1, signature.length, ...signature)); // one witness item
    },
  };
}
