import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A software authenticator that can also lie. */
export function createTestPasskey({ origin = 'http://localhost:4280' }: { origin?: string } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  return {
    /** Takes registration options. */
    make: (options: string, overrides: Partial<AuthenticatorOverrides> = {}): string => {
      const authenticatorValues = { ...createDefaultOverrides(options, origin), counter: 0, ...overrides };
      const authenticatorBytes = Buffer.concat([
        buildAuthenticatorData(authenticatorValues, 0x40),
        Buffer.alloc(16),
        prefixLength(id),
        encodeCoseKey(publicKey),
      ]);
      return JSON.stringify({
        ...buildEnvelope(id),
        response: {
          clientDataJSON: buildClientData('webauthn.create', authenticatorValues).toString('base64url'),
          attestationObject: encodeAttestation(authenticatorBytes).toString('base64url'),
          transports: ['internal'],
        },
      });
    },
    /** Takes sign-in options. */
    answer: (options: string, overrides: Partial<AuthenticatorOverrides> = {}): string => {
      const authenticatorValues = { ...createDefaultOverrides(options, origin), ...overrides };
      const authenticatorBytes = buildAuthenticatorData(authenticatorValues);
      const client = buildClientData('webauthn.get', authenticatorValues);
      const signedData = Buffer.concat([authenticatorBytes, createHash('sha256').update(client).digest()]);
      return JSON.stringify({
        ...buildEnvelope(id),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticatorBytes.toString('base64url'),
          signature: sign('sha256', signedData, { key: privateKey, dsaEncoding: 'der' }).toString('base64url'),
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

function createDefaultOverrides(options: string, origin: string): AuthenticatorOverrides {
  const { challenge } = JSON.parse(options) as { challenge: string };
  return { challenge, origin, rpId: new URL(origin).hostname, counter: 1, verified: true };
}

const buildEnvelope = (id: Buffer) => {
  const name = id.toString('base64url');
  return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform' };
};

const buildClientData = (type: string, { challenge, origin }: AuthenticatorOverrides) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

function buildAuthenticatorData({ rpId, counter, verified: isUserVerified }: AuthenticatorOverrides, extraFlags = 0): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([0x01 | (isUserVerified ? 0x04 : 0) | extraFlags]),
    count,
  ]);
}

const prefixLength = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);

/** {fmt: 'none', attStmt: {}, authData} in CBOR. */
const encodeAttestation = (authenticatorBytes: Buffer): Buffer =>
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
    prefixLength(authenticatorBytes),
  ]);

/** COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function encodeCoseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [xBytes, yBytes] = [x, y].map((coordinate) => Buffer.from(coordinate, 'base64url'));
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    xBytes ?? Buffer.alloc(0),
    Buffer.from([0x22, 0x58, 0x20]),
    yBytes ?? Buffer.alloc(0),
  ]);
}
