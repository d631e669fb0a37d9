import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expect, test, type Admin } from './fixtures.ts';
import { openForm } from '../qa/kit/visitor.ts';
import type { Store } from '../testing/factories/store.ts';

const findRow = (page: Page, rowText: string) => page.getByRole('row').filter({ hasText: rowText });
const form = (page: Page) => page.getByRole('dialog');
const confirmDialog = (page: Page) => page.getByRole('alertdialog');
const triageView = (page: Page) => page.locator('[data-triage]');
const triageArticle = (page: Page) => triageView(page).getByRole('article');

let visitorNumber = 0;

async function postFeedback(
  admin: Admin,
  content: string,
  pictures: readonly Buffer[] = [],
  openedForm = openForm(admin),
): Promise<void> {
  const { request } = admin.page;
  const form = new FormData();
  for (const [name, value] of Object.entries({
    token: await openedForm,
    email: `visitor${++visitorNumber}.${randomUUID().slice(0, 8)}@example.com`,
    content,
  }))
    form.set(name, value);
  for (const [index, picture] of pictures.entries())
    form.append('pictures', new File([new Uint8Array(picture)], `${index}.png`, { type: 'image/png' }));
  const response = await request.post(`${admin.url}/public/feedback`, { multipart: form });
  expect([response.status(), await response.json()]).toEqual([202, { received: true }]);
}

/** `alone`: no other feedback is unprocessed. */
async function insertFeedback(store: Store, contents: readonly string[], minutes = 10) {
  const ids: string[] = [];
  for (const [index, content] of contents.entries()) {
    const createdAt = new Date(Date.now() - (minutes - index) * 60_000);
    const { id } = await store.feedback({ email: `given${++visitorNumber}@example.com`, content, createdAt });
    ids.push(id);
  }
  return ids;
}
const settleAll = (db: { query: (text: string) => Promise<unknown> }) =>
  db.query(`update feedback set processed = true, processed_at = now(), version = version + 1 where not processed`);

const readState = async (
  db: { query: (text: string, values: unknown[]) => Promise<{ rows: { processed: boolean }[] }> },
  id: string,
) => (await db.query(`select processed from feedback where id = $1`, [id])).rows[0]?.processed;

