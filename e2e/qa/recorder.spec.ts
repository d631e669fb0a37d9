import { expect, test } from '../fixtures.ts';
import { runSpecText } from '../support/deployed.ts';

test.use({ locale: 'en-US', permissions: ['clipboard-read', 'clipboard-write'] });

test('actions recorded by keyboard become a script that repeats them', { tag: '@long' }, async ({ admin, page, db, server }) => {
  test.setTimeout(150_000);
  await admin.signIn('editor', '/news');
  await admin.palette('qa.record');
  await expect(page.locator('[data-toast]').filter({ hasText: 'Recording.' })).toBeVisible();

  await page.keyboard.press('c');
  const form = page.getByRole('dialog', { name: 'Add news' });
  await form.getByLabel('Title').fill("Recorded: it's here");
  await form.getByLabel('Description').fill('Twice');
  await form.getByLabel('Image address').fill('https://example.com/a.png');
  await form.getByRole('textbox', { name: 'Link' }).fill('https://example.com');
  await page.keyboard.press('Control+Enter');
  const row = page.getByRole('row').filter({ hasText: "Recorded: it's here" });
  await expect(row).toHaveCount(1);
  await expect(page.locator('[data-cursor]')).toContainText("Recorded: it's here");
  await page.keyboard.press('s');
  await expect(page.getByRole('alertdialog')).toContainText("Recorded: it's here");
  await page.keyboard.press('Enter');
  await expect(row).not.toContainText('Not Show');
  await page.keyboard.press('Control+z');
  await expect(row).toContainText('Not Show');

  await admin.palette('qa.stopRecording');
  const dialog = page.getByRole('dialog', { name: 'Recorded script' });
  const script = await dialog.locator('[data-recorded]').inputValue();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(script);

  const readNews = async () => {
    const { rows } = await db.query(`select id, shown, version from news where title = $1 order by created_at`, [
      "Recorded: it's here",
    ]);
    return rows as { id: string; shown: boolean; version: number }[];
  };
  const [firstNews] = await readNews();
  expect(script).not.toContain(firstNews?.id);
  expect(script.match(/admin\.run\('[\w.]+'/g)).toEqual(['news.add', 'news.show', 'news.hide'].map((id) => `admin.run('${id}'`));
  const { code, output } = await runSpecText(script, server.url, 'editor@demo.local');
  expect(output).toContain('1 passed');
  expect(code).toBe(0);
  expect(await readNews()).toEqual([firstNews, { ...firstNews, id: expect.not.stringMatching(firstNews?.id ?? '') }]);
});

test(
  'a recording survives a reload, includes the menu, and keeps only changed values of an edit',
  { tag: '@long' },
  async ({ admin, page }) => {
    await admin.signIn('editor', '/news');
    await admin.run('qa.record');
    await page.getByRole('navigation').getByRole('link', { name: 'Feedback' }).click();
    await expect(page).toHaveURL(/\/feedback/);
    await admin.open('/news');
    await page.keyboard.press('j');
    await admin.key('news.edit');
    await page.getByRole('dialog', { name: 'Edit news' }).getByLabel('Title').fill('Only the title');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('row').filter({ hasText: 'Only the title' })).toHaveCount(1);
    await admin.palette('qa.expect');
    await page.keyboard.type('Only the');
    const selectedOption = page.locator('[data-palette] [role="option"][aria-selected="true"]');
    await expect(selectedOption).toContainText('Operation Successful');
    await page.keyboard.press('ArrowDown');
    await expect(selectedOption).toHaveText('Only the title');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-toast]').filter({ hasText: 'will look for “Only the title”' })).toBeVisible();
    const { value: script } = await admin.run('qa.stopRecording');
    expect(script?.split('\n')[0]).toBe(`import { expect, test } from '@admin-panel/qa';`);
    expect(script).toContain(`await admin.signIn('/news');`);
    expect(script).toMatch(/await admin\.run\('go\.feedback'\);\s+await admin\.run\('go\.news'\);/);
    expect(script).toMatch(
      /await admin\.run\('news\.edit', \{ targets: \['[\w-]+'\], params: \{ title: 'Only the title' \} \}\);/,
    );
    expect(script).toContain(`await expect(page.getByRole('row').filter({ hasText: 'Only the title' }).first()).toBeVisible();`);
  },
);
