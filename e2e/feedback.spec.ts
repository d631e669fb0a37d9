import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, test, type Admin } from './fixtures.ts';
import { openForm } from '../qa/kit/visitor.ts';
import type { Store } from '../testing/factories/store.ts';

const rowOf = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });
const form = (page: Page) => page.getByRole('dialog');
const ask = (page: Page) => page.getByRole('alertdialog');
const triage = (page: Page) => page.locator('[data-triage]');
const article = (page: Page) => triage(page).getByRole('article');

let visitor = 0;

async function post(admin: Admin, content: string, pictures: readonly Buffer[] = [], opened = openForm(admin)): Promise<void> {
  const { request } = admin.page;
  const form = new FormData();
  for (const [name, value] of Object.entries({
    token: await opened,
    email: `visitor${++visitor}.${randomUUID().slice(0, 8)}@example.com`,
    content,
  }))
    form.set(name, value);
  for (const [at, picture] of pictures.entries())
    form.append('pictures', new File([new Uint8Array(picture)], `${at}.png`, { type: 'image/png' }));
  const response = await request.post(`${admin.url}/public/feedback`, { multipart: form });
  expect([response.status(), await response.json()]).toEqual([202, { received: true }]);
}

/** `alone`: no other feedback is unprocessed. */
async function given(store: Store, contents: readonly string[], minutes = 10) {
  const ids: string[] = [];
  for (const [at, content] of contents.entries()) {
    const createdAt = new Date(Date.now() - (minutes - at) * 60_000);
    const { id } = await store.feedback({ email: `given${++visitor}@example.com`, content, createdAt });
    ids.push(id);
  }
  return ids;
}
const settleAll = (db: { query: (text: string) => Promise<unknown> }) =>
  db.query(`update feedback set processed = true, processed_at = now(), version = version + 1 where not processed`);

const stateOf = async (
  db: { query: (text: string, values: unknown[]) => Promise<{ rows: { processed: boolean }[] }> },
  id: string,
) => (await db.query(`select processed from feedback where id = $1`, [id])).rows[0]?.processed;

