import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { newId } from '../server/platform/core/ids.ts';
import { demoAccounts } from '../server/seed/roles.ts';
import { expect, test } from './fixtures.ts';

/** Text of the first worksheet, by the ZIP's central directory. */
function sheetOf(file: Buffer): string {
  for (let at = file.indexOf('PK\u0001\u0002', 0, 'latin1'); at >= 0; at = file.indexOf('PK\u0001\u0002', at + 4, 'latin1')) {
    const name = file.toString('utf8', at + 46, at + 46 + file.readUInt16LE(at + 28));
    if (name !== 'xl/worksheets/sheet1.xml') continue;
    const local = file.readUInt32LE(at + 42);
    const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const packed = file.subarray(from, from + file.readUInt32LE(at + 20));
    return (file.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed).toString('utf8');
  }
  throw new Error('the file has no worksheet');
}

test('an export is started as XLSX by keyboard, downloaded again on another screen, stopped and deleted', async ({
  admin,
  page,
  db,
}) => {
  await admin.signIn('all', '/points');
  const saved = page.waitForEvent('download');
  await admin.palette('points.export');
  await expect(page.getByRole('option', { name: /XLSX/ })).toBeVisible();
  await page.keyboard.press('Enter');
  const sheet = sheetOf(await readFile(await (await saved).path()));
  const { rows: counted } = await db.query<{ n: string }>('select count(*) as n from points');
  expect(sheet.match(/<row\b/g)).toHaveLength(Number(counted[0]?.n) + 1);

  const running = newId();
  const email = demoAccounts.find(({ role }) => role === 'all')?.email;
  await db.query(
    `insert into exports (id, administrator_id, administrator_email, list, format, input, through, state, total, written, runner, leased_until, created_at)
     select $1, id, email, 'points', 'csv', '{}', 0, 'running', 200, 100, $1, now() + interval '50 seconds', now() from administrators where email = $2`,
    [running, email],
  );
  await admin.open('/news');
  await admin.key('exportJobs.open');
  const dialog = page.getByRole('dialog', { name: '我的导出' });
  const stopping = dialog.locator('[data-export="running"]');
  await expect(stopping.getByRole('progressbar', { name: '100 / 200' })).toBeVisible();
  await stopping.locator('[data-command="exportJobs.cancel"]').click();
  await expect(dialog.locator('[data-export="canceled"]')).toHaveCount(1);

  const finished = dialog.locator('[data-export="done"]').first();
  const again = page.waitForEvent('download');
  await finished.locator('[data-command="exportJobs.download"]').click();
  expect((await again).suggestedFilename()).toMatch(/^points-\d{4}-\d\d-\d\d\.xlsx$/);
  const before = await dialog.locator('[data-export="done"]').count();
  await finished.locator('[data-command="exportJobs.remove"]').click();
  await expect(dialog.locator('[data-export="done"]')).toHaveCount(before - 1);
});
