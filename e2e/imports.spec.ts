import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { toChecksumAddress } from '../api/evm.ts';
import type { ImportRow } from '../api/imports/contract.ts';
import { inTier } from '../scripts/suite/tier.ts';
import { expect, test, type Admin } from './fixtures.ts';

let made = 0;
const address = () =>
  toChecksumAddress(`0x${createHash('sha256').update(`e2e imports ${process.pid} ${made++}`).digest('hex').slice(0, 40)}`);
const csv = (...rows: (string | number)[][]) => ['address,berries,reason', ...rows.map((cells) => cells.join(','))].join('\r\n');
const drawer = (page: Page) => page.getByRole('dialog');
const counts = (page: Page) => page.locator('[data-counts]');

async function drop(page: Page, name: string, text: string) {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content ?? ''], fileName ?? '', { type: 'text/csv' }));
      return data;
    },
    [name, text],
  );
  const zone = page.locator('[data-import-zone]');
  await zone.dispatchEvent('dragover', { dataTransfer: transfer });
  await expect(page.locator('[data-drop]')).toBeVisible();
  await zone.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.locator('[data-drop]')).toHaveCount(0);
}

async function paste(page: Page, text: string) {
  await expect(page.locator('[data-import-zone]')).toBeVisible();
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.setData('text/plain', content);
    (document.activeElement ?? document.body).dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

const one = (admin: Admin, id: string): Promise<ImportRow> =>
  admin.page.evaluate(async (asked) => {
    const response = await fetch('/rpc/pointsImports/many', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: localStorage.getItem('Authorization') ?? '' },
      body: JSON.stringify({ json: { ids: [asked] } }),
    });
    return (await response.json()).json[0];
  }, id);

