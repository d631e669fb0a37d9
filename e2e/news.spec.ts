import type { Page } from 'playwright/test';
import { expect, test, type Admin } from './fixtures.ts';

const pictureUrl = 'https://www.example.com/picture.png';
const linkUrl = 'https://www.example.com/story';

const findRow = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const form = (page: Page) => page.getByRole('dialog');

const readPublished = (admin: Admin, id: string) =>
  admin.page.request.get(`${admin.url}/public/news?limit=50`).then(async (response) => {
    const { rows } = (await response.json()) as { rows: { id: string; title: string }[] };
    return rows.find((row) => row.id === id);
  });

test.describe('a news item', () => {
  test('works by script', { tag: '@long' }, async ({ admin, page }) => {
    await admin.signIn('editor', '/news');
    const {
      done: [row],
    } = await admin.run('news.add', {
      params: { title: 'Scripted', description: 'By QA', image: pictureUrl, link: linkUrl },
    });
    expect(row).toMatchObject({ title: 'Scripted', shown: false, version: 1 });
    await expect(findRow(page, 'Scripted')).toBeVisible();
    expect(await readPublished(admin, row.id)).toBeUndefined();

    await admin.run('news.show', { targets: [row.id], confirm: true });
    expect(await readPublished(admin, row.id)).toMatchObject({ title: 'Scripted' });
    await admin.run('news.edit', { targets: [row.id], params: { title: 'Scripted again' } });
    await expect(findRow(page, 'Scripted again')).toBeVisible();
    await admin.run('history.undo');
    await expect(findRow(page, 'Scripted again')).toHaveCount(0);

    await expect(admin.run('news.delete', { targets: [row.id] })).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    await expect(admin.runAny('news.add', { params: { title: '' } })).rejects.toMatchObject({
      code: 'INVALID',
      issues: expect.arrayContaining([
        { path: 'title', rule: 'required' },
        { path: 'link', rule: 'required' },
      ]),
    });
    await admin.run('news.delete', { targets: [row.id], confirm: true });
    await expect(admin.run('news.delete', { targets: [row.id], confirm: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('uses the specified words in English', { tag: '@long' }, async ({ admin, page }) => {
    await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await admin.signIn('editor', '/news');
    await admin.key('news.add');
    await form(page).getByLabel('Title').fill('English news');
    await form(page).getByLabel('Description').fill('Words');
    await form(page).getByRole('textbox', { name: 'Image address' }).fill(pictureUrl);
    await form(page).getByRole('textbox', { name: 'Link' }).fill(linkUrl);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('Operation Successful')).toBeVisible();
    await expect(findRow(page, 'English news')).toContainText('Not Show');
    await findRow(page, 'English news').click();
    await admin.palette('news.copyImage');
    await expect(page.getByText('Copy successful')).toBeVisible();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(pictureUrl);
  });
});

test(
  'a colleague’s concurrent change is shown and never overwritten unread',
  { tag: '@long' },
  async ({ admin, page, browser, server }) => {
    await admin.signIn('editor', '/news');
    const {
      done: [row],
    } = await admin.run('news.add', {
      params: { title: 'Shared', description: 'd', image: pictureUrl, link: linkUrl },
    });
    await page.goto(`${server.url}/~news.edit?id=${row.id}`);
    await expect(form(page).getByLabel('标题')).toHaveValue('Shared');
    await form(page).getByLabel('标题').fill('Mine');

    const { Admin } = await import('./fixtures.ts');
    const otherAdmin = new Admin(await (await browser.newContext()).newPage(), server.url);
    await otherAdmin.signIn('all', '/news');
    await otherAdmin.run('news.edit', { targets: [row.id], params: { title: 'Theirs' } });

    await page.keyboard.press('Control+Enter');
    await expect(form(page).getByText('该记录已有其他人的新修改')).toBeVisible();
    await expect(form(page)).toContainText('Theirs');
    await expect(form(page).getByLabel('标题')).toHaveValue('Mine');
    expect(await otherAdmin.run('news.edit', { targets: [row.id], params: { description: 'still theirs' } })).toMatchObject({
      done: [{ title: 'Theirs' }],
    });
    await otherAdmin.page.context().close();
  },
);

test(
  'typed text survives a reload in a reopened form, and a closed form stays closed',
  { tag: '@long' },
  async ({ admin, page }) => {
    await admin.signIn('editor', '/news?shown=false');
    await admin.key('news.add');
    await form(page).getByLabel('标题').fill('Half a thought');
    await page.waitForTimeout(400);
    await page.reload();
    await expect(form(page).getByLabel('标题')).toHaveValue('Half a thought');
    await expect(page).toHaveURL(/\/news\?shown=false$/);

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '丢弃并关闭' }).click();
    await expect(form(page)).toHaveCount(0);
    await page.reload();
    await admin.ready();
    await admin.key('news.add');
    await expect(form(page).getByLabel('标题')).toHaveValue('');
    await page.reload();
    await admin.ready();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(form(page)).toHaveCount(0);
  },
);

test('Get News lists the feeds, imports the selection as Not Show, and marks it as imported the next time', async ({
  admin,
  page,
}) => {
  await admin.signIn('editor', '/news');
  await admin.key('news.get');
  const options = form(page).getByRole('option');
  await expect(options.first()).toBeVisible();
  const title = (await options.first().innerText()).split('\n')[0]?.trim() ?? '';
  await options.first().click();
  await form(page)
    .getByRole('button', { name: /获取新闻/ })
    .click();
  await expect(page.getByText('已导入 1 条新闻')).toBeVisible();
  await page.getByRole('textbox', { name: '搜索' }).fill(title);
  await expect(findRow(page, title)).toContainText('不展示');
  await page.keyboard.press('Enter');
  await admin.key('news.get');
  const matchingOption = form(page).getByRole('option').filter({ hasText: title });
  await expect(matchingOption).toContainText('已存在');
  await expect(matchingOption).toHaveAttribute('aria-disabled', 'true');
});

test('a picture beyond the daily limit is refused in the form with the limits', { tag: '@long' }, async ({ admin, page, db }) => {
  await db.query(
    `insert into pictures (id, sha256, mime, width, height, bytes, created_by, created_at)
     select gen_random_uuid(), 'sent ' || n, 'image/webp', 1, 1, 1, (select id from administrators where email = 'editor@demo.local'), now()
     from generate_series(1, 200) n`,
  );
  await admin.signIn('editor', '/news');
  await admin.key('news.add');
  const pngPicture = await page.screenshot({ clip: { x: 0, y: 0, width: 20, height: 20 } });
  await form(page).locator('input[type="file"]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: pngPicture });
  await expect(form(page).getByRole('alert')).toContainText('已达到每人 24 小时的图片上传上限（200 张，200 MB）');
  await expect(form(page).getByRole('textbox', { name: '图片地址' })).toHaveValue('');
  await db.query(`delete from pictures where sha256 like 'sent %'`); // the next test sends pictures of its own
});

test(
  'a picture is chosen, pasted or dropped, uploaded, and its address fills the field',
  { tag: '@long' },
  async ({ admin, page }) => {
    await admin.signIn('editor', '/news');
    await admin.key('news.add');
    const address = form(page).getByRole('textbox', { name: '图片地址' });
    const pngPicture = await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 });
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
    });
    await form(page)
      .locator('input[type="file"]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pngPicture) });
    await expect(address).toHaveValue(/\/pictures\/[0-9a-f-]+\.webp$/);
    const response = await page.request.get(await address.inputValue());
    expect(response.headers()['content-type']).toBe('image/webp');
    await expect(form(page).locator('img')).toBeVisible();

    for (const kind of ['paste', 'drop'] as const) {
      await address.fill('');
      await address.evaluate(
        (input, [type, bytes]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], 'b.png', { type: 'image/png' }));
          const event =
            type === 'paste'
              ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
              : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
          input.dispatchEvent(event);
        },
        [kind, pngPicture] as const,
      );
      await expect(address, kind).toHaveValue(/\/pictures\/[0-9a-f-]+\.webp$/);
    }

    await address.fill('');
    await form(page)
      .locator('input[type="file"]')
      .setInputFiles({
        name: 'evil.png',
        mimeType: 'image/png',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      });
    await expect(form(page).getByText('仅支持 JPEG、PNG 或 WebP 图片。')).toBeVisible();
    await expect(address).toHaveValue('');
  },
);

