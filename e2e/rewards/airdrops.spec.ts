import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import type { AirdropRow } from '../../api/rewards/airdrops.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { readCsv } from '../../server/platform/core/csv.ts';
import { expect, test, type Admin } from '../fixtures.ts';

let nextNumber = 1;
const createAddress = () => toChecksumAddress(`0x${(nextNumber++).toString(16).padStart(40, 'd')}`);
const dialog = (page: Page) => page.getByRole('dialog');
const reviewDialog = (page: Page) => page.getByRole('alertdialog');
const airdropRows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

const airdropFields = (overrides: Record<string, unknown> = {}) => ({
  address: createAddress(),
  berries: '100',
  nftNumber: '1',
  nftLevel: '2',
  stage: '第一阶段',
  ...overrides,
});
const addAirdrop = async (admin: Admin, overrides?: Record<string, unknown>): Promise<AirdropRow> =>
  (await admin.run('airdrops.add', { params: airdropFields(overrides) })).done[0];

test('the level of an airdrop is set by its key and undone', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const { keyboard } = page;
  const { address } = await addAirdrop(admin, { nftLevel: '5' });
  await admin.open(`/NFTAirdrop?address=${address}`);
  await expect(airdropRows(page)).toHaveCount(1);
  await keyboard.press('j');
  await keyboard.press('l');
  await expect(dialog(page).getByLabel(/^NFT 等级/)).toHaveValue('5');
  await keyboard.press('Control+a');
  await keyboard.type('6');
  await keyboard.press('Control+Enter');
  const level = async () =>
    (await db.query<{ level: number }>('select nft_level as level from airdrops where address = $1', [address])).rows[0]?.level;
  await expect.poll(level).toBe(6);
  const levelCells = airdropRows(page).locator('[data-column="nftLevel"]');
  await expect(levelCells).toHaveText('6');
  await expect(dialog(page)).toHaveCount(0);
  await keyboard.press('Control+z');
  await expect(levelCells).toHaveText('5');
  expect(await level()).toBe(5);
});

test('required values are reported in both languages', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/NFTAirdrop');
  await page.getByRole('button', { name: '新增空投' }).click();
  await dialog(page).getByRole('button', { name: /^新增/ }).click();
  for (const text of ['请输入地址', '请输入积分', '请输入 NFT 等级', '请输入阶段'])
    await expect(dialog(page)).toContainText(text);
  await page.evaluate(() => localStorage.setItem('locale', 'en-US'));
  await admin.open('/NFTAirdrop');
  await page.getByRole('button', { name: 'Add airdrop' }).click();
  await dialog(page).getByRole('button', { name: /^Add/ }).click();
  for (const text of ['Please enter: Address', 'Please enter: Berries', 'Please enter: NFT level'])
    await expect(dialog(page)).toContainText(text);
});

test(
  'level and stage of several airdrops are set by mouse, and one undo restores different values',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/NFTAirdrop');
    const stageName = `鼠标 ${createAddress()}`;
    const rows = [
      await addAirdrop(admin, { stage: stageName, nftLevel: '1' }),
      await addAirdrop(admin, { stage: stageName, nftLevel: '4' }),
      await addAirdrop(admin, { stage: stageName, nftLevel: '7' }),
    ];
    const ids = rows.map(({ id }) => id);
    const readLevels = async () =>
      (
        await db.query<{ level: number }>('select nft_level as level from airdrops where id = any($1) order by id', [ids])
      ).rows.map((row) => row.level);
    await admin.open(`/NFTAirdrop?stage=${encodeURIComponent(stageName)}`);
    await expect(airdropRows(page)).toHaveCount(3);
    for (const row of await airdropRows(page).all()) await row.getByRole('checkbox').click();
    await page.getByRole('button', { name: '设置 NFT 等级' }).click();
    await dialog(page)
      .getByLabel(/^NFT 等级/)
      .fill('9');
    await dialog(page).getByRole('button', { name: '设置 NFT 等级' }).click();
    await expect.poll(readLevels).toEqual([9, 9, 9]);
    await page.locator('#toasts').getByRole('button', { name: '撤销' }).click();
    await expect.poll(readLevels).toEqual([1, 4, 7]);
  },
);

test('an earlier version is restored from the record’s history', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const row = await addAirdrop(admin, { stage: '历史一' });
  await admin.run('airdrops.setStage', { targets: [row.id], params: { stage: '历史二' } });
  await admin.open(`/NFTAirdrop?open=${row.id}`);
  const historyList = dialog(page).locator('[data-history]');
  await expect(historyList.locator('[data-entry]')).toHaveCount(2);
  await expect(historyList.locator('[data-entry]').first()).toContainText('设置空投阶段');
  await historyList.getByRole('button', { name: '恢复到此版本' }).last().click();
  await expect(reviewDialog(page).locator('[data-field="stage"] ins')).toHaveText(/历史一$/);
  await reviewDialog(page).getByRole('button', { name: '恢复到此版本' }).click();
  await expect(dialog(page).getByRole('heading', { name: '历史一' })).toBeVisible();
});

test('a deleted airdrop is restored from the audit', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const row = await addAirdrop(admin, { stage: '误删' });
  await admin.run('airdrops.delete', { targets: [row.id], confirm: true });
  await admin.open(`/audit?entityId=${row.id}&what=airdrops.delete`);
  await expect(airdropRows(page).first()).toContainText(row.address);
  await airdropRows(page).first().click();
  await dialog(page).getByRole('button', { name: '恢复到变更前' }).click();
  await reviewDialog(page).getByRole('button', { name: '恢复到此版本' }).click();
  await expect(page.getByText('操作成功')).toBeVisible();
  expect((await db.query('select stage, version from airdrops where id = $1', [row.id])).rows).toEqual([
    { stage: '误删', version: 2 },
  ]);
});

const toShanghaiTime = (timestamp = '') =>
  new Date(Date.parse(timestamp) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

test('an export contains the filtered list row by row', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const stageName = `@导出 ${createAddress()}`;
  const rows: AirdropRow[] = [];
  for (const berries of ['9', '1000', '20']) rows.push(await addAirdrop(admin, { stage: stageName, berries }));
  await admin.open(`/NFTAirdrop?stage=${encodeURIComponent(stageName)}&sort=-berries`);
  await expect(airdropRows(page)).toHaveCount(3);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出空投' }).click();
  await page.getByRole('radio', { name: '纯文本（CSV）' }).check();
  await page.keyboard.press('Control+Enter');
  const text = await readFile(await (await download).path(), 'utf8');
  async function* fileChunks() {
    yield text;
  }
  const lines: string[][] = [];
  for await (const line of readCsv(fileChunks())) lines.push(line);
  const sortedRows = ['1000', '20', '9'].map((berries) => rows.find((row) => row.berries === berries));
  expect(lines).toEqual([
    [
      '地址',
      '积分',
      'NFT 数量',
      'NFT 等级',
      '阶段',
      '创建时间（Asia/Shanghai）',
      '更新时间（Asia/Shanghai）',
      '创建时间（ISO 8601 UTC）',
      '更新时间（ISO 8601 UTC）',
      'ID',
    ],
    ...sortedRows.map((row) => [
      row?.address,
      row?.berries,
      '1',
      '2',
      `'${stageName}`,
      toShanghaiTime(row?.createdAt),
      toShanghaiTime(row?.updatedAt),
      row?.createdAt,
      row?.updatedAt,
      row?.id,
    ]),
  ]);
});
