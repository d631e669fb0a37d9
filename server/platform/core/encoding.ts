import type { Encoding } from '../../../api/encodings.ts';

/** Null for invalid bytes. */
export function decodeStrictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function detectEncodingFromBom(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** Without a mark: digits and delimiters have a zero byte, always on the same side. */
export function detectEncodingFromZeroBytes(bytes: Uint8Array): Encoding | null {
  const firstBytes = bytes.subarray(0, 4096);
  let zerosAtEven = 0;
  let zerosAtOdd = 0;
  for (const [byteIndex, byte] of firstBytes.entries()) {
    if (byte !== 0) continue;
    if (byteIndex % 2 === 0) zerosAtEven++;
    else zerosAtOdd++;
  }
  const halfLength = firstBytes.byteLength / 2;
  if (zerosAtOdd > halfLength * 0.4 && zerosAtEven < halfLength * 0.05) return 'utf-16le';
  if (zerosAtEven > halfLength * 0.4 && zerosAtOdd < halfLength * 0.05) return 'utf-16be';
  return null;
}

/** Likeliest first. Double-byte characters are pairs of high bytes, Western accents stand alone. */
export function guessEncodings(bytes: Uint8Array): Encoding[] {
  let highBytes = 0;
  let pairedBytes = 0;
  for (let byteIndex = 0; byteIndex < bytes.length; byteIndex++) {
    if ((bytes[byteIndex] ?? 0) < 0x80) continue;
    highBytes++;
    if ((bytes[byteIndex + 1] ?? 0) < 0x80) continue;
    highBytes++;
    pairedBytes += 2;
    byteIndex++;
  }
  const multiByteEncodings: Encoding[] = ['gb18030', 'big5', 'shift_jis', 'euc-kr'];
  const singleByteEncodings: Encoding[] = ['windows-1252', 'windows-1250', 'windows-1251', 'macintosh'];
  return pairedBytes > highBytes * 0.8
    ? [...multiByteEncodings, ...singleByteEncodings]
    : [...singleByteEncodings, ...multiByteEncodings];
}