test('a dropped file is checked, its good rows imported, its bad rows returned, and the whole import undone', async ({
  admin,
  page,
  db,
}) => {
  test.setTimeout(120_000);
  const all = inTier(2_000, 10_000);
  const rows = Array.from({ length: all }, (_, at) =>
    at % 73 === 5 ? ['0x12', 'many', '=1+1'] : [address(), 1 + (at % 9), `row ${at}`],
  );
  const bad = rows.filter(([who]) => who === '0x12').length;
  const [total, good] = [all, all - bad].map((count) => count.toLocaleString('en-US'));
  expect(bad).toBe(inTier(28, 137));
  await admin.signIn('all', '/points');
  await drop(page, 'season.csv', csv(...rows));

  await expect(drawer(page).getByRole('heading', { name: 'season.csv' })).toBeVisible();
  await expect(counts(page)).toHaveText(`共 ${total} 行，${good} 行有效，${bad} 行无效`);
  await expect(drawer(page)).toContainText('UTF-8');
  await expect(page.locator('[data-line="7"]').first()).toContainText('地址');

  await drawer(page)
    .getByRole('button', { name: `导入 ${good} 行` })
    .click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(`将导入 ${good} 行（共 ${total} 行）。`);
  await expect(question).toContainText(`${bad} 行无效`);
  await question.getByRole('button', { name: '开始导入' }).click();
  await expect(counts(page)).toHaveText(`共 ${total} 行，已导入 ${good} 行，跳过 ${bad} 行`, { timeout: 60_000 });
  const id = new URL(page.url()).searchParams.get('imports') ?? '';
  expect((await db.query('select count(*)::int as n from points where import_id = $1', [id])).rows).toEqual([{ n: all - bad }]);

  const coming = page.waitForEvent('download');
  await drawer(page).getByRole('button', { name: '下载无效行' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('season-未导入.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toBe('\uFEFF"address","berries","reason","原文件行号","未导入原因"');
  expect(lines).toHaveLength(bad + 1);
  expect(lines[1]).toContain('"0x12","many","\'=1+1","7",'); // disarmed, with the reason

  await drawer(page).getByRole('button', { name: '撤销导入' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('season.csv');
  await page.getByRole('alertdialog').getByRole('button', { name: '撤销导入' }).click();
  await expect(drawer(page).getByText('已撤销')).toBeVisible({ timeout: 30_000 });
  const left = await db.query(
    'select count(*)::int as n from point_balances where berries <> 0 and address in (select address from points where import_id = $1)',
    [id],
  );
  expect(left.rows).toEqual([{ n: 0 }]);
});

test(
  'a row with an unquoted thousands comma is repaired by keyboard, and the confirmation shows the sums',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
    await admin.signIn('all', '/points');
    const [first, second] = [address(), address()];
    await drop(page, 'season.csv', csv([first, '1,200', 'Quiz'], [second, 300, 'Quiz']));
    await expect(page.locator('[data-totals]')).toContainText('300');
    const row = page.locator('[data-line="2"]').first();
    await expect(row).toContainText('The row has more cells than the table has columns');
    await row.getByRole('textbox', { name: 'Berries, row 2' }).fill('1,200');
    await row.getByRole('textbox', { name: 'Reason, row 2' }).fill('Quiz');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-totals]')).toContainText('1,500');
    await drawer(page).getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('Berries added: 1,500. Largest: 1,200 in row 2.');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start import' }).click();
    await expect
      .poll(async () => (await db.query('select berries from points where address = $1', [first])).rows)
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
    await drawer(page)
      .locator('input[type="file"]')
      .setInputFiles({
        name: 'western.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`address,berries,reason\n${address()},5,Prämie für Spieler\n`, 'latin1'),
      });
    await page.keyboard.press('Control+Enter');
    const question = page.locator('[data-question="encoding"]');
    await expect(question).toContainText('Prämie für Spieler');
    await expect(drawer(page).getByRole('button', { name: 'Import 1 row' })).toHaveAttribute('aria-disabled', 'true');
    await question.getByRole('button', { name: 'Confirm encoding' }).click();
    await expect(question).toHaveCount(0);
    await expect(drawer(page).getByRole('button', { name: 'Import 1 row' })).not.toHaveAttribute('aria-disabled', 'true');
  },
);

test('pasted rows are imported by keyboard in English', { tag: '@long' }, async ({ admin, page }) => {
  await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
  await admin.signIn('all', '/points');
  const [first, second] = [address(), address()];
  await paste(page, `${first}\t12\tQuiz\n${second}\tmany\tQuiz\n`);
  await expect(drawer(page).getByRole('heading', { name: 'pasted.csv' })).toBeVisible();
  await expect(counts(page)).toHaveText('2 rows: 1 valid, 1 invalid');
  await expect(page.locator('[data-reading-of="delimiter"]')).toHaveValue('\t');

  await page.keyboard.press('Control+k');
  await page.locator('[data-palette-input]').fill('points.startImport');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 2 rows will be imported.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(counts(page)).toHaveText('2 rows: 1 imported, 1 skipped');
  await expect(page.locator('[data-palette]')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(drawer(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/imports/);
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: first.slice(0, 6) })
      .first(),
  ).toBeVisible();

  await admin.key('points.imports');
  await expect(drawer(page).locator('[data-import]').first()).toContainText('pasted.csv');
});

test(
  'a file in GB18030 is imported with a column mapped by hand, and imported a second time',
  { tag: '@long' },
  async ({ admin, page }) => {
    const who = address();
    const file = {
      name: 'gb.csv',
      mimeType: 'text/csv',
      // 谁,积分,原因 … 奖励
      buffer: Buffer.concat([
        Buffer.from([0xcb, 0xad, 0x2c, 0xbb, 0xfd, 0xb7, 0xd6, 0x2c, 0xd4, 0xad, 0xd2, 0xf2, 0x0a]),
        Buffer.from(`${who},5,`),
        Buffer.from([0xbd, 0xb1, 0xc0, 0xf8]),
      ]),
    };
    const choose = async () => {
      await admin.key('points.import');
      await drawer(page).locator('input[type="file"]').setInputFiles(file);
      await expect(drawer(page).locator('[data-chosen]')).toContainText('gb.csv');
      await page.keyboard.press('Control+Enter');
      await expect(counts(page)).toContainText('共 1 行');
      await expect(drawer(page)).toContainText('GB18030');
    };
    await admin.signIn('all', '/points');
    await choose();
    await expect(drawer(page).getByRole('alert')).toContainText('请为以下字段选择列：地址');
    await drawer(page).getByRole('combobox', { name: '地址对应的列' }).selectOption('谁');
    await expect(counts(page)).toHaveText('共 1 行，1 行有效，0 行无效');
    await drawer(page).getByRole('button', { name: '导入 1 行' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '开始导入' }).click();
    await expect(counts(page)).toHaveText('共 1 行，已导入 1 行，跳过 0 行');
    await page.keyboard.press('Escape');

    await choose();
    await expect(drawer(page).getByRole('note')).toContainText('admin@demo.local 已于');
    await drawer(page).getByRole('button', { name: '取消导入' }).click();
    await expect(drawer(page)).toContainText('该导入记录已不存在');
  },
);

test(
  'a script imports a file from its text, and must confirm an import of the same file again',
  { tag: '@long' },
  async ({ admin }) => {
    await admin.signIn('all', '/points');
    const file = csv([address(), 5, 'Quiz'], ['nobody', 5, 'Quiz']);
    const importIt = async () => (await admin.run('points.import', { params: { file } })).done[0];
    const row = await importIt();
    expect(row).toMatchObject({ total: 2, good: 1, bad: 1, earlier: null });
    await expect(admin.run('points.startImport', { targets: [row.id] })).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    await admin.run('points.startImport', { targets: [row.id], confirm: true });
    await expect.poll(async () => (await one(admin, row.id)).state).toBe('done');
    const { value: bad } = await admin.run('points.badRows', { targets: [row.id] });
    expect(bad.text).toContain('"nobody","5","Quiz","3"');

    const again = await importIt();
    expect(again.earlier).toMatchObject({ id: row.id, by: 'admin@demo.local' });
    await admin.run('points.undoImport', { targets: [row.id], confirm: true });
    expect((await one(admin, row.id)).state).toBe('undone');
    await admin.run('points.cancelImport', { targets: [again.id] });
    await expect(admin.run('points.import', { params: { file: 'PK\u0003\u0004' } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: 'file', rule: 'notCsv' }],
    });
    expect((await admin.run('points.importTemplate')).value).toEqual({ text: '\uFEFF"地址","积分","原因"\r\n' });
  },
);

test('refuses a dropped file that is not a CSV, and says why', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/points');
  await drop(page, 'book.xlsx', 'PK\u0003\u0004 and so on');
  await expect(page.getByText('这不是 CSV 文件。若是 Excel 工作簿，请先另存为 CSV。')).toBeVisible();
  await expect(drawer(page)).toHaveCount(0);
});