test.describe('feedback from arrival to deletion', () => {
  test('works by keyboard alone', { tag: '@long' }, async ({ admin, page, db, store }) => {
    await page.addInitScript(() => {
      addEventListener('click', (event) => event.detail > 0 && document.documentElement.setAttribute('data-mouse', ''), true);
    });
    const [id = ''] = await given(store, ['键盘反馈：提现卡住了'], 1);
    await admin.signIn('editor', '/');
    const { keyboard } = page;
    await keyboard.press('g');
    await keyboard.press('f');
    await expect(page).toHaveURL(/\/feedback$/);
    await expect(page.getByRole('grid')).toBeVisible();
    await keyboard.press('/');
    await keyboard.type('键盘反馈');
    await keyboard.press('Enter');
    await expect(page.getByRole('row')).toHaveCount(2);
    await keyboard.press('j');
    await expect(rowOf(page, '键盘反馈')).toContainText('未处理');

    await keyboard.press('p');
    await expect(ask(page)).toContainText('键盘反馈');
    await keyboard.press('Enter');
    await expect(rowOf(page, '键盘反馈').getByText('已处理')).toBeVisible();
    await keyboard.press('Control+z');
    await expect(rowOf(page, '键盘反馈').getByText('未处理')).toBeVisible();

    await keyboard.press('m');
    await expect(form(page).getByRole('heading', { name: '回复反馈' })).toBeVisible();
    await keyboard.press('Control+Enter');
    await expect(form(page).getByText('请输入回复内容')).toBeVisible();
    await form(page).getByLabel('回复内容').focus();
    await keyboard.type('您好，已为您处理。');
    await keyboard.press('Control+Enter');
    await expect(page.getByText('发送成功')).toBeVisible();
    await expect(rowOf(page, '键盘反馈').getByText('已处理')).toBeVisible();
    const { rows: mails } = await db.query(`select recipient, body from mails where body like '%已为您处理%'`);
    expect(mails).toHaveLength(1);

    await keyboard.press('Enter');
    await expect(form(page).getByRole('region', { name: '回复' })).toContainText('您好，已为您处理。');
    expect(new URL(page.url()).searchParams.get('q')).toBe('键盘反馈');
    await keyboard.press('Escape');
    await expect(form(page)).toHaveCount(0);

    await keyboard.press('#');
    await expect(ask(page).getByRole('button', { name: /^删除/ })).toBeFocused();
    await keyboard.press('Enter');
    await expect(rowOf(page, '键盘反馈')).toHaveCount(0);
    expect(await stateOf(db, id)).toBeUndefined();
    expect(await page.locator('html').getAttribute('data-mouse')).toBeNull();
  });

  test('works by mouse alone', { tag: '@long' }, async ({ admin, page, store }) => {
    await given(store, ['mouse one', 'mouse two'], 2);
    await admin.signIn('editor', '/feedback?q=mouse');
    await rowOf(page, 'mouse one').getByRole('checkbox').click();
    await rowOf(page, 'mouse two').getByRole('checkbox').click();
    await page.locator('[data-command="feedback.process"]').click();
    await ask(page).getByRole('button', { name: '标记 2 条反馈为已处理' }).click();
    await expect(page.getByRole('row').getByText('已处理')).toHaveCount(2);
    await page.locator('#toasts').getByRole('button', { name: '撤销' }).click();
    await expect(page.getByRole('row').getByText('未处理')).toHaveCount(2);

    await rowOf(page, 'mouse one').click();
    await form(page).locator('[data-command="feedback.reply"]').click();
    const reply = page.getByRole('dialog').filter({ has: page.getByLabel('回复内容') });
    await reply.getByLabel('回复内容').fill('Thank you');
    await reply.getByRole('switch').click();
    await reply.getByRole('button', { name: /回复反馈/ }).click();
    await expect(reply).toHaveCount(0);
    await expect(form(page)).toContainText('Thank you');
    await expect(form(page).getByText('未处理').first()).toBeVisible();
    await form(page).getByRole('button', { name: '关闭' }).click();

    await rowOf(page, 'mouse two')
      .getByRole('button', { name: /的操作/ })
      .click();
    await page.getByRole('menuitem', { name: /删除反馈/ }).click();
    await ask(page).getByRole('button', { name: '删除反馈' }).click();
    await expect(rowOf(page, 'mouse two')).toHaveCount(0);
  });

  test(
    'works by script, and deleted feedback is restored from the audit',
    { tag: '@long' },
    async ({ admin, page, db, store }) => {
      const [id = ''] = await given(store, ['scripted feedback'], 3);
      await admin.signIn('editor', '/feedback');
      await expect(admin.run('feedback.process', { targets: [id] })).rejects.toMatchObject({ code: 'UNCONFIRMED' });
      // Asks nothing only while someone reads one entry after another.
      await expect(admin.run('feedback.processNext', { targets: [id] })).rejects.toMatchObject({ code: 'BLOCKED' });
      await admin.run('feedback.process', { targets: [id], confirm: true });
      await expect(admin.run('feedback.process', { targets: [id], confirm: true })).rejects.toMatchObject({ code: 'BLOCKED' });
      await expect(admin.run('feedback.reply', { targets: [id], params: { content: ' ' } })).rejects.toMatchObject({
        code: 'INVALID',
      });
      const {
        done: [answered],
      } = await admin.run('feedback.reply', {
        targets: [id],
        params: { content: 'By QA', processed: true },
      });
      expect(answered.replies).toHaveLength(1);
      await admin.run('feedback.delete', { targets: [id], confirm: true });

      await admin.signIn('all', '/feedback');
      const { rows } = await db.query(
        `select id from audit where entity = 'feedback' and entity_id = $1 order by seq desc limit 1`,
        [id],
      );
      await admin.run('feedback.restore', { targets: [`feedback:${rows[0].id}:before`], confirm: true });
      await admin.open(`/feedback?open=${id}`);
      await expect(form(page)).toContainText('scripted feedback');
      await expect(form(page)).toContainText('By QA');
      await expect(form(page).locator('[data-history]')).toContainText('删除反馈');
    },
  );

  test('offers a viewer no actions', { tag: '@long' }, async ({ admin, page, db, store }) => {
    const [id = ''] = await given(store, ['looked at'], 4);
    await admin.signIn('analyst', `/feedback?open=${id}`);
    await expect(form(page)).toContainText('looked at');
    await expect(form(page).locator('[data-command^="feedback."]')).toHaveCount(0);
    await expect(admin.run('feedback.process', { targets: [id], confirm: true })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    await admin.open('/feedback?triage=on');
    await expect(article(page)).toBeVisible();
    await page.keyboard.press('d');
    await page.keyboard.press('#');
    await expect(ask(page)).toHaveCount(0);
    expect(await stateOf(db, id)).toBe(false);
  });
});

test.describe('triage', () => {
  test(
    'reads on and back, processes, undoes, answers, deletes and leaves by keyboard',
    { tag: '@long' },
    async ({ admin, page, db, store }) => {
      await settleAll(db);
      const ids = await given(store, ['triage alpha', 'triage beta', 'triage gamma', 'triage delta', 'triage epsilon']);
      await admin.signIn('editor', '/feedback');
      const { keyboard } = page;
      await keyboard.press('t');
      await expect(article(page)).toContainText('triage alpha');
      await expect(triage(page)).toContainText('第 1 条，共 5 条');

      await keyboard.press('j');
      await expect(article(page)).toContainText('triage beta');
      await keyboard.press('k');
      await expect(article(page)).toContainText('triage alpha');
      await keyboard.press('k');
      await expect(article(page)).toContainText('triage alpha');

      await keyboard.press('d');
      await expect(article(page)).toContainText('triage beta');
      await keyboard.press('d');
      await expect(article(page)).toContainText('triage gamma');
      for (const [at, isDone] of [true, true, false, false, false].entries())
        await expect.poll(() => stateOf(db, ids[at] ?? '')).toBe(isDone);

      let isOpen = false;
      let answer = () => {};
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/rpc/feedback/{reopen,many}', async (route) => {
        const asked = route.request();
        if (asked.url().endsWith('reopen')) isOpen = true;
        else if (isOpen && asked.postData()?.includes(ids[1] ?? '')) await held;
        await route.continue();
      });
      await keyboard.press('Control+z');
      await expect.poll(() => stateOf(db, ids[1] ?? '')).toBe(false);
      await expect(article(page)).toContainText('triage beta');
      await expect(article(page)).toContainText('未处理');
      await keyboard.press('d'); // before the list is refetched, so it acts on the current version
      answer();
      await expect(article(page)).toContainText('triage gamma');

      await keyboard.press('m');
      await form(page).getByLabel('回复内容').focus();
      await keyboard.type('Answered while reading');
      await keyboard.press('Control+Enter');
      await expect(article(page)).toContainText('Answered while reading');
      await expect(article(page)).toContainText('已处理');
      await keyboard.press('d'); // already processed, so nothing happens twice
      await expect(article(page)).toContainText('triage gamma');
      await keyboard.press('j');
      await expect(article(page)).toContainText('triage delta');

      await keyboard.press('#');
      await expect(ask(page)).toContainText('triage delta');
      await keyboard.press('Escape');
      await expect(ask(page)).toHaveCount(0);
      await expect(article(page)).toContainText('triage delta');
      await keyboard.press('#');
      await keyboard.press('Enter');
      await expect(article(page)).toContainText('triage epsilon');
      expect(await stateOf(db, ids[3] ?? '')).toBeUndefined();
      await keyboard.press('Control+z');
      await expect(article(page)).toContainText('triage delta');
      await expect(triage(page)).toContainText('第 4 条，共 5 条');
      await keyboard.press('d');
      await expect(article(page)).toContainText('triage epsilon');

      await keyboard.press('d');
      await expect(triage(page)).toContainText('反馈已全部处理');
      await keyboard.press('Escape');
      await expect(triage(page)).toHaveCount(0);
      await expect(page.getByRole('grid')).toBeVisible();
      const { rows } = await db.query(`select count(*)::int as n from feedback where not processed`);
      expect(rows[0].n).toBe(0);
    },
  );

  test('works by mouse', { tag: '@long' }, async ({ admin, page, db, store }) => {
    await settleAll(db);
    const ids = await given(store, ['click alpha', 'click beta']);
    await admin.signIn('editor', '/feedback');
    await page.locator('[data-command="feedback.triage"]').click();
    await expect(article(page)).toContainText('click alpha');
    await triage(page).getByRole('button', { name: '下一条', exact: false }).first().click();
    await expect(article(page)).toContainText('click beta');
    await triage(page).locator('[data-command="list.previous"]').click();
    await expect(article(page)).toContainText('click alpha');
    await triage(page).locator('[data-command="feedback.processNext"]').click();
    await expect(article(page)).toContainText('click beta');
    expect(await stateOf(db, ids[0] ?? '')).toBe(true);
    await triage(page)
      .getByRole('button', { name: /返回列表/ })
      .first()
      .click();
    await expect(page.getByRole('grid')).toBeVisible();
  });

  test(
    'goes through more than a page without questions and without losing an entry',
    { tag: '@long' },
    async ({ admin, page, db, store }) => {
      test.setTimeout(120_000);
      await settleAll(db);
      const ids = await given(
        store,
        Array.from({ length: 70 }, (_, n) => `many ${n}.`),
        100,
      );
      await admin.signIn('editor', '/feedback?triage=on');
      for (let n = 0; n < 70; n++) {
        await expect(article(page)).toContainText(`many ${n}.`);
        await page.keyboard.press('d');
      }
      await expect(triage(page)).toContainText('反馈已全部处理');
      const { rows } = await db.query(`select count(*)::int as n from feedback where processed and id = any($1)`, [ids]);
      expect(rows[0].n).toBe(70);
    },
  );

  test('continues when a colleague was faster', { tag: '@long' }, async ({ admin, page, db, store }) => {
    await settleAll(db);
    const ids = await given(store, ['contested alpha', 'contested beta', 'contested gamma']);
    await admin.signIn('editor', '/feedback?triage=on');
    await expect(article(page)).toContainText('contested alpha');
    await db.query(`update feedback set processed = true, processed_at = now(), version = version + 1 where id = $1`, [ids[0]]);
    await db.query(`delete from feedback where id = $1`, [ids[1]]);
    await page.keyboard.press('d');
    await expect(page.locator('[data-toast="error"]')).toContainText('已有其他人的新修改');
    await page.keyboard.press('r');
    await expect(article(page)).toContainText('已处理');
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await expect(article(page)).toContainText('contested gamma');
  });
});

