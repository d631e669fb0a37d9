import { expect, test } from '@admin-panel/qa';
import { findAccount } from './accounts.ts';

test('a deposit has its evidence, and its recorder can’t confirm it', async ({ admin, make }) => {
  await admin.signIn('/selfCustody/deposit', findAccount('operator'));
  const deposit = await make.deposit({ btc: '0.5' });
  expect(await admin.get('deposits', deposit.id)).toMatchObject({ amount: '50000000', mintStatus: 'none', own: true });
  await expect(admin.run('deposits.confirm', { targets: [deposit], confirm: true })).rejects.toMatchObject({
    code: 'NOT_PERMITTED',
  });
});

test('points are given and reversed, and the ledger has both entries', async ({ admin, make }) => {
  await admin.signIn('/points', findAccount('qa'));
  const address = `0x${'ab'.repeat(20)}`.replace(/^0x..../, `0x${Date.now().toString(16).slice(-4)}`);
  const entry = await make.points({ address, berries: '25' });
  await admin.run('points.reverse', { targets: [entry.id], params: { reason: 'A mistake' }, confirm: true });
  const rows = await admin.read('points', { filter: { address } });
  expect(rows.slice(0, 2).map(({ berries }) => berries)).toEqual(['-25', '25']);
});

test('an airdrop is corrected', async ({ admin, make }) => {
  await admin.signIn('/NFTAirdrop', findAccount('qa'));
  const airdrop = await make.airdrop({ nftLevel: 1 });
  await admin.run('airdrops.setLevel', { targets: [airdrop], params: { nftLevel: 3 } });
  expect(await admin.get('airdrops', airdrop.id)).toMatchObject({ nftLevel: 3 });
});

test('a withdrawal is recorded and voided', async ({ admin, make }) => {
  await admin.signIn('/selfCustody/withdraw', findAccount('operator'));
  const withdrawal = await make.withdrawal();
  await admin.run('withdrawals.cancel', { targets: [withdrawal], confirm: true });
  expect(await admin.get('withdrawals', withdrawal.id)).toMatchObject({ status: 'canceled' });
});
