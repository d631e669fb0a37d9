import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import type { AuditRow } from '../api/audit/contract.ts';
import type { NewsRow } from '../api/news/contract.ts';
import { readCsv } from '../server/platform/core/csv.ts';
import { expect, test, type Admin } from './fixtures.ts';
import { build } from '../testing/factories/build.ts';
import { pickCsv } from './support/exports.ts';

const fields = (title: string, description = 'd') => build.newsFields({ title, description, time: '2099-03-01T00:00:00.000Z' });
const drawer = (page: Page) => page.getByRole('dialog');
const auditRows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
const fieldDiff = (page: Page, field: string) => drawer(page).locator(`[data-diff] [data-field="${field}"]`).first();

const addNews = async (admin: Admin, title: string, description?: string): Promise<NewsRow> =>
  (await admin.run('news.add', { params: fields(title, description) })).done[0];

async function applyFilter(page: Page, filterText: string) {
  await page.keyboard.press('f');
  await page.locator('[data-filter-menu] input').fill(filterText);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-filter-menu]')).toHaveCount(0);
}

test('a colleague’s actions of last week are found with eight key presses', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  await admin.signIn('all', '/audit');
  await expect(auditRows(page).first()).toBeVisible();
  for (const key of ['f', 'e', 'd']) await page.keyboard.press(key);
  await expect(page.locator('[data-filter-menu]').getByRole('option').first()).toContainText('editor@demo.local');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/actor=editor@demo\.local$|actor=editor%40demo\.local$/);
  for (const key of ['f', 'l', 'w', 'Enter']) await page.keyboard.press(key);
  await expect(page).toHaveURL(/&time=last-week$/);
  await expect(page.locator('[data-filter]')).toHaveText([/操作人.*editor@demo\.local/, /时间.*上周/]);
  await page.keyboard.press('Shift+F');
  await expect(page.locator('[data-filter]')).toHaveCount(0);
});

async function listEntries(admin: Admin, filter: Record<string, string>): Promise<AuditRow[]> {
  return admin.page.evaluate(async (filter) => {
    const rows: AuditRow[] = [];
    let cursor: string | null = null;
    do {
      const response: Response = await fetch('/rpc/audit/list', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: localStorage.getItem('Authorization') ?? '' },
        body: JSON.stringify({ json: { sort: 'time', direction: 'desc', filter, cursor, limit: 100 } }),
      });
      const { json } = (await response.json()) as { json: { rows: AuditRow[]; nextCursor: string | null } };
      rows.push(...json.rows);
      cursor = json.nextCursor;
    } while (cursor !== null);
    return rows;
  }, filter);
}

async function readCsvFile(path: string): Promise<Record<string, string>[]> {
  const text = await readFile(path, 'utf8');
  async function* fileChunks() {
    yield text;
  }
  const records: string[][] = [];
  for await (const record of readCsv(fileChunks())) records.push(record);
  const [names = [], ...rows] = records;
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

/** Ignores the order of filters. */
const readQuery = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test('the history of a news item is found and read in the audit by keyboard', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  const row = await addNews(admin, '审计一');
  await admin.run('news.edit', { targets: [row.id], params: fields('审计二') });
  const { keyboard } = page;

  await keyboard.press('g');
  await keyboard.press('u');
  await expect(page).toHaveURL(/\/audit$/);
  await expect(auditRows(page).first()).toContainText('编辑新闻');
  await expect(auditRows(page).first()).toContainText('审计二');
  await expect(auditRows(page).first()).toContainText('admin@demo.local');

  await applyFilter(page, 'admin@');
  await applyFilter(page, '新增新闻');
  await expect.poll(() => readQuery(page)).toEqual({ actor: 'admin@demo.local', what: 'news.add' });
  await expect(auditRows(page).filter({ hasText: '编辑新闻' })).toHaveCount(0);
  await expect(auditRows(page).first()).toContainText('新增新闻');

  await keyboard.press('Shift+F');
  await expect(auditRows(page).filter({ hasText: '登录' })).not.toHaveCount(0);
  await applyFilter(page, '编辑新闻');
  await expect(auditRows(page).filter({ hasText: '登录' })).toHaveCount(0);
  await expect(auditRows(page).first()).toContainText('编辑新闻');
  await keyboard.press('j');
  await keyboard.press('Enter');
  await expect(drawer(page)).toContainText('编辑新闻');
  await expect(fieldDiff(page, 'title').locator('del')).toHaveText(/审计一$/);
  await expect(fieldDiff(page, 'title').locator('ins')).toHaveText(/审计二$/);
  await drawer(page).getByText('技术信息').click();
  await expect(drawer(page).getByText(row.id, { exact: true }).first()).toBeVisible();
  await expect.poll(() => readQuery(page)).toMatchObject({ what: 'news.edit', open: expect.any(String) });
  await keyboard.press('Escape');
  await expect(drawer(page)).toHaveCount(0);
  await expect.poll(() => readQuery(page)).toEqual({ what: 'news.edit' });
});

test('a refused attempt is listed, and a time range hides it', { tag: '@long' }, async ({ admin, page, server }) => {
  await admin.signIn('analyst', '/news');
  const refusedResponse = await page.request.post(`${server.url}/api/news`, {
    headers: { authorization: await page.evaluate(() => localStorage.getItem('Authorization') ?? '') },
    data: fields('never'),
  });
  expect(refusedResponse.status()).toBe(403);
  await admin.open('/audit?result=refused&actor=analyst@demo.local');
  await expect(auditRows(page).first()).toContainText('已拒绝');
  await expect(auditRows(page).first()).toContainText('新增新闻');
  await applyFilter(page, '2100-01-01..');
  await expect(page.getByText('没有符合筛选条件的记录')).toBeVisible();
  await applyFilter(page, '2020-01-01..');
  await expect(auditRows(page).first()).toContainText('已拒绝');
  await expect(page).toHaveURL(/time=2020-01-01\.\.$/);
  await expect(page.getByRole('button', { name: '导出操作日志' })).toHaveCount(0);
});

