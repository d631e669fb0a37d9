import { importLimit, type Encoding } from '../../api/imports/contract.ts';
import { badField } from '../platform/core/errors.ts';

/** The encoding of a file: certain, or the possible ones with the likeliest first. */
export type FoundEncoding = { certain: Encoding } | { possible: readonly Encoding[] };

// What people choose by mistake: workbooks and other archives, old workbooks, PDF, compressed files.
const otherKinds = ['504b0304', '504b0506', 'd0cf11e0', '25504446', '1f8b'];

/** Throws BAD_REQUEST when the bytes cannot be a CSV, or are too many. */
export function refuseOtherFiles(bytes: Uint8Array): void {
  if (bytes.byteLength === 0) throw badField('file', 'fileEmpty');
  if (bytes.byteLength > importLimit.bytes) throw badField('file', 'fileTooLarge');
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (otherKinds.some((kind) => start.startsWith(kind))) throw badField('file', 'notCsv');
}

/** Text in the encoding; null when the bytes are none in it. */
export function decode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Byte order mark, then valid UTF-8, then the zero bytes of UTF-16. In any other encoding the same bytes make sense more
 * than once, and only column names that we know (`isKnown`) settle it. Throws BAD_REQUEST when the bytes are no text.
 */
export function findEncoding(bytes: Uint8Array, isKnown: (text: string) => boolean): FoundEncoding {
  const marked = ofMark(bytes) ?? ofZeros(bytes) ?? 'utf-8';
  if (decode(bytes, marked) !== null) return { certain: marked };
  if (ofMark(bytes)) throw badField('file', 'encoding');
  const possible = likeliest(bytes).filter((encoding) => decode(bytes, encoding) !== null);
  const known = possible.find((encoding) => isKnown(decode(bytes, encoding) ?? ''));
  return known ? { certain: known } : { possible };
}

function ofMark(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** UTF-16 without a mark: the digits and delimiters of a table have a zero byte, always on the same side. */
function ofZeros(bytes: Uint8Array): Encoding | null {
  const head = bytes.subarray(0, 4096);
  let even = 0;
  let odd = 0;
  for (const [at, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  const most = head.byteLength / 2;
  if (odd > most * 0.4 && even < most * 0.05) return 'utf-16le';
  if (even > most * 0.4 && odd < most * 0.05) return 'utf-16be';
  return null;
}

/** Characters of two bytes come as pairs of high bytes; accented letters of Western text stand alone. */
function likeliest(bytes: Uint8Array): Encoding[] {
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
