import type { Encoding } from '../../../api/encodings.ts';

/** Null for invalid bytes. */
export function decodeStrictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function encodingOfMark(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** Without a mark: digits and delimiters have a zero byte, always on the same side. */
export function encodingOfZeros(bytes: Uint8Array): Encoding | null {
  const head = bytes.subarray(0, 4096);
  let even = 0;
  let odd = 0;
  for (const [at, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  const max = head.byteLength / 2;
  if (odd > max * 0.4 && even < max * 0.05) return 'utf-16le';
  if (even > max * 0.4 && odd < max * 0.05) return 'utf-16be';
  return null;
}

/** Likeliest first. Double-byte characters are pairs of high bytes, Western accents stand alone. */
export function likelyEncodings(bytes: Uint8Array): Encoding[] {
  let high = 0;
  let paired = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    high++;
    if ((bytes[at + 1] ?? 0) < 0x80) continue;
    high++;
    paired += 2;
    at++;
  }
  const wide: Encoding[] = ['gb18030', 'big5', 'shift_jis', 'euc-kr'];
  const narrow: Encoding[] = ['windows-1252', 'windows-1250', 'windows-1251', 'macintosh'];
  return paired > high * 0.8 ? [...wide, ...narrow] : [...narrow, ...wide];
}
