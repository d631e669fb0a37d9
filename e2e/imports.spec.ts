import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { toChecksumAddress } from '../api/evm.ts';
import type { ImportRow } from '../api/imports/contract.ts';
import { inTier } from '../scripts/suite/tier.ts';
import { expect, test, type Admin } from './fixtures.ts';

let fileCount = 0;
const address = () =>
  toChecksumAddress(`0x${createHash('sha256').update(`e2e imports ${process.pid} ${fileCount++}`).digest('hex').slice(0, 40)}`);
const csv = (...rows: (string | number)[][]) => ['address,berries,reason', ...rows.map((cells) => cells.join(','))].join('\r\n');
const importDrawer = (page: Page) => page.getByRole('dialog');
const countsText = (page: Page) => page.locator('[data-counts]');

async function dropFile(page: Page, name: string, text: string) {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content ?? ''], fileName ?? '', { type: 'text/csv' }));
      return data;
    },
    [name, text],
  );
  const importZone = page.locator('[data-import-zone]');
  await importZone.dispatchEvent('dragover', { dataTransfer });
  await expect(page.locator('[data-drop]')).toBeVisible();
  await importZone.dispatchEvent('drop', { dataTransfer });
  await expect(page.locator('[data-drop]')).toHaveCount(0);
}

async function pasteText(page: Page, text: string) {
  await expect(page.locator('[data-import-zone]')).toBeVisible();
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.setData('text/plain', content);
    (document.activeElement ?? document.body).dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

const readImport = (admin: Admin, id: string): Promise<ImportRow> =>
  admin.page.evaluate(async (importId) => {
    const response = await fetch('/rpc/pointsImports/many', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: localStorage.getItem('Authorization') ?? '' },
      body: JSON.stringify({ json: { ids: [importId] } }),
    });
    return (await response.json()).json[0];
  }, id);

