import { randomBytes } from 'node:crypto';

// Without look-alikes.
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** 50 bits. Rejection sampling keeps letters equally likely. */
export function generateReadableCode(): string {
  let code = '';
  while (code.length < 10) {
    for (const byte of randomBytes(16)) {
      if (byte < 248 && code.length < 10) code += alphabet[byte % alphabet.length];
    }
  }
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

export const normalizeReadableCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');
