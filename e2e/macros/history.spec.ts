import type { Locator, Page } from 'playwright/test';
import type { NewsRow } from '../../api/news/contract.ts';
import { expect, test, type Admin } from '../fixtures.ts';
import { axeViolations } from '../support/axe.ts';
import { build } from '../../testing/factories/build.ts';

const fields = (title: string) => build.newsFields({ title });
const addNews = async (admin: Admin, title: string): Promise<NewsRow> =>
  (await admin.run('news.add', { params: fields(title) })).done[0];
const dialog = (page: Page) => page.getByRole('dialog', { name: '我的操作历史' });
/** Fails on axe violations, and on anything wider than the window. */
async function clearHistory(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  expect(await axeViolations(page, { include: ['[role="dialog"]'] })).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}
const rows = (page: Page): Locator => dialog(page).getByRole('row');
/** A macro asks before each step that asks alone. */
async function confirmStep(page: Page, name: string): Promise<void> {
  const question = page.getByRole('alertdialog', { name });
  await question.getByRole('button').last().click();
  await expect(question).toHaveCount(0);
}

// The history of a person is on the server, so it would grow from test to test.
test.beforeEach(({ db }) => db.query('delete from command_history'));

test('the history lists commands, undoes an older one by key, and refuses a record that has changed since', async ({
  admin,
  page,
  db,
}) => {
  await admin.signIn('all', '/news');
  const firstNews = await addNews(admin, '历史甲');
  const secondNews = await addNews(admin, '历史乙');
  await admin.run('news.show', { targets: [firstNews.id], confirm: true });
  await admin.run('news.show', { targets: [secondNews.id], confirm: true });
  await admin.key('history.open');
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).first()).toBeFocused();
  await expect(rows(page).first()).toContainText('历史乙');
  await expect(rows(page).nth(2)).toContainText('标题: 历史乙');

  await page.keyboard.press('j');
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press('u');
  await expect(rows(page).nth(1)).toHaveAttribute('data-undone', 'true');
  await expect(rows(page).first()).not.toHaveAttribute('data-undone');
  const readShown = async (id: string) => (await db.query('select shown from news where id = $1', [id])).rows[0].shown;
  expect([await readShown(firstNews.id), await readShown(secondNews.id)]).toEqual([false, true]);

  // A colleague changed the other record, so it is not undone.
  await db.query('update news set version = version + 1 where id = $1', [secondNews.id]);
  await page.keyboard.press('k');
  await page.keyboard.press('Control+z');
  await expect(page.locator('[data-toast="error"]')).toContainText('已有其他人的新修改');
  await expect(rows(page).first()).not.toHaveAttribute('data-undone');
  expect(await readShown(secondNews.id)).toBe(true);
});

test(
  'the history is filtered by typing, repeats a command through its form, and follows another tab',
  { tag: '@long' },
  async ({ admin, page, context, db }) => {
    await admin.signIn('all', '/news');
    await addNews(admin, '历史丙');
    await admin.key('history.open');
    await expect(rows(page)).toHaveCount(1);
    const otherTab = await context.newPage();
    await otherTab.goto(`${admin.url}/news`);
    await otherTab.waitForFunction(() => window.admin !== undefined);
    await otherTab.evaluate((params) => window.admin?.run('news.add', { params }), fields('别处丁'));
    await otherTab.close();
    await expect(rows(page)).toHaveCount(2);

    await page.keyboard.press('/');
    await page.keyboard.type('历史丙');
    await expect(rows(page)).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: '新增新闻' });
    await expect(form.getByLabel('标题')).toHaveValue('历史丙');
    await form.getByLabel('标题').fill('历史丙二');
    await form.getByRole('button', { name: /^新增/ }).click();
    await expect(form).toBeHidden();
    const addedNews = await db.query('select title from news where title like $1 order by created_at', ['历史丙%']);
    expect(addedNews.rows.map(({ title }) => title)).toEqual(['历史丙', '历史丙二']);
  },
);

