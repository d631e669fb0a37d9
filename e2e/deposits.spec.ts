import type { Locator, Page } from 'playwright/test';
import { createPublicClient, http } from 'viem';
import type { DepositFields, DepositRow } from '../api/deposits/contract.ts';
import { toChecksumAddress } from '../api/evm.ts';
import { parseBtc } from '../api/money.ts';
import { ybtcAbi } from '../chain/abi/ybtc.ts';
import { devnetChainId } from '../chain/anvil.ts';
import { devnetContracts } from '../chain/deploy.ts';
import { expect, test, type Admin } from './fixtures.ts';
import { coboAddress, createOwnChain } from './support/own-chain.ts';

const chain = createOwnChain();
const explorers = { BITCOIN_EXPLORER_URL: 'https://bitcoin.example', EVM_EXPLORER_URL: 'https://evm.example' };
test.use({ serverEnv: async ({}, provide) => provide({ ...(await chain.serverEnv()), ...explorers }) });
test.describe.configure({ timeout: 120_000 });
test.afterAll(() => chain.stop());

const screenPath = '/selfCustody/deposit';
const otherAddress = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
let nextNumber = Date.now();
const createTxid = () => (nextNumber++).toString(16).padStart(64, 'd');
const createUser = () => toChecksumAddress(`0x${(nextNumber++).toString(16).padStart(40, 'e')}`);
const toSatoshiText = (text: string) => String(parseBtc(text));

const form = (page: Page) => page.getByRole('dialog');
const reviewDialog = (page: Page) => page.getByRole('alertdialog');
const recordDrawer = (page: Page) => page.locator('[data-record]');
const explorerLink = (container: Locator, address: string) =>
  container.locator(`a[href="${address}"][target="_blank"][rel~="noreferrer"]`);
const depositRows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

async function payDeposit(admin: Admin, txid: string, amount: string, { address = coboAddress, blocks = 8 } = {}): Promise<void> {
  const postBitcoin = (path: string) => admin.page.request.post(`${admin.url}/dev/bitcoin/${path}`);
  expect((await postBitcoin(`pay/${txid}/${address}/${toSatoshiText(amount)}`)).ok()).toBe(true);
  if (blocks > 1) expect((await postBitcoin(`blocks/${blocks - 1}`)).ok()).toBe(true);
}

const depositFields = (amount: string, txid: string, userAddress = createUser()): DepositFields => ({
  userAddress,
  amount: toSatoshiText(amount),
  coboAddress,
  txid,
  vout: 0,
  type: 'cobo',
  lockTime: null,
  remarks: '',
});

async function addDeposit(admin: Admin, amount: string, options: Parameters<typeof payDeposit>[3] = {}): Promise<DepositRow> {
  const txid = createTxid();
  await payDeposit(admin, txid, amount, options);
  return (await admin.run('deposits.add', { params: depositFields(amount, txid) })).done[0];
}

/** One person proposes and signs, another signs. */
async function expectListed(admin: Admin, ...institutions: string[]): Promise<void> {
  const ids: string[] = [];
  await admin.signIn('all', '/selfCustody/authority');
  for (const institution of institutions) {
    const params = { institution, address: createUser(), custody: [], payout: '' };
    const { done } = await admin.run('authority.addReceiver', { params, confirm: true });
    ids.push(...done.map(({ id }) => id));
  }
  await admin.signIn('approver', '/selfCustody/authority');
  for (const id of ids) await admin.run('authority.sign', { targets: [id], confirm: true });
}

/** Wei, read from the chain. */
async function readBalance(user: string): Promise<bigint> {
  const client = createPublicClient({ transport: http(await chain.url()) });
  return client.readContract({
    address: devnetContracts.ybtc,
    abi: ybtcAbi,
    functionName: 'balanceOf',
    args: [user as `0x${string}`],
  });
}

const expectMinted = (page: Page) =>
  expect(recordDrawer(page).locator('[data-progress="final"]')).toBeVisible({ timeout: 60_000 });