test.describe('new feedback', () => {
  test('is shown as a count, moves no rows, and is loaded by a key', { tag: '@long' }, async ({ admin, page, store }) => {
    await given(store, ['resting one', 'resting two', 'resting three'], 3);
    await admin.signIn('editor', '/feedback');
    const [first, second] = [openForm(admin), openForm(admin)];
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const cursor = page.locator('[data-cursor]');
    const id = await cursor.getAttribute('id');
    const before = await cursor.boundingBox();
    const words = `live ${randomUUID()}`;
    await post(admin, words, [], first);
    const note = page.locator('[data-arrivals]');
    await expect(note).toContainText('1 条新记录');
    expect(await cursor.boundingBox()).toEqual(before);
    await expect(rowOf(page, words)).toHaveCount(0);

    await post(admin, `${words} again`, [], second);
    await expect(note).toContainText('2 条新记录');
    await page.keyboard.press('p');
    await ask(page).getByRole('button', { name: '标记反馈为已处理' }).click();
    await expect(cursor.getByText('已处理')).toBeVisible();
    expect(await cursor.boundingBox()).toEqual(before);
    expect(await cursor.getAttribute('id')).toBe(id);
    await expect(note).toContainText('2 条新记录');

    await page.keyboard.press('n');
    await expect(page.getByRole('row').nth(1)).toContainText(`${words} again`);
    await expect(page.getByRole('row').nth(2)).toContainText(words);
    await expect(note).toHaveCount(0);
    await expect(page.getByRole('row').nth(1)).toHaveAttribute('data-cursor');
  });

  test(
    'is loaded by a click with its pictures, and at the end of an open triage',
    { tag: '@long' },
    async ({ admin, page, db, store }) => {
      await settleAll(db);
      await given(store, ['the only one'], 1);
      await admin.signIn('editor', '/feedback');
      await expect(rowOf(page, 'the only one')).toBeVisible();
      const words = `pictured ${randomUUID()}`;
      const picture = await page.locator('body').screenshot();
      await post(admin, words, [picture, picture]);
      await page.locator('[data-arrivals]').getByRole('button').click();
      await expect(rowOf(page, words).getByRole('button', { name: '第 1 张图片，共 2 张' })).toBeVisible();

      await page.keyboard.press('t');
      await expect(article(page)).toContainText('the only one');
      const later = `later ${randomUUID()}`;
      await post(admin, later);
      await expect(triage(page)).toContainText('第 1 条，共 3 条');
      await page.keyboard.press('End');
      await expect(article(page)).toContainText(later);
    },
  );
});