test(
  'a macro of two steps runs from the palette, asks for a value, and passes the new record to the second step',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/news');
    const { id } = await addNews(admin, '宏的样本');
    await admin.run('news.show', { targets: [id], confirm: true });
    await admin.palette('macros.add');
    await expect(rows(page)).toHaveCount(2);
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('m');
    const macroEditor = page.getByRole('dialog', { name: '新建宏' });
    await macroEditor.getByLabel('名称').fill('发布一条');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: '宏', exact: true })).toContainText('新增新闻 → 展示新闻');
    await page.keyboard.press('Escape');

    // Macros of earlier versions can ask for a value at each run.
    await page.evaluate(() => {
      const storedMacros = JSON.parse(localStorage.getItem('prefs.macros') ?? '[]') as { steps: { asks: string[] }[] }[];
      storedMacros[0]?.steps[0]?.asks.push('title');
      localStorage.setItem('prefs.macros', JSON.stringify(storedMacros));
    });
    await page.reload();
    await admin.ready();

    await page.keyboard.press('Control+k');
    await page.locator('[data-palette-input]').fill('发布一条');
    await expect(page.locator('[data-palette] [role="option"]').first()).toHaveAttribute('data-row', /^macro:/);
    await page.keyboard.press('Enter');
    const runDialog = page.getByRole('dialog', { name: '执行宏“发布一条”' });
    await expect(runDialog.getByRole('button', { name: '执行' })).toBeFocused();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: '新增新闻' });
    await expect(form.getByLabel('标题')).toHaveValue('宏的样本');
    await expect(form.getByRole('textbox')).toHaveCount(1);
    await form.getByLabel('标题').fill('宏发布的');
    await page.keyboard.press('Control+Enter');
    await confirmStep(page, '确定展示该新闻？');
    await expect(runDialog.getByRole('status')).toHaveText('2 步已全部完成');
    const readPublished = async () => (await db.query(`select shown, description from news where title = '宏发布的'`)).rows;
    expect(await readPublished()).toEqual([{ shown: true, description: fields('').description }]);

    await runDialog.getByRole('button', { name: '撤销已完成的步骤' }).click();
    await expect(runDialog.getByText('已撤销')).toHaveCount(2);
    expect(await readPublished()).toEqual([]);
  },
);

test(
  'a macro whose second step fails reports the step and reason, and starts no later step',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/news');
    const { id } = await addNews(admin, '宏会停');
    const macro = {
      id: 'm1',
      by: 'admin@demo.local',
      name: '<b>会停的</b>',
      steps: [
        { command: 'news.show', on: { from: 'records', ids: [id], names: ['宏会停'] }, params: {}, asks: [] },
        { command: 'news.show', on: { from: 'records', ids: [id], names: ['宏会停'] }, params: {}, asks: [] },
        { command: 'news.delete', on: { from: 'records', ids: [id], names: ['宏会停'] }, params: {}, asks: [] },
      ],
    };
    await page.evaluate(
      (storedMacros) => localStorage.setItem('prefs.macros', JSON.stringify(storedMacros)),
      [macro, { ...macro, id: 'm2', steps: 'none' }],
    );
    await page.reload();
    await admin.ready();
    await admin.run('macros.run', { params: { macro: 'm1' } });
    const runDialog = page.getByRole('dialog', { name: '执行宏“<b>会停的</b>”' });
    await runDialog.getByRole('button', { name: '执行' }).click();
    await confirmStep(page, '确定展示该新闻？');
    await expect(runDialog.getByRole('status')).toHaveText(/在第 2 步停止：已在展示/);
    await expect(runDialog.locator('[data-macro-step]')).toHaveText([/完成/, /失败/, /未执行/]);
    expect((await db.query('select shown from news where id = $1', [id])).rows).toEqual([{ shown: true }]);
  },
);

