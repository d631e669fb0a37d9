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
