import type { Page } from 'playwright/test';
import type pg from 'pg';
import { ybtcAbi } from '../chain/abi/ybtc.ts';
import { depositHash } from '../chain/deposit-hash.ts';
import { devnetAccounts, devnetContracts } from '../chain/deploy.ts';
import { openDemoPositions } from '../chain/scenario.ts';
import { startTestChain, type TestChain } from '../chain/test-chain.ts';
import { expect, test } from './fixtures.ts';
import { createStore } from '../testing/factories/store.ts';
import { drizzle } from 'drizzle-orm/node-postgres';

const confirmationDepth = 2;
const screenPath = '/selfCustody/dataPanel';
const [user, otherUser] = devnetAccounts.operators.map(({ address }) => address) as [`0x${string}`, `0x${string}`];

// Mines by hand, so that no block comes unexpectedly.
let chain: TestChain | null = null;
const createChainClient = (): TestChain => {
  if (!chain) throw new Error('the chain has not started');
  return chain;
};
test.use({
  serverEnv: async ({}, provide) => {
    chain ??= await startTestChain();
    const contracts = devnetContracts;
    await provide({
      NODE_ENV: 'test', // development allows the demo only on its own chain
      EVM_RPC_URL: chain.url,
      EVM_CHAIN_ID: '31337',
      ALARM_MAIL: 'custody@example.com',
      MINT_DEPTH: String(confirmationDepth),
      YU_ADDRESS: contracts.yu,
      YBTC_ADDRESS: contracts.ybtc,
      TROVE_MANAGER_ADDRESS: contracts.troveManager,
      STABILITY_POOL_ADDRESS: contracts.stabilityPool,
      MULTI_TROVE_GETTERS_ADDRESS: contracts.multiTroveGetters,
      CUSTODY_BRIDGE_ADDRESS: contracts.custodyBridge,
    });
  },
});
test.afterAll(async () => {
  await chain?.stop();
});

const createTxid = (n: number) => n.toString(16).padStart(64, 'd');
let nextNumber = 1;

/** For a deposit of the ledger, or for none. */
async function mint(n: number, amount: bigint, receiver = user) {
  const hash = await createChainClient()
    .as(devnetAccounts.minter)
    .writeContract({
      address: devnetContracts.ybtc,
      abi: ybtcAbi,
      functionName: 'mint',
      args: [depositHash('regtest', createTxid(n), 0), receiver, amount],
    });
  const receipt = await createChainClient().client.waitForTransactionReceipt({ hash });
  await createChainClient().client.mine({ blocks: confirmationDepth + 1 });
  return receipt;
}

async function addMintedDeposit(db: pg.Client, satoshi: bigint): Promise<void> {
  const n = nextNumber++;
  const wei = satoshi * 10n ** 10n;
  const { blockNumber, blockHash, transactionHash } = await mint(n, wei);
  const store = createStore(drizzle(db));
  await db.query('begin');
  const deposit = await store.deposit({
    userAddress: user,
    amount: satoshi,
    txid: createTxid(n),
    status: 'confirmed',
    mintStatus: 'done',
  });
  await store.mint(deposit, { state: 'final', hash: transactionHash, blockNumber, blockHash });
  await db.query('commit');
}

const reconciliationStrip = (page: Page) => page.locator('[data-reconciliation]');
const findUserRow = (page: Page) => page.getByRole('grid').getByRole('row').filter({ hasText: user });
const recordDrawer = (page: Page) => page.getByRole('dialog').locator('[data-record]');
const reviewDialog = (page: Page) => page.getByRole('alertdialog');

