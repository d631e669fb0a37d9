import { keccak_256 } from '@noble/hashes/sha3.js';
import * as z from 'zod/mini';
import { textSchema } from './base.ts';

export const evmAddressSchema = () =>
  z.pipe(
    textSchema(100).check(
      z.refine((value) => isAddress(value), { error: 'address' }),
      z.refine((value) => !isAddress(value) || isChecksumValid(value), { error: 'checksum' }),
    ),
    z.transform((value) => toChecksumAddress(value)),
  );

/** EIP-55 only, because the checksum reveals a mistyped digit; not the zero address. */
export const receiverAddressSchema = () =>
  textSchema(100).check(
    z.refine((value) => isAddress(value), { error: 'address' }),
    z.refine((value) => !isAddress(value) || isChecksumValid(value), { error: 'checksum' }),
    z.refine((value) => !isAddress(value) || !isChecksumValid(value) || value === toChecksumAddress(value), {
      error: 'spelling',
    }),
    z.refine((value) => !/^0x0{40}$/.test(value), { error: 'receiver' }),
  );

export const isAddress = (value: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(value);

export function toChecksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(digits));
  const isUpperCaseNibble = (index: number) => (((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 0xf) > 7;
  return `0x${[...digits].map((digit, index) => (isUpperCaseNibble(index) ? digit.toUpperCase() : digit)).join('')}`;
}

function isChecksumValid(address: string): boolean {
  const digits = address.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === toChecksumAddress(address);
}

/**
 * Twice the estimate, because interest due before mining costs up to 150,000 gas more. Unused gas
 * is free.
 */
export const computeGasLimit = (estimate: bigint): bigint => 2n * estimate + 200_000n;
