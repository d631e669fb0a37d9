import { describe, expect, test } from 'vitest';
import { canonicalHash } from '../../../api/authority/canonical.ts';
import type { StatementOf } from '../../../api/authority/statements.ts';
import type { LogPosition } from '../../../api/authority/signing.ts';
import { hashShownStatement } from './differences.ts';
import { signWithKey } from './sign.ts';

const logPosition: LogPosition = {
  chainId: 31337,
  network: 'regtest',
  token: `0x${'1'.repeat(40)}`,
  bridge: `0x${'2'.repeat(40)}`,
  rpId: 'localhost',
  genesis: '0'.repeat(64),
};
const { rpId: _, genesis, ...chain } = logPosition;
const statement: StatementOf<'mint.approve'> = {
  v: 2,
  kind: 'mint.approve',
  id: '00000000-0000-4000-8000-000000000001',
  log: { genesis, chainId: chain.chainId, bridge: chain.bridge },
  after: { number: 2, hash: 'a'.repeat(64) },
  expires: '2026-11-29T10:00:00.000Z',
  content: {
    ...chain,
    txid: 'b'.repeat(64),
    vout: 0,
    satoshi: '75000000',
    custody: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    receiver: `0x${'5'.repeat(40)}`,
    policy: 0,
    authors: [],
  },
};
const { network, txid, vout, satoshi, custody, receiver } = statement.content;
const shownStatement = { kind: 'mint.approve', content: { network, txid, vout, satoshi, custody, receiver } } as const;

describe('signing a statement', () => {
  test('hashes it locally if every field equals what was shown', () => {
    expect(hashShownStatement(statement, { ...shownStatement, hash: canonicalHash(statement) }, logPosition)).toBe(
      canonicalHash(statement),
    );
  });

  const alteredFields = {
    satoshi: '75000001',
    receiver: `0x${'6'.repeat(40)}`,
    custody: 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry',
    txid: 'c'.repeat(64),
    vout: 1,
    network: 'mainnet',
    chainId: 1,
    token: `0x${'3'.repeat(40)}`,
    bridge: `0x${'4'.repeat(40)}`,
  } as const;
  test.each(Object.entries(alteredFields))('refuses a different %s before any key is used', async (field, alteredValue) => {
    const alteredStatement = { ...statement, content: { ...statement.content, [field]: alteredValue } } as typeof statement;
    const key = { type: 'passkey', credential: 'AAAA', publicKey: 'AAAA' } as const;
    await expect(signWithKey(alteredStatement, shownStatement, [key], logPosition)).rejects.toMatchObject({
      name: 'AuthorityError',
      code: 'differs',
    });
  });

  test.each(Object.entries({ genesis: 'f'.repeat(64), chainId: 1, bridge: `0x${'4'.repeat(40)}` }))(
    'refuses a log with a different %s before any key is used',
    (field, alteredValue) => {
      const alteredStatement = { ...statement, log: { ...statement.log, [field]: alteredValue } } as typeof statement;
      expect(() => hashShownStatement(alteredStatement, shownStatement, logPosition)).toThrow('differs');
    },
  );

  test('refuses a different kind, a different hash and a missing field', () => {
    expect(() => hashShownStatement(statement, { ...shownStatement, kind: 'mint.cancel' }, logPosition)).toThrow('differs');
    expect(() => hashShownStatement(statement, { ...shownStatement, hash: 'f'.repeat(64) }, logPosition)).toThrow('differs');
    expect(() => hashShownStatement(statement, { ...shownStatement, content: { amount: '1' } }, logPosition)).toThrow('differs');
  });

  test('leaves it to the server if the person has only a software key', async () => {
    expect(await signWithKey(statement, shownStatement, [{ type: 'software', publicKey: 'AAAA' }], logPosition)).toBeUndefined();
  });
});