test('markup is shown as text in list, record and diff', { tag: '@long' }, async ({ admin, page, complaints }) => {
  await admin.signIn('all', '/audit');
  const maliciousTitle = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  const longText = `${'长'.repeat(60)}<svg onload=alert(1)>`;
  const row = await addNews(admin, maliciousTitle, longText);
  await admin.run('news.edit', { targets: [row.id], params: fields(`${maliciousTitle}!`, `${longText}改`) });
  await admin.open(`/audit?entityId=${row.id}`);
  await expect(auditRows(page).first()).toContainText(maliciousTitle);
  await auditRows(page).first().click();
  await expect(fieldDiff(page, 'title')).toContainText('<script>document.title=1</script>');
  await expect(fieldDiff(page, 'description').locator('ins')).toHaveText(/改$/);
  await expect(fieldDiff(page, 'description').locator('del')).toHaveCount(0);
  const recordedTexts = drawer(page).locator('[data-field="title"], [data-field="description"]');
  expect(await recordedTexts.locator('img, script, svg').count()).toBe(0);
  expect(await page.title()).not.toBe('1');
  expect(complaints).toEqual([]);
});

test('an export contains the filtered list row by row and is recorded', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('access', '/audit');
  await admin.signIn('all', '/news');
  for (const title of ['=1+1', '导出', 'a,"b"']) await addNews(admin, title);
  await admin.open('/audit?entity=news');
  const expectedEntries = await listEntries(admin, { entity: 'news' });
  const download = page.waitForEvent('download');
  await admin.palette('audit.export');
  await pickCsv(page);
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
  const path = await file.path();
  expect((await readFile(path)).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const escapeFormula = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);
  const rows = await readCsvFile(path);
  expect(
    rows.map(({ seq, at, actor, command, route, entity_id, name, result }) => [
      seq,
      at,
      actor,
      command,
      route,
      entity_id,
      name,
      result,
    ]),
  ).toEqual(
    expectedEntries
      .toReversed()
      .map((row) => [
        String(row.seq),
        row.at,
        row.actorEmail,
        row.command ?? '',
        row.route,
        row.entityId ?? '',
        escapeFormula(row.name ?? ''),
        row.result,
      ]),
  );
  await expect(page.getByText(`已导出 ${expectedEntries.length} 行`)).toBeVisible();

  const secondDownload = page.waitForEvent('download');
  expect((await admin.run('audit.export')).value).toMatchObject({ rows: expectedEntries.length, isSaved: true });
  await (await secondDownload).delete();
  await admin.open('/audit?what=audit.export');
  await expect(auditRows(page)).toHaveCount(4);
  await expect(auditRows(page).first()).toContainText('导出操作日志');
});

test('an earlier version is restored from the record’s history after a diff', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  const row = await addNews(admin, '原标题');
  await admin.run('news.edit', { targets: [row.id], params: fields('新标题') });
  await admin.open(`/news?open=${row.id}`);
  const history = drawer(page).locator('[data-history]');
  await expect(history.locator('[data-entry]')).toHaveCount(2);
  await expect(history.locator('[data-entry]').first()).toContainText('编辑新闻');
  await expect(history.locator('[data-entry]').first()).toContainText('editor@demo.local');
  await history.locator('[data-entry]').last().getByRole('button', { name: '恢复到此版本' }).press('Enter');
  const reviewDialog = page.getByRole('alertdialog');
  await expect(reviewDialog.locator('[data-field="title"] del')).toHaveText(/新标题$/);
  await expect(reviewDialog.locator('[data-field="title"] ins')).toHaveText(/原标题$/);
  await page.keyboard.press('Enter');
  await expect(drawer(page).getByRole('heading', { name: '原标题' })).toBeVisible();
  await expect(history.locator('[data-entry]')).toHaveCount(3);
  await expect(history.locator('[data-entry]').first()).toContainText('恢复新闻的历史版本');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('row').filter({ hasText: '新标题' })).toBeVisible();
});

test('a deleted item is restored from the audit as Not Show', { tag: '@long' }, async ({ admin, page, db }) => {
  await admin.signIn('all', '/news');
  const row = await addNews(admin, '被删除的新闻');
  await admin.run('news.show', { targets: [row.id], confirm: true });
  await admin.run('news.delete', { targets: [row.id], confirm: true });
  expect((await db.query('select 1 from news where id = $1', [row.id])).rowCount).toBe(0);
  await admin.open(`/audit?entityId=${row.id}&what=news.delete`);
  await auditRows(page).first().click();
  await drawer(page).getByRole('button', { name: '恢复到变更前' }).click();
  await expect(page.getByRole('alertdialog').locator('[data-field="title"] ins')).toHaveText(/被删除的新闻$/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('操作成功')).toBeVisible();
  const { rows } = await db.query<{ title: string; shown: boolean; version: number }>(
    'select title, shown, version from news where id = $1',
    [row.id],
  );
  expect(rows).toEqual([{ title: '被删除的新闻', shown: false, version: 3 }]);
});

test('a role without the permission for the screen can’t open it', { tag: '@long' }, async ({ admin, page, server }) => {
  await admin.signIn('editor', '/news');
  await expect(page.getByRole('link', { name: '操作日志' })).toHaveCount(0);
  await page.goto(`${server.url}/audit`);
  await expect(page).toHaveURL(/\/404/);
  await admin.open('/news');
  await expect(admin.run('audit.export')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect((await admin.assess('audit.open')).state).toBe('hidden');
});
