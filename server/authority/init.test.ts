import { execFile } from 'node:child_process';
import { ECDH } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleOf } from '../../scripts/setup.mjs';
import { createPasskeyPerson, createSoftwarePerson, createWalletPerson, type TestPerson } from '../testing/authority.ts';
import { createGenesis, GenesisConfigError } from './genesis-config.ts';
import { replay } from './replay.ts';

const ann = createPasskeyPerson('Ann', ['custody']);
const bob = createWalletPerson('Bob', ['custody']);
const cid = createPasskeyPerson('Cid', ['head']);
const createdAt = Date.parse('2026-11-02T08:00:00.000Z');

const entry = ({ person, name, roles, key }: TestPerson) => ({ person, name, roles, key });
const custodyAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const checksumAddress = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const foreignAddress = 'bc1q2424242424242424242424242424242484yscm';
const band = { fromBtc: '0', belowBtc: '1', approvals: 1, role: null, perDayBtc: '5', delaySeconds: 900 };
const validConfig = {
  network: 'mainnet',
  chainId: 1,
  token: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  bridge: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  minter: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  rpId: 'panel.example',
  origin: 'https://admin.panel.example',
  approvers: [ann, bob, cid].map(entry),
  policy: {
    root: 2,
    coolingSeconds: 86_400,
    bands: [band, { ...band, fromBtc: '1', belowBtc: null, approvals: 2, role: 'custody' }],
    refundBands: [{ ...band, belowBtc: null, approvals: 2 }],
  },
  custody: [custodyAddress, 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
  receivers: [
    {
      address: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      institution: 'Alpha Bank',
      custody: [custodyAddress],
      payout: [foreignAddress],
    },
  ],
};

const createFromConfig = (overrides: object = {}) => createGenesis(JSON.stringify({ ...validConfig, ...overrides }), createdAt);
const policyOverride = (overrides: object) => ({ policy: { ...validConfig.policy, ...overrides } });
const bandsOverride = (...bands: object[]) => policyOverride({ bands });
/** OpenSSL accepts several encodings of a point and preserves them. */
function encodeAnnKey(form: 'compressed' | 'hybrid'): string {
  const spki = Buffer.from(ann.key.type === 'passkey' ? ann.key.publicKey : '', 'base64url');
  const point = ECDH.convertKey(spki.subarray(26), 'prime256v1', undefined, undefined, form) as Buffer;
  const spkiHeader =
    form === 'hybrid' ? spki.subarray(0, 26) : Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex');
  return Buffer.concat([spkiHeader, point]).toString('base64url');
}
const receiverOverride = (overrides: object) => ({ receivers: [{ ...validConfig.receivers[0], ...overrides }] });

test('creates a valid, deterministic genesis for real money', async () => {
  const { line, hash, notes } = createFromConfig();
  expect(createFromConfig()).toEqual({ line, hash, notes });
  const { genesis, people } = await replay([line], { genesis: hash, now: () => createdAt });
  expect(genesis).toMatchObject({ development: false, chainId: 1, policy: { receivers: 'listed' } });
  expect(genesis.policy.bands.map(({ from, below, perDay }) => [from, below, perDay])).toEqual([
    ['0', '100000000', '500000000'],
    ['100000000', null, '500000000'],
  ]);
  expect(people.size).toBe(3);
  expect(notes).toEqual(['some amounts need only one person besides the one who recorded the deposit']);
});

describe('reports an invalid setting in one line with its path', () => {
  test.each<[string, object | string, string]>([
    ['no JSON', '{', 'not valid JSON: '],
    ['an unknown setting', { development: true }, 'unknown setting development'],
    ['a devnet', { chainId: 31_337 }, 'chainId: 31337 is a development chain'],
    ['a checksum', { token: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' }, 'token: has a wrong checksum (EIP-55)'],
    ['no checksum at all', { token: validConfig.token.toLowerCase() }, 'token: has a wrong checksum (EIP-55)'],
    ['a setting left out', { rpId: undefined }, 'rpId: is missing'],
    ['an unknown Bitcoin', { network: 'liquid' }, 'network: must be one of: mainnet'],
    [
      'a delay of a year',
      bandsOverride({ ...band, delaySeconds: 31_536_000 }),
      'policy.bands.0.delaySeconds: must be at most 604800',
    ],
    ['a short address', { bridge: '0x12' }, 'bridge: must be 0x followed by 40 hexadecimal digits'],
    ['the zero address', { bridge: `0x${'0'.repeat(40)}` }, 'bridge: must not be the zero address'],
    ['one contract for two', { bridge: validConfig.token }, 'bridge: must not be the token contract'],
    ['a contract as the minter', { minter: validConfig.bridge }, 'minter: must not be a contract of the protocol'],
    ['a page without TLS', { origin: 'http://admin.panel.example' }, 'origin: must be'],
    ['a page with a path', { origin: 'https://admin.panel.example/' }, 'origin: must be'],
    ['another domain', { rpId: 'example.org' }, 'rpId: must be admin.panel.example or one of its parent domains'],
    ['no domain', { rpId: 'localhost' }, 'rpId: must be a domain'],
    [
      'a software key',
      { approvers: [entry(createSoftwarePerson('Eve')), entry(bob)] },
      'approvers.0.key.type: must be a passkey or a wallet',
    ],
    [
      'no key',
      { approvers: [{ ...entry(ann), key: { type: 'passkey', credential: 'AAAA', publicKey: 'AAAA' } }] },
      'approvers.0.key.publicKey: must be a P-256 public key',
    ],
    ...(['compressed', 'hybrid'] as const).map((form): [string, object, string] => [
      `a ${form} spelling of a key`,
      { approvers: [{ ...entry(ann), key: { ...ann.key, publicKey: encodeAnnKey(form) } }, entry(bob)] },
      'approvers.0.key.publicKey: must be a P-256 public key',
    ]),
    [
      'one key for two',
      { approvers: [entry(ann), { ...entry(bob), key: ann.key }] },
      'approvers.1.key: duplicates the key of approvers.0',
    ],
    ['one person with two names', { approvers: [entry(ann), { ...entry(bob), person: ann.person }] }, 'approvers.1.name'],
    ['no id', { approvers: [{ ...entry(ann), person: 'ann' }, entry(bob)] }, 'approvers.0.person: has an invalid format'],
    ['one who changes the rules', policyOverride({ root: 1 }), 'policy.root: must be at least 2'],
    ['more than there are', policyOverride({ root: 4 }), 'policy.root: requires 4 people, but only 3 are listed'],
    ['no bands', policyOverride({ bands: [] }), 'policy.bands: list at least one band'],
    ['a gap', bandsOverride(band, { ...band, fromBtc: '1.00000001', belowBtc: null }), 'policy.bands.1.fromBtc: leaves a gap'],
    ['a gap at the start', bandsOverride({ ...band, fromBtc: '0.1' }), 'policy.bands.0.fromBtc: leaves a gap'],
    ['an overlap', bandsOverride(band, { ...band, fromBtc: '0.99999999', belowBtc: null }), 'policy.bands.1.fromBtc: overlaps'],
    [
      'a band after the end',
      bandsOverride({ ...band, belowBtc: null }, { ...band, fromBtc: '1' }),
      'policy.bands.1: follows a band that has no upper limit',
    ],
    ['a band without room', bandsOverride({ ...band, belowBtc: '0' }), 'policy.bands.0.belowBtc: must be higher than fromBtc'],
    [
      'a part of a satoshi',
      bandsOverride({ ...band, belowBtc: '0.000000001' }),
      'policy.bands.0.belowBtc: must be an amount in BTC',
    ],
    ['a number for an amount', bandsOverride({ ...band, belowBtc: 1 }), 'policy.bands.0.belowBtc: must be text'],
    ['more than there is', bandsOverride({ ...band, belowBtc: '21000001' }), 'policy.bands.0.belowBtc: must be an amount in BTC'],
    [
      'a role that too few have',
      bandsOverride({ ...band, role: 'head', approvals: 2 }),
      'policy.bands.0.approvals: requires 2 people, but only 1 have the role head',
    ],
    [
      'a Bitcoin address of another network',
      { custody: ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'] },
      'custody.0: isn’t a Bitcoin mainnet address',
    ],
    [
      'a Bitcoin address with a typo',
      { custody: [custodyAddress.replace('8f3', '8f4')] },
      'custody.0: isn’t a Bitcoin mainnet address',
    ],
    ['a Bitcoin address twice', { custody: [custodyAddress, custodyAddress.toUpperCase()] }, 'custody.1: is listed twice'],
    [
      'a receiver that is a contract',
      receiverOverride({ address: validConfig.token }),
      'receivers.0.address: must not be a contract of the protocol',
    ],
    ['a receiver twice', { receivers: [validConfig.receivers[0], validConfig.receivers[0]] }, 'receivers.1: is listed twice'],
    [
      'custody that is not ours',
      receiverOverride({ custody: ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'] }),
      'receivers.0.custody.0: must be listed under custody',
    ],
    [
      'custody of two institutions',
      {
        receivers: [validConfig.receivers[0], { ...validConfig.receivers[0], institution: 'Beta', address: checksumAddress }],
      },
      'receivers.1.custody.0: already belongs to Alpha Bank',
    ],
    [
      'turned writing',
      { approvers: [{ ...entry(ann), name: 'A\u202enn' }, entry(bob)] },
      'approvers.0.name: has an invalid format',
    ],
    [
      'a payout address that is ours',
      receiverOverride({ payout: [custodyAddress] }),
      'receivers.0.payout.0: must not be a custody address',
    ],
    [
      'a payout address of another network',
      receiverOverride({ payout: ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'] }),
      'receivers.0.payout.0: isn’t a Bitcoin mainnet address',
    ],
    [
      'a payout address of two institutions',
      {
        receivers: [
          validConfig.receivers[0],
          { ...validConfig.receivers[0], institution: 'Beta', custody: [], address: checksumAddress },
        ],
      },
      'receivers.1.payout.0: already belongs to Alpha Bank',
    ],
    [
      'a gap in the refund bands',
      policyOverride({ refundBands: [{ ...band, fromBtc: '0.1' }] }),
      'policy.refundBands.0.fromBtc: leaves a gap',
    ],
    [
      'a receiver that is the minter',
      receiverOverride({ address: validConfig.minter }),
      'receivers.0.address: must not be the minter',
    ],
    [
      'two institutions whose names look alike',
      {
        receivers: [
          validConfig.receivers[0],
          { ...validConfig.receivers[0], institution: 'AIpha Bank', address: checksumAddress, custody: [], payout: [] },
        ],
      },
      'receivers.0.institution: is too similar to AIpha Bank',
    ],
    [
      'two people whose names look alike',
      { approvers: [entry(ann), { ...entry(bob), name: 'Аnn' }] },
      'approvers.1.name: is too similar to Ann',
    ],
  ])('%s', (_name, overrides, expectedMessage) => {
    const createConfig = () =>
      typeof overrides === 'string' ? createGenesis(overrides, createdAt) : createFromConfig(overrides);
    expect(createConfig).toThrow(GenesisConfigError);
    expect(createConfig).toThrow(expectedMessage);
    try {
      createConfig();
    } catch (error) {
      expect(String(error)).not.toMatch(/\n|Invalid input/);
    }
  });
});

test('reports valid but risky settings', () => {
  const { notes } = createFromConfig({
    approvers: [entry(ann), entry(cid)],
    ...bandsOverride({ ...band, belowBtc: null }),
    custody: [],
    receivers: [],
  });
  expect(notes.join('\n')).toMatch(/changes need all 2 people[^]*no approver has a wallet[^]*no custody address[^]*no receiver/);
});

describe('authority:init', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authority-init-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = promisify(execFile);
  const runInit = (...args: string[]) => run(process.execPath, [bundleOf('authority-init'), ...args]);

  test('prints the line and the hash to pin', async () => {
    const file = join(folder, 'genesis.json');
    writeFileSync(file, JSON.stringify(validConfig));
    const { stdout, stderr } = await runInit('--config', file, '--at', '2026-11-02T08:00:00.000Z');
    const { line, hash, notes } = createFromConfig();
    expect(stdout).toBe(`${line}\nAUTHORITY_GENESIS=${hash}\n`);
    expect(stderr).toBe(notes.map((warning) => `note: ${warning}\n`).join(''));
  });

  test('exits with 2 and one line for invalid input', async () => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, JSON.stringify({ ...validConfig, chainId: 31_337 }));
    await expect(runInit('--config', file)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'chainId: 31337 is a development chain\n',
    });
    await expect(runInit('--config', join(folder, 'none.json'))).rejects.toMatchObject({ code: 2 });
    await expect(runInit()).rejects.toMatchObject({ code: 2 });
  });
});
