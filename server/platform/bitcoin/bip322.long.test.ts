import { createECDH, createSign, generateKeyPairSync } from 'node:crypto';
import { Address, NETWORK, OutScript, TEST_NETWORK } from '@scure/btc-signer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from './bip322-vectors.json';
import { messageHash, toSign, toSpend } from '../../../chain/bitcoin.ts';
import { demoTaproot } from '../../../chain/wallet/taproot.ts';
import { isSignedByTaproot, type SignedMessage } from './bip322.ts';
import { secretOfWif, testWallet } from '../../testing/wallet.ts';

const holds = (signed: SignedMessage) => isSignedByTaproot(signed, 'mainnet');
const wallet = testWallet({ secret: Buffer.alloc(32, 7) });
const other = testWallet({ secret: Buffer.alloc(32, 8) });
const message = 'panel.example.com wants you to sign in with your Bitcoin address:\n测试 🙂';
const { address } = wallet;
const signature = wallet.sign(message);
const bytesOf = (text: string) => Buffer.from(text, 'base64');

describe('the BIP-322 test vectors', () => {
  test.each(vectors.hashes)('produce the same hashes for "$message" and its two transactions', (vector) => {
    const spent = toSpend(OutScript.encode(Address(NETWORK).decode(vector.address)), vector.message);
    expect(Buffer.from(messageHash(vector.message)).toString('hex')).toBe(vector.messageHash);
    expect(spent.id).toBe(vector.toSpend);
    expect(toSign(spent).id).toBe(vector.toSign);
  });

  test.each(vectors.taproot)('are accepted for $address', (vector) => {
    expect(holds(vector)).toBe(true);
    const bare = vector.signature.replace(/^smp/, '');
    for (const prefix of ['', 'smp']) expect(holds({ ...vector, signature: prefix + bare }), prefix).toBe(true);
    for (const prefix of ['ful', 'pof', 'SMP', 'smpsmp', ' smp', 'smp ', 'foo'])
      expect(holds({ ...vector, signature: prefix + bare }), prefix).toBe(false);
  });

  test.each(vectors.refused)('are refused: $description', (vector) => {
    expect(holds(vector)).toBe(false);
    expect(holds({ ...vector, address })).toBe(false);
  });
});

describe('a signature of another implementation', () => {
  test.each(vectors.taproot)('has the address of its key: $address', (vector) => {
    const owner = testWallet({ secret: secretOfWif(vector.privateKey) });
    expect(owner.address).toBe(vector.address);
    expect(holds({ ...vector, signature: owner.sign(vector.message) })).toBe(true);
  });

  test('is accepted for any key and message, both hash types, with and without a prefix', () => {
    const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).fill(1, 0, 1));
    fc.assert(
      fc.property(
        secrets,
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(0, 1),
        fc.constantFrom('', 'smp'),
        (secret, text, hashType, prefix) => {
          const owner = testWallet({ secret });
          expect(holds({ address: owner.address, message: text, signature: prefix + owner.sign(text, { hashType }) })).toBe(true);
        },
      ),
      { numRuns: 25, seed: 322 },
    );
  });

  test('is accepted from the demo wallet on each network', () => {
    for (const network of ['mainnet', 'testnet', 'signet', 'regtest'] as const) {
      const { address, sign } = demoTaproot(1, network);
      expect(isSignedByTaproot({ address, message, signature: sign(message) }, network), network).toBe(true);
      expect(isSignedByTaproot({ address, message, signature: sign(`${message}.`) }, network), network).toBe(false);
    }
  });

  test('is accepted only on the network of the address', () => {
    const secret = Buffer.alloc(32, 9);
    const signed = (prefix: string) => {
      const owner = testWallet({ secret, prefix });
      return { address: owner.address, message, signature: owner.sign(message) };
    };
    expect(isSignedByTaproot(signed('bc'), 'mainnet')).toBe(true);
    expect(isSignedByTaproot(signed('tb'), 'testnet')).toBe(true);
    expect(isSignedByTaproot(signed('tb'), 'signet')).toBe(true);
    expect(isSignedByTaproot(signed('bcrt'), 'regtest')).toBe(true);
    expect(isSignedByTaproot(signed('tb'), 'mainnet')).toBe(false);
    expect(isSignedByTaproot(signed('bc'), 'testnet')).toBe(false);
    expect(isSignedByTaproot(signed('bcrt'), 'testnet')).toBe(false);
  });
});

