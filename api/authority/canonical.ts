import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

const maxSafeInteger = 2 ** 53 - 1;
const isSafeInteger = (value: number): boolean => value % 1 === 0 && value <= maxSafeInteger && value >= -maxSafeInteger;

/** RFC 8785. Throws TypeError for fractions, lone surrogates and anything that is not JSON. */
export function canonical(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    if (/\p{Surrogate}/u.test(value)) throw new TypeError('a lone surrogate has no canonical form');
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!isSafeInteger(value)) throw new TypeError('only whole numbers have a canonical form here');
    return String(value === 0 ? 0 : value);
  }
  if (Array.isArray(value)) return `[${Array.from(value, canonical).join(',')}]`;
  if (typeof value === 'object' && isPlainObject(value)) {
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)); // by UTF-16 code units
    return `{${members.map(([key, memberValue]) => `${canonical(key)}:${canonical(memberValue)}`).join(',')}}`;
  }
  throw new TypeError('only plain JSON has a canonical form');
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** SHA-256 of the canonical text, 64 hex digits. */
export const canonicalHash = (line: unknown): string => bytesToHex(sha256(utf8ToBytes(canonical(line))));
