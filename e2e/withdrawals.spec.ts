import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright/test';
import type pg from 'pg';
import { createTestClient, createWalletClient, http, publicActions, type HDAccount } from 'viem';
import { foundry } from 'viem/chains';
import type { EvmChainInfo } from '../api/custody/chain.ts';
import { satoshiToWei } from '../api/money.ts';
import type { WithdrawalRow } from '../api/withdrawals/contract.ts';
import { custodyBridgeAbi } from '../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../chain/abi/ybtc.ts';
import { devnetAccounts, devnetContracts, devnetParameters } from '../chain/deploy.ts';
import { depositHash } from '../chain/deposit-hash.ts';
import { expect, test, type Admin } from './fixtures.ts';
import { injectEvmWallet, type InjectedEvmWallet } from './support/evm-wallet.ts';
import { createStore } from '../testing/factories/store.ts';
import { drizzle } from 'drizzle-orm/node-postgres';

// On a real chain with a real key. Without the demo, which would put these accounts' YBTC into
// troves.
test.use({ serverEnv: { DEVNET: 'on', DEMO_NEWS: 'off', BITCOIN_NETWORK: 'regtest' }, locale: 'en-US' });

const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const screenPath = '/selfCustody/withdraw';
const [user, strangerAccount] = devnetAccounts.operators as [HDAccount, HDAccount];
const { ybtc, custodyBridge: bridge } = devnetContracts;

async function createChainClient(admin: Admin) {
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const response = await admin.page.request.get(`${admin.url}/api/chain`, { headers: { authorization } });
  const { rpcUrl } = (await response.json()) as EvmChainInfo;
  const transport = http(rpcUrl ?? '');
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport, pollingInterval: 100 }).extend(publicActions);
  const writeContractAs = async (
    account: HDAccount,
    address: `0x${string}`,
    abi: typeof ybtcAbi | typeof custodyBridgeAbi,
    functionName: string,
    args: unknown[],
  ) => {
    const wallet = createWalletClient({ account, chain: foundry, transport });
    const hash = await wallet.writeContract({ address, abi, functionName, args } as never);
    return client.waitForTransactionReceipt({ hash });
  };
  return {
    rpcUrl: rpcUrl ?? '',
    balanceOf: (account: HDAccount) =>
      client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'balanceOf', args: [account.address] }),
    mint: (hash: string, satoshi: bigint) =>
      writeContractAs(devnetAccounts.minter, ybtc, ybtcAbi, 'mint', [hash, user.address, satoshiToWei(satoshi)]),
    complete: (nonce: number) =>
      writeContractAs(devnetAccounts.deployer, bridge, custodyBridgeAbi, 'completeRefund', [
        BigInt(nonce),
        `0x${'00'.repeat(32)}`,
      ]),
    cool: async () => {
      await client.increaseTime({ seconds: Number(devnetParameters.cooling) });
      await client.mine({ blocks: 1 });
    },
  };
}

/** In the ledger and on chain, because a difference would freeze money. */
async function addDeposit(db: pg.Client, chain: RefundFixture['chain'], satoshi: bigint): Promise<string> {
  const txid = randomBytes(32).toString('hex');
  const { blockNumber, blockHash, transactionHash } = await chain.mint(depositHash('regtest', txid, 0), satoshi);
  const store = createStore(drizzle(db));
  await db.query('begin');
  const deposit = await store.deposit({
    userAddress: user.address,
    amount: satoshi,
    txid,
    status: 'confirmed',
    mintStatus: 'done',
  });
  await store.mint(deposit, { state: 'final', hash: transactionHash, blockNumber, blockHash });
  await db.query('commit');
  return deposit.id;
}

interface RefundFixture {
  chain: Awaited<ReturnType<typeof createChainClient>>;
  wallet: InjectedEvmWallet;
  row: Pick<WithdrawalRow, 'id' | 'depositId' | 'txid'>;
}