test(
  'a link fills the form, marks its values and its invalid ones, and is copied back unchanged',
  { tag: '@long' },
  async ({ admin, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await admin.signIn('all', '/');
    const linkParams = new URLSearchParams({ content: '<b>链接公告</b>', platform: 'nowhere', startsAt: 'tomorrow', evil: '1' });
    await admin.open(`/~notices.add?${linkParams}`);
    const form = page.getByRole('dialog', { name: '新增公告' });
    await expect(form.locator('[data-linked]')).toContainText('以下内容来自链接，尚未执行');
    await expect(form.locator('[data-linked]')).toContainText('nowhere');
    await expect(form.locator('[data-linked]')).toContainText('tomorrow');
    await expect(form.locator('[aria-invalid="true"]').first()).toBeVisible();
    await form.getByLabel('公告内容').fill('改过 & 的');
    await form.getByRole('button', { name: '复制命令链接' }).click();
    await expect(page.locator('[data-toast="success"]')).toContainText('复制成功');
    const copiedText = await page.evaluate(() => navigator.clipboard.readText());
    const { pathname, searchParams } = new URL(copiedText);
    expect(pathname).toBe('/~notices.add');
    expect(searchParams.get('content')).toBe('改过 & 的');
    expect(searchParams.has('evil')).toBe(false);
  },
);

test('a link to a command without a form changes nothing before a confirmation', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/news');
  const { id } = await addNews(admin, '链接不撤销');
  for (const link of ['/~history.undo', '/~history.repeat', '/~keys.single', '/~language.switch', `/~news.show?id=${id}`]) {
    await admin.open(link);
    const confirmDialog = page.getByRole('alertdialog');
    await expect(confirmDialog).toContainText('由链接发起，尚未执行');
    await page.keyboard.press('Escape');
    await expect(confirmDialog).toHaveCount(0);
  }
  expect(await page.evaluate(() => localStorage.getItem('prefs.singleKeys'))).toBeNull();
  await admin.open('/~history.open');
  await expect(rows(page).first()).toContainText('链接不撤销');
  await expect(rows(page).first()).not.toHaveAttribute('data-undone');
});

test(
  'a command is repeated on the selection and a macro renamed and deleted by mouse, and every page passes axe',
  { tag: '@long' },
  async ({ admin, page, db }) => {
    await admin.signIn('all', '/news');
    const { id } = await addNews(admin, '鼠标甲');
    const otherNews = await addNews(admin, '鼠标乙');
    await admin.run('news.show', { targets: [id], confirm: true });
    await admin.open('/news?q=鼠标乙');
    await page.getByRole('row').filter({ hasText: '鼠标乙' }).getByRole('checkbox').check();
    await admin.palette('history.open');
    await clearHistory(page);
    await rows(page).first().getByRole('button', { name: '对所选记录重复执行' }).click();
    const confirmDialog = page.getByRole('alertdialog');
    await expect(confirmDialog.getByRole('listitem')).toHaveText(['鼠标乙']);
    await expect(confirmDialog).toContainText('立即在官网展示');
    await confirmDialog.getByRole('button').last().click();
    await expect(confirmDialog).toHaveCount(0);
    await expect
      .poll(async () => (await db.query('select shown from news where id = $1', [otherNews.id])).rows)
      .toEqual([{ shown: true }]);

    await page.setViewportSize({ width: 375, height: 740 });
    await admin.palette('history.open');
    await rows(page).first().getByRole('checkbox').check();
    await page.getByRole('button', { name: '存为宏' }).click();
    await clearHistory(page);
    await page.getByRole('button', { name: '保存' }).click();
    await expect(page.getByRole('alert').filter({ hasText: '请输入名称' })).toBeVisible();
    await page.getByLabel('名称').fill('先名');
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByRole('button', { name: '重命名宏：先名' }).click();
    await page.getByLabel('名称').fill('后名');
    await page.getByRole('button', { name: '保存' }).click();
    await clearHistory(page);
    await page.getByRole('button', { name: '执行宏：后名' }).click();
    await expect(page.getByRole('dialog', { name: '执行宏“后名”' })).toContainText('所选：鼠标乙');
    await clearHistory(page);
    await page.getByRole('button', { name: '取消' }).click();
    await admin.palette('macros.open');
    await page.getByRole('button', { name: '删除宏：后名' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
    await expect(page.getByText('暂无宏')).toBeVisible();
  },
);