test('an import continues while its page is closed', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/points');
  const file = csv(...Array.from({ length: 3_000 }, (_, at) => [address(), 1, `row ${at}`]));
  const {
    done: [row],
  } = await admin.run('points.import', { params: { file } });
  await admin.run('points.startImport', { targets: [row.id], confirm: true });
  await page.goto('about:blank');
  await expect
    .poll(async () => (await db.query('select state from imports where id = $1', [row.id])).rows[0]?.state, { timeout: 30_000 })
    .toBe('done');
  await admin.open(`/points?imports=${row.id}`);
  await expect(counts(page)).toHaveText('共 3,000 行，已导入 3,000 行，跳过 0 行');
});

test('airdrops are imported with the same commands', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/NFTAirdrop');
  const who = address();
  await drop(page, 'drop.csv', `Address,Berries,NFT number,NFT level,Stage\n${who},100,2,3,S1\n${who},100,-1,3,S1\n`);
  await expect(counts(page)).toHaveText('共 2 行，1 行有效，1 行无效');
  await drawer(page).getByRole('button', { name: '导入 1 行' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '开始导入' }).click();
  await expect(counts(page)).toHaveText('共 2 行，已导入 1 行，跳过 1 行');
  await drawer(page).getByRole('button', { name: '撤销导入' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '撤销导入' }).click();
  await expect(drawer(page).getByText('已撤销')).toBeVisible();
});

test('a viewer sees imports without files and commands', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/points');
  const {
    done: [row],
  } = await admin.run('points.import', { params: { file: csv([address(), 5, 'secret reason']) } });
  await admin.signIn('analyst', '/points');
  expect(await admin.assess('points.import')).toEqual({ state: 'hidden' });
  await admin.open(`/points?imports=${row.id}`);
  await expect(counts(page)).toHaveText('共 1 行，1 行有效，0 行无效');
  await expect(drawer(page)).not.toContainText('secret reason');
  await expect(drawer(page).locator('[data-command]')).toHaveCount(0);
});
