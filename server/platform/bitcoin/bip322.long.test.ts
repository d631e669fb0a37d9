import { createECDH, createSign, generateKeyPairSync } from 'node:crypto';
import { Address, NETWORK, OutScript, TEST_NETWORK } from '@scure/btc-signer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from './bip322-vectors.json';
import { hashMessage, createToSignTransaction, createToSpendTransaction } from '../../../chain/bitcoin.ts';
import { createDemoTaproot } from '../../../chain/wallet/taproot.ts';
import { isSignedByTaproot, type SignedMessage } from './bip322.ts';
import { decodeWif, createTestWallet } from '../../testing/wallet.ts';

const isAccepted = (signedMessage: SignedMessage) => isSignedByTaproot(signedMessage, 'mainnet');
const testSigner = createTestWallet({ secret: Buffer.alloc(32, 7) });
const otherWallet = createTestWallet({ secret: Buffer.alloc(32, 8) });
const message = 'panel.example.com wants you to sign in with your Bitcoin address:\n测试 🙂';
const { address } = testSigner;
const signature = testSigner.sign(message);
const decodeBase64 = (text: string) => Buffer.from(text, 'base64');

describe('the BIP-322 test vectors', () => {
  test.each(vectors.hashes)('produce the same hashes for "$message" and its two transactions', (vector) => {
    const toSpendTransaction = createToSpendTransaction(
      OutScript.encode(Address(NETWORK).decode(vector.address)),
      vector.message,
    );
    expect(Buffer.from(hashMessage(vector.message)).toString('hex')).toBe(vector.messageHash);
    expect(toSpendTransaction.id).toBe(vector.toSpend);
    expect(createToSignTransaction(toSpendTransaction).id).toBe(vector.toSign);
  });

  test.each(vectors.taproot)('are accepted for $address', (vector) => {
    expect(isAccepted(vector)).toBe(true);
    const signatureWithoutPrefix = vector.signature.replace(/^smp/, '');
    for (const prefix of ['', 'smp'])
      expect(isAccepted({ ...vector, signature: prefix + signatureWithoutPrefix }), prefix).toBe(true);
    for (const prefix of ['ful', 'pof', 'SMP', 'smpsmp', ' smp', 'smp ', 'foo'])
      expect(isAccepted({ ...vector, signature: prefix + signatureWithoutPrefix }), prefix).toBe(false);
  });

  test.each(vectors.refused)('are refused: $description', (vector) => {
    expect(isAccepted(vector)).toBe(false);
    expect(isAccepted({ ...vector, address })).toBe(false);
  });
});

describe('a signature of another implementation', () => {
  test.each(vectors.taproot)('has the address of its key: $address', (vector) => {
    const owner = createTestWallet({ secret: decodeWif(vector.privateKey) });
    expect(owner.address).toBe(vector.address);
    expect(isAccepted({ ...vector, signature: owner.sign(vector.message) })).toBe(true);
  });

  test('is accepted for any key and message, both hash types, with and without a prefix', () => {
    const secretArbitrary = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).fill(1, 0, 1));
    fc.assert(
      fc.property(
        secretArbitrary,
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(0, 1),
        fc.constantFrom('', 'smp'),
        (secret, text, hashType, prefix) => {
          const owner = createTestWallet({ secret });
          expect(isAccepted({ address: owner.address, message: text, signature: prefix + owner.sign(text, { hashType }) })).toBe(
            true,
          );
        },
      ),
      { numRuns: 25, seed: 322 },
    );
  });

  test('is accepted from the demo wallet on each network', () => {
    for (const network of ['mainnet', 'testnet', 'signet', 'regtest'] as const) {
      const { address, sign } = createDemoTaproot(1, network);
      expect(isSignedByTaproot({ address, message, signature: sign(message) }, network), network).toBe(true);
      expect(isSignedByTaproot({ address, message, signature: sign(`${message}.`) }, network), network).toBe(false);
    }
  });

  test('is accepted only on the network of the address', () => {
    const secret = Buffer.alloc(32, 9);
    const signMessageWithPrefix = (prefix: string) => {
      const owner = createTestWallet({ secret, prefix });
      return { address: owner.address, message, signature: owner.sign(message) };
    };
    expect(isSignedByTaproot(signMessageWithPrefix('bc'), 'mainnet')).toBe(true);
    expect(isSignedByTaproot(signMessageWithPrefix('tb'), 'testnet')).toBe(true);
    expect(isSignedByTaproot(signMessageWithPrefix('tb'), 'signet')).toBe(true);
    expect(isSignedByTaproot(signMessageWithPrefix('bcrt'), 'regtest')).toBe(true);
    expect(isSignedByTaproot(signMessageWithPrefix('tb'), 'mainnet')).toBe(false);
    expect(isSignedByTaproot(signMessageWithPrefix('bc'), 'testnet')).toBe(false);
    expect(isSignedByTaproot(signMessageWithPrefix('bcrt'), 'testnet')).toBe(false);
  });
});

