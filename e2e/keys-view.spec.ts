import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ locale: 'en-US' });

const editor = (page: Page) => page.getByRole('dialog', { name: 'Change shortcuts' });
const row = (page: Page, id: string) => editor(page).locator(`[data-keys-of="${id}"]`);
const recorder = (page: Page) => page.locator('[data-recorder]');
const stored = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('prefs.keys') ?? '{}') as unknown);

test('by keyboard: a command without keys gets a sequence, and it runs', async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  await admin.palette('keys.edit');
  await editor(page).getByRole('searchbox').fill('permission settings');
  await page.keyboard.press('Tab');
  await row(page, 'go.permission').getByRole('button', { name: 'Add keys for' }).focus();
  await page.keyboard.press('Enter');
  await expect(recorder(page)).toBeFocused();
  await page.keyboard.press('g');
  await expect(editor(page).getByRole('status')).toContainText('Already used by'); // it begins every 'g' sequence
  await page.keyboard.press('k');
  await expect(recorder(page)).toHaveValue('G K');
  await page.keyboard.press('Enter');
  await expect(row(page, 'go.permission').getByRole('button', { name: 'Change G K' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editor(page)).toBeHidden();

  // The hint of what may follow knows it too.
  await page.keyboard.press('g');
  await expect(page.getByRole('status').filter({ hasText: 'Next key:' })).toContainText('Go to Permission settings');
  await page.keyboard.press('k');
  await expect(page).toHaveURL(/\/permissions\/permission/);
});

test('by mouse: keys are changed, taken from another, taken away and reset', async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Change shortcuts' }).click();
  await row(page, 'news.add').getByRole('button', { name: 'Change C of' }).click();
  await page.keyboard.press('Escape'); // gives up the keys, not the view
  await expect(recorder(page)).toBeHidden();
  await expect(editor(page)).toBeVisible();

  await row(page, 'news.add').getByRole('button', { name: 'Change C of' }).click();
  await page.keyboard.press('h');
  await expect(editor(page).getByRole('status')).toContainText('Already used by Do not show news');
  expect(await stored(page)).toEqual({});
  await editor(page).getByRole('button', { name: 'Take it from “Do not show news”' }).click();
  expect(await stored(page)).toEqual({ 'news.add': ['h'], 'news.hide': [] });
  await row(page, 'news.delete').getByRole('button', { name: 'Take Del away' }).click();
  expect(await stored(page)).toMatchObject({ 'news.delete': ['#'] });
  await page.keyboard.press('Escape');

  await expect(page.locator('[data-command="news.add"]').first()).toContainText('H');
  await page.keyboard.press('h');
  await expect(page.getByRole('dialog', { name: 'Add news' })).toBeVisible();
  await page.keyboard.press('Escape');

  await admin.run('keys.edit');
  await row(page, 'news.add').getByRole('button', { name: 'Reset the keys' }).click();
  expect(await stored(page)).toEqual({ 'news.hide': [], 'news.delete': ['#'] });
  await editor(page).locator('[data-command="keys.reset"]').click();
  await expect.poll(() => stored(page)).toEqual({});
  await page.locator('[data-toast]').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => stored(page)).toEqual({ 'news.hide': [], 'news.delete': ['#'] });
});

test('another tab’s keys count here at once', async ({ admin, context }) => {
  await admin.signIn('all', '/news');
  const other = await context.newPage();
  await other.goto(`${admin.url}/news`);
  await other.waitForFunction(() => window.admin !== undefined);
  await other.evaluate(() => window.admin?.run('keys.preset', { params: { preset: 'gmail' } }));
  await expect.poll(async () => (await admin.list()).find(({ id }) => id === 'history.undo')?.keys).toEqual(['z', 'mod+z']);
});

test('a file with anything wrong is told by name and changes nothing; one that came out goes in', async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  await admin.run('keys.preset', { params: { preset: 'vim' } });
  await admin.run('keys.edit');
  const saved = page.waitForEvent('download');
  await editor(page).locator('[data-command="keys.export"]').click();
  const text = await readFile(await (await saved).path(), 'utf8');
  await admin.run('keys.reset');

  const bad = JSON.stringify({
    format: 'admin-panel-keys',
    version: 1,
    keys: { 'news.add': ['hyper+x'], 'no.such': ['q'], 'news.edit': ['h'] },
  });
  await editor(page).locator('[data-command="keys.import"]').click();
  const form = page.getByRole('dialog', { name: 'Import shortcuts' });
  const choose = async (content: string) => {
    await form.locator('input[type="file"]').setInputFiles({
      name: 'keys.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
    await form.getByRole('button', { name: /Import shortcuts/ }).click();
  };
  await choose(bad);
  const told = page.locator('[data-toast="error"]');
  await expect(told).toContainText('there is no command “no.such”');
  await expect(told).toContainText('“Add news”: cannot read the keys “hyper+x”');
  await expect(told).toContainText('“Edit news” and “Do not show news” both have H');
  expect(await stored(page)).toEqual({});
  await choose(text);
  await expect(form).toBeHidden();
  expect(await stored(page)).toMatchObject({ 'list.first': ['g g', 'home'] });
});

test('what is run by mouse twice tells its keys, once; who turned tips off is told nothing', async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  const hint = page.locator('[data-toast="hint"]');
  const toggle = page.locator('[data-command="sidebar.toggle"]');
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await toggle.press('Enter'); // the keyboard's press of a button is none of the mouse
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(hint).toHaveCount(0);
  await toggle.click();
  await expect(hint).toContainText(/Next time by keyboard: .*sidebar/i);
  await expect(hint.locator('kbd')).toContainText('B');
  await hint.getByRole('button', { name: 'Close' }).click();
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(hint).toHaveCount(0);

  await admin.run('keys.tips');
  const search = page.locator('[data-command="palette.open"]').first();
  for (const _ of [1, 2]) {
    await search.click();
    await page.keyboard.press('Escape');
  }
  await expect(page.locator('[data-palette]')).toBeHidden();
  await expect(hint).toHaveCount(0);
});

