import { createHash, randomBytes } from 'node:crypto';

/*
 * A taproot wallet that signs BIP-322 messages. Independent of the verifier, so written out from BIP-322, 340, 341, 350 and SEC
 * 2. Not constant-time: tests only.
 */

const fieldPrime = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const generator: Point = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
];

type Point = readonly [x: bigint, y: bigint];

export interface TestWallet {
  readonly address: string;
  /** 33 bytes in hex, not tweaked. */
  readonly publicKey: string;
  /** Base64 of a simple signature. */
  sign(message: string, options?: SignOptions): string;
}

interface SignOptions {
  /** 0x00 (64 bytes) by default, otherwise appended. */
  hashType?: number;
  /** BIP-340 auxiliary randomness; zeros for determinism. */
  aux?: Buffer;
}

/** `prefix`: bc, tb or bcrt. */
export function createTestWallet({
  secret = randomBytes(32),
  prefix = 'bc',
}: { secret?: Buffer; prefix?: string } = {}): TestWallet {
  const privateScalar = modulo(toNumber(secret), curveOrder);
  const internalPoint = multiply(generator, privateScalar);
  // BIP-341: tweaks the internal key with its own hash, without scripts.
  const internalKey = isEven(internalPoint) ? privateScalar : curveOrder - privateScalar;
  const tweak = toNumber(computeTaggedHash('TapTweak', toBytes(internalPoint[0])));
  const outputSecret = modulo(internalKey + tweak, curveOrder);
  const output = multiply(generator, outputSecret);
  const script = Buffer.concat([Buffer.of(0x51, 0x20), toBytes(output[0])]);
  return {
    address: encodeBech32m(prefix, toBytes(output[0])),
    publicKey: Buffer.concat([Buffer.of(isEven(internalPoint) ? 2 : 3), toBytes(internalPoint[0])]).toString('hex'),
    sign(message, { hashType = 0, aux: auxiliaryRandom = randomBytes(32) } = {}) {
      const signature = schnorrSign(outputSecret, output, computeSighash(script, message, hashType), auxiliaryRandom);
      const item = hashType === 0 ? signature : Buffer.concat([signature, Buffer.of(hashType)]);
      return Buffer.concat([Buffer.of(1, item.length), item]).toString('base64');
    },
  };
}

export function decodeWif(wif: string): Buffer {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const decodedNumber = [...wif].reduce((accumulator, digit) => accumulator * 58n + BigInt(digits.indexOf(digit)), 0n);
  return Buffer.from(decodedNumber.toString(16).padStart(76, '0'), 'hex').subarray(1, 33);
}

// ── BIP-322 and BIP-341: what is signed ────────────────────────────────────

function computeSighash(script: Buffer, message: string, hashType: number): Buffer {
  const hash = computeTaggedHash('BIP0322-signed-message', Buffer.from(message, 'utf8'));
  const toSpend = Buffer.concat([
    encodeInt32(0), // version
    Buffer.of(1), // inputs
    Buffer.alloc(32),
    Buffer.from('ffffffff', 'hex'),
    Buffer.of(34, 0x00, 0x20),
    hash,
    encodeInt32(0), // sequence
    Buffer.of(1), // outputs
    Buffer.alloc(8),
    Buffer.of(script.length),
    script,
    encodeInt32(0), // lock time
  ]);
  const prevout = Buffer.concat([hashSha256(hashSha256(toSpend)), encodeInt32(0)]);
  const outputs = Buffer.concat([Buffer.alloc(8), Buffer.of(1, 0x6a)]);
  return computeTaggedHash(
    'TapSighash',
    Buffer.concat([
      Buffer.of(0x00, hashType), // epoch
      encodeInt32(0), // version
      encodeInt32(0), // lock time
      hashSha256(prevout),
      hashSha256(Buffer.alloc(8)), // amounts
      hashSha256(Buffer.concat([Buffer.of(script.length), script])),
      hashSha256(encodeInt32(0)), // sequences
      hashSha256(outputs),
      Buffer.of(0x00), // key path, no annex
      encodeInt32(0), // input
    ]),
  );
}

// ── BIP-340: signing ───────────────────────────────────────────────────────