test.describe('feedback from arrival to deletion', () => {
  test('works by keyboard alone', { tag: '@long' }, async ({ admin, page, db, store }) => {
    await page.addInitScript(() => {
      addEventListener('click', (event) => event.detail > 0 && document.documentElement.setAttribute('data-mouse', ''), true);
    });
    const [id = ''] = await insertFeedback(store, ['键盘反馈：提现卡住了'], 1);
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
    await expect(findRow(page, '键盘反馈')).toContainText('未处理');

    await keyboard.press('p');
    await expect(confirmDialog(page)).toContainText('键盘反馈');
    await keyboard.press('Enter');
    await expect(findRow(page, '键盘反馈').getByText('已处理')).toBeVisible();
    await keyboard.press('Control+z');
    await expect(findRow(page, '键盘反馈').getByText('未处理')).toBeVisible();

    await keyboard.press('m');
    await expect(form(page).getByRole('heading', { name: '回复反馈' })).toBeVisible();
    await keyboard.press('Control+Enter');
    await expect(form(page).getByText('请输入回复内容')).toBeVisible();
    await form(page).getByLabel('回复内容').focus();
    await keyboard.type('您好，已为您处理。');
    await keyboard.press('Control+Enter');
    await expect(page.getByText('发送成功')).toBeVisible();
    await expect(findRow(page, '键盘反馈').getByText('已处理')).toBeVisible();
    const { rows: sentMails } = await db.query(`select recipient, body from mails where body like '%已为您处理%'`);
    expect(sentMails).toHaveLength(1);

    await keyboard.press('Enter');
    await expect(form(page).getByRole('region', { name: '回复' })).toContainText('您好，已为您处理。');
    expect(new URL(page.url()).searchParams.get('q')).toBe('键盘反馈');
    await keyboard.press('Escape');
    await expect(form(page)).toHaveCount(0);

    await keyboard.press('#');
    await expect(confirmDialog(page).getByRole('button', { name: /^删除/ })).toBeFocused();
    await keyboard.press('Enter');
    await expect(findRow(page, '键盘反馈')).toHaveCount(0);
    expect(await readState(db, id)).toBeUndefined();
    expect(await page.locator('html').getAttribute('data-mouse')).toBeNull();
  });

  test('works by mouse alone', { tag: '@long' }, async ({ admin, page, store }) => {
    await insertFeedback(store, ['mouse one', 'mouse two'], 2);
    await admin.signIn('editor', '/feedback?q=mouse');
    await findRow(page, 'mouse one').getByRole('checkbox').click();
    await findRow(page, 'mouse two').getByRole('checkbox').click();
    await page.locator('[data-command="feedback.process"]').click();
    await confirmDialog(page).getByRole('button', { name: '标记 2 条反馈为已处理' }).click();
    await expect(page.getByRole('row').getByText('已处理')).toHaveCount(2);
    await page.locator('#toasts').getByRole('button', { name: '撤销' }).click();
    await expect(page.getByRole('row').getByText('未处理')).toHaveCount(2);

    await findRow(page, 'mouse one').click();
    await form(page).locator('[data-command="feedback.reply"]').click();
    const replyDialog = page.getByRole('dialog').filter({ has: page.getByLabel('回复内容') });
    await replyDialog.getByLabel('回复内容').fill('Thank you');
    await replyDialog.getByRole('switch').click();
    await replyDialog.getByRole('button', { name: /回复反馈/ }).click();
    await expect(replyDialog).toHaveCount(0);
    await expect(form(page)).toContainText('Thank you');
    await expect(form(page).getByText('未处理').first()).toBeVisible();
    await form(page).getByRole('button', { name: '关闭' }).click();

    await findRow(page, 'mouse two')
      .getByRole('button', { name: /的操作/ })
      .click();
    await page.getByRole('menuitem', { name: /删除反馈/ }).click();
    await confirmDialog(page).getByRole('button', { name: '删除反馈' }).click();
    await expect(findRow(page, 'mouse two')).toHaveCount(0);
  });

  test(
    'works by script, and deleted feedback is restored from the audit',
    { tag: '@long' },
    async ({ admin, page, db, store }) => {
      const [id = ''] = await insertFeedback(store, ['scripted feedback'], 3);
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
        done: [answeredFeedback],
      } = await admin.run('feedback.reply', {
        targets: [id],
        params: { content: 'By QA', processed: true },
      });
      expect(answeredFeedback.replies).toHaveLength(1);
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
    const [id = ''] = await insertFeedback(store, ['looked at'], 4);
    await admin.signIn('analyst', `/feedback?open=${id}`);
    await expect(form(page)).toContainText('looked at');
    await expect(form(page).locator('[data-command^="feedback."]')).toHaveCount(0);
    await expect(admin.run('feedback.process', { targets: [id], confirm: true })).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
    });
    await admin.open('/feedback?triage=on');
    await expect(triageArticle(page)).toBeVisible();
    await page.keyboard.press('d');
    await page.keyboard.press('#');
    await expect(confirmDialog(page)).toHaveCount(0);
    expect(await readState(db, id)).toBe(false);
  });
});

