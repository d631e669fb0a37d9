import { execFile } from 'node:child_process';
import { ECDH } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleOf } from '../../scripts/setup.mjs';
import { passkeyPerson, softwarePerson, walletPerson, type TestPerson } from '../testing/authority.ts';
import { createGenesis, GenesisConfigError } from './genesis-config.ts';
import { replay } from './replay.ts';

const ann = passkeyPerson('Ann', ['custody']);
const bob = walletPerson('Bob', ['custody']);
const cid = passkeyPerson('Cid', ['head']);
const at = Date.parse('2026-11-02T08:00:00.000Z');

const entry = ({ person, name, roles, key }: TestPerson) => ({ person, name, roles, key });
const own = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const theirs = 'bc1q2424242424242424242424242424242484yscm';
const band = { fromBtc: '0', belowBtc: '1', approvals: 1, role: null, perDayBtc: '5', delaySeconds: 900 };
const good = {
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
  custody: [own, 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
  receivers: [
    { address: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB', institution: 'Alpha Bank', custody: [own], payout: [theirs] },
  ],
};

const begin = (over: object = {}) => createGenesis(JSON.stringify({ ...good, ...over }), at);
const withPolicy = (over: object) => ({ policy: { ...good.policy, ...over } });
const withBands = (...bands: object[]) => withPolicy({ bands });
/** OpenSSL accepts several encodings of a point and preserves them. */
function spelled(form: 'compressed' | 'hybrid'): string {
  const spki = Buffer.from(ann.key.type === 'passkey' ? ann.key.publicKey : '', 'base64url');
  const point = ECDH.convertKey(spki.subarray(26), 'prime256v1', undefined, undefined, form) as Buffer;
  const head =
    form === 'hybrid' ? spki.subarray(0, 26) : Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex');
  return Buffer.concat([head, point]).toString('base64url');
}
const withReceiver = (over: object) => ({ receivers: [{ ...good.receivers[0], ...over }] });

test('creates a valid, deterministic genesis for real money', async () => {
  const { line, hash, notes } = begin();
  expect(begin()).toEqual({ line, hash, notes });
  const { genesis, people } = await replay([line], { genesis: hash, now: () => at });
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
    ['no checksum at all', { token: good.token.toLowerCase() }, 'token: has a wrong checksum (EIP-55)'],
    ['a setting left out', { rpId: undefined }, 'rpId: is missing'],
    ['an unknown Bitcoin', { network: 'liquid' }, 'network: must be one of: mainnet'],
    [
      'a delay of a year',
      withBands({ ...band, delaySeconds: 31_536_000 }),
      'policy.bands.0.delaySeconds: must be at most 604800',
    ],
    ['a short address', { bridge: '0x12' }, 'bridge: must be 0x followed by 40 hexadecimal digits'],
    ['the zero address', { bridge: `0x${'0'.repeat(40)}` }, 'bridge: must not be the zero address'],
    ['one contract for two', { bridge: good.token }, 'bridge: must not be the token contract'],
    ['a contract as the minter', { minter: good.bridge }, 'minter: must not be a contract of the protocol'],
    ['a page without TLS', { origin: 'http://admin.panel.example' }, 'origin: must be'],
    ['a page with a path', { origin: 'https://admin.panel.example/' }, 'origin: must be'],
    ['another domain', { rpId: 'example.org' }, 'rpId: must be admin.panel.example or one of its parent domains'],
    ['no domain', { rpId: 'localhost' }, 'rpId: must be a domain'],
    [
      'a software key',
      { approvers: [entry(softwarePerson('Eve')), entry(bob)] },
      'approvers.0.key.type: must be a passkey or a wallet',
    ],
    [
      'no key',
      { approvers: [{ ...entry(ann), key: { type: 'passkey', credential: 'AAAA', publicKey: 'AAAA' } }] },
      'approvers.0.key.publicKey: must be a P-256 public key',
    ],
    ...(['compressed', 'hybrid'] as const).map((form): [string, object, string] => [
      `a ${form} spelling of a key`,
      { approvers: [{ ...entry(ann), key: { ...ann.key, publicKey: spelled(form) } }, entry(bob)] },
      'approvers.0.key.publicKey: must be a P-256 public key',
    ]),
    [
      'one key for two',
      { approvers: [entry(ann), { ...entry(bob), key: ann.key }] },
      'approvers.1.key: duplicates the key of approvers.0',
    ],
    ['one person with two names', { approvers: [entry(ann), { ...entry(bob), person: ann.person }] }, 'approvers.1.name'],
    ['no id', { approvers: [{ ...entry(ann), person: 'ann' }, entry(bob)] }, 'approvers.0.person: has an invalid format'],
    ['one who changes the rules', withPolicy({ root: 1 }), 'policy.root: must be at least 2'],
    ['more than there are', withPolicy({ root: 4 }), 'policy.root: requires 4 people, but only 3 are listed'],
    ['no bands', withPolicy({ bands: [] }), 'policy.bands: list at least one band'],
    ['a gap', withBands(band, { ...band, fromBtc: '1.00000001', belowBtc: null }), 'policy.bands.1.fromBtc: leaves a gap'],
    ['a gap at the start', withBands({ ...band, fromBtc: '0.1' }), 'policy.bands.0.fromBtc: leaves a gap'],
    ['an overlap', withBands(band, { ...band, fromBtc: '0.99999999', belowBtc: null }), 'policy.bands.1.fromBtc: overlaps'],
    [
      'a band after the end',
      withBands({ ...band, belowBtc: null }, { ...band, fromBtc: '1' }),
      'policy.bands.1: follows a band that has no upper limit',
    ],
    ['a band without room', withBands({ ...band, belowBtc: '0' }), 'policy.bands.0.belowBtc: must be higher than fromBtc'],
    ['a part of a satoshi', withBands({ ...band, belowBtc: '0.000000001' }), 'policy.bands.0.belowBtc: must be an amount in BTC'],
    ['a number for an amount', withBands({ ...band, belowBtc: 1 }), 'policy.bands.0.belowBtc: must be text'],
    ['more than there is', withBands({ ...band, belowBtc: '21000001' }), 'policy.bands.0.belowBtc: must be an amount in BTC'],
    [
      'a role that too few have',
      withBands({ ...band, role: 'head', approvals: 2 }),
      'policy.bands.0.approvals: requires 2 people, but only 1 have the role head',
    ],
    [
      'a Bitcoin address of another network',
      { custody: ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'] },
      'custody.0: isn’t a Bitcoin mainnet address',
    ],
    ['a Bitcoin address with a typo', { custody: [own.replace('8f3', '8f4')] }, 'custody.0: isn’t a Bitcoin mainnet address'],
    ['a Bitcoin address twice', { custody: [own, own.toUpperCase()] }, 'custody.1: is listed twice'],
    [
      'a receiver that is a contract',
      withReceiver({ address: good.token }),
      'receivers.0.address: must not be a contract of the protocol',
    ],
    ['a receiver twice', { receivers: [good.receivers[0], good.receivers[0]] }, 'receivers.1: is listed twice'],
    [
      'custody that is not ours',
      withReceiver({ custody: ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'] }),
      'receivers.0.custody.0: must be listed under custody',
    ],
    [
      'custody of two institutions',
      {
        receivers: [good.receivers[0], { ...good.receivers[0], institution: 'Beta', address: other }],
      },
      'receivers.1.custody.0: already belongs to Alpha Bank',
    ],
    [
      'turned writing',
      { approvers: [{ ...entry(ann), name: 'A\u202enn' }, entry(bob)] },
      'approvers.0.name: has an invalid format',
    ],
    ['a payout address that is ours', withReceiver({ payout: [own] }), 'receivers.0.payout.0: must not be a custody address'],
    [
      'a payout address of another network',
      withReceiver({ payout: ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'] }),
      'receivers.0.payout.0: isn’t a Bitcoin mainnet address',
    ],
    [
      'a payout address of two institutions',
      {
        receivers: [good.receivers[0], { ...good.receivers[0], institution: 'Beta', custody: [], address: other }],
      },
      'receivers.1.payout.0: already belongs to Alpha Bank',
    ],
    [
      'a gap in the refund bands',
      withPolicy({ refundBands: [{ ...band, fromBtc: '0.1' }] }),
      'policy.refundBands.0.fromBtc: leaves a gap',
    ],
    ['a receiver that is the minter', withReceiver({ address: good.minter }), 'receivers.0.address: must not be the minter'],
    [
      'two institutions whose names look alike',
      {
        receivers: [
          good.receivers[0],
          { ...good.receivers[0], institution: 'AIpha Bank', address: other, custody: [], payout: [] },
        ],
      },
      'receivers.0.institution: is too similar to AIpha Bank',
    ],
    [
      'two people whose names look alike',
      { approvers: [entry(ann), { ...entry(bob), name: 'Аnn' }] },
      'approvers.1.name: is too similar to Ann',
    ],
  ])('%s', (_name, over, reported) => {
    const make = () => (typeof over === 'string' ? createGenesis(over, at) : begin(over));
    expect(make).toThrow(GenesisConfigError);
    expect(make).toThrow(reported);
    try {
      make();
    } catch (error) {
      expect(String(error)).not.toMatch(/\n|Invalid input/);
    }
  });
});

test('reports valid but risky settings', () => {
  const { notes } = begin({
    approvers: [entry(ann), entry(cid)],
    ...withBands({ ...band, belowBtc: null }),
    custody: [],
    receivers: [],
  });
  expect(notes.join('\n')).toMatch(/changes need all 2 people[^]*no approver has a wallet[^]*no custody address[^]*no receiver/);
});

describe('authority:init', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authority-init-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = promisify(execFile);
  const init = (...args: string[]) => run(process.execPath, [bundleOf('authority-init'), ...args]);

  test('prints the line and the hash to pin', async () => {
    const file = join(folder, 'genesis.json');
    writeFileSync(file, JSON.stringify(good));
    const { stdout, stderr } = await init('--config', file, '--at', '2026-11-02T08:00:00.000Z');
    const { line, hash, notes } = begin();
    expect(stdout).toBe(`${line}\nAUTHORITY_GENESIS=${hash}\n`);
    expect(stderr).toBe(notes.map((note) => `note: ${note}\n`).join(''));
  });

  test('exits with 2 and one line for invalid input', async () => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, JSON.stringify({ ...good, chainId: 31_337 }));
    await expect(init('--config', file)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'chainId: 31337 is a development chain\n',
    });
    await expect(init('--config', join(folder, 'none.json'))).rejects.toMatchObject({ code: 2 });
    await expect(init()).rejects.toMatchObject({ code: 2 });
  });
});
