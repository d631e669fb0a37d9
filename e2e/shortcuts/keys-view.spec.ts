import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

// Covers two tabs and files. src/commands/ui/keys/key-editor.long.component.test.ts covers the
// view.

test.use({ locale: 'en-US' });

const shortcutEditor = (page: Page) => page.getByRole('dialog', { name: 'Change shortcuts' });
const readStoredKeys = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('prefs.keys') ?? '{}') as unknown);

test('keys changed in another tab work in this tab', { tag: '@long' }, async ({ admin, context }) => {
  await admin.signIn('all', '/news');
  const otherTab = await context.newPage();
  await otherTab.goto(`${admin.url}/news`);
  await otherTab.waitForFunction(() => window.admin !== undefined);
  await otherTab.evaluate(() =>
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
    const vimKeymap = JSON.stringify({ format: 'admin-panel-keys', version: 1, keys: { 'list.first': ['g g', 'home'] } });
    await admin.run('keys.import', { params: { file: vimKeymap } });
    await admin.run('keys.edit');
    const downloadPromise = page.waitForEvent('download');
    await shortcutEditor(page).locator('[data-command="keys.export"]').click();
    const text = await readFile(await (await downloadPromise).path(), 'utf8');
    await admin.run('keys.reset');

    const invalidKeymap = JSON.stringify({
      format: 'admin-panel-keys',
      version: 1,
      keys: { 'news.add': ['hyper+x'], 'no.such': ['q'], 'news.edit': ['h'] },
    });
    await shortcutEditor(page).locator('[data-command="keys.import"]').click();
    const form = page.getByRole('dialog', { name: 'Import shortcuts' });
    const chooseFile = async (content: string) => {
      await form.locator('input[type="file"]').setInputFiles({
        name: 'keys.json',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });
      await form.getByRole('button', { name: /Import shortcuts/ }).click();
    };
    await chooseFile(invalidKeymap);
    const errorToast = page.locator('[data-toast="error"]');
    await expect(errorToast).toContainText('there’s no command “no.such”');
    await expect(errorToast).toContainText('“Add news”: unknown shortcut “hyper+x”');
    await expect(errorToast).toContainText('“Edit news” and “Hide news” both use H');
    expect(await readStoredKeys(page)).toEqual({});
    await chooseFile(text);
    await expect(form).toBeHidden();
    expect(await readStoredKeys(page)).toMatchObject({ 'list.first': ['g g', 'home'] });
  },
);
