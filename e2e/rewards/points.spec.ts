import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { toChecksumAddress } from '../../api/evm.ts';
import { readCsv } from '../../server/platform/core/csv.ts';
import { expect, test, type Admin } from '../fixtures.ts';
import { pickCsv } from '../support/exports.ts';

let nextNumber = 1;
const createAddress = () => toChecksumAddress(`0x${(nextNumber++).toString(16).padStart(40, 'c')}`);
const dialog = (page: Page) => page.getByRole('dialog');
const reviewDialog = (page: Page) => page.getByRole('alertdialog');
const formDialog = (page: Page) => page.getByRole('dialog').filter({ has: page.locator('form') });
const pointsRows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

const adjustPoints = async (admin: Admin, address: string, berries: string, reason = '测试') =>
  (await admin.run('points.adjust', { params: { address, berries, reason }, confirm: true })).value;

async function readCsvFile(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8');
  async function* fileChunks() {
    yield text.replace(/^\uFEFF/, '');
  }
  const records: string[][] = [];
  for await (const record of readCsv(fileChunks())) records.push(record);
  return records;
}

test('an adjustment is reviewed with its balance, found in the ledger and reversed by keyboard', async ({ admin, page }) => {
  await admin.signIn('all', '/');
  const address = createAddress();
  const { keyboard } = page;
  await keyboard.press('g');
  await keyboard.press('p');
  await expect(page).toHaveURL(/\/points$/);
  await keyboard.press('c');
  await keyboard.type(address.toLowerCase());
  await keyboard.press('Tab');
  await keyboard.type('1,500');
  await keyboard.press('Tab');
  await keyboard.type('活动奖励');
  const review = formDialog(page).locator('[data-review]');
  await expect(review).toContainText('增加积分：1,500');
  await expect(review).toContainText(address); // EIP-55, in full
  await expect(review.getByRole('row', { name: '余额' })).toHaveText('余额01,500');
  await keyboard.press('Enter'); // what can't be undone needs more than Enter
  await expect(review).toBeVisible();
  await expect(reviewDialog(page)).toHaveCount(0);
  await keyboard.press('Control+Enter');
  await expect(page.getByText('操作成功 · 已调整积分，余额 1,500')).toBeVisible();

  await keyboard.press('/');
  await keyboard.type(address.slice(0, 42).toLowerCase());
  await keyboard.press('Enter');
  await expect(pointsRows(page)).toHaveCount(1);
  await expect(pointsRows(page)).toContainText('+1,500');
  await keyboard.press('j');
  await keyboard.press('Enter');
  await expect(dialog(page).locator('[data-balance]')).toHaveText('1,500');
  await keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);

  await admin.key('points.reverse');
  await keyboard.type('录入错误');
  await expect(formDialog(page).locator('[data-consequences]')).toContainText('余额 1,500 → 0');
  await keyboard.press('Control+Enter');
  await expect(page.getByText('已冲销 1 条明细')).toBeVisible();
  await expect(pointsRows(page)).toHaveCount(2);
  await expect(pointsRows(page).filter({ hasText: '−1,500' })).toContainText('冲销');
  await expect(pointsRows(page).filter({ hasText: '+1,500' })).toContainText('已冲销');
});

test(
  'a refused adjustment shows the reason at its field and keeps the typed values',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/points');
    const address = createAddress();
    await adjustPoints(admin, address, '5');
    await page.getByRole('button', { name: '调整积分' }).click();
    const form = dialog(page);
    await form.getByLabel(/^地址/).fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed');
    await form.getByLabel(/^积分/).fill('1.5');
    await form.getByRole('button', { name: '调整积分' }).click();
    await expect(form).toContainText('地址的校验和不正确');
    await expect(form).toContainText('积分须为整数');
    await expect(form).toContainText('请输入原因');
    await form.getByLabel(/^地址/).fill(address);
    await form.getByLabel(/^积分/).fill('-6');
    await form.getByLabel(/^原因/).fill('扣多了');
    const send = form.getByRole('button', { name: '调整积分' });
    await expect(form).toContainText('余额 5 → -1，将低于 0，无法执行');
    await expect(send).toHaveAttribute('aria-disabled', 'true');
    await send.click({ force: true });
    await form.getByLabel(/^积分/).press('Control+Enter');
    await form.getByLabel(/^积分/).fill('-5');
    await expect(send).not.toHaveAttribute('aria-disabled', 'true');
    await adjustPoints(admin, address, '-1'); // by a colleague, after the review
    await send.click();
    await expect(form).toContainText('积分不足，扣减后余额将低于 0');
    await expect(form).toContainText('余额 4 → -1，将低于 0，无法执行');
    await expect(form.getByLabel(/^积分/)).toHaveValue('-5');
    await form.getByLabel(/^积分/).fill('-4');
    await expect(send).not.toHaveAttribute('aria-disabled', 'true');
    await send.click();
    await expect(page.getByText('操作成功 · 已调整积分，余额 0')).toBeVisible();
    const { rows } = await db.query('select berries::int from points where address = $1 order by id', [address]);
    expect(rows).toEqual([{ berries: 5 }, { berries: -1 }, { berries: -4 }]);
  },
);