describe('a BIP-322 signature is refused', () => {
  test('with any single bit flipped', () => {
    const bytes = bytesOf(signature);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const turned = Buffer.from(bytes);
      turned.writeUInt8(turned.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      if (holds({ address, message, signature: turned.toString('base64') })) expect.fail(`bit ${bit} does not count`);
    }
    expect(holds({ address, message, signature })).toBe(true);
  }, 60_000);

  test('for any other message, however similar', () => {
    const letters = [...message];
    for (let at = 0; at < letters.length; at++) {
      const near = letters.with(at, letters[at] === 'x' ? 'y' : 'x').join('');
      if (holds({ address, message: near, signature })) expect.fail(`letter ${at} does not count`);
    }
    for (const near of ['', `${message}\n`, message.replace('\n', '\r\n'), message.normalize('NFD') + ' ', message.toUpperCase()])
      expect(holds({ address, message: near, signature }), near).toBe(false);
  }, 60_000);

  test('for another address', () => {
    expect(holds({ address: other.address, message, signature })).toBe(false);
  });

  test('with its second half negated, which ECDSA would accept', () => {
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const bytes = bytesOf(signature);
    const s = BigInt(`0x${bytes.subarray(34).toString('hex')}`);
    for (const value of [n - s, s + n]) {
      const hex = value.toString(16).padStart(64, '0').slice(-64);
      const malleated = Buffer.concat([bytes.subarray(0, 34), Buffer.from(hex, 'hex')]).toString('base64');
      expect(holds({ address, message, signature: malleated })).toBe(false);
    }
  });

  const item = bytesOf(signature).subarray(2);
  const stack = (...items: Buffer[]) =>
    Buffer.concat([Buffer.of(items.length), ...items.flatMap((one) => [Buffer.of(one.length), one])]);
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no item', stack()],
    ['an empty item', stack(Buffer.alloc(0))],
    ['the item alone', item],
    ['two items', stack(item, item)],
    ['an annex', stack(item, Buffer.of(0x50))],
    ['an empty item before', stack(Buffer.alloc(0), item)],
    ['63 bytes', stack(item.subarray(0, 63))],
    ['65 bytes that end in 00', stack(Buffer.concat([item, Buffer.of(0x00)]))],
    ['65 bytes that end in another hash type', stack(Buffer.concat([item, Buffer.of(0x03)]))],
    ['65 bytes that end in 01 but were signed without', stack(Buffer.concat([item, Buffer.of(0x01)]))],
    ['66 bytes', stack(Buffer.concat([item, Buffer.of(1, 1)]))],
    ['a byte after', Buffer.concat([stack(item), Buffer.of(0)])],
    ['a length in three bytes', Buffer.concat([Buffer.of(1, 0xfd, 64, 0), item])],
    ['a count in three bytes', Buffer.concat([Buffer.of(0xfd, 1, 0, 64), item])],
    ['zeros', stack(Buffer.alloc(64))],
    ['ones', stack(Buffer.alloc(64, 0xff))],
  ])('as a witness of %s', (_, witness) => {
    for (const prefix of ['', 'smp'])
      expect(holds({ address, message, signature: prefix + witness.toString('base64') })).toBe(false);
  });

  test.each([0x02, 0x03, 0x81, 0x82, 0x83, 0x04, 0xff])('with the hash type %i, even if it was signed so', (hashType) => {
    expect(holds({ address, message, signature: wallet.sign(message, { hashType }) })).toBe(false);
  });

  test('in another base64 spelling', () => {
    const withAll = wallet.sign(message, { hashType: 1 });
    expect(holds({ address, message, signature: withAll })).toBe(true);
    expect(withAll).toMatch(/==$/);
    const lastBits = `${withAll.slice(0, -3)}${withAll.at(-3) === 'R' ? 'S' : 'R'}==`;
    for (const text of [
      withAll.replaceAll('=', ''),
      withAll.replace('==', '='),
      `${withAll}=`,
      `${withAll}\n`,
      ` ${withAll}`,
      withAll.replace(/(.{40})/, '$1\n'),
      withAll.replace(/(.{40})/, '$1!'),
      lastBits,
      bytesOf(withAll).toString('base64url'),
      bytesOf(withAll).toString('hex'),
      `${withAll}${' '.repeat(200)}`,
      withAll + 'A'.repeat(1_000_000),
    ])
      expect(holds({ address, message, signature: text }), text.slice(0, 120)).toBe(false);
  });

  test('in the BIP-137 format: 65 bytes of ECDSA by the same key', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const scalar = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
    const owner = testWallet({ secret: scalar });
    const ecdh = createECDH('secp256k1');
    ecdh.setPrivateKey(scalar);
    expect(ecdh.getPublicKey('hex', 'compressed')).toBe(owner.publicKey);
    const prefixed = Buffer.concat([Buffer.from(`\x18Bitcoin Signed Message:\n${String.fromCharCode(2)}`), Buffer.from('hi')]);
    const rs = createSign('sha256').update(prefixed).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' });
    for (let header = 27; header <= 42; header++) {
      const legacy = Buffer.concat([Buffer.of(header), rs]);
      expect(holds({ address: owner.address, message: 'hi', signature: legacy.toString('base64') })).toBe(false);
      expect(holds({ address: owner.address, message: 'hi', signature: stack(legacy).toString('base64') })).toBe(false);
    }
  });

  test('for an address that is not taproot, of another network or without a key', () => {
    const offCurve = Buffer.from('EEFDEA4CDB677750A420FEE807EACF21EB9898AE79B9768766E4FAA04A2D4A34', 'hex');
    for (const provided of [
      '',
      'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
      '164P4mbDkPcyvRnFGAZd1ThjxSj7Fbsywz',
      testWallet({ secret: Buffer.alloc(32, 7), prefix: 'tb' }).address,
      Address(NETWORK).encode({ type: 'tr', pubkey: offCurve }),
      Address(TEST_NETWORK).encode({ type: 'tr', pubkey: offCurve }),
    ])
      expect(holds({ address: provided, message, signature }), provided).toBe(false);
  });

  test('for a message that is not valid text', () => {
    // A lone surrogate would be signed as U+FFFD, a different message.
    expect(holds({ address, message: 'half \ud800', signature: wallet.sign('half \ud800') })).toBe(false);
  });

  test('without throwing, whatever the input', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.constantFrom('smp', 'AUA=', signature, address),
    );
    fc.assert(
      fc.property(anything, anything, anything, (someAddress, someMessage, someSignature) => {
        expect(holds({ address: someAddress, message: someMessage, signature: someSignature })).toBe(false);
        expect(holds({ address, message: someMessage, signature: someSignature })).toBe(false);
      }),
      { numRuns: 2000, seed: 322 },
    );
  });
});
