import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { wordlist } from '@scure/bip39/wordlists/english';
import type { AuthorityKey } from '../../../api/authority/statements.ts';

const wordCount = 6;
const bitsPerWord = 11;

/** Six BIP-39 words for 66 bits of the key's hash, for the owner to read out. */
export function deriveKeyWords(key: AuthorityKey): string[] {
  const id = key.type === 'wallet' ? key.address.toLowerCase() : key.publicKey;
  const bits = [...sha256(utf8ToBytes(`key ${key.type} ${id}`))].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: wordCount }, (_, wordIndex) => {
    const index = Number.parseInt(bits.slice(wordIndex * bitsPerWord, (wordIndex + 1) * bitsPerWord), 2);
    return wordlist[index] ?? '';
  });
}
