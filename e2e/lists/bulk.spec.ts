import { expect, test } from '../fixtures.ts';
import type { Store } from '../../testing/factories/store.ts';

test.beforeEach(({ page }) => page.addInitScript(() => localStorage.setItem('locale', 'en-US')));

function makeNews(store: Store, titlePrefix: string, count: number) {
  const titles = Array.from({ length: count }, (_, n) => `${titlePrefix} ${String(n + 1).padStart(3, '0')}`);
  return store.newsItems(titles.map((title, n) => ({ title, time: new Date(Date.now() - (n + 1) * 60_000) })));
}

test(
  'selecting all matching rows by key is refused once someone adds a row',
  { tag: '@long' },
  async ({ admin, page, db, store }) => {
    await makeNews(store, 'Drifting', 160);
    let releaseResponse = () => {};
    const heldResponse = new Promise<void>((resolve) => (releaseResponse = resolve));
    await page.route('**/rpc/news/list', async (route) => {
      if (/"cursor":"/.test(route.request().postData() ?? '')) await heldResponse;
      await route.fallback();
    });
    await admin.signIn('editor', '/news?q=Drifting');
    const grid = page.getByRole('grid');
    await expect(grid.getByRole('row')).not.toHaveCount(0);
    await grid.focus();
    await page.keyboard.press('Control+a');
    await expect(page.getByText('50 selected', { exact: true })).toBeVisible();
    // Newly loaded rows are not selected, and the offer stays.
    const selectAllCheckbox = page.getByRole('checkbox', { name: 'Select all loaded rows' });
    await expect(selectAllCheckbox).toBeChecked();
    releaseResponse();
    await expect(selectAllCheckbox).toBeChecked({ indeterminate: true });
    await expect(page.getByText('50 selected', { exact: true })).toBeVisible();
    await expect(page.locator('[data-command="list.selectMatching"]')).toContainText('Select all 160 matching');
    await page.keyboard.press('Shift+X');
    await expect(page.getByText('All 160 matching', { exact: true })).toBeVisible();

    await page.keyboard.press('Control+k');
    await expect(page.locator('[data-palette]')).toContainText('All 160 matching');
    await page.keyboard.press('Escape');
    await makeNews(store, 'Drifting late', 1);
    await page.locator('[data-command="news.delete"]').click();
    const confirmDialog = page.getByRole('alertdialog');
    await expect(confirmDialog).toContainText('all 160 matching records');
    await expect(confirmDialog).toContainText('and 152 more');
    await confirmDialog.getByRole('button', { name: /Delete/ }).click();
    await expect(page.locator('[data-toast="error"]')).toContainText('Nothing was changed');
    expect((await db.query(`select from news where title like 'Drifting%'`)).rowCount).toBe(161);
    // A changed count clears the selection.
    await expect(page.getByText('161 total')).toBeVisible();
    await expect(page.locator('[data-checked]')).toHaveCount(0);
  },
);

test(
  '260 rows run in two transactions, and refused rows are listed with reasons and can be retried',
  { tag: '@long' },
  async ({ admin, page, db, store }) => {
    await makeNews(store, 'Plenty', 260);
    await db.query(`update news set image = null where title = 'Plenty 230'`);
    await admin.signIn('editor', '/news?q=Plenty');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click(); // not check(): more rows may load, which makes it half checked
    const selectMatchingButton = page.locator('[data-command="list.selectMatching"]');
    await expect(selectMatchingButton).toContainText('Select all 260 matching');
    await selectMatchingButton.click();
    await expect(page.getByText('All 260 matching', { exact: true })).toBeVisible();
    await page
      .getByRole('group', { name: /matching/ })
      .locator('[data-command="news.show"]')
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: /Show/ }).click();
    const report = page.locator('[data-batch="finished"]');
    await expect(report).toContainText('259 of 260 done');
    await expect(report.locator('[data-batch-row]')).toHaveCount(1);
    await expect(report.locator('[data-state="skipped"]')).toContainText('Plenty 230');
    await expect(report.locator('[data-state="skipped"]')).toContainText('image');
    expect((await db.query(`select from news where title like 'Plenty%' and shown`)).rowCount).toBe(259);
    const auditedRows = await db.query(
      `select count(*) as rows, count(distinct request_id) as requests from audit a
     where entity = 'news' and command = 'news.show' and result = 'done'
       and entity_id in (select id::text from news where title like 'Plenty%')`,
    );
    expect(auditedRows.rows).toEqual([{ rows: '259', requests: '2' }]);

    await db.query(`update news set image = 'https://a.example/1.png' where title = 'Plenty 230'`);
    await page.locator('[data-command="batch.retry"]').click();
    await page.getByRole('alertdialog').getByRole('button', { name: /Show/ }).click();
    await expect(page.locator('[data-batch]')).toHaveCount(0);
    expect((await db.query(`select from news where title like 'Plenty%' and shown`)).rowCount).toBe(260);
  },
);