describe('a BIP-322 signature is refused', () => {
  test('with any single bit flipped', () => {
    const bytes = decodeBase64(signature);
    for (let bitIndex = 0; bitIndex < bytes.length * 8; bitIndex++) {
      const flippedBytes = Buffer.from(bytes);
      flippedBytes.writeUInt8(flippedBytes.readUInt8(bitIndex >> 3) ^ (1 << (bitIndex & 7)), bitIndex >> 3);
      if (isAccepted({ address, message, signature: flippedBytes.toString('base64') }))
        expect.fail(`bit ${bitIndex} does not count`);
    }
    expect(isAccepted({ address, message, signature })).toBe(true);
  }, 60_000);

  test('for any other message, however similar', () => {
    const messageCharacters = [...message];
    for (let characterIndex = 0; characterIndex < messageCharacters.length; characterIndex++) {
      const changedMessage = messageCharacters
        .with(characterIndex, messageCharacters[characterIndex] === 'x' ? 'y' : 'x')
        .join('');
      if (isAccepted({ address, message: changedMessage, signature })) expect.fail(`letter ${characterIndex} does not count`);
    }
    for (const changedMessage of [
      '',
      `${message}\n`,
      message.replace('\n', '\r\n'),
      message.normalize('NFD') + ' ',
      message.toUpperCase(),
    ])
      expect(isAccepted({ address, message: changedMessage, signature }), changedMessage).toBe(false);
  }, 60_000);

  test('for another address', () => {
    expect(isAccepted({ address: otherWallet.address, message, signature })).toBe(false);
  });

  test('with its second half negated, which ECDSA would accept', () => {
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const bytes = decodeBase64(signature);
    const sValue = BigInt(`0x${bytes.subarray(34).toString('hex')}`);
    for (const value of [n - sValue, sValue + n]) {
      const hex = value.toString(16).padStart(64, '0').slice(-64);
      const malleatedSignature = Buffer.concat([bytes.subarray(0, 34), Buffer.from(hex, 'hex')]).toString('base64');
      expect(isAccepted({ address, message, signature: malleatedSignature })).toBe(false);
    }
  });

  const item = decodeBase64(signature).subarray(2);
  const encodeWitnessStack = (...items: Buffer[]) =>
    Buffer.concat([Buffer.of(items.length), ...items.flatMap((item) => [Buffer.of(item.length), item])]);
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no item', encodeWitnessStack()],
    ['an empty item', encodeWitnessStack(Buffer.alloc(0))],
    ['the item alone', item],
    ['two items', encodeWitnessStack(item, item)],
    ['an annex', encodeWitnessStack(item, Buffer.of(0x50))],
    ['an empty item before', encodeWitnessStack(Buffer.alloc(0), item)],
    ['63 bytes', encodeWitnessStack(item.subarray(0, 63))],
    ['65 bytes that end in 00', encodeWitnessStack(Buffer.concat([item, Buffer.of(0x00)]))],
    ['65 bytes that end in another hash type', encodeWitnessStack(Buffer.concat([item, Buffer.of(0x03)]))],
    ['65 bytes that end in 01 but were signed without', encodeWitnessStack(Buffer.concat([item, Buffer.of(0x01)]))],
    ['66 bytes', encodeWitnessStack(Buffer.concat([item, Buffer.of(1, 1)]))],
    ['a byte after', Buffer.concat([encodeWitnessStack(item), Buffer.of(0)])],
    ['a length in three bytes', Buffer.concat([Buffer.of(1, 0xfd, 64, 0), item])],
    ['a count in three bytes', Buffer.concat([Buffer.of(0xfd, 1, 0, 64), item])],
    ['zeros', encodeWitnessStack(Buffer.alloc(64))],
    ['ones', encodeWitnessStack(Buffer.alloc(64, 0xff))],
  ])('as a witness of %s', (_, witness) => {
    for (const prefix of ['', 'smp'])
      expect(isAccepted({ address, message, signature: prefix + witness.toString('base64') })).toBe(false);
  });

  test.each([0x02, 0x03, 0x81, 0x82, 0x83, 0x04, 0xff])('with the hash type %i, even if it was signed so', (hashType) => {
    expect(isAccepted({ address, message, signature: testSigner.sign(message, { hashType }) })).toBe(false);
  });

  test('in another base64 spelling', () => {
    const sighashAllSignature = testSigner.sign(message, { hashType: 1 });
    expect(isAccepted({ address, message, signature: sighashAllSignature })).toBe(true);
    expect(sighashAllSignature).toMatch(/==$/);
    const lastBits = `${sighashAllSignature.slice(0, -3)}${sighashAllSignature.at(-3) === 'R' ? 'S' : 'R'}==`;
    for (const text of [
      sighashAllSignature.replaceAll('=', ''),
      sighashAllSignature.replace('==', '='),
      `${sighashAllSignature}=`,
      `${sighashAllSignature}\n`,
      ` ${sighashAllSignature}`,
      sighashAllSignature.replace(/(.{40})/, '$1\n'),
      sighashAllSignature.replace(/(.{40})/, '$1!'),
      lastBits,
      decodeBase64(sighashAllSignature).toString('base64url'),
      decodeBase64(sighashAllSignature).toString('hex'),
      `${sighashAllSignature}${' '.repeat(200)}`,
      sighashAllSignature + 'A'.repeat(1_000_000),
    ])
      expect(isAccepted({ address, message, signature: text }), text.slice(0, 120)).toBe(false);
  });

  test('in the BIP-137 format: 65 bytes of ECDSA by the same key', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const privateScalar = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
    const owner = createTestWallet({ secret: privateScalar });
    const ecdh = createECDH('secp256k1');
    ecdh.setPrivateKey(privateScalar);
    expect(ecdh.getPublicKey('hex', 'compressed')).toBe(owner.publicKey);
    const prefixedMessage = Buffer.concat([
      Buffer.from(`\x18Bitcoin Signed Message:\n${String.fromCharCode(2)}`),
      Buffer.from('hi'),
    ]);
    const compactSignature = createSign('sha256').update(prefixedMessage).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' });
    for (let header = 27; header <= 42; header++) {
      const legacySignature = Buffer.concat([Buffer.of(header), compactSignature]);
      expect(isAccepted({ address: owner.address, message: 'hi', signature: legacySignature.toString('base64') })).toBe(false);
      expect(
        isAccepted({ address: owner.address, message: 'hi', signature: encodeWitnessStack(legacySignature).toString('base64') }),
      ).toBe(false);
    }
  });

  test('for an address that is not taproot, of another network or without a key', () => {
    const offCurveKey = Buffer.from('EEFDEA4CDB677750A420FEE807EACF21EB9898AE79B9768766E4FAA04A2D4A34', 'hex');
    for (const provided of [
      '',
      'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
      '164P4mbDkPcyvRnFGAZd1ThjxSj7Fbsywz',
      createTestWallet({ secret: Buffer.alloc(32, 7), prefix: 'tb' }).address,
      Address(NETWORK).encode({ type: 'tr', pubkey: offCurveKey }),
      Address(TEST_NETWORK).encode({ type: 'tr', pubkey: offCurveKey }),
    ])
      expect(isAccepted({ address: provided, message, signature }), provided).toBe(false);
  });

  test('for a message that is not valid text', () => {
    // A lone surrogate would be signed as U+FFFD, a different message.
    expect(isAccepted({ address, message: 'half \ud800', signature: testSigner.sign('half \ud800') })).toBe(false);
  });

  test('without throwing, whatever the input', () => {
    const anyTextArbitrary = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.constantFrom('smp', 'AUA=', signature, address),
    );
    fc.assert(
      fc.property(anyTextArbitrary, anyTextArbitrary, anyTextArbitrary, (someAddress, someMessage, someSignature) => {
        expect(isAccepted({ address: someAddress, message: someMessage, signature: someSignature })).toBe(false);
        expect(isAccepted({ address, message: someMessage, signature: someSignature })).toBe(false);
      }),
      { numRuns: 2000, seed: 322 },
    );
  });
});