test.describe('triage', () => {
  test(
    'reads on and back, processes, undoes, answers, deletes and leaves by keyboard',
    { tag: '@long' },
    async ({ admin, page, db, store }) => {
      await settleAll(db);
      const ids = await insertFeedback(store, ['triage alpha', 'triage beta', 'triage gamma', 'triage delta', 'triage epsilon']);
      await admin.signIn('editor', '/feedback');
      const { keyboard } = page;
      await keyboard.press('t');
      await expect(triageArticle(page)).toContainText('triage alpha');
      await expect(triageView(page)).toContainText('第 1 条，共 5 条');

      await keyboard.press('j');
      await expect(triageArticle(page)).toContainText('triage beta');
      await keyboard.press('k');
      await expect(triageArticle(page)).toContainText('triage alpha');
      await keyboard.press('k');
      await expect(triageArticle(page)).toContainText('triage alpha');

      await keyboard.press('d');
      await expect(confirmDialog(page)).toContainText('triage alpha');
      await keyboard.press('Enter');
      await expect(triageArticle(page)).toContainText('triage beta');
      await keyboard.press('d');
      await expect(triageArticle(page)).toContainText('triage gamma');
      for (const [index, isProcessed] of [true, true, false, false, false].entries())
        await expect.poll(() => readState(db, ids[index] ?? '')).toBe(isProcessed);

      let isOpen = false;
      let releaseResponse = () => {};
      const heldResponse = new Promise<void>((resolve) => (releaseResponse = resolve));
      await page.route('**/rpc/feedback/{reopen,many}', async (route) => {
        const heldRequest = route.request();
        if (heldRequest.url().endsWith('reopen')) isOpen = true;
        else if (isOpen && heldRequest.postData()?.includes(ids[1] ?? '')) await heldResponse;
        await route.continue();
      });
      await keyboard.press('Control+z');
      await expect.poll(() => readState(db, ids[1] ?? '')).toBe(false);
      await expect(triageArticle(page)).toContainText('triage beta');
      await expect(triageArticle(page)).toContainText('未处理');
      await keyboard.press('d'); // before the list is refetched, so it acts on the current version
      releaseResponse();
      await expect(triageArticle(page)).toContainText('triage gamma');

      await keyboard.press('m');
      await form(page).getByLabel('回复内容').focus();
      await keyboard.type('Answered while reading');
      await keyboard.press('Control+Enter');
      await expect(triageArticle(page)).toContainText('Answered while reading');
      await expect(triageArticle(page)).toContainText('已处理');
      await keyboard.press('d'); // already processed, so nothing happens twice
      await expect(triageArticle(page)).toContainText('triage gamma');
      await keyboard.press('j');
      await expect(triageArticle(page)).toContainText('triage delta');

      await keyboard.press('#');
      await expect(confirmDialog(page)).toContainText('triage delta');
      await keyboard.press('Escape');
      await expect(confirmDialog(page)).toHaveCount(0);
      await expect(triageArticle(page)).toContainText('triage delta');
      await keyboard.press('#');
      await keyboard.press('Enter');
      await expect(triageArticle(page)).toContainText('triage epsilon');
      expect(await readState(db, ids[3] ?? '')).toBeUndefined();
      await keyboard.press('Control+z');
      await expect(triageArticle(page)).toContainText('triage delta');
      await expect(triageView(page)).toContainText('第 4 条，共 5 条');
      await keyboard.press('d');
      await expect(triageArticle(page)).toContainText('triage epsilon');

      await keyboard.press('d');
      await expect(triageView(page)).toContainText('反馈已全部处理');
      await keyboard.press('Escape');
      await expect(triageView(page)).toHaveCount(0);
      await expect(page.getByRole('grid')).toBeVisible();
      const { rows } = await db.query(`select count(*)::int as n from feedback where not processed`);
      expect(rows[0].n).toBe(0);
    },
  );

  test('works by mouse', { tag: '@long' }, async ({ admin, page, db, store }) => {
    await settleAll(db);
    const ids = await insertFeedback(store, ['click alpha', 'click beta']);
    await admin.signIn('editor', '/feedback');
    await page.locator('[data-command="feedback.triage"]').click();
    await expect(triageArticle(page)).toContainText('click alpha');
    await triageView(page).getByRole('button', { name: '下一条', exact: false }).first().click();
    await expect(triageArticle(page)).toContainText('click beta');
    await triageView(page).locator('[data-command="list.previous"]').click();
    await expect(triageArticle(page)).toContainText('click alpha');
    await triageView(page).locator('[data-command="feedback.processNext"]').click();
    await confirmDialog(page).getByRole('button', { name: '处理并继续' }).click();
    await expect(triageArticle(page)).toContainText('click beta');
    expect(await readState(db, ids[0] ?? '')).toBe(true);
    await triageView(page)
      .getByRole('button', { name: /返回列表/ })
      .first()
      .click();
    await expect(page.getByRole('grid')).toBeVisible();
  });

  test(
    'goes through more than a page with one question and without losing an entry',
    { tag: '@long' },
    async ({ admin, page, db, store }) => {
      test.setTimeout(120_000);
      await settleAll(db);
      const ids = await insertFeedback(
        store,
        Array.from({ length: 70 }, (_, n) => `many ${n}.`),
        100,
      );
      await admin.signIn('editor', '/feedback?triage=on');
      for (let n = 0; n < 70; n++) {
        await expect(triageArticle(page)).toContainText(`many ${n}.`);
        await page.keyboard.press('d');
        if (n > 0) continue;
        await expect(confirmDialog(page)).toContainText('many 0.');
        await page.keyboard.press('Enter');
      }
      await expect(triageView(page)).toContainText('反馈已全部处理');
      const { rows } = await db.query(`select count(*)::int as n from feedback where processed and id = any($1)`, [ids]);
      expect(rows[0].n).toBe(70);
    },
  );

  test('continues when a colleague was faster', { tag: '@long' }, async ({ admin, page, db, store }) => {
    await settleAll(db);
    const ids = await insertFeedback(store, ['contested alpha', 'contested beta', 'contested gamma']);
    await admin.signIn('editor', '/feedback?triage=on');
    await expect(triageArticle(page)).toContainText('contested alpha');
    await db.query(`update feedback set processed = true, processed_at = now(), version = version + 1 where id = $1`, [ids[0]]);
    await db.query(`delete from feedback where id = $1`, [ids[1]]);
    await page.keyboard.press('d');
    await expect(confirmDialog(page)).toContainText('contested alpha');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-toast="error"]')).toContainText('已有其他人的新修改');
    await page.keyboard.press('r');
    await expect(triageArticle(page)).toContainText('已处理');
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await expect(triageArticle(page)).toContainText('contested gamma');
  });
});

