import type { Encoding } from '../../api/encodings.ts';
import { importLimit } from '../../api/imports/contract.ts';
import { decodeStrictly, encodingOfMark, encodingOfZeros, likelyEncodings } from '../platform/core/encoding.ts';
import { badField } from '../platform/core/errors.ts';

/** Certain, or candidates with the likeliest first. */
export type FoundEncoding = { certain: Encoding } | { possible: readonly Encoding[] };

// Files chosen by mistake: archives and workbooks, old workbooks, PDF, compressed files.
const otherKinds = ['504b0304', '504b0506', 'd0cf11e0', '25504446', '1f8b'];

/** Throws BAD_REQUEST for bytes that cannot be a CSV, or are too many. */
export function refuseOtherFiles(bytes: Uint8Array): void {
  if (bytes.byteLength === 0) throw badField('file', 'fileEmpty');
  if (bytes.byteLength > importLimit.bytes) throw badField('file', 'fileTooLarge');
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (otherKinds.some((kind) => start.startsWith(kind))) throw badField('file', 'notCsv');
}

/**
 * Tries a byte order mark, zero bytes of UTF-16, then valid UTF-8. Otherwise only a known column name (`isKnown`) decides. Throws
 * BAD_REQUEST if bytes contradict their byte order mark.
 */
export function findEncoding(bytes: Uint8Array, isKnown: (text: string) => boolean): FoundEncoding {
  const marked = encodingOfMark(bytes) ?? encodingOfZeros(bytes) ?? 'utf-8';
  if (decodeStrictly(bytes, marked) !== null) return { certain: marked };
  if (encodingOfMark(bytes)) throw badField('file', 'encoding');
  const possible = likelyEncodings(bytes).filter((encoding) => decodeStrictly(bytes, encoding) !== null);
  const known = possible.find((encoding) => isKnown(decodeStrictly(bytes, encoding) ?? ''));
  return known ? { certain: known } : { possible };
}
