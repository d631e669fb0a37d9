import type { Page } from 'playwright/test';
import { expect, test, type Admin } from './fixtures.ts';

const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const dialog = (page: Page) => page.getByRole('dialog');
const itemIn = (page: Page, language: 'zh-CN' | 'en-US') => dialog(page).locator(`[data-item="${language}"]`);
const publicTitles = async (admin: Admin, language: string) => {
  const answer = await admin.page.request.get(`${admin.url}/public/news?limit=50&language=${language}`);
  return ((await answer.json()) as { rows: { title: string }[] }).rows.map(({ title }) => title);
};

/** The newest two items, the Chinese one first. */
async function addPair(admin: Admin, [zhTitle, enTitle] = ['合并我', 'Join me']) {
  const add = async (title: string, minutesAgo: number, link: string) => {
    const { done } = await admin.run('news.add', {
      params: {
        title,
        description: `${title} …`,
        image: `https://www.example.com/${minutesAgo}.png`,
        link,
        time: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
      },
    });
    return done[0].id;
  };
  const en = await add(enTitle, 2, 'https://www.example.com/en');
  const zh = await add(zhTitle, 1, 'https://www.example.com/zh');
  return { zh, en };
}

test('a person joins two items by keyboard, and one key brings both back', async ({ admin, page, db }) => {
  await admin.signIn('editor', '/news');
  const { zh, en } = await addPair(admin);
  await rowOf(page, '合并我').click({ position: { x: 200, y: 10 } });
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await page.keyboard.press('m');
  await expect(page.locator('[data-toast="blocked"]')).toContainText('请选择一条中文新闻和一条英文新闻');
  await page.keyboard.press('Shift+J');
  await admin.key('news.join');
  await expect(dialog(page)).toContainText('确定合并这两条新闻？');
  await expect(itemIn(page, 'zh-CN')).toContainText('合并我');
  await expect(itemIn(page, 'en-US')).toContainText('Join me');
  await expect(itemIn(page, 'zh-CN').locator('[data-value="text"]')).toContainText('保留');
  await expect(itemIn(page, 'en-US').locator('[data-value="text"]')).toContainText('成为译文');
  await expect(itemIn(page, 'en-US').locator('[data-value="link"]')).toContainText('成为译文');
  await expect(itemIn(page, 'en-US').locator('[data-value="image"]')).toContainText('不保留');
  await expect(dialog(page).getByRole('radio', { name: '中文新闻' }).first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(itemIn(page, 'zh-CN').locator('[data-value="text"]')).toContainText('成为译文');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Control+Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText('已将两条新闻合并为“合并我”')).toBeVisible();
  await expect(rowOf(page, 'Join me')).toHaveCount(0);
  const joined = await db.query('select * from news where id = any($1)', [[zh, en]]);
  expect(joined.rows).toMatchObject([{ id: zh, translated_title: 'Join me', translated_link: 'https://www.example.com/en' }]);

  await page.keyboard.press('Control+z');
  await expect(rowOf(page, 'Join me')).toBeVisible();
  await expect(rowOf(page, '合并我')).toBeVisible();
});

test('a person joins two items by mouse, keeps the shown English one, and undoes it in the notice', async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  const { en } = await addPair(admin, ['点击合并', 'Join by mouse']);
  await admin.run('news.show', { targets: [en], confirm: true });
  for (const title of ['点击合并', 'Join by mouse']) await rowOf(page, title).getByRole('checkbox').click();
  await page.locator('[data-command="news.join"]').click();
  await expect(dialog(page)).toContainText('官网将立即更新');
  await dialog(page).getByRole('radiogroup', { name: '保留的新闻' }).getByRole('radio', { name: '中文新闻' }).click();
  await expect(dialog(page)).toContainText('合并后官网将移除这两条新闻');
  await dialog(page).getByRole('radiogroup', { name: '保留的新闻' }).getByRole('radio', { name: '英文新闻' }).click();
  await dialog(page).getByRole('radiogroup', { name: '图片来源' }).getByRole('radio', { name: '中文新闻' }).click();
  await expect(itemIn(page, 'zh-CN').locator('[data-value="image"]')).toContainText('保留');
  await dialog(page).getByRole('button', { name: '合并新闻' }).dblclick();
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(() => publicTitles(admin, 'zh')).toContain('点击合并');
  expect(await publicTitles(admin, 'en')).toContain('Join by mouse');
  await page.locator('[data-toast]').getByRole('button', { name: '撤销' }).click();
  await expect.poll(() => publicTitles(admin, 'zh')).not.toContain('点击合并');
  await expect(rowOf(page, 'Join by mouse')).toBeVisible();
});

test('scripts and colleagues get a clear reason when two items can’t be joined', async ({ admin, page, db }) => {
  await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
  await admin.signIn('editor', '/news');
  const { zh, en } = await addPair(admin);
  const params = { kept: 'zh-CN', links: 'both', image: 'zh-CN', period: 'zh-CN' } as const;
  const join = (targets: string[], confirm?: true) => admin.run('news.join', { targets, params, ...(confirm && { confirm }) });
  await expect(join([zh, en])).rejects.toMatchObject({ code: 'UNCONFIRMED' });
  await expect(join([zh], true)).rejects.toMatchObject({ code: 'BLOCKED', reason: 'news.blocked.selectTwo' });
  await expect(join([zh, zh], true)).rejects.toMatchObject({ code: expect.stringMatching(/BLOCKED|NOT_FOUND/) });
  await join([en, zh], true);
  await expect(join([zh, en], true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await admin.run('news.edit', { targets: [zh], params: { title: '改名' } });
  await expect(admin.run('news.undoJoin', { targets: [zh], confirm: true })).rejects.toMatchObject({ code: 'JOIN_REFUSED' });

  const pair = await addPair(admin, ['再合并', 'Join again']);
  await db.query(
    `delete from role_nodes where node_id = (select id from permission_nodes where identifier = 'news.delete') and role_id in
       (select role_id from administrator_roles r join administrators a on a.id = r.administrator_id where a.email = 'editor@demo.local')`,
  );
  // The page still shows the command, because the right was taken away after it loaded.
  await expect(join([pair.zh, pair.en], true)).rejects.toMatchObject({ code: expect.stringMatching(/FORBIDDEN|BLOCKED/) });
  await page.reload();
  await admin.ready();
  await expect.poll(() => admin.assess('news.delete')).toEqual({ state: 'hidden' });
  for (const title of ['再合并', 'Join again']) await rowOf(page, title).getByRole('checkbox').click();
  await page.keyboard.press('m');
  await expect(page.locator('[data-toast="blocked"]')).toContainText('Joining needs the permission “Delete news”');
});
