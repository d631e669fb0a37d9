import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import type { AirdropRow } from '../../api/rewards/airdrops.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { readCsv } from '../../server/platform/core/csv.ts';
import { expect, test, type Admin } from '../fixtures.ts';

let next = 1;
const fresh = () => toChecksumAddress(`0x${(next++).toString(16).padStart(40, 'd')}`);
const dialog = (page: Page) => page.getByRole('dialog');
const review = (page: Page) => page.getByRole('alertdialog');
const rowsOf = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

const fields = (more: Record<string, unknown> = {}) => ({
  address: fresh(),
  berries: '100',
  nftNumber: '1',
  nftLevel: '2',
  stage: '第一阶段',
  ...more,
});
const add = async (admin: Admin, more?: Record<string, unknown>): Promise<AirdropRow> =>
  (await admin.run('airdrops.add', { params: fields(more) })).done[0];

test('the level of an airdrop is set by its key and undone', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const { keyboard } = page;
  const { address } = await add(admin, { nftLevel: '5' });
  await admin.open(`/NFTAirdrop?address=${address}`);
  await expect(rowsOf(page)).toHaveCount(1);
  await keyboard.press('j');
  await keyboard.press('l');
  await expect(dialog(page).getByLabel(/^NFT 等级/)).toHaveValue('5');
  await keyboard.press('Control+a');
  await keyboard.type('6');
  await keyboard.press('Control+Enter');
  const level = async () =>
    (await db.query<{ level: number }>('select nft_level as level from airdrops where address = $1', [address])).rows[0]?.level;
  await expect.poll(level).toBe(6);
  const shown = rowsOf(page).locator('[data-column="nftLevel"]');
  await expect(shown).toHaveText('6');
  await expect(dialog(page)).toHaveCount(0);
  await keyboard.press('Control+z');
  await expect(shown).toHaveText('5');
  expect(await level()).toBe(5);
});

test('required values are reported in both languages', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/NFTAirdrop');
  await page.getByRole('button', { name: '新增空投' }).click();
  await dialog(page).getByRole('button', { name: '新增空投' }).click();
  for (const text of ['请输入地址', '请输入积分', '请输入 NFT 等级', '请输入阶段'])
    await expect(dialog(page)).toContainText(text);
  await page.evaluate(() => localStorage.setItem('locale', 'en-US'));
  await admin.open('/NFTAirdrop');
  await page.getByRole('button', { name: 'Add airdrop' }).click();
  await dialog(page).getByRole('button', { name: 'Add airdrop' }).click();
  for (const text of ['Please enter: Address', 'Please enter: Berries', 'Please enter: NFT level'])
    await expect(dialog(page)).toContainText(text);
});

test(
  'level and stage of several airdrops are set by mouse, and one undo restores different values',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/NFTAirdrop');
    const stage = `鼠标 ${fresh()}`;
    const rows = [
      await add(admin, { stage, nftLevel: '1' }),
      await add(admin, { stage, nftLevel: '4' }),
      await add(admin, { stage, nftLevel: '7' }),
    ];
    const ids = rows.map(({ id }) => id);
    const levels = async () =>
      (
        await db.query<{ level: number }>('select nft_level as level from airdrops where id = any($1) order by id', [ids])
      ).rows.map((row) => row.level);
    await admin.open(`/NFTAirdrop?stage=${encodeURIComponent(stage)}`);
    await expect(rowsOf(page)).toHaveCount(3);
    for (const row of await rowsOf(page).all()) await row.getByRole('checkbox').click();
    await page.getByRole('button', { name: '设置 NFT 等级' }).click();
    await dialog(page)
      .getByLabel(/^NFT 等级/)
      .fill('9');
    await dialog(page).getByRole('button', { name: '设置 NFT 等级' }).click();
    await expect.poll(levels).toEqual([9, 9, 9]);
    await page.locator('#toasts').getByRole('button', { name: '撤销' }).click();
    await expect.poll(levels).toEqual([1, 4, 7]);
  },
);

test('an earlier version is restored from the record’s history', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const row = await add(admin, { stage: '历史一' });
  await admin.run('airdrops.setStage', { targets: [row.id], params: { stage: '历史二' } });
  await admin.open(`/NFTAirdrop?open=${row.id}`);
  const history = dialog(page).locator('[data-history]');
  await expect(history.locator('[data-entry]')).toHaveCount(2);
  await expect(history.locator('[data-entry]').first()).toContainText('设置空投阶段');
  await history.getByRole('button', { name: '恢复到此版本' }).last().click();
  await expect(review(page).locator('[data-field="stage"] ins')).toHaveText(/历史一$/);
  await review(page).getByRole('button', { name: '恢复到此版本' }).click();
  await expect(dialog(page).getByRole('heading', { name: '历史一' })).toBeVisible();
});

test('a deleted airdrop is restored from the audit', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const row = await add(admin, { stage: '误删' });
  await admin.run('airdrops.delete', { targets: [row.id], confirm: true });
  await admin.open(`/audit?entityId=${row.id}&what=airdrops.delete`);
  await expect(rowsOf(page).first()).toContainText(row.address);
  await rowsOf(page).first().click();
  await dialog(page).getByRole('button', { name: '恢复到变更前' }).click();
  await review(page).getByRole('button', { name: '恢复到此版本' }).click();
  await expect(page.getByText('操作成功')).toBeVisible();
  expect((await db.query('select stage, version from airdrops where id = $1', [row.id])).rows).toEqual([
    { stage: '误删', version: 2 },
  ]);
});

const inShanghai = (at = '') => new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

test('an export contains the filtered list row by row', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const stage = `@导出 ${fresh()}`;
  const rows: AirdropRow[] = [];
  for (const berries of ['9', '1000', '20']) rows.push(await add(admin, { stage, berries }));
  await admin.open(`/NFTAirdrop?stage=${encodeURIComponent(stage)}&sort=-berries`);
  await expect(rowsOf(page)).toHaveCount(3);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出空投' }).click();
  await page.getByRole('radio', { name: '纯文本（CSV）' }).check();
  await page.keyboard.press('Control+Enter');
  const text = await readFile(await (await download).path(), 'utf8');
  async function* once() {
    yield text;
  }
  const lines: string[][] = [];
  for await (const line of readCsv(once())) lines.push(line);
  const order = ['1000', '20', '9'].map((berries) => rows.find((row) => row.berries === berries));
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
    ...order.map((row) => [
      row?.address,
      row?.berries,
      '1',
      '2',
      `'${stage}`,
      inShanghai(row?.createdAt),
      inShanghai(row?.updatedAt),
      row?.createdAt,
      row?.updatedAt,
      row?.id,
    ]),
  ]);
});
