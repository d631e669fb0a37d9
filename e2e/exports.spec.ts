import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { newId } from '../server/platform/core/ids.ts';
import { demoAccounts } from '../server/seed/roles.ts';
import { expect, test } from './fixtures.ts';

/** Text of the first worksheet, by the ZIP's central directory. */
function readSheet(file: Buffer): string {
  for (
    let entryOffset = file.indexOf('PK\u0001\u0002', 0, 'latin1');
    entryOffset >= 0;
    entryOffset = file.indexOf('PK\u0001\u0002', entryOffset + 4, 'latin1')
  ) {
    const name = file.toString('utf8', entryOffset + 46, entryOffset + 46 + file.readUInt16LE(entryOffset + 28));
    if (name !== 'xl/worksheets/sheet1.xml') continue;
    const localOffset = file.readUInt32LE(entryOffset + 42);
    const from = localOffset + 30 + file.readUInt16LE(localOffset + 26) + file.readUInt16LE(localOffset + 28);
    const compressedBytes = file.subarray(from, from + file.readUInt32LE(entryOffset + 20));
    return (file.readUInt16LE(entryOffset + 10) === 8 ? inflateRawSync(compressedBytes) : compressedBytes).toString('utf8');
  }
  throw new Error('the file has no worksheet');
}

test('an export is started as XLSX by keyboard, downloaded again on another screen, stopped and deleted', async ({
  admin,
  page,
  db,
}) => {
  await admin.signIn('all', '/points');
  const downloadPromise = page.waitForEvent('download');
  await admin.palette('points.export');
  await expect(page.getByRole('option', { name: /XLSX/ })).toBeVisible();
  await page.keyboard.press('Enter');
  const sheet = readSheet(await readFile(await (await downloadPromise).path()));
  const { rows: countRows } = await db.query<{ n: string }>('select count(*) as n from points');
  expect(sheet.match(/<row\b/g)).toHaveLength(Number(countRows[0]?.n) + 1);

  const runningId = newId();
  const email = demoAccounts.find(({ role }) => role === 'all')?.email;
  await db.query(
    `insert into exports (id, administrator_id, administrator_email, list, format, input, through, state, total, written, runner, leased_until, created_at)
     select $1, id, email, 'points', 'csv', '{}', 0, 'running', 200, 100, $1, now() + interval '50 seconds', now() from administrators where email = $2`,
    [runningId, email],
  );
  await admin.open('/news');
  await admin.key('exportJobs.open');
  const dialog = page.getByRole('dialog', { name: '我的导出' });
  const runningExport = dialog.locator('[data-export="running"]');
  await expect(runningExport.getByRole('progressbar', { name: '100 / 200' })).toBeVisible();
  await runningExport.locator('[data-command="exportJobs.cancel"]').click();
  await expect(dialog.locator('[data-export="canceled"]')).toHaveCount(1);

  const finishedExport = dialog.locator('[data-export="done"]').first();
  const secondDownload = page.waitForEvent('download');
  await finishedExport.locator('[data-command="exportJobs.download"]').click();
  expect((await secondDownload).suggestedFilename()).toMatch(/^points-\d{4}-\d\d-\d\d\.xlsx$/);
  const finishedBefore = await dialog.locator('[data-export="done"]').count();
  await finishedExport.locator('[data-command="exportJobs.remove"]').click();
  await expect(dialog.locator('[data-export="done"]')).toHaveCount(finishedBefore - 1);
});