test('an operator records a deposit, an approver confirms it, and exactly that YBTC is on chain, by keyboard', async ({
  admin,
  page,
}) => {
  await admin.signIn('operator', screenPath);
  const [txid, user] = [createTxid(), createUser()];
  await payDeposit(admin, txid, '1.50000001');
  const { keyboard } = page;
  await keyboard.press('c');
  await keyboard.insertText(txid.toUpperCase());
  await expect(form(page).locator('[data-fill="filled"]')).toBeVisible();
  await expect(form(page).getByText('150,000,001 sat')).toBeVisible();
  await expect(form(page).getByLabel(/^Cobo 地址/)).toHaveValue(coboAddress);
  await form(page)
    .getByLabel(/^用户地址/)
    .focus();
  await keyboard.insertText(user.toLowerCase());
  await expect(form(page).locator('[data-spelling]')).toContainText(user);
  await keyboard.press('Control+A');
  await keyboard.insertText(user);
  await expect(form(page).locator('[data-spelling]')).toHaveCount(0);
  await expect(form(page).locator('[data-evidence="holds"]')).toBeVisible();
  await expect(form(page).locator('[data-source]')).toContainText(/确认数[89] 个（至少 6 个）/); // the demo Bitcoin mines every ten minutes
  await keyboard.press('Control+Enter');
  await expect(page.getByText('操作成功')).toBeVisible();
  await keyboard.press('/');
  await keyboard.insertText(txid);
  await keyboard.press('Enter');
  await expect(depositRows(page)).toHaveCount(1);
  await expect(depositRows(page)).toContainText('1.50000001');
  await keyboard.press('j');
  await keyboard.press('Enter');
  await expect(recordDrawer(page)).toContainText(user);
  await expect(recordDrawer(page)).toContainText('已签署 0/1');
  await expect(page.locator('[data-command="deposits.confirm"]')).toHaveCount(0);
  await keyboard.press('Control+K');
  await keyboard.insertText('deposits.explore');
  await keyboard.press('Enter');
  const paletteOptions = page.locator('[data-palette] [role="option"]');
  await expect(paletteOptions).toHaveText(['存款哈希', 'Cobo 地址', '用户地址']);
  for (const _ of ['the step', 'what was typed', 'the palette']) await keyboard.press('Escape');
  await expect(paletteOptions).toHaveCount(0);
  const id = new URL(page.url()).searchParams.get('open') ?? '';

  await admin.signIn('approver', `${screenPath}?open=${id}`);
  await expect(recordDrawer(page)).toContainText(txid);
  await admin.key('deposits.confirm');
  const signDialog = reviewDialog(page);
  for (const expectedText of ['确定签署这笔存款并铸造 YBTC？', '您签署后立即铸造 YBTC，无法撤销。', '请仔细核对后再签署'])
    await expect(signDialog).toContainText(expectedText);
  for (const expectedValue of [user, coboAddress, txid, '1.50000001 BTC', 'operator@demo.local'])
    await expect(signDialog).toContainText(expectedValue);
  await expect(signDialog.locator('[data-evidence="holds"]')).toBeVisible();
  await expect(explorerLink(signDialog, `https://bitcoin.example/tx/${txid}`)).toHaveAccessibleName(/bitcoin\.example/);
  const reviewEffect = signDialog.locator('[data-review]');
  for (const expectedChange of [
    '铸造 1.50000001 YBTC',
    user,
    coboAddress,
    String(devnetChainId),
    'approver@demo.local（您），本次操作',
  ])
    await expect(reviewEffect).toContainText(expectedChange);
  await expect(reviewEffect.getByRole('row', { name: '该地址的 YBTC 余额' })).toContainText('0.00000000 YBTC1.50000001 YBTC');
  await expect(signDialog.getByRole('button', { name: '取消' })).toBeFocused(); // what can't be undone needs more than Enter
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(page.getByText('存款已确认，正在铸造 YBTC')).toBeVisible();
  await expectMinted(page);
  await expect(recordDrawer(page)).toContainText(/0x[0-9a-f]{64}/);
  const [hash = ''] = /0x[0-9a-f]{64}/.exec((await recordDrawer(page).locator('[data-progress]').textContent()) ?? '') ?? [];
  await expect(explorerLink(recordDrawer(page), `https://evm.example/tx/${hash}`)).toBeVisible();
  await expect(explorerLink(recordDrawer(page), `https://bitcoin.example/address/${coboAddress}`)).toBeVisible();
  await expect(explorerLink(recordDrawer(page), `https://evm.example/address/${user}`)).toBeVisible();
  expect(await readBalance(user)).toBe(1_500_000_010_000_000_000n);

  const expectOutsideLink = async (open: () => Promise<unknown>) => {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), open()]);
    await tab.waitForURL(/\.example\//);
    const url = tab.url();
    await tab.close();
    return url;
  };
  await page.context().route(/\.example\//, (route) => route.fulfill({ body: 'elsewhere' }));
  const confirmWithKeyboard = async () => {
    await admin.key('deposits.explore');
    await expect(page.getByRole('dialog', { name: '在区块浏览器中查看存款' })).toBeVisible();
    await keyboard.press('Control+Enter');
  };
  expect(await expectOutsideLink(confirmWithKeyboard)).toBe(`https://bitcoin.example/tx/${txid}`);
  const confirmWithScript = () => admin.run('deposits.explore', { targets: [id], params: { what: 'mint' } });
  expect(await expectOutsideLink(confirmWithScript)).toBe(`https://evm.example/tx/${hash}`);
  await page.context().unroute(/\.example\//);
});