test.describe('new feedback', () => {
  test('is shown as a count, moves no rows, and is loaded by a key', { tag: '@long' }, async ({ admin, page, store }) => {
    await insertFeedback(store, ['resting one', 'resting two', 'resting three'], 3);
    await admin.signIn('editor', '/feedback');
    const [firstForm, secondForm] = [openForm(admin), openForm(admin)];
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const cursor = page.locator('[data-cursor]');
    const id = await cursor.getAttribute('id');
    const boxBefore = await cursor.boundingBox();
    const feedbackText = `live ${randomUUID()}`;
    await postFeedback(admin, feedbackText, [], firstForm);
    const arrivalsNote = page.locator('[data-arrivals]');
    await expect(arrivalsNote).toContainText('1 条新记录');
    expect(await cursor.boundingBox()).toEqual(boxBefore);
    await expect(findRow(page, feedbackText)).toHaveCount(0);

    await postFeedback(admin, `${feedbackText} again`, [], secondForm);
    await expect(arrivalsNote).toContainText('2 条新记录');
    await page.keyboard.press('p');
    await confirmDialog(page).getByRole('button', { name: '标记反馈为已处理' }).click();
    await expect(cursor.getByText('已处理')).toBeVisible();
    expect(await cursor.boundingBox()).toEqual(boxBefore);
    expect(await cursor.getAttribute('id')).toBe(id);
    await expect(arrivalsNote).toContainText('2 条新记录');

    await page.keyboard.press('n');
    await expect(page.getByRole('row').nth(1)).toContainText(`${feedbackText} again`);
    await expect(page.getByRole('row').nth(2)).toContainText(feedbackText);
    await expect(arrivalsNote).toHaveCount(0);
    await expect(page.getByRole('row').nth(1)).toHaveAttribute('data-cursor');
  });

  test(
    'is loaded by a click with its pictures, and at the end of an open triage',
    { tag: '@long' },
    async ({ admin, page, db, store }) => {
      await settleAll(db);
      await insertFeedback(store, ['the only one'], 1);
      await admin.signIn('editor', '/feedback');
      await expect(findRow(page, 'the only one')).toBeVisible();
      const feedbackText = `pictured ${randomUUID()}`;
      const picture = await page.locator('body').screenshot();
      await postFeedback(admin, feedbackText, [picture, picture]);
      await page.locator('[data-arrivals]').getByRole('button').click();
      await expect(findRow(page, feedbackText).getByRole('button', { name: '第 1 张图片，共 2 张' })).toBeVisible();

      await page.keyboard.press('t');
      await expect(triageArticle(page)).toContainText('the only one');
      const laterText = `later ${randomUUID()}`;
      await postFeedback(admin, laterText);
      await expect(triageView(page)).toContainText('第 1 条，共 3 条');
      await page.keyboard.press('End');
      await expect(triageArticle(page)).toContainText(laterText);
    },
  );
});

