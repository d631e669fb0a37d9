import { expect, test } from 'vitest';
import { canonicalHash } from '../../../api/authority/canonical.ts';
import type { AuthorityKey, Statement } from '../../../api/authority/statements.ts';
import type { DepositRow } from '../../../api/deposits/contract.ts';
import { connectTestWallet } from '../../testing/evm-wallet.ts';
import type { Api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { cancelWithSignature } from './sign-versions.ts';

const account = '0x00000000000000000000000000000000000000A1';
const logPosition = {
  chainId: 31337,
  network: 'regtest',
  token: `0x${'1'.repeat(40)}`,
  bridge: `0x${'2'.repeat(40)}`,
  rpId: 'localhost',
  genesis: '0'.repeat(64),
};
const [network, txid, vout, reason] = ['regtest', 'b'.repeat(64), 0, 'wrong receiver'] as const;
const row = { network, txid, vout } as DepositRow;
const targets = [{ entity: 'deposits', id: 'd', version: 1, name: 'd', row } as Target<'deposits'>];
const statement = {
  v: 2,
  kind: 'mint.cancel',
  id: '00000000-0000-4000-8000-000000000001',
  log: { genesis: logPosition.genesis, chainId: logPosition.chainId, bridge: logPosition.bridge },
  after: { number: 2, hash: 'a'.repeat(64) },
  expires: '2026-11-29T10:00:00.000Z',
  content: { network, txid, vout, reason },
} as Statement;

function createApi(proposedStatement = statement): Api {
  const keys: AuthorityKey[] = [{ type: 'wallet', address: account }];
  const proposal = { statement: proposedStatement, hash: canonicalHash(proposedStatement), keys, place: logPosition };
  return { deposits: { cancelMint: async () => ({ ...row, proposal, waits: true }) } } as unknown as Api;
}
const unsignedResult = { row, isSigned: false };

test('a mint is canceled even if no wallet is connected to sign the cancellation', async () => {
  expect(await cancelWithSignature(createApi(), targets, reason)).toEqual(unsignedResult);
});

test.each([
  ['says no', { eth_signTypedData_v4: 4001 }, '0x7a69', account],
  ['has a question open', { eth_signTypedData_v4: -32002 }, '0x7a69', account],
  ['is on another chain', {}, '0x1', account],
  ['shows another account', {}, '0x7a69', '0x00000000000000000000000000000000000000b2'],
] as const)('a mint is canceled even if the wallet %s', async (_how, walletErrors, chainId, expectedText) => {
  const wallet = await connectTestWallet({
    eth_accounts: () => [expectedText],
    eth_chainId: () => chainId,
    eth_signTypedData_v4: () => {
      throw Object.assign(new Error('no'), { code: (walletErrors as { eth_signTypedData_v4?: number }).eth_signTypedData_v4 });
    },
  });
  try {
    expect(await cancelWithSignature(createApi(), targets, reason)).toEqual(unsignedResult);
  } finally {
    await wallet.leave();
  }
});

test('a statement that differs from the review is refused with a message', async () => {
  const otherStatement = { ...statement, content: { network, txid, vout: 1, reason } } as Statement;
  await expect(cancelWithSignature(createApi(otherStatement), targets, reason)).rejects.toMatchObject({ code: 'differs' });
});
