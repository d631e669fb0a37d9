import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A software authenticator that can also lie. */
export function testPasskey({ origin = 'http://localhost:4280' }: { origin?: string } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  return {
    /** Takes registration options. */
    make: (options: string, as: Partial<AuthenticatorOverrides> = {}): string => {
      const reported = { ...truth(options, origin), counter: 0, ...as };
      const authData = Buffer.concat([authenticatorData(reported, 0x40), Buffer.alloc(16), withLength(id), coseOf(publicKey)]);
      return JSON.stringify({
        ...envelope(id),
        response: {
          clientDataJSON: clientData('webauthn.create', reported).toString('base64url'),
          attestationObject: cborAttestation(authData).toString('base64url'),
          transports: ['internal'],
        },
      });
    },
    /** Takes sign-in options. */
    answer: (options: string, as: Partial<AuthenticatorOverrides> = {}): string => {
      const reported = { ...truth(options, origin), ...as };
      const authData = authenticatorData(reported);
      const client = clientData('webauthn.get', reported);
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
      return JSON.stringify({
        ...envelope(id),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, { key: privateKey, dsaEncoding: 'der' }).toString('base64url'),
        },
      });
    },
  };
}

interface AuthenticatorOverrides {
  challenge: string;
  origin: string;
  rpId: string;
  counter: number;
  /** User verification. */
  verified: boolean;
}

function truth(options: string, origin: string): AuthenticatorOverrides {
  const { challenge } = JSON.parse(options) as { challenge: string };
  return { challenge, origin, rpId: new URL(origin).hostname, counter: 1, verified: true };
}

const envelope = (id: Buffer) => {
  const name = id.toString('base64url');
  return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform' };
};

const clientData = (type: string, { challenge, origin }: AuthenticatorOverrides) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

function authenticatorData({ rpId, counter, verified }: AuthenticatorOverrides, also = 0): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([0x01 | (verified ? 0x04 : 0) | also]), count]);
}

const withLength = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);

/** {fmt: 'none', attStmt: {}, authData} in CBOR. */
const cborAttestation = (authData: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from('fmt'),
    Buffer.from([0x64]),
    Buffer.from('none'),
    Buffer.from([0x67]),
    Buffer.from('attStmt'),
    Buffer.from([0xa0, 0x68]),
    Buffer.from('authData'),
    Buffer.from([0x59]),
    withLength(authData),
  ]);

/** COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [left, right] = [x, y].map((part) => Buffer.from(part, 'base64url'));
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    left ?? Buffer.alloc(0),
    Buffer.from([0x22, 0x58, 0x20]),
    right ?? Buffer.alloc(0),
  ]);
}
