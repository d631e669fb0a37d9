import { decodeCBOR, decodePartialCBOR } from '@levischuck/tiny-cbor';
import { base64url, bytesOfBase64url } from './bytes.ts';
import { AuthorityError } from './problem.ts';

/** COSE number of ECDSA with SHA-256 on P-256. */
export const es256 = -7;

/** Offset of the credential id's length in the authenticator data (WebAuthn §6.5.1). */
const idLengthOffset = 53;
/** SPKI (DER) of a P-256 key, up to its coordinates. */
const spkiStart = [48, 89, 48, 19, 6, 7, 42, 134, 72, 206, 61, 2, 1, 6, 8, 42, 134, 72, 206, 61, 3, 1, 7, 3, 66, 0, 4];

/**
 * SPKI in base64url. Read from the attestation object because some authenticators lack `getPublicKey()`. Throws AuthorityError
 * unless the key is ES256 on P-256.
 */
export function readPublicKey(attestationObject: string): string {
  const [type, algorithm, curve, x, y] = readCoseKey(attestationObject);
  const isP256 = type === 2 && algorithm === es256 && curve === 1;
  if (!isP256 || !isCoordinate(x) || !isCoordinate(y)) throw new AuthorityError('algorithm');
  return base64url(Uint8Array.from([...spkiStart, ...x, ...y]));
}

/** Key type, algorithm, curve and coordinates (RFC 9053 §7.1). */
function readCoseKey(attestationObject: string): unknown[] {
  try {
    const attestation = decodeCBOR(bytesOfBase64url(attestationObject));
    const data = attestation instanceof Map ? attestation.get('authData') : null;
    if (!(data instanceof Uint8Array)) throw new TypeError('no authenticator data');
    const idLength = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint16(idLengthOffset);
    const [key] = decodePartialCBOR(data, idLengthOffset + 2 + idLength);
    if (!(key instanceof Map)) throw new TypeError('no key');
    return [1, 3, -1, -2, -3].map((label) => key.get(label));
  } catch (error) {
    throw new AuthorityError('unsaid', {}, error);
  }
}

const isCoordinate = (value: unknown): value is Uint8Array => value instanceof Uint8Array && value.length === 32;