test('repeat asks again with the same values, and undo goes back step by step', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  const {
    done: [row],
  } = await admin.run('news.add', {
    params: { title: 'First words', description: 'd', image: pictureUrl, link: linkUrl },
  });
  await admin.run('news.edit', { targets: [row.id], params: { title: 'Second words' } });
  await admin.run('news.edit', { targets: [row.id], params: { title: 'Third words' } });
  await page.keyboard.press('Control+z');
  await expect(findRow(page, 'Second words')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(findRow(page, 'First words')).toBeVisible();

  await findRow(page, 'First words').click();
  await page.keyboard.press('.');
  await expect(form(page).getByLabel('标题')).toHaveValue('Third words');
  await page.keyboard.press('Escape');
});

test('a record that someone edited since is not undone', { tag: '@long' }, async ({ admin, page, browser, server }) => {
  await admin.signIn('editor', '/news');
  const {
    done: [row],
  } = await admin.run('news.add', {
    params: { title: 'Undo me', description: 'd', image: pictureUrl, link: linkUrl },
  });
  await admin.run('news.edit', { targets: [row.id], params: { title: 'Undo me, edited' } });
  const { Admin } = await import('./fixtures.ts');
  const otherAdmin = new Admin(await (await browser.newContext()).newPage(), server.url);
  await otherAdmin.signIn('all', '/news');
  await otherAdmin.run('news.edit', { targets: [row.id], params: { title: 'Somebody else’s words' } });
  await page.keyboard.press('Control+z');
  await expect(page.getByText('该记录已有其他人的新修改')).toBeVisible();
  await admin.run('list.refresh');
  await expect(findRow(page, 'Somebody else’s words')).toBeVisible();
  await otherAdmin.page.context().close();
});