test.describe('feedback pictures', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  async function openWithPictures({ admin, page }: { admin: Admin; page: Page }): Promise<string> {
    const feedbackText = `shown ${randomUUID()}`;
    const smallPicture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } });
    const otherPicture = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 320 } });
    await postFeedback(admin, feedbackText, [smallPicture, otherPicture]);
    await admin.open(`/feedback?q=${encodeURIComponent(feedbackText)}`);
    await expect(findRow(page, feedbackText)).toBeVisible();
    return feedbackText;
  }
  const box = (page: Page) => page.locator('[data-lightbox]');

  test('open large over the page by key', { tag: '@long' }, async ({ admin, page }) => {
    await admin.signIn('editor', '/feedback');
    await openWithPictures({ admin, page });
    await page.keyboard.press('j');
    await page.keyboard.press('i');
    await expect(box(page)).toContainText('第 1 张图片，共 2 张');
    const firstForm = await box(page).locator('img').getAttribute('src');
    await page.keyboard.press('ArrowRight');
    await expect(box(page)).toContainText('第 2 张图片，共 2 张');
    expect(await box(page).locator('img').getAttribute('src')).not.toBe(firstForm);
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
    await expect(page.getByText('复制成功')).toBeVisible();
    expect(await page.evaluate(async () => (await navigator.clipboard.read())[0]?.types)).toContain('image/png');
    await page.keyboard.press('Escape');
    await expect(box(page)).toHaveCount(0);
    await expect(page.getByRole('grid')).toBeVisible();
  });

  test('open large over the record by mouse', { tag: '@long' }, async ({ admin, page }) => {
    await admin.signIn('editor', '/feedback');
    const feedbackText = await openWithPictures({ admin, page });
    await findRow(page, feedbackText).getByRole('button', { name: '第 2 张图片，共 2 张' }).click();
    await expect(box(page)).toContainText('第 2 张图片');
    await box(page).getByRole('button', { name: '上一张' }).click();
    await expect(box(page)).toContainText('第 1 张图片');
    await box(page).getByRole('button', { name: '放大' }).click();
    await expect(box(page).locator('[data-zoom="150"]')).toBeVisible();
    await box(page).getByRole('button', { name: '缩小' }).click();
    await box(page).getByRole('button', { name: '关闭' }).click();
    await expect(box(page)).toHaveCount(0);
    await findRow(page, feedbackText).click();
    await form(page).getByRole('button', { name: '第 1 张图片，共 2 张' }).first().click();
    await expect(box(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(box(page)).toHaveCount(0);
    await expect(form(page)).toContainText(feedbackText);
  });
});