test.describe('feedback pictures', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  async function pictured({ admin, page }: { admin: Admin; page: Page }): Promise<string> {
    const words = `shown ${randomUUID()}`;
    const small = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } });
    const other = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 320 } });
    await post(admin, words, [small, other]);
    await admin.open(`/feedback?q=${encodeURIComponent(words)}`);
    await expect(rowOf(page, words)).toBeVisible();
    return words;
  }
  const box = (page: Page) => page.locator('[data-lightbox]');

  test('open large over the page by key', { tag: '@long' }, async ({ admin, page }) => {
    await admin.signIn('editor', '/feedback');
    await pictured({ admin, page });
    await page.keyboard.press('j');
    await page.keyboard.press('i');
    await expect(box(page)).toContainText('第 1 张图片，共 2 张');
    const first = await box(page).locator('img').getAttribute('src');
    await page.keyboard.press('ArrowRight');
    await expect(box(page)).toContainText('第 2 张图片，共 2 张');
    expect(await box(page).locator('img').getAttribute('src')).not.toBe(first);
    await page.keyboard.press('ArrowRight');
    await expect(box(page)).toContainText('第 1 张图片，共 2 张');
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await expect(box(page).locator('[data-zoom="225"]')).toBeVisible();
    await page.keyboard.press('-');
    await expect(box(page).locator('[data-zoom="150"]')).toBeVisible();
    await page.keyboard.press('0');
    await expect(box(page).locator('[data-zoom="100"]')).toBeVisible();
    await page.keyboard.press('c');
    await expect(page.getByText('图片已复制')).toBeVisible();
    expect(await page.evaluate(async () => (await navigator.clipboard.read())[0]?.types)).toContain('image/png');
    await page.keyboard.press('Escape');
    await expect(box(page)).toHaveCount(0);
    await expect(page.getByRole('grid')).toBeVisible();
  });

  test('open large over the record by mouse', { tag: '@long' }, async ({ admin, page }) => {
    await admin.signIn('editor', '/feedback');
    const words = await pictured({ admin, page });
    await rowOf(page, words).getByRole('button', { name: '第 2 张图片，共 2 张' }).click();
    await expect(box(page)).toContainText('第 2 张图片');
    await box(page).getByRole('button', { name: '上一张' }).click();
    await expect(box(page)).toContainText('第 1 张图片');
    await box(page).getByRole('button', { name: '放大' }).click();
    await expect(box(page).locator('[data-zoom="150"]')).toBeVisible();
    await box(page).getByRole('button', { name: '缩小' }).click();
    await box(page).getByRole('button', { name: '关闭' }).click();
    await expect(box(page)).toHaveCount(0);
    await rowOf(page, words).click();
    await form(page).getByRole('button', { name: '第 1 张图片，共 2 张' }).first().click();
    await expect(box(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(box(page)).toHaveCount(0);
    await expect(form(page)).toContainText(words);
  });
});