test('every button with an icon alone says its name and keys, by mouse and by keyboard focus', async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  const tip = page.locator('[data-tip-shown]');
  await page.locator('[data-command="language.switch"]').hover();
  await expect(tip).toContainText('Switch to 中文');
  await expect(tip).toContainText('I');
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
  await page.locator('[data-command="sidebar.toggle"]').focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(tip).toContainText('Ctrl');
});

const rows = (page: Page) => page.locator('[role="row"][aria-rowindex]:not([aria-rowindex="1"])');

test('right click opens the row’s menu at the pointer, of the checked rows when it is one of them', async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  const menu = page.getByRole('menu').filter({ visible: true });
  const title = (at: number) => rows(page).nth(at).locator('[data-column="title"]');
  await title(2).click({ button: 'right', position: { x: 20, y: 10 } });
  await expect(menu.getByRole('menuitem', { name: 'Edit news' })).toBeVisible();
  await expect(menu).toContainText(await title(2).innerText());
  const [at, box] = [await title(2).boundingBox(), await menu.boundingBox()];
  expect(Math.abs((box?.x ?? 0) - (at?.x ?? 0) - 20)).toBeLessThan(10);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('grid')).toBeFocused();

  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  await expect(page.locator('[data-checked]')).toHaveCount(2);
  await title(3).click({ button: 'right' });
  await expect(menu).toContainText('2 selected');
  await expect(menu.getByRole('menuitem', { name: 'Edit news' })).toHaveCount(0); // one record at a time
  await menu.getByRole('menuitem', { name: 'Delete news' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('2');
  await page.keyboard.press('Escape');

  await title(5).click({ button: 'right' }); // none of the checked ones
  await expect(menu.getByRole('menuitem', { name: 'Edit news' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  const kept = page.evaluate(
    () =>
      new Promise((done) =>
        addEventListener('contextmenu', (event) => setTimeout(() => done(event.defaultPrevented)), { once: true }),
      ),
  );
  await title(5).click({ button: 'right', modifiers: ['Shift'] });
  expect(await kept).toBe(false);
  await expect(menu).toHaveCount(0);
});

test('on paper: every loaded row, title, filter and time, black on white, and the screen as it was after', async ({
  admin,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await admin.signIn('all', '/news?shown=true');
  await expect(rows(page).first()).toBeVisible();
  const loaded = Number((await page.getByRole('grid').getAttribute('aria-rowcount')) ?? 0) - 1;
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const head = page.locator('[data-print-head]');
  await expect(head).toContainText('Printed 2');
  await expect(head).toContainText('Filter: Status');
  await expect(head).toContainText(`${loaded} rows`);
  await expect(rows(page)).toHaveCount(loaded);
  await expect(page.getByRole('heading', { name: 'News Manage' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeHidden();
  await expect(page.locator('[data-command="news.add"]').first()).toBeHidden();
  const colours = await rows(page)
    .first()
    .evaluate((row) => [
      getComputedStyle(row).color,
      getComputedStyle(document.body.querySelector('main') ?? row).backgroundColor,
    ]);
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  const [first, second] = [await rows(page).nth(0).boundingBox(), await rows(page).nth(1).boundingBox()];
  expect(second?.y).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0) - 1); // none over another
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await expect(head).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await admin.palette('page.print');
  await expect(page.locator('html')).toHaveAttribute('data-printed', '');
});

test('the bar says where one is, and every part of it leads there', async ({ admin, page }) => {
  await admin.signIn('all', '/permissions/role');
  const crumbs = page.getByRole('navigation', { name: 'Where you are' });
  await expect(crumbs.getByRole('link')).toHaveText(['Permission Manag', 'Role management']);
  await expect(crumbs.getByRole('link', { name: 'Role management' })).toHaveAttribute('aria-current', 'page');
  await crumbs.getByRole('link', { name: 'Permission Manag' }).click();
  await expect(page).toHaveURL(/\/permissions\/administrator$/);
  await admin.open('/news');
  await expect(crumbs).toHaveCount(0);
  await rows(page).first().dblclick();
  await expect(crumbs.locator('[aria-current]')).toHaveText(await page.locator('[data-drawer] h2').innerText());
});

test('on a small screen the commands stand at the bottom edge, large enough for a thumb', async ({ admin, page }) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await admin.signIn('all', '/permissions/role');
  const bar = page.getByRole('toolbar', { name: 'Commands of this page' });
  await expect(bar.getByRole('button')).toHaveText(['Add role', 'Filter', 'More', 'Commands']);
  await expect(page.getByRole('button', { name: 'Add role' })).toHaveCount(1); // not at the head of the page, too
  for (const button of await bar.getByRole('button').all()) {
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(730);
  }
  await bar.getByRole('button', { name: 'Add role' }).click();
  await expect(page.getByRole('dialog', { name: 'Add role' })).toBeVisible();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'Print this page' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Permission Manag' }).click();
  await expect(page).toHaveURL(/\/permissions\/administrator$/);
});