async function addInstitution(admin: Admin, db: pg.Client): Promise<void> {
  const { rows } = await db.query(`select from authority_statements where kind = 'receiver.add' and number is not null`);
  if (rows.length > 0) return;
  await admin.signIn('all', '/selfCustody/authority');
  const params = { institution: 'Alpha Bank', address: user.address, custody: [], payout: receiver };
  const { done } = await admin.run('authority.addReceiver', { params, confirm: true });
  await admin.signIn('approver', '/selfCustody/authority');
  for (const { id } of done) await admin.run('authority.sign', { targets: [id], confirm: true });
}

async function signRefund(admin: Admin, id: string): Promise<void> {
  await admin.signIn('approver', screenPath);
  await admin.run('withdrawals.signRefund', { targets: [id], confirm: true });
}

async function setUpWithdrawal(admin: Admin, db: pg.Client, satoshi: bigint, { isSigned = true } = {}): Promise<RefundFixture> {
  await addInstitution(admin, db);
  await admin.signIn('operator', screenPath);
  const chain = await createChainClient(admin);
  const wallet = await injectEvmWallet(admin.page, chain.rpcUrl, user);
  await admin.open(screenPath);
  const depositId = await addDeposit(db, chain, satoshi);
  const { done } = await admin.run('withdrawals.add', { params: { depositId, receiver }, confirm: true });
  const [row] = done;
  if (!row) throw new Error('no withdrawal was added');
  if (isSigned) {
    await signRefund(admin, row.id);
    await admin.signIn('operator', screenPath);
  }
  return { chain, wallet, row };
}

const connectWallet = (admin: Admin, wallet: InjectedEvmWallet) => admin.run('evm.connect', { params: { wallet: wallet.id } });
const readStatus = async (db: pg.Client, id: string): Promise<string> =>
  (await db.query('select status from withdrawals where id = $1', [id])).rows[0].status;
const expectStatus = (db: pg.Client, id: string, status: string) =>
  expect.poll(() => readStatus(db, id), { timeout: 20_000 }).toBe(status);
const requestHashOf = async (db: pg.Client, id: string) =>
  (await db.query('select request_hash from withdrawals where id = $1', [id])).rows[0].request_hash;
const openRecord = (page: Page, admin: Admin, id: string) =>
  page.goto(`${admin.url}${screenPath}?open=${id}`).then(() => admin.ready());