function schnorrSign(secret: bigint, point: Point, message: Buffer, auxiliaryRandom: Buffer): Buffer {
  const key = isEven(point) ? secret : curveOrder - secret;
  const maskedKey = key ^ toNumber(computeTaggedHash('BIP0340/aux', auxiliaryRandom));
  const nonce = modulo(toNumber(computeTaggedHash('BIP0340/nonce', toBytes(maskedKey), toBytes(point[0]), message)), curveOrder);
  const noncePoint = multiply(generator, nonce);
  const evenNonce = isEven(noncePoint) ? nonce : curveOrder - nonce;
  const challenge = modulo(
    toNumber(computeTaggedHash('BIP0340/challenge', toBytes(noncePoint[0]), toBytes(point[0]), message)),
    curveOrder,
  );
  return Buffer.concat([toBytes(noncePoint[0]), toBytes(modulo(evenNonce + challenge * key, curveOrder))]);
}

// ── The curve: y² = x³ + 7 ─────────────────────────────────────────────────

function multiply(point: Point, factor: bigint): Point {
  let pointSum: Point | null = null;
  let doubledPoint = point;
  for (let remainingBits = factor; remainingBits > 0n; remainingBits >>= 1n) {
    if (remainingBits & 1n) pointSum = pointSum === null ? doubledPoint : addPoints(pointSum, doubledPoint);
    doubledPoint = addPoints(doubledPoint, doubledPoint);
  }
  if (pointSum === null) throw new Error('zero is no secret key');
  return pointSum;
}

function addPoints([x1, y1]: Point, [x2, y2]: Point): Point {
  const slope = x1 === x2 && y1 === y2 ? 3n * x1 * x1 * invert(2n * y1) : (y2 - y1) * invert(x2 - x1);
  const x = modulo(slope * slope - x1 - x2, fieldPrime);
  return [x, modulo(slope * (x1 - x) - y1, fieldPrime)];
}

function invert(value: bigint): bigint {
  let [r, nextR, s, nextS] = [modulo(value, fieldPrime), fieldPrime, 1n, 0n];
  while (nextR !== 0n) {
    const quotient = r / nextR;
    [r, nextR] = [nextR, r - quotient * nextR];
    [s, nextS] = [nextS, s - quotient * nextS];
  }
  return modulo(s, fieldPrime);
}

// ── BIP-350: the address ───────────────────────────────────────────────────

function encodeBech32m(prefix: string, program: Buffer): string {
  const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
  const bitString = [...program].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const bitGroups = bitString.padEnd(Math.ceil(bitString.length / 5) * 5, '0').match(/.{5}/g) ?? [];
  const data = [1, ...bitGroups.map((bitGroup) => Number.parseInt(bitGroup, 2))];
  const prefixCodes = [...prefix].map((letter) => letter.charCodeAt(0));
  const expandedPrefix = [...prefixCodes.map((code) => code >> 5), 0, ...prefixCodes.map((code) => code & 31)];
  const checksumRemainder = computePolymod([...expandedPrefix, ...data, 0, 0, 0, 0, 0, 0]) ^ 0x2bc830a3;
  const checksum = [25, 20, 15, 10, 5, 0].map((shift) => (checksumRemainder >> shift) & 31);
  return `${prefix}1${[...data, ...checksum].map((value) => bech32Alphabet[value]).join('')}`;
}

function computePolymod(values: readonly number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  return values.reduce((accumulator, value) => {
    const shifted = ((accumulator & 0x1ffffff) << 5) ^ value;
    return generators.reduce(
      (remainder, generatorTerm, bit) => ((accumulator >> (25 + bit)) & 1 ? remainder ^ generatorTerm : remainder),
      shifted,
    );
  }, 1);
}

const modulo = (value: bigint, modulus: bigint) => ((value % modulus) + modulus) % modulus;
const isEven = ([, y]: Point) => (y & 1n) === 0n;
const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const hashSha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const encodeInt32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);

function computeTaggedHash(tag: string, ...parts: Buffer[]): Buffer {
  const hash = hashSha256(Buffer.from(tag));
  return hashSha256(Buffer.concat([hash, hash, ...parts]));
}
