import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixtures.ts';

// The last test compares these with e2e/README.md.

test.use({ locale: 'en-US' });

test('a shown item is on the public page', async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  const {
    done: [{ id }],
  } = await admin.run('news.add', {
    params: {
      title: 'Mainnet is live',
      description: 'Mint now.',
      image: 'https://example.com/a.png',
      link: 'https://example.com',
    },
  });
  await admin.run('news.show', { targets: [id], confirm: true });
  await expect(page.getByRole('row').filter({ hasText: 'Mainnet is live' })).not.toContainText('Not Show');
  const publishedResponse = await page.request.get(`${admin.url}/public/news`);
  expect(await publishedResponse.text()).toContain('Mainnet is live');
});

test('a script is refused what its role may not do, and told why', async ({ admin, db }) => {
  const [news] = (await db.query('select id from news limit 1')).rows;
  await admin.signIn('analyst', '/news');
  expect(await admin.assess('news.delete')).toEqual({ state: 'hidden' });
  await expect(admin.run('news.delete', { targets: [news.id], confirm: true })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });

  await admin.signIn('editor', '/news');
  await expect(admin.run('news.delete', { targets: [news.id] })).rejects.toMatchObject({ code: 'UNCONFIRMED' });
  await expect(admin.runAny('news.add', { params: { title: 'No link' } })).rejects.toMatchObject({
    code: 'INVALID',
    issues: expect.arrayContaining([{ path: 'link', rule: 'required' }]),
  });
});

test('the same command by palette and by key', async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  await admin.palette('news.add');
  await expect(page.getByRole('dialog', { name: 'Add news' })).toBeVisible();
  await page.keyboard.press('Escape');
  await admin.key('news.add');
  await expect(page.getByRole('dialog', { name: 'Add news' })).toBeVisible();
});

test('every printed example runs here', async () => {
  const collapseWhitespace = (code: string) => code.replaceAll(/\s+/g, '').replaceAll(/,(?=[)}\]])/g, '');
  const sourcePaths = ['./readme.spec.ts', '../../src/commands/ui/keys/key-listener.component.test.ts'];
  const sourceTexts = await Promise.all(sourcePaths.map((sourcePath) => readFile(new URL(sourcePath, import.meta.url), 'utf8')));
  const sourceText = collapseWhitespace(sourceTexts.join('\n'));
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...text.matchAll(/```ts\n(.*?)```/gs)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes('test(') && !code.includes("'@admin-panel/qa'"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    const body = example.slice(example.indexOf('test('));
    expect(sourceText.includes(collapseWhitespace(body)), body).toBe(true);
  }
});
