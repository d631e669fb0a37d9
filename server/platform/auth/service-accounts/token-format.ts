import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { TokenKind } from '../../../../api/access/service-values.ts';

const prefixes = { svc: 'apanel_svc_', scim: 'apanel_scim_' } as const satisfies Record<TokenKind, string>;
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 40;
const checksumLength = 6;

/** What secret scanners search for. Then `isServiceToken` decides. */
const tokenPattern = /^apanel_(svc|scim)_[0-9A-Za-z]{46}$/;

/** 238 random bits, then a CRC-32 over all before. */
export function newServiceToken(kind: TokenKind = 'svc'): string {
  const prefix = prefixes[kind];
  const secret = Array.from({ length: secretLength }, () => letters[randomInt(letters.length)]).join('');
  return `${prefix}${secret}${checksumOf(`${prefix}${secret}`)}`;
}

/** Whether the text has the format and the checksum of a token of any kind. */
export const isServiceToken = (text: string): boolean =>
  tokenPattern.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

export const hasTokenPrefix = (text: string, kind: TokenKind): boolean => text.startsWith(prefixes[kind]);

/** Hex SHA-256. There is nothing to guess, so no slow hash. */
export const hashServiceToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export const lastFourOf = (token: string): string => token.slice(-4);

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let at = 0; at < checksumLength; at++) {
    checksum = `${letters[rest % letters.length]}${checksum}`;
    rest = Math.floor(rest / letters.length);
  }
  return checksum;
}