test('several entries are reversed together by mouse, all or none', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/points');
  const [firstAddress, secondAddress] = [createAddress(), createAddress()];
  const reason = `批量 ${firstAddress}`;
  await adjustPoints(admin, firstAddress, '10', reason);
  await adjustPoints(admin, secondAddress, '20', reason);
  await page.goto(`${admin.url}/points?q=${encodeURIComponent(reason)}`);
  await expect(pointsRows(page)).toHaveCount(2);
  for (const row of await pointsRows(page).all()) await row.getByRole('checkbox').click();
  await page.getByRole('button', { name: '冲销积分' }).click();
  await dialog(page).getByLabel(/^原因/).fill('活动取消');
  await expect(dialog(page)).toContainText('确定冲销这 2 条明细？');
  await expect(dialog(page).locator('[data-consequences] li')).toHaveCount(2);
  await dialog(page).getByRole('button', { name: '冲销 2 条明细' }).click();
  await expect(page.getByText('已冲销 2 条明细')).toBeVisible();
  await expect(pointsRows(page).filter({ hasText: '已冲销' })).toHaveCount(2);
});

test('a script gets parameter errors, needs a confirmation, and reverses no entry twice', { tag: '@long' }, async ({ admin }) => {
  await admin.signIn('all', '/points');
  const address = createAddress();
  await expect(admin.runAny('points.adjust', { params: { address, berries: '1' }, confirm: true })).rejects.toMatchObject({
    code: 'INVALID',
    issues: [{ path: 'reason', rule: 'required' }],
  });
  await expect(admin.run('points.adjust', { params: { address, berries: '1', reason: 'r' } })).rejects.toMatchObject({
    code: 'UNCONFIRMED',
  });
  const { entry, balance } = await adjustPoints(admin, address.toUpperCase().replace('0X', '0x'), '9,007,199,254');
  expect(balance).toMatchObject({ address, berries: '9007199254' });
  const reverseOptions = { targets: [entry.id], params: { reason: 'r' }, confirm: true } as const;
  await admin.run('points.reverse', reverseOptions);
  await expect(admin.run('points.reverse', reverseOptions)).rejects.toMatchObject({ code: 'BLOCKED' });
});

test('balances are a second view, opened by key, click and address', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/points');
  const address = createAddress();
  await adjustPoints(admin, address, '123456');
  await page.keyboard.press('b');
  await expect(page).toHaveURL(/view=balances/);
  await expect(page.getByRole('tab', { name: '余额' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('/');
  await page.keyboard.insertText(address);
  await page.keyboard.press('Enter');
  await expect(pointsRows(page)).toHaveCount(1);
  await expect(pointsRows(page)).toContainText('123,456');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText(address);
  await expect(page).toHaveURL(new RegExp(`view=balances.*open=${address}`));
  await page.reload();
  await expect(dialog(page).locator('[data-balance]')).toHaveText('123,456');

  await dialog(page).getByRole('button', { name: '调整积分' }).click();
  const form = dialog(page).filter({ has: page.getByLabel(/^原因/) });
  await expect(form.getByLabel(/^地址/)).toHaveValue(address);
  await form.getByLabel(/^积分/).fill('-456');
  await form.getByLabel(/^原因/).fill('更正');
  await expect(form.getByRole('row', { name: '余额' })).toHaveText('余额123,456123,000');
  await form.getByRole('button', { name: '调整积分' }).click();
  await expect(page.locator('[data-balance]')).toHaveText('123,000');
  await expect(page.locator('[data-record] [data-entry]')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: '明细' }).click();
  await expect(page).toHaveURL(new RegExp(`/points\\?address=${address}$`));
  await expect(pointsRows(page)).toHaveCount(2);
});

test('an export contains exactly the filtered rows in order and is recorded', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/points');
  const address = createAddress();
  for (const [berries, reason] of [
    ['300', '=HYPERLINK("http://evil")'],
    ['-20', '逗号, "引号"'],
    ['7', '第二行\n在这里'],
  ] as const)
    await adjustPoints(admin, address, berries, reason);
  await admin.open(`/points?address=${address}&sort=berries`);
  const download = page.waitForEvent('download');
  await admin.palette('points.export');
  await pickCsv(page);
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^points-\d{4}-\d\d-\d\d\.csv$/);
  const path = await file.path();
  expect((await readFile(path)).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const [headerRow, ...lines] = await readCsvFile(path);
  expect(headerRow).toEqual([
    '地址',
    '积分',
    '原因',
    '来源',
    '时间（Asia/Shanghai）',
    '操作人',
    '来源（代码）',
    '时间（ISO 8601 UTC）',
    'ID',
    '被冲销明细 ID',
  ]);
  expect(lines.map((line) => line.slice(0, 4))).toEqual([
    [address, '-20', '逗号, "引号"', '调整'],
    [address, '7', '第二行\n在这里', '调整'],
    [address, '300', `'=HYPERLINK("http://evil")`, '调整'],
  ]);
  await expect(page.getByText('已导出 3 行')).toBeVisible();

  await admin.open(`/points?view=balances&address=${address}`);
  const balances = page.waitForEvent('download');
  expect((await admin.run('points.export')).value).toMatchObject({ rows: 1, isSaved: true });
  const balancesAfter = await balances;
  expect(balancesAfter.suggestedFilename()).toMatch(/^balances-/);
  expect((await readCsvFile(await balancesAfter.path())).map((line) => line.slice(0, 3))).toEqual([
    ['地址', '积分余额', '明细数'],
    [address, '287', '3'],
  ]);
  await admin.open('/audit?what=points.export');
  await expect(pointsRows(page)).toHaveCount(4);
  await expect(pointsRows(page).first()).toContainText('导出积分');
});