test('two people take a refund through record, signature, request and cooling to the payout', async ({ admin, db, page }) => {
  test.setTimeout(180_000);
  const satoshi = 123_456_789n;
  await addInstitution(admin, db);
  await admin.signIn('operator', screenPath);
  const chain = await createChainClient(admin);
  const wallet = await injectEvmWallet(page, chain.rpcUrl, user);
  await admin.open(screenPath);

  const depositId = await addDeposit(db, chain, satoshi);
  const balanceBefore = await chain.balanceOf(user);
  await admin.palette('withdrawals.add');
  await page.locator(`[data-palette] [data-row="option:${depositId}"]`).waitFor();
  await page.locator('[data-palette-input]').fill('1.2345');
  await page.keyboard.press('Escape');
  await page.locator(`[data-palette] [data-row="option:${depositId}"]`).click();
  await expect(page.locator(`[data-palette] [data-row="option:${receiver}"]`)).toContainText('Alpha Bank');
  await page.keyboard.press('Enter');
  const reviewDialog = page.getByRole('alertdialog').or(page.getByRole('group', { name: 'Add this withdrawal?' }));
  for (const text of ['Record a refund of 1.23456789 BTC', user.address, 'Alpha Bank', receiver])
    await expect(reviewDialog.locator('[data-review]')).toContainText(text);
  await reviewDialog.getByRole('button', { name: 'Add withdrawal' }).click();
  const readId = async () =>
    (await db.query('select id, txid from withdrawals where deposit_id = $1', [depositId])).rows as {
      id: string;
      txid: string;
    }[];
  await expect.poll(async () => (await readId()).length).toBe(1);
  const [row] = await readId();
  if (!row) throw new Error('no withdrawal was added');

  await connectWallet(admin, wallet);
  await openRecord(page, admin, row.id);
  await expect(page.locator('[data-record]')).toContainText('1 more person must sign this refund first.');
  await expect(page.locator('[data-record] [data-command="withdrawals.signRefund"]')).toHaveCount(0);
  await expect(admin.run('withdrawals.requestRefund', { targets: [row.id], confirm: true })).rejects.toMatchObject({
    code: 'BLOCKED',
  });

  await admin.signIn('approver', '/');
  const waitingRefunds = page.locator('[data-waiting="refunds"]');
  await expect(waitingRefunds).toContainText('Refunds that need your signature');
  await waitingRefunds.getByRole('link').click();
  await expect(page).toHaveURL(/withdraw\?toSign=true/);
  await page.getByRole('row').filter({ hasText: '1.23456789' }).click();
  await expect(page.locator('[data-record]')).toContainText(receiver);
  await admin.key('withdrawals.signRefund');
  const signDialog = page.getByRole('alertdialog');
  await expect(signDialog).toContainText('Yours is the last signature needed.');
  await expect(signDialog.locator('[data-review]')).toContainText('Alpha Bank');
  await expect(signDialog.locator('[data-review]')).toContainText(receiver);
  await expect(signDialog.locator('[data-review]')).toContainText('1.23456789');
  await page.keyboard.press('ArrowRight');
  await signDialog.getByRole('button', { name: 'Sign refund' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-toast]')).toContainText('The refund can now be requested');
  await expect(page.locator('[data-record] [data-approvals]')).toContainText('approver@demo.local');
  await admin.signIn('operator', screenPath);

  await admin.palette('evm.connect');
  await expect(page.locator('[data-palette] [data-row]')).toHaveAttribute('data-row', `option:${wallet.id}`);
  await page.keyboard.press('Enter');
  await expect(page.locator(`[data-evm="${user.address}"]`)).toBeVisible();
  await openRecord(page, admin, row.id);
  await expect(page.locator(`[data-evm="${user.address}"]`)).toBeVisible();
  await admin.key('withdrawals.requestRefund');
  const requestDialog = page.getByRole('alertdialog');
  const reviewEffect = requestDialog.locator('[data-review]');
  for (const text of [
    'Request the refund: 1.23456789 YBTC for 1.23456789 BTC',
    'Alpha Bank',
    user.address,
    bridge,
    receiver,
    'approver@demo.local signed',
  ])
    await expect(reviewEffect).toContainText(text);
  await expect(reviewEffect).toContainText('only the owner of the custody bridge can cancel the request');
  const callList = requestDialog.locator('[data-calls]');
  for (const text of ['approve', bridge, 'requestRefund', `0x${row.txid}`, receiver]) await expect(callList).toContainText(text);
  await expect(callList).toContainText(`1.23456789 YBTC (${satoshiToWei(satoshi)})`);
  await expect(reviewEffect).toContainText('The approval passed simulation.');
  await page.keyboard.press('ArrowRight');
  await requestDialog.getByRole('button', { name: 'Request refund' }).focus();
  await page.keyboard.press('Enter');
  await expectStatus(db, row.id, 'doing');
  expect(wallet.asked.map(({ to }) => to.toLowerCase())).toEqual([ybtc.toLowerCase(), bridge.toLowerCase()]);
  await expect(page.locator('[data-record] [data-cooling]')).toContainText(/00:0[45]:\d\d/, { timeout: 15_000 });
  expect(await chain.balanceOf(user)).toBe(balanceBefore - satoshiToWei(satoshi));

  await expect(admin.run('withdrawals.confirmRefund', { targets: [row.id], confirm: true })).rejects.toMatchObject({
    code: 'BLOCKED',
  });
  await chain.cool();

  await expect(page.locator('[data-record]')).not.toContainText('left', { timeout: 15_000 });
  await page.locator('[data-record] [data-command="withdrawals.confirmRefund"]').click();
  const confirmDialog = page.getByRole('alertdialog');
  await expect(confirmDialog.locator('[data-review]')).toContainText('After that, the refund is final.');
  await expect(confirmDialog.locator('[data-review]')).toContainText('Simulation passed');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm refund' }).click();
  await expectStatus(db, row.id, 'withdrawable');
  const { rows } = await db.query('select nonce from withdrawals where id = $1', [row.id]);
  await chain.complete(rows[0].nonce);
  await expectStatus(db, row.id, 'done');
  await expect(page.getByRole('dialog').first()).toContainText('Done', { timeout: 15_000 });
});

test(
  'a rejection, a wrong chain and a wrong account each show a message and send nothing',
  { tag: '@long' },
  async ({ admin, db, page }) => {
    test.setTimeout(90_000);
    const { wallet, row } = await setUpWithdrawal(admin, db, 5_000n);
    const runOptions = { targets: [row.id], confirm: true } as const;
    await expect(admin.run('withdrawals.requestRefund', runOptions)).rejects.toThrow('Connect your EVM wallet first');
    await connectWallet(admin, wallet);

    await wallet.goTo(1);
    await expect(page.locator('[data-evm]')).toContainText('Wrong chain');
    await expect(admin.run('withdrawals.requestRefund', runOptions)).rejects.toThrow('on chain 1. Switch the wallet to 31337');
    await admin.run('evm.switchChain');
    await expect(page.locator('[data-evm]')).not.toContainText('Wrong chain');

    await wallet.show(strangerAccount);
    await expect(admin.run('withdrawals.requestRefund', runOptions)).rejects.toThrow(
      `using ${strangerAccount.address}. Switch to ${user.address}`,
    );
    await wallet.show(user);

    wallet.mood = 'rejects';
    await openRecord(page, admin, row.id);
    await page.locator('[data-record] [data-command="withdrawals.requestRefund"]').click();
    await expect(page.getByRole('alertdialog').locator('[data-review]')).toContainText('The approval passed simulation.');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Request refund' }).click();
    await expect(page.locator('[data-toast]')).toContainText('You declined in your wallet. Nothing was sent.');

    expect(await readStatus(db, row.id)).toBe('todo');
    expect(await requestHashOf(db, row.id)).toBeNull();
    wallet.mood = 'willing';
    await admin.run('withdrawals.requestRefund', runOptions);
    await expectStatus(db, row.id, 'doing');
  },
);

test(
  'a withdrawal follows the chain although its tab was closed after signing',
  { tag: '@long' },
  async ({ admin, db, page, context }) => {
    test.setTimeout(90_000);
    const { chain, wallet, row } = await setUpWithdrawal(admin, db, 6_000n);
    await connectWallet(admin, wallet);
    wallet.mood = 'vanishes';
    // The wallet signs the approval first. After that the page gets no response.
    void admin.run('withdrawals.requestRefund', { targets: [row.id], confirm: true }).catch(() => {});
    await expect.poll(() => wallet.asked.length).toBe(1);
    await page.close();

    const nextTab = await context.newPage();
    const reconnectedWallet = await injectEvmWallet(nextTab, chain.rpcUrl, user);
    await nextTab.goto(`${admin.url}${screenPath}?open=${row.id}`);
    await nextTab.waitForFunction(() => window.admin !== undefined);
    await nextTab.evaluate((id) => window.admin?.run('evm.connect', { params: { wallet: id } }), reconnectedWallet.id);
    reconnectedWallet.mood = 'vanishes';
    void nextTab
      .evaluate((id) => window.admin?.run('withdrawals.requestRefund', { targets: [id], confirm: true }), row.id)
      .catch(() => {});
    await expect.poll(() => reconnectedWallet.asked.length).toBe(1);
    expect(reconnectedWallet.asked[0]?.to.toLowerCase()).toBe(bridge.toLowerCase());
    await nextTab.close();
    await expectStatus(db, row.id, 'doing');
    expect(await requestHashOf(db, row.id)).toMatch(/^0x/);
  },
);

test('a disconnected wallet is reported and disappears from the header', { tag: '@long' }, async ({ admin, db, page }) => {
  const { wallet } = await setUpWithdrawal(admin, db, 7_000n);
  await connectWallet(admin, wallet);
  await expect(page.locator('[data-evm]')).toBeVisible();
  await wallet.disconnect();
  await expect(
    page.locator('[data-toast]').filter({ hasText: 'Wallet connection disconnected, please log in again' }),
  ).toBeVisible();
  await expect(page.locator('[data-evm]')).toHaveCount(0);
});

test('a deposit has one withdrawal at a time, and a voided one allows another', { tag: '@long' }, async ({ admin, db }) => {
  const { row } = await setUpWithdrawal(admin, db, 8_000n);
  const { depositId } = row;
  const params = { depositId, receiver };
  await expect(admin.run('withdrawals.add', { params, confirm: true })).rejects.toMatchObject({
    issues: [{ path: 'depositId', rule: 'withdrawn' }],
  });
  await expect(admin.run('withdrawals.offerAgain', { targets: [row.id], confirm: true })).rejects.toMatchObject({
    code: 'BLOCKED',
  });
  await admin.run('withdrawals.cancel', { targets: [row.id], confirm: true });
  await expect(
    admin.run('withdrawals.add', {
      params: { ...params, receiver: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
      confirm: true,
    }),
  ).rejects.toMatchObject({ issues: [{ path: 'receiver', rule: 'bitcoin' }] });
  const otherReceiver = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  await expect(admin.run('withdrawals.add', { params: { ...params, receiver: otherReceiver }, confirm: true })).rejects.toThrow(
    'This isn’t an active payout address of the institution.',
  );
  await admin.run('withdrawals.add', { params, confirm: true });
});

test('a viewer sees withdrawals without commands that change them', { tag: '@long' }, async ({ admin, db, page }) => {
  const { row } = await setUpWithdrawal(admin, db, 9_000n, { isSigned: false });
  const moneyCommands = [
    'withdrawals.add',
    'withdrawals.requestRefund',
    'withdrawals.confirmRefund',
    'withdrawals.offerAgain',
  ] as const;
  await admin.signIn('approver', `${screenPath}?open=${row.id}`);
  for (const id of moneyCommands) expect(await admin.assess(id)).toEqual({ state: 'hidden' });
  await admin.signIn('analyst', `${screenPath}?open=${row.id}`);
  await expect(page.locator('[data-record]')).toContainText(receiver);
  for (const id of [...moneyCommands, 'withdrawals.signRefund', 'withdrawals.cancel'] as const)
    expect(await admin.assess(id)).toEqual({ state: 'hidden' });
});

test(
  'a colleague’s withdrawal is voided only when its recorder or an approver agrees',
  { tag: '@long' },
  async ({ admin, db, page }) => {
    test.setTimeout(90_000);
    const { row } = await setUpWithdrawal(admin, db, 9_500n, { isSigned: false });
    const status = () => readStatus(db, row.id);
    await admin.signIn('all', `${screenPath}?open=${row.id}`);
    await page.locator('[data-record]').getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem').last()).toContainText('Void withdrawal');
    await page.getByRole('menuitem').last().click();
    await expect(page.getByRole('alertdialog')).toContainText('Voiding needs the consent of operator@demo.local or an approver.');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ask to void' }).click();
    await expect(page.locator('[data-toast]')).toContainText('The withdrawal stays until a colleague agrees.');
    expect(await status()).toBe('todo');
    await expect(admin.run('withdrawals.cancel', { targets: [row.id], confirm: true })).rejects.toMatchObject({
      code: 'BLOCKED',
    });

    await admin.signIn('approver', `${screenPath}?open=${row.id}`);
    await page.locator('[data-record] [data-command="withdrawals.cancel"]').click();
    await expect(page.getByRole('alertdialog')).toContainText('admin@demo.local asked to void this withdrawal.');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Void withdrawal' }).click();
    await expect.poll(status).toBe('canceled');
  },
);
