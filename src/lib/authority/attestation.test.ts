import { encodeCBOR, type CBORType } from '@levischuck/tiny-cbor';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPublicKey } from './attestation.ts';
import { base64url } from './bytes.ts';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
const es256 = new Map<number, CBORType>([
  [1, 2],
  [3, -7],
  [-1, 1],
  [-2, bytes(x)],
  [-3, bytes(y)],
]);

/** Attestation object (WebAuthn §6.5). */
function buildAttestation(key: CBORType, idLength = 16, trailingBytes: Uint8Array = new Uint8Array()): string {
  const flags = 0x45 | (trailingBytes.length > 0 ? 0x80 : 0);
  const data = [...new Uint8Array(32), flags, 0, 0, 0, 0, ...new Uint8Array(16), idLength >> 8, idLength & 0xff];
  const authData = Uint8Array.from([...data, ...new Uint8Array(idLength).fill(7), ...encodeCBOR(key), ...trailingBytes]);
  return base64url(
    encodeCBOR(
      new Map<string, CBORType>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    ),
  );
}

test.each([16, 32, 300])('the public key is read after a credential id of %i bytes', (idLength) => {
  expect(readPublicKey(buildAttestation(es256, idLength))).toBe(spki);
  expect(createPublicKey({ key: Buffer.from(spki, 'base64url'), format: 'der', type: 'spki' }).asymmetricKeyType).toBe('ec');
});

test('the public key is read before extensions', () => {
  const extensions = encodeCBOR(new Map<string, CBORType>([['credProtect', 2]]));
  expect(readPublicKey(buildAttestation(es256, 16, extensions))).toBe(spki);
});

test.each<[string, [number, CBORType][]]>([
  ['RS256', [[3, -257]]],
  [
    'Ed25519',
    [
      [1, 1],
      [3, -8],
      [-1, 6],
    ],
  ],
  ['another curve', [[-1, 2]]],
  ['a compressed point', [[-3, true]]],
  ['a short coordinate', [[-2, new Uint8Array(31)]]],
])('a key that is not ES256 on P-256 is refused: %s', (_, changes) => {
  expect(() => readPublicKey(buildAttestation(new Map([...es256, ...changes])))).toThrow(
    expect.objectContaining({ code: 'algorithm' }),
  );
});

test.each([
  ['nothing', ''],
  ['no base64', '***'],
  ['no CBOR', 'AAAA_w'],
  ['no authenticator data', base64url(encodeCBOR(new Map([['fmt', 'none']])))],
  ['data that ends early', base64url(encodeCBOR(new Map<string, CBORType>([['authData', new Uint8Array(37)]])))],
  ['no key behind the id', buildAttestation('none')],
])('an attestation object that cannot be read is refused: %s', (_, object) => {
  expect(() => readPublicKey(object)).toThrow(expect.objectContaining({ code: 'unsaid' }));
});