test('a deposit of a listed institution is recorded in under 15 key presses from a pasted explorer link', async ({
  admin,
  page,
}) => {
  await expectListed(admin, 'Alpha Bank', 'Beta Fund');
  await admin.signIn('operator', screenPath);
  const txid = createTxid();
  await payDeposit(admin, txid, '2.5');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((link) => navigator.clipboard.writeText(link), `https://bitcoin.example/tx/${txid}`);
  let pressCount = 0;
  const pressKey = async (key: string) => {
    pressCount += 1;
    await page.keyboard.press(key);
  };
  await pressKey('c');
  await expect(form(page).getByLabel(/^存款哈希/)).toBeFocused();
  await pressKey('Control+V');
  const institution = form(page).getByRole('radio', { name: /Beta Fund/ });
  await expect(institution).toBeVisible();
  await pressKey('Tab');
  await pressKey('Space');
  while (!(await institution.isChecked())) await pressKey('ArrowDown');
  await pressKey('Control+Enter');
  await expect(page.getByText('操作成功')).toBeVisible();
  expect(pressCount).toBeLessThan(15);
  const response = await admin.page.request.post(`${admin.url}/api${screenPath}/evidence`, {
    headers: { authorization: (await page.evaluate(() => localStorage.getItem('Authorization'))) ?? '' },
    data: { txid, vout: 0, coboAddress, amount: toSatoshiText('2.5'), except: null },
  });
  const { known } = (await response.json()) as { known: string };
  await admin.open(`${screenPath}?open=${known}`);
  for (const expectedValue of [txid, coboAddress, '2.50000000', 'Beta Fund'])
    await expect(recordDrawer(page)).toContainText(expectedValue);

  await page.keyboard.press('Escape');
  await admin.key('deposits.add');
  await form(page)
    .getByLabel(/^存款哈希/)
    .fill(txid);
  await expect(form(page).locator('[data-fill]')).toContainText('该输出已登记为存款');
  await expect(form(page).getByLabel(/^存款金额/)).toHaveValue('');
  const unknownTxid = createTxid();
  await payDeposit(admin, unknownTxid, '1', { address: otherAddress });
  await form(page)
    .getByLabel(/^存款哈希/)
    .fill(unknownTxid);
  await expect(form(page).locator('[data-fill]')).toContainText('不属于我方托管地址');
  await form(page)
    .getByLabel(/^存款哈希/)
    .fill(createTxid());
  await expect(form(page).locator('[data-fill]')).toContainText('所有比特币数据源均未收录这笔交易');
});

