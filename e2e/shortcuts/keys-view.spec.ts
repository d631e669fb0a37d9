import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

// Covers two tabs and files. src/commands/ui/keys/key-editor.long.component.test.ts covers the
// view.

test.use({ locale: 'en-US' });

const editor = (page: Page) => page.getByRole('dialog', { name: 'Change shortcuts' });
const stored = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('prefs.keys') ?? '{}') as unknown);

test('keys changed in another tab work in this tab', { tag: '@long' }, async ({ admin, context }) => {
  await admin.signIn('all', '/news');
  const other = await context.newPage();
  await other.goto(`${admin.url}/news`);
  await other.waitForFunction(() => window.admin !== undefined);
  await other.evaluate(() =>
    window.admin?.run('keys.import', {
      params: { file: '{"format":"admin-panel-keys","version":1,"keys":{"history.undo":["z","mod+z"]}}' },
    }),
  );
  await expect.poll(async () => (await admin.list()).find(({ id }) => id === 'history.undo')?.keys).toEqual(['z', 'mod+z']);
});

test(
  'a key file with an error is refused with its name and changes nothing, and an exported file is imported',
  { tag: '@long' },
  async ({ admin, page }) => {
    await admin.signIn('all', '/news');
    const vim = JSON.stringify({ format: 'admin-panel-keys', version: 1, keys: { 'list.first': ['g g', 'home'] } });
    await admin.run('keys.import', { params: { file: vim } });
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
    await expect(told).toContainText('there’s no command “no.such”');
    await expect(told).toContainText('“Add news”: unknown shortcut “hyper+x”');
    await expect(told).toContainText('“Edit news” and “Hide news” both use H');
    expect(await stored(page)).toEqual({});
    await choose(text);
    await expect(form).toBeHidden();
    expect(await stored(page)).toMatchObject({ 'list.first': ['g g', 'home'] });
  },
);