test('a dropped file is checked, its good rows imported, its bad rows returned, and the whole import undone', async ({
  admin,
  page,
  db,
}) => {
  test.setTimeout(120_000);
  const rowCount = inTier(2_000, 10_000);
  const rows = Array.from({ length: rowCount }, (_, index) =>
    index % 73 === 5 ? ['0x12', 'many', '=1+1'] : [address(), 1 + (index % 9), `row ${index}`],
  );
  const invalidCount = rows.filter(([holderAddress]) => holderAddress === '0x12').length;
  const [total, validText] = [rowCount, rowCount - invalidCount].map((count) => count.toLocaleString('en-US'));
  expect(invalidCount).toBe(inTier(28, 137));
  await admin.signIn('all', '/points');
  await dropFile(page, 'season.csv', csv(...rows));

  await expect(importDrawer(page).getByRole('heading', { name: 'season.csv' })).toBeVisible();
  await expect(countsText(page)).toHaveText(`共 ${total} 行，${validText} 行有效，${invalidCount} 行无效`);
  await expect(importDrawer(page)).toContainText('UTF-8');
  await expect(page.locator('[data-line="7"]').first()).toContainText('地址');

  await importDrawer(page)
    .getByRole('button', { name: `导入 ${validText} 行` })
    .click();
  const confirmDialog = page.getByRole('alertdialog');
  await expect(confirmDialog).toContainText(`将导入 ${validText} 行（共 ${total} 行）。`);
  await expect(confirmDialog).toContainText(`${invalidCount} 行无效`);
  await confirmDialog.getByRole('button', { name: '开始导入' }).click();
  await expect(countsText(page)).toHaveText(`共 ${total} 行，已导入 ${validText} 行，跳过 ${invalidCount} 行`, {
    timeout: 60_000,
  });
  // The button that started it is gone, and its focus went to the record.
  await expect(importDrawer(page)).toBeFocused();
  const id = new URL(page.url()).searchParams.get('imports') ?? '';
  expect((await db.query('select count(*)::int as n from points where import_id = $1', [id])).rows).toEqual([
    { n: rowCount - invalidCount },
  ]);

  const downloadPromise = page.waitForEvent('download');
  await importDrawer(page).getByRole('button', { name: '下载无效行' }).click();
  const download = await downloadPromise;
  expect(download.suggestedFilename()).toBe('season-未导入.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toBe('\uFEFF"address","berries","reason","原文件行号","未导入原因"');
  expect(lines).toHaveLength(invalidCount + 1);
  expect(lines[1]).toContain('"0x12","many","\'=1+1","7",'); // disarmed, with the reason

  await importDrawer(page).getByRole('button', { name: '撤销导入' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('season.csv');
  await page.getByRole('alertdialog').getByRole('button', { name: '撤销导入' }).click();
  await expect(importDrawer(page).getByText('已撤销')).toBeVisible({ timeout: 30_000 });
  const remainingChunks = await db.query(
    'select count(*)::int as n from point_balances where berries <> 0 and address in (select address from points where import_id = $1)',
    [id],
  );
  expect(remainingChunks.rows).toEqual([{ n: 0 }]);
});

test(
  'a row with an unquoted thousands comma is repaired by keyboard, and the confirmation shows the sums',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
    await admin.signIn('all', '/points');
    const [firstAddress, secondAddress] = [address(), address()];
    await dropFile(page, 'season.csv', csv([firstAddress, '1,200', 'Quiz'], [secondAddress, 300, 'Quiz']));
    await expect(page.locator('[data-totals]')).toContainText('300');
    const row = page.locator('[data-line="2"]').first();
    await expect(row).toContainText('The row has more cells than the table has columns');
    await row.getByRole('textbox', { name: 'Berries, row 2' }).fill('1,200');
    await row.getByRole('textbox', { name: 'Reason, row 2' }).fill('Quiz');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-totals]')).toContainText('1,500');
    await importDrawer(page).getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('Berries added: 1,500. Largest: 1,200 in row 2.');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start import' }).click();
    await expect
      .poll(async () => (await db.query('select berries from points where address = $1', [firstAddress])).rows)
      .toEqual([{ berries: '1200' }]);
  },
);

test(
  'an import with an uncertain encoding starts only after a person has chosen one',
  { tag: '@long' },
  async ({ admin, page }) => {
    await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
    await admin.signIn('all', '/points');
    await admin.key('points.import');
    await importDrawer(page)
      .locator('input[type="file"]')
      .setInputFiles({
        name: 'western.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`address,berries,reason\n${address()},5,Prämie für Spieler\n`, 'latin1'),
      });
    await page.keyboard.press('Control+Enter');
    const encodingQuestion = page.locator('[data-question="encoding"]');
    await expect(encodingQuestion).toContainText('Prämie für Spieler');
    await expect(importDrawer(page).getByRole('button', { name: 'Import 1 row' })).toHaveAttribute('aria-disabled', 'true');
    await encodingQuestion.getByRole('button', { name: 'Confirm encoding' }).click();
    await expect(encodingQuestion).toHaveCount(0);
    await expect(importDrawer(page).getByRole('button', { name: 'Import 1 row' })).not.toHaveAttribute('aria-disabled', 'true');
  },
);

test('pasted rows are imported by keyboard in English', { tag: '@long' }, async ({ admin, page }) => {
  await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
  await admin.signIn('all', '/points');
  const [firstAddress, secondAddress] = [address(), address()];
  await pasteText(page, `${firstAddress}\t12\tQuiz\n${secondAddress}\tmany\tQuiz\n`);
  await expect(importDrawer(page).getByRole('heading', { name: 'pasted.csv' })).toBeVisible();
  await expect(countsText(page)).toHaveText('2 rows: 1 valid, 1 invalid');
  await expect(page.locator('[data-reading-of="delimiter"]')).toHaveValue('\t');

  await page.keyboard.press('Control+k');
  await page.locator('[data-palette-input]').fill('points.startImport');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 2 rows will be imported.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(countsText(page)).toHaveText('2 rows: 1 imported, 1 skipped');
  await expect(page.locator('[data-palette]')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(importDrawer(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/imports/);
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: firstAddress.slice(0, 6) })
      .first(),
  ).toBeVisible();

  await admin.key('points.imports');
  await expect(importDrawer(page).locator('[data-import]').first()).toContainText('pasted.csv');
});

test(
  'a file in GB18030 is imported with a column mapped by hand, and imported a second time',
  { tag: '@long' },
  async ({ admin, page }) => {
    const holderAddress = address();
    const file = {
      name: 'gb.csv',
      mimeType: 'text/csv',
      // 谁,积分,原因 … 奖励
      buffer: Buffer.concat([
        Buffer.from([0xcb, 0xad, 0x2c, 0xbb, 0xfd, 0xb7, 0xd6, 0x2c, 0xd4, 0xad, 0xd2, 0xf2, 0x0a]),
        Buffer.from(`${holderAddress},5,`),
        Buffer.from([0xbd, 0xb1, 0xc0, 0xf8]),
      ]),
    };
    const chooseFile = async () => {
      await admin.key('points.import');
      await importDrawer(page).locator('input[type="file"]').setInputFiles(file);
      await expect(importDrawer(page).locator('[data-chosen]')).toContainText('gb.csv');
      await page.keyboard.press('Control+Enter');
      await expect(countsText(page)).toContainText('共 1 行');
      await expect(importDrawer(page)).toContainText('GB18030');
    };
    await admin.signIn('all', '/points');
    await chooseFile();
    await expect(importDrawer(page).getByRole('alert')).toContainText('请为以下字段选择列：地址');
    await importDrawer(page).getByRole('combobox', { name: '地址对应的列' }).selectOption('谁');
    await expect(countsText(page)).toHaveText('共 1 行，1 行有效，0 行无效');
    await importDrawer(page).getByRole('button', { name: '导入 1 行' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '开始导入' }).click();
    await expect(countsText(page)).toHaveText('共 1 行，已导入 1 行，跳过 0 行');
    await page.keyboard.press('Escape');

    await chooseFile();
    await expect(importDrawer(page).getByRole('note')).toContainText('admin@demo.local 已于');
    await importDrawer(page).getByRole('button', { name: '取消导入' }).click();
    await expect(importDrawer(page)).toContainText('该导入记录已不存在');
  },
);

