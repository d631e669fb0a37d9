import { TEST_NETWORK, Address, NETWORK } from '@scure/btc-signer';
import { describe, expect, test } from 'vitest';
import { bitcoinNetworks, type BitcoinNetwork } from '../api/access/wallet.ts';
import { parseTaprootAddress } from './taproot-address.ts';

const validAddresses: [BitcoinNetwork, string][] = [
  ['mainnet', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'], // BIP-350
  ['mainnet', 'bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5'], // BIP-341
  ['mainnet', 'bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler'], // BIP-322
  ['testnet', 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'], // BIP-350
  ['signet', 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'],
];

test.each(validAddresses)('accepts a taproot address of %s: %s', (network, address) => {
  expect(parseTaprootAddress(address, network)).toBe(address);
});

test('accepts upper case and returns lower case', () => {
  for (const [network, address] of validAddresses) expect(parseTaprootAddress(address.toUpperCase(), network)).toBe(address);
});

test('accepts only addresses of the given network', () => {
  for (const [network, address] of validAddresses) {
    const otherNetworks = bitcoinNetworks.filter((otherNetwork) => otherNetwork.slice(0, 4) !== network.slice(0, 4));
    for (const otherNetwork of otherNetworks) {
      const hasSamePrefix = address.startsWith('tb1') && (otherNetwork === 'testnet' || otherNetwork === 'signet');
      expect(parseTaprootAddress(address, otherNetwork), `${address} on ${otherNetwork}`).toBe(hasSamePrefix ? address : null);
    }
  }
  const { pubkey } = Address(NETWORK).decode(validAddresses[0]?.[1] ?? '') as { pubkey: Uint8Array };
  const regtest = Address({ ...TEST_NETWORK, bech32: 'bcrt' }).encode({ type: 'tr', pubkey });
  expect(regtest).toMatch(/^bcrt1p/);
  expect(bitcoinNetworks.map((network) => parseTaprootAddress(regtest, network))).toEqual([null, null, null, regtest]);
});

// Not on the curve (BIP-340, index 5), but the library accepts it.
const unspendableKey = Buffer.from('EEFDEA4CDB677750A420FEE807EACF21EB9898AE79B9768766E4FAA04A2D4A34', 'hex');

describe('the taproot address parser refuses', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'taproot'],
    ['a segwit address', 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'],
    ['a script hash', '37HVPoc7ZsU5C9Z2VKcCkSLzEknYXCzm3s'],
    ['an old address', '164P4mbDkPcyvRnFGAZd1ThjxSj7Fbsywz'],
    ['an EVM address', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['a bech32 checksum (BIP-350)', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
    ['a bech32 checksum of version 0 (BIP-350)', 'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47'],
    ['a wrong checksum (BIP-350)', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
    ['a program of 16 bytes', 'bc1pw5dgrnzv'],
    ['an unknown version (BIP-350)', 'BC1SW50QGDZ25J'],
    ['mixed case', 'bc1P0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ['spaces around', ' bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ['something after', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0\n'],
    ['a million characters', 'bc1p'.repeat(250_000)],
    ['letters that only look the same', 'bс1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
    ['a sign that becomes a letter in lower case', 'BC1P2WSLDEZ5MUD2YAM29Q22WGFH9439SPGDUVCT83\u212A3PM50FCXA5DPS59H4Z5'],
    ['a key that is not on the curve', Address(NETWORK).encode({ type: 'tr', pubkey: unspendableKey })],
  ])('%s', (_, text) => {
    for (const network of bitcoinNetworks) expect(parseTaprootAddress(text, network)).toBeNull();
  });
});