test(
  'a deposit can’t be confirmed by its recorder, only by another person, by mouse',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', screenPath);
    const row = await addDeposit(admin, '1');
    await admin.open(`${screenPath}?open=${row.id}`);
    const confirmButton = recordDrawer(page).locator('[data-command="deposits.confirm"]');
    await expect(confirmButton).toHaveAttribute('aria-disabled', 'true');
    await expect(confirmButton).toContainText('需由其他人确认');
    await confirmButton.click({ force: true });
    await expect(reviewDialog(page)).toHaveCount(0);
    await expect(admin.run('deposits.confirm', { targets: [row.id], confirm: true })).rejects.toMatchObject({ code: 'BLOCKED' });
    // The server refuses it too.
    const token = await page.evaluate(() => localStorage.getItem('Authorization'));
    const { id, version, hash } = row;
    const response = await page.request.post(`${admin.url}/api${screenPath}/confirm`, {
      headers: { authorization: token ?? '', 'idempotency-key': crypto.randomUUID() },
      data: { id, version, hash },
    });
    expect([response.status(), await response.json()]).toMatchObject([
      409,
      { code: 'MONEY_REFUSED', data: { reason: 'FOUR_EYES' } },
    ]);

    await admin.signIn('approver', `${screenPath}?q=${row.txid}`);
    await depositRows(page).click();
    await recordDrawer(page).getByRole('button', { name: '确认存款' }).click();
    await expect(reviewDialog(page).locator('[data-evidence="holds"]')).toBeVisible();
    await reviewDialog(page).getByRole('button', { name: '签署并铸造' }).dblclick();
    await expectMinted(page);
    expect(await readBalance(row.userAddress)).toBe(10n ** 18n);
    const { rows } = await db.query('select count(*)::int as mints from mints where deposit_id = $1', [row.id]);
    expect(rows).toEqual([{ mints: 1 }]);
  },
);

test('a mismatch and too few confirmations are refused by script with the fields', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('operator', screenPath);
  const otherAddressDeposit = await addDeposit(admin, '0.5', { address: otherAddress });
  const smallerDeposit = await addDeposit(admin, '0.25');
  await payDeposit(admin, smallerDeposit.txid, '0.24999999');
  const unconfirmedDeposit = await addDeposit(admin, '0.125', { blocks: 1 });
  await admin.signIn('all', screenPath);
  for (const { id } of [otherAddressDeposit, smallerDeposit, unconfirmedDeposit])
    await expect(admin.run('deposits.confirm', { targets: [id], confirm: true })).rejects.toMatchObject({
      code: 'MONEY_REFUSED',
      data: { reason: 'EVIDENCE' },
    });
  await expect(admin.run('deposits.confirm', { targets: [unconfirmedDeposit.id] })).rejects.toMatchObject({
    code: 'UNCONFIRMED',
  });

  await admin.open(`${screenPath}?open=${otherAddressDeposit.id}`);
  const evidenceMismatch = recordDrawer(page).locator('[data-evidence="mismatch"]');
  await expect(evidenceMismatch.locator('[data-same="false"]')).toContainText([
    /不一致.*1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2.*bc1qw508/,
  ]);
  const blockedReason = '不能签署：链上记录与登记内容不一致，请修改或删除该存款。';
  const confirmButton = recordDrawer(page).getByRole('button', { name: '确认存款' });
  await expect(confirmButton).toHaveAttribute('aria-disabled', 'true');
  await expect(recordDrawer(page).locator('[data-why="deposits.confirm"]')).toHaveText(blockedReason);
  await confirmButton.click({ force: true });
  const signButton = reviewDialog(page).getByRole('button', { name: '签署并铸造' });
  await expect(signButton).toHaveAccessibleDescription(blockedReason);
  await expect(reviewDialog(page).locator('[data-lead]')).toHaveCount(0); // a disabled button must not announce a mint
  await expect(signButton).toHaveAttribute('aria-disabled', 'true');
  await signButton.click({ force: true });
  await expect(reviewDialog(page)).toBeVisible();
  await page.keyboard.press('Escape');

  await admin.open(`${screenPath}?open=${smallerDeposit.id}`);
  await expect(recordDrawer(page).locator('[data-same="false"]')).toContainText([/0\.24999999.*0\.25000000/]);
  await admin.open(`${screenPath}?open=${unconfirmedDeposit.id}`);
  await expect(recordDrawer(page).locator('[data-evidence="unconfirmed"]')).toBeVisible();

  await page.request.post(`${admin.url}/dev/bitcoin/blocks/6`);
  await admin.run('deposits.confirm', { targets: [unconfirmedDeposit.id], confirm: true });
  await expectMinted(page);
  expect(await readBalance(unconfirmedDeposit.userAddress)).toBe(125_000_000_000_000_000n);
  for (const { userAddress } of [otherAddressDeposit, smallerDeposit]) expect(await readBalance(userAddress)).toBe(0n);
});