test(
  'a script imports a file from its text, and must confirm an import of the same file again',
  { tag: '@long' },
  async ({ admin }) => {
    await admin.signIn('all', '/points');
    const file = csv([address(), 5, 'Quiz'], ['nobody', 5, 'Quiz']);
    const importFile = async () => (await admin.run('points.import', { params: { file } })).done[0];
    const row = await importFile();
    expect(row).toMatchObject({ total: 2, good: 1, bad: 1, earlier: null });
    await expect(admin.run('points.startImport', { targets: [row.id] })).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    await admin.run('points.startImport', { targets: [row.id], confirm: true });
    await expect.poll(async () => (await readImport(admin, row.id)).state).toBe('done');
    const { value: invalidRows } = await admin.run('points.badRows', { targets: [row.id] });
    expect(invalidRows.text).toContain('"nobody","5","Quiz","3"');

    const secondImport = await importFile();
    expect(secondImport.earlier).toMatchObject({ id: row.id, by: 'admin@demo.local' });
    await admin.run('points.undoImport', { targets: [row.id], confirm: true });
    expect((await readImport(admin, row.id)).state).toBe('undone');
    await admin.run('points.cancelImport', { targets: [secondImport.id] });
    await expect(admin.run('points.import', { params: { file: 'PK\u0003\u0004' } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: 'file', rule: 'notCsv' }],
    });
    expect((await admin.run('points.importTemplate')).value).toEqual({ text: '\uFEFF"地址","积分","原因"\r\n' });
  },
);

test('refuses a dropped file that is not a CSV, and says why', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/points');
  await dropFile(page, 'book.xlsx', 'PK\u0003\u0004 and so on');
  await expect(page.getByText('这不是 CSV 文件。若是 Excel 工作簿，请先另存为 CSV。')).toBeVisible();
  await expect(importDrawer(page)).toHaveCount(0);
});

test('an import continues while its page is closed', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/points');
  const file = csv(...Array.from({ length: 3_000 }, (_, index) => [address(), 1, `row ${index}`]));
  const {
    done: [row],
  } = await admin.run('points.import', { params: { file } });
  await admin.run('points.startImport', { targets: [row.id], confirm: true });
  await page.goto('about:blank');
  await expect
    .poll(async () => (await db.query('select state from imports where id = $1', [row.id])).rows[0]?.state, { timeout: 30_000 })
    .toBe('done');
  await admin.open(`/points?imports=${row.id}`);
  await expect(countsText(page)).toHaveText('共 3,000 行，已导入 3,000 行，跳过 0 行');
});

test('airdrops are imported with the same commands', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const holderAddress = address();
  await dropFile(
    page,
    'drop.csv',
    `Address,Berries,NFT number,NFT level,Stage\n${holderAddress},100,2,3,S1\n${holderAddress},100,-1,3,S1\n`,
  );
  await expect(countsText(page)).toHaveText('共 2 行，1 行有效，1 行无效');
  await importDrawer(page).getByRole('button', { name: '导入 1 行' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '开始导入' }).click();
  await expect(countsText(page)).toHaveText('共 2 行，已导入 1 行，跳过 1 行');
  await importDrawer(page).getByRole('button', { name: '撤销导入' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '撤销导入' }).click();
  await expect(importDrawer(page).getByText('已撤销')).toBeVisible();
});

test('a viewer sees imports without files and commands', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/points');
  const {
    done: [row],
  } = await admin.run('points.import', { params: { file: csv([address(), 5, 'secret reason']) } });
  await admin.signIn('analyst', '/points');
  expect(await admin.assess('points.import')).toEqual({ state: 'hidden' });
  await admin.open(`/points?imports=${row.id}`);
  await expect(countsText(page)).toHaveText('共 1 行，1 行有效，0 行无效');
  await expect(importDrawer(page)).not.toContainText('secret reason');
  await expect(importDrawer(page).locator('[data-command]')).toHaveCount(0);
});