test(
  'a batch stopped between two transactions keeps its results and can continue',
  { tag: '@long' },
  async ({ admin, page, db, store }) => {
    await makeNews(store, 'Halted', 450);
    await admin.signIn('editor', '/news?q=Halted');
    await expect(page.getByRole('grid').getByRole('row')).not.toHaveCount(0);
    await admin.run('list.selectAll');
    await admin.run('list.selectMatching');
    let releaseResponse = () => {};
    const heldResponse = new Promise<void>((resolve) => (releaseResponse = resolve));
    await page.route('**/rpc/news/remove', async (route) => {
      await heldResponse;
      await route.continue();
    });
    await page
      .getByRole('group', { name: /matching/ })
      .locator('[data-command="news.delete"]')
      .click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /Delete/ })
      .click();
    await expect(page.locator('[data-batch="running"]')).toContainText('0 done, 0 failed, 450 to go');
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-batch="running"]')).toContainText('Stopping');
    releaseResponse();
    await expect(page.locator('[data-batch="finished"]')).toContainText('200 of 450 done');
    expect((await db.query(`select from news where title like 'Halted%'`)).rowCount).toBe(250);
    await page.locator('[data-command="batch.retry"]').click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /Delete/ })
      .click();
    await expect(page.locator('[data-batch]')).toHaveCount(0);
    expect((await db.query(`select from news where title like 'Halted%'`)).rowCount).toBe(0);
  },
);

test('a batch is undone as a whole', { tag: '@long' }, async ({ admin, page, db, store }) => {
  await makeNews(store, 'Undone', 210);
  await admin.signIn('editor', '/news?q=Undone');
  await expect(page.getByRole('grid').getByRole('row')).not.toHaveCount(0);
  await admin.run('list.selectAll');
  await admin.run('list.selectMatching');
  const showResult = await admin.run('news.show', { confirm: true });
  expect([showResult.done.length, showResult.failed]).toEqual([210, []]);
  await admin.run('history.undo');
  await expect.poll(async () => (await db.query(`select from news where title like 'Undone%' and shown`)).rowCount).toBe(0);
});

test(
  'a view saved by keyboard is opened by mouse, and its link shows a colleague only permitted rows',
  { tag: '@long' },
  async ({ admin, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await admin.signIn('editor', '/news?q=custody&sort=createdAt&open=nothing');
    await admin.open('/news?q=custody&sort=createdAt');
    await page.keyboard.press('Shift+Q');
    await page.getByRole('textbox', { name: 'View name' }).fill('Custody, oldest first');
    await page.keyboard.press('Enter');
    const menu = page.locator('[data-views]');
    await expect(menu).toHaveText('Custody, oldest first');

    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await expect(menu).toHaveText('Views');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Custody, oldest first' }).click();
    await expect(page).toHaveURL(/\/news\?q=custody&sort=createdAt$/);
    await expect(page.getByRole('textbox', { name: 'Search' })).toHaveValue('custody');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Copy view link' }).click();
    const link = `${admin.url}/news?q=custody&sort=createdAt`;
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);

    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await expect(menu).toHaveText('Views');
    await page.keyboard.press('Control+z');
    await expect(menu).toHaveText('Custody, oldest first');

    // Viewers see only rows that they have permission for, never another person's views.
    await admin.signIn('analyst', new URL(link).pathname + new URL(link).search);
    await expect(page.getByRole('textbox', { name: 'Search' })).toHaveValue('custody');
    await expect(page.locator('[data-command="news.delete"]')).toHaveCount(0);
    await expect(menu).toHaveText('Views');
    const signInPromise = admin.signIn('access', new URL(link).pathname + new URL(link).search);
    await expect(signInPromise).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    await expect(page).toHaveURL(/\/404/);
  },
);