test('a known output is reported while typing with a link, and refused', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('operator', screenPath);
  const row = await addDeposit(admin, '0.3');
  await page.getByRole('button', { name: '新增存款' }).click();
  await form(page)
    .getByLabel(/^用户地址/)
    .fill(createUser());
  await form(page)
    .getByLabel(/^存款金额/)
    .fill('0.3');
  await form(page)
    .getByLabel(/^Cobo 地址/)
    .fill(coboAddress);
  await form(page)
    .getByLabel(/^存款哈希/)
    .fill(row.txid);
  const link = form(page).getByRole('link', { name: '查看该存款' });
  await expect(link).toHaveAttribute('href', `${screenPath}?open=${row.id}`);
  await page.keyboard.press('Control+Enter');
  await expect(form(page).getByRole('alert').filter({ hasText: '请勿重复登记' }).first()).toBeVisible();
  await expect(form(page).getByLabel(/^存款哈希/)).toHaveValue(row.txid);
  await form(page)
    .getByLabel(/^存款金额/)
    .fill('0.123456789');
  await page.keyboard.press('Control+Enter');
  await expect(form(page)).toContainText('存款金额须为大于 0 的金额');
  const { rows } = await db.query('select count(*)::int as n from deposits where txid = $1', [row.txid]);
  expect(rows).toEqual([{ n: 1 }]);
});

test('from 10 BTC two people sign, an edit voids signatures, and the missing signers are shown', async ({ admin, page }) => {
  await admin.signIn('operator', screenPath);
  const row = await addDeposit(admin, '10');
  await admin.signIn('approver', `${screenPath}?open=${row.id}`);
  await expect(recordDrawer(page)).toContainText('已签署 0/2');
  await admin.key('deposits.confirm');
  await expect(reviewDialog(page)).toContainText(row.txid);
  await expect(reviewDialog(page)).toContainText('您签署后，还需 1 人签署才会铸造 YBTC。');
  await expect(reviewDialog(page).locator('[data-evidence="holds"]')).toBeVisible();
  await reviewDialog(page).getByRole('button', { name: '签署存款' }).click();
  await expect(page.getByText('存款已签署，还需 1 人签署才会铸造 YBTC')).toBeVisible();
  await expect(depositRows(page).locator('[data-signed]').filter({ hasText: '1/2' })).toHaveCount(1);
  await expect(recordDrawer(page).locator('[data-approvals]')).toContainText('approver@demo.local');
  await expect(recordDrawer(page)).toContainText('已签署 1/2');
  await expect(recordDrawer(page).locator('[data-command="deposits.confirm"]')).toHaveAttribute('aria-disabled', 'true');

  await admin.signIn('operator', `${screenPath}?open=${row.id}`);
  await admin.key('deposits.edit');
  await form(page).getByLabel(/^备注/).fill('更正');
  await page.keyboard.press('Control+Enter');
  await expect(recordDrawer(page)).toContainText('已签署 0/2');
  await expect(recordDrawer(page).locator('[data-approvals]')).not.toContainText('approver@demo.local');

  await admin.signIn('approver', `${screenPath}?open=${row.id}`);
  await admin.run('deposits.confirm', { targets: [row.id], confirm: true });
  await admin.signIn('all', `${screenPath}?open=${row.id}`);
  await admin.run('deposits.confirm', { targets: [row.id], confirm: true });
  await expectMinted(page);
  expect(await readBalance(row.userAddress)).toBe(10n * 10n ** 18n);
});

test(
  'waiting deposits are in the palette, and an analyst sees the rules without any action',
  { tag: '@long' },
  async ({ admin, page }) => {
    await admin.signIn('approver', '/');
    await admin.palette('deposits.toConfirm');
    await expect(page).toHaveURL(/\/selfCustody\/deposit\?status=created$/);
    await admin.signIn('analyst', '/selfCustody/authority');
    await expect(page.locator('[data-authority]')).toContainText('10 – 100');
    await admin.open(screenPath);
    for (const name of ['新增存款', '确认存款']) await expect(page.getByRole('button', { name })).toHaveCount(0);
    await expect(admin.run('deposits.add', { params: depositFields('1', createTxid()) })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
  },
);
