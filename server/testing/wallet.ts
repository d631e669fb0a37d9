import { createHash, randomBytes } from 'node:crypto';

/*
 * A taproot wallet that signs BIP-322 messages. Independent of the verifier, so written out from BIP-322, 340, 341, 350 and SEC
 * 2. Not constant-time: tests only.
 */

const p = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
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
export function testWallet({ secret = randomBytes(32), prefix = 'bc' }: { secret?: Buffer; prefix?: string } = {}): TestWallet {
  const provided = mod(toNumber(secret), n);
  const internal = multiply(generator, provided);
  // BIP-341: tweaks the internal key with its own hash, without scripts.
  const internalKey = isEven(internal) ? provided : n - provided;
  const tweak = toNumber(tagged('TapTweak', toBytes(internal[0])));
  const outputSecret = mod(internalKey + tweak, n);
  const output = multiply(generator, outputSecret);
  const script = Buffer.concat([Buffer.of(0x51, 0x20), toBytes(output[0])]);
  return {
    address: bech32m(prefix, toBytes(output[0])),
    publicKey: Buffer.concat([Buffer.of(isEven(internal) ? 2 : 3), toBytes(internal[0])]).toString('hex'),
    sign(message, { hashType = 0, aux = randomBytes(32) } = {}) {
      const signature = schnorrSign(outputSecret, output, sighash(script, message, hashType), aux);
      const item = hashType === 0 ? signature : Buffer.concat([signature, Buffer.of(hashType)]);
      return Buffer.concat([Buffer.of(1, item.length), item]).toString('base64');
    },
  };
}

export function secretOfWif(wif: string): Buffer {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const number = [...wif].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n);
  return Buffer.from(number.toString(16).padStart(76, '0'), 'hex').subarray(1, 33);
}

// ── BIP-322 and BIP-341: what is signed ────────────────────────────────────

function sighash(script: Buffer, message: string, hashType: number): Buffer {
  const hash = tagged('BIP0322-signed-message', Buffer.from(message, 'utf8'));
  const toSpend = Buffer.concat([
    int32(0), // version
    Buffer.of(1), // inputs
    Buffer.alloc(32),
    Buffer.from('ffffffff', 'hex'),
    Buffer.of(34, 0x00, 0x20),
    hash,
    int32(0), // sequence
    Buffer.of(1), // outputs
    Buffer.alloc(8),
    Buffer.of(script.length),
    script,
    int32(0), // lock time
  ]);
  const prevout = Buffer.concat([sha256(sha256(toSpend)), int32(0)]);
  const outputs = Buffer.concat([Buffer.alloc(8), Buffer.of(1, 0x6a)]);
  return tagged(
    'TapSighash',
    Buffer.concat([
      Buffer.of(0x00, hashType), // epoch
      int32(0), // version
      int32(0), // lock time
      sha256(prevout),
      sha256(Buffer.alloc(8)), // amounts
      sha256(Buffer.concat([Buffer.of(script.length), script])),
      sha256(int32(0)), // sequences
      sha256(outputs),
      Buffer.of(0x00), // key path, no annex
      int32(0), // input
    ]),
  );
}

// ── BIP-340: signing ───────────────────────────────────────────────────────

function schnorrSign(secret: bigint, point: Point, message: Buffer, aux: Buffer): Buffer {
  const key = isEven(point) ? secret : n - secret;
  const masked = key ^ toNumber(tagged('BIP0340/aux', aux));
  const nonce = mod(toNumber(tagged('BIP0340/nonce', toBytes(masked), toBytes(point[0]), message)), n);
  const commitment = multiply(generator, nonce);
  const k = isEven(commitment) ? nonce : n - nonce;
  const challenge = mod(toNumber(tagged('BIP0340/challenge', toBytes(commitment[0]), toBytes(point[0]), message)), n);
  return Buffer.concat([toBytes(commitment[0]), toBytes(mod(k + challenge * key, n))]);
}

// ── The curve: y² = x³ + 7 ─────────────────────────────────────────────────

function multiply(point: Point, times: bigint): Point {
  let sum: Point | null = null;
  let doubled = point;
  for (let bits = times; bits > 0n; bits >>= 1n) {
    if (bits & 1n) sum = sum === null ? doubled : add(sum, doubled);
    doubled = add(doubled, doubled);
  }
  if (sum === null) throw new Error('zero is no secret key');
  return sum;
}

function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const slope = x1 === x2 && y1 === y2 ? 3n * x1 * x1 * inverse(2n * y1) : (y2 - y1) * inverse(x2 - x1);
  const x = mod(slope * slope - x1 - x2, p);
  return [x, mod(slope * (x1 - x) - y1, p)];
}

function inverse(value: bigint): bigint {
  let [r, nextR, s, nextS] = [mod(value, p), p, 1n, 0n];
  while (nextR !== 0n) {
    const quotient = r / nextR;
    [r, nextR] = [nextR, r - quotient * nextR];
    [s, nextS] = [nextS, s - quotient * nextS];
  }
  return mod(s, p);
}

// ── BIP-350: the address ───────────────────────────────────────────────────

function bech32m(prefix: string, program: Buffer): string {
  const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
  const bits = [...program].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0').match(/.{5}/g) ?? [];
  const data = [1, ...groups.map((group) => Number.parseInt(group, 2))];
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  const sum = polymod([...expanded, ...data, 0, 0, 0, 0, 0, 0]) ^ 0x2bc830a3;
  const checksum = [25, 20, 15, 10, 5, 0].map((shift) => (sum >> shift) & 31);
  return `${prefix}1${[...data, ...checksum].map((value) => letters[value]).join('')}`;
}

function polymod(values: readonly number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  return values.reduce((sum, value) => {
    const shifted = ((sum & 0x1ffffff) << 5) ^ value;
    return generators.reduce((mixed, term, bit) => ((sum >> (25 + bit)) & 1 ? mixed ^ term : mixed), shifted);
  }, 1);
}

const mod = (value: bigint, by: bigint) => ((value % by) + by) % by;
const isEven = ([, y]: Point) => (y & 1n) === 0n;
const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const int32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);

function tagged(tag: string, ...parts: Buffer[]): Buffer {
  const hash = sha256(Buffer.from(tag));
  return sha256(Buffer.concat([hash, hash, ...parts]));
}