test(
  'the figures, vault and deposits of an institution are read by keyboard, and its name change is undone',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('operator', screenPath);
    await addMintedDeposit(db, 250_000_000n);
    await openDemoPositions(createChainClient().url);
    await createChainClient().client.mine({ blocks: confirmationDepth + 1 });
    await admin.key('dataPanel.refresh');
    await expect(reconciliationStrip(page)).toHaveAttribute('data-reconciliation', 'agrees');
    await expect(page.locator('[data-totals]')).toContainText('1 YBTC'); // two fifths of 2.5 as collateral
    await page.keyboard.press('/');
    await page.keyboard.type(user.slice(0, 12).toLowerCase());
    await page.keyboard.press('Enter');
    await expect(page.getByRole('grid').getByRole('row')).toHaveCount(2);
    await expect(findUserRow(page)).toHaveCount(1);
    await expect(findUserRow(page).locator('[data-column="btc"]')).toHaveText('2.50000000');
    await expect(findUserRow(page).locator('[data-column="collateral"]')).toHaveText('1.00000000');
    await expect(findUserRow(page).locator('[data-column="crsm"]')).toHaveText('无');
    await expect(findUserRow(page).locator('[data-column="trigger"]')).toHaveText('无');

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(recordDrawer(page)).toContainText('金库 0');
    await expect(recordDrawer(page).locator('[data-trove="0"]')).toContainText(/1(\.0+)? YBTC/);
    await expect(recordDrawer(page)).toContainText(createTxid(1));
    await page.keyboard.press('e');
    await page.getByLabel(/^用户名称/).fill('海岸资本');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('dialog').getByRole('heading', { name: '海岸资本' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(findUserRow(page)).toContainText('海岸资本');
    await admin.run('history.undo');
    await expect(findUserRow(page)).toContainText('未命名');
  },
);

test(
  'an institution is named by script and palette, opened by a link, and a viewer is refused',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', screenPath);
    await addMintedDeposit(db, 100_000_000n);
    await admin.run('dataPanel.rename', { targets: [user], params: { name: '<b>岸</b>' } });
    await admin.palette('dataPanel.refresh');
    await expect(findUserRow(page)).toContainText('<b>岸</b>');
    await admin.open(`${screenPath}?open=${user}`);
    await expect(recordDrawer(page)).toBeVisible();
    await admin.signIn('analyst', screenPath);
    expect(await admin.assess('dataPanel.rename')).toEqual({ state: 'hidden' });
    await expect(admin.run('dataPanel.rename', { targets: [user], params: { name: 'x' } })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    await expect(findUserRow(page)).toContainText('<b>岸</b>');
  },
);

test(
  'a mint outside the panel freezes money with a banner, and is lifted with a reason by an authorized person',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('operator', screenPath);
    await addMintedDeposit(db, 100_000_000n);
    await admin.run('dataPanel.refresh');
    await expect(reconciliationStrip(page)).toHaveAttribute('data-reconciliation', 'agrees');
    await mint(900, 5n * 10n ** 17n, otherUser);
    // Two blocks: one difference proves nothing.
    await admin.run('dataPanel.refresh');
    await expect(reconciliationStrip(page)).toHaveAttribute('data-reconciliation', 'differs');
    await createChainClient().client.mine({ blocks: 1 });
    await admin.run('dataPanel.refresh');
    await expect(page.locator('[data-freeze]')).toContainText('资金操作已暂停');
    await expect(page.locator('[data-difference]')).toHaveText('0.5 YBTC');
    await expect(reconciliationStrip(page)).toContainText('链上比账本多 0.5 YBTC');
    await expect(page.locator('[data-aliens]')).toContainText(otherUser);
    await expect(page.locator('[data-command="dataPanel.resolve"]')).toHaveCount(0);

    await admin.signIn('approver', screenPath);
    await page.locator('[data-command="dataPanel.resolve"]').click();
    const form = page.getByRole('dialog');
    await form.getByLabel(/^原因/).fill('公证人的桥测试，工单 17');
    await expect(form.locator('[data-consequences]')).toContainText('链上比账本多 0.5 YBTC');
    await expect(form.locator('[data-lead]')).toHaveText('本次仅签署。您签署后，还需 1 人签署才会恢复。');
    await form.getByRole('button', { name: '签署恢复' }).click();
    await expect(page.getByText('已签署，还需 1 人签署才会恢复资金操作')).toBeVisible();
    await expect(page.locator('[data-freeze]')).toContainText('已签署 1/2（approver@demo.local）'); // one signature lifts nothing
    await expect(page.locator('[data-why="dataPanel.resolve"]')).toHaveText('您已签署，还需 1 人签署才会恢复');
    await admin.signIn('all', screenPath);
    await expect(page.locator('[data-freeze]')).toContainText('已签署 1/2（approver@demo.local）');
    await expect(page.locator('[data-command="dataPanel.resolve"]')).toHaveText(/恢复资金操作/);
    await admin.run('dataPanel.resolve', { params: { reason: '公证人的桥测试，工单 17' }, confirm: true });
    await expect(page.locator('[data-freeze]')).toHaveCount(0);
    await expect(reconciliationStrip(page)).toHaveAttribute('data-reconciliation', 'accepted');
    await expect(reconciliationStrip(page)).toContainText('admin@demo.local');
    await expect(reconciliationStrip(page)).toContainText('工单 17');

    // A script has nothing to lift, and another difference is another freeze.
    await expect(admin.run('dataPanel.resolve', { params: { reason: 'again' }, confirm: true })).rejects.toMatchObject({
      code: 'BLOCKED',
    });
    await mint(901, 1n, otherUser);
    await admin.run('dataPanel.refresh');
    await createChainClient().client.mine({ blocks: 1 });
    await admin.run('dataPanel.refresh');
    await expect(page.locator('[data-freeze]')).toBeVisible();
    await admin.run('dataPanel.resolve', { params: { reason: 'one wei, looked at' }, confirm: true });
    await expect(page.locator('[data-freeze]')).toBeVisible();
    await admin.signIn('approver', screenPath);
    await admin.run('dataPanel.resolve', { params: { reason: 'one wei, looked at too' }, confirm: true });
    await expect(page.locator('[data-freeze]')).toHaveCount(0);
  },
);

