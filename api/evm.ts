import { keccak_256 } from '@noble/hashes/sha3.js';
import * as z from 'zod/mini';
import { text } from './base.ts';

/** An EVM address in its EIP-55 spelling. One that mixes cases must be spelled so already: that is its checksum. */
export const evmAddress = () =>
  z.pipe(
    text(100).check(
      z.refine((value) => isAddress(value), { error: 'address' }),
      z.refine((value) => !isAddress(value) || isChecked(value), { error: 'checksum' }),
    ),
    z.transform((value) => checksummed(value)),
  );

/** Where money goes: an address in its EIP-55 spelling and no other, since only that shows a slipped digit; not the zero address. */
export const receiverAddress = () =>
  text(100).check(
    z.refine((value) => isAddress(value), { error: 'address' }),
    z.refine((value) => !isAddress(value) || isChecked(value), { error: 'checksum' }),
    z.refine((value) => !isAddress(value) || !isChecked(value) || value === checksummed(value), { error: 'spelling' }),
    z.refine((value) => !/^0x0{40}$/.test(value), { error: 'receiver' }),
  );

export const isAddress = (value: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(value);

/** The EIP-55 spelling of an address in any case. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(digits));
  const isHigh = (index: number) => (((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 0xf) > 7;
  return `0x${[...digits].map((digit, index) => (isHigh(index) ? digit.toUpperCase() : digit)).join('')}`;
}

function isChecked(address: string): boolean {
  const digits = address.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === checksummed(address);
}

/**
 * The most gas a call is sent with, of what it takes now: what is not used is not paid. Interest that falls due before it is mined
 * has the protocol do more, which no wallet allows for: it costs up to 150,000 where none was due (chain/crsm.test.ts).
 */
export const gasAllowed = (taken: bigint): bigint => 2n * taken + 200_000n;
