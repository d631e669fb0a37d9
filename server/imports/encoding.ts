import type { Encoding } from '../../api/encodings.ts';
import { importLimit } from '../../api/imports/contract.ts';
import { decodeStrictly, detectEncodingFromBom, detectEncodingFromZeroBytes, guessEncodings } from '../platform/core/encoding.ts';
import { createFieldError } from '../platform/core/errors.ts';

/** Certain, or candidates with the likeliest first. */
export type DetectedEncoding = { certain: Encoding } | { possible: readonly Encoding[] };

// Files chosen by mistake: archives and workbooks, old workbooks, PDF, compressed files.
const nonCsvSignatures = ['504b0304', '504b0506', 'd0cf11e0', '25504446', '1f8b'];

/** Throws BAD_REQUEST for bytes that cannot be a CSV, or are too many. */
export function assertCsvFile(bytes: Uint8Array): void {
  if (bytes.byteLength === 0) throw createFieldError('file', 'fileEmpty');
  if (bytes.byteLength > importLimit.bytes) throw createFieldError('file', 'fileTooLarge');
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (nonCsvSignatures.some((kind) => start.startsWith(kind))) throw createFieldError('file', 'notCsv');
}

/**
 * Tries a byte order mark, zero bytes of UTF-16, then valid UTF-8. Otherwise only a known column name (`hasKnownColumns`) decides. Throws
 * BAD_REQUEST if bytes contradict their byte order mark.
 */
export function detectEncoding(bytes: Uint8Array, hasKnownColumns: (text: string) => boolean): DetectedEncoding {
  const markedEncoding = detectEncodingFromBom(bytes) ?? detectEncodingFromZeroBytes(bytes) ?? 'utf-8';
  if (decodeStrictly(bytes, markedEncoding) !== null) return { certain: markedEncoding };
  if (detectEncodingFromBom(bytes)) throw createFieldError('file', 'encoding');
  const candidates = guessEncodings(bytes).filter((encoding) => decodeStrictly(bytes, encoding) !== null);
  const recognizedEncoding = candidates.find((encoding) => hasKnownColumns(decodeStrictly(bytes, encoding) ?? ''));
  return recognizedEncoding ? { certain: recognizedEncoding } : { possible: candidates };
}