test('money is frozen with two keys and a reason on every custody screen, and another person lifts the freeze', async ({
  admin,
  page,
  db,
}) => {
  await admin.signIn('approver', '/selfCustody/deposit');
  await admin.key('dataPanel.freezeMoney');
  const form = page.getByRole('dialog');
  await form.getByLabel(/^原因/).fill('陌生人在操作');
  await form.getByRole('button', { name: '暂停资金操作' }).click();
  await expect(page.locator('[data-freeze]')).toContainText('由 approver@demo.local 暂停：陌生人在操作');
  const { id } = await createStore(drizzle(db)).deposit();
  await admin.open(`/~deposits.confirm?id=${id}`);
  await expect(reviewDialog(page)).toContainText('资金操作已暂停，恢复前不能签署和铸造。');

  await admin.open(screenPath);
  const liftOptions = { params: { reason: '是我自己' }, confirm: true } as const;
  await admin.run('dataPanel.resolve', liftOptions);
  await expect(page.locator('[data-freeze]')).toBeVisible(); // the person who froze may sign, but not alone
  await admin.signIn('all', screenPath);
  await expect(page.locator('[data-freeze]')).toContainText('陌生人在操作');
  await admin.run('dataPanel.resolve', { params: { reason: '查过了' }, confirm: true });
  await expect(page.locator('[data-freeze]')).toHaveCount(0);
  await reconciliationStrip(page).getByRole('button', { name: '暂停资金操作' }).click();
  await expect(form.getByLabel(/^原因/)).toBeFocused();
});

test('a test alarm reports the result of each channel and arrives by mail', { tag: '@long' }, async ({ admin, db }) => {
  await admin.signIn('all', screenPath);
  expect((await admin.run('alarms.test')).value).toMatchObject({
    channels: [{ channel: 'mail custody@example.com', state: 'handedOver', error: null }],
  });
  // Other mails of earlier tests may be sent in between.
  const { rows } = await db.query("select from mails where recipient = 'custody@example.com' and subject like '%Test alarm%'");
  expect(rows).toHaveLength(1);
});

test('an unreachable chain is reported, and no figure shows zero', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', screenPath);
  await addMintedDeposit(db, 100_000_000n);
  await admin.run('dataPanel.refresh');
  await expect(page.locator('[data-totals]')).not.toContainText('未知');
  await createChainClient().stop();
  chain = null;
  await admin.run('dataPanel.refresh');
  await expect(reconciliationStrip(page)).toHaveAttribute('data-reconciliation', 'unreachable');
  await expect(reconciliationStrip(page)).toContainText('未知');
  await expect(page.locator('[data-chain="unreachable"]')).toContainText('当前显示上次的链上数据');
  await expect(page.locator('[data-freeze]')).toHaveCount(0);
});
