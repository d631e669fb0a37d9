import type { Page } from 'playwright/test';
import { expect, test, type Admin } from './fixtures.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: '命令面板' });
const input = (page: Page) => page.locator('[data-palette-input]');
const items = (page: Page) => page.locator('[data-palette] [cmdk-item]');
const row = (page: Page, value: string) => page.locator(`[data-palette] [data-row="${value}"]`);

/** The row that a screen reader is told of, and the one that is seen highlighted. Both are the same, or it throws. */
async function highlighted(page: Page): Promise<string | null> {
  const [told, seen] = await page.evaluate(() => {
    const id = document.querySelector('[data-palette-input]')?.getAttribute('aria-activedescendant');
    const selected = document.querySelectorAll('[data-palette] [cmdk-item][aria-selected="true"]');
    if (selected.length > 1) throw new Error('two rows are highlighted');
    return [id ? document.getElementById(id)?.getAttribute('data-row') : null, selected[0]?.getAttribute('data-row') ?? null];
  });
  if (told !== seen) throw new Error(`told ${told}, seen ${seen}`);
  return told ?? null;
}
const expectHighlighted = (page: Page, value: string | RegExp) =>
  expect(async () =>
    expect(await highlighted(page)).toMatch(value instanceof RegExp ? value : new RegExp(`^${value.replaceAll('.', '\\.')}$`)),
  ).toPass({
    timeout: 5000,
  });

async function open(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(input(page)).toBeFocused();
}

/** Opens the news with the cursor on the row at `index`; answers its title. */
async function openNews(admin: Admin, index = 0): Promise<string> {
  await admin.open('/news');
  await expect(admin.page.getByRole('row').nth(1)).toBeVisible();
  for (let step = 0; step <= index; step++) await admin.page.keyboard.press('j');
  return (await admin.page.locator('[data-cursor] [data-column="title"]').textContent()) ?? '';
}

/** Holds the answer to the palette's search for records. */
async function holdRecords(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/rpc/news/list', async (route) => {
    if ((route.request().postData() ?? '').includes('"q"')) await released;
    await route.continue().catch(() => {});
  });
  return release;
}

test.describe('the highlighted row', () => {
  test('is the first one at opening, follows the arrows round, and is the first again after every letter', async ({
    page,
    admin,
  }) => {
    await admin.signIn('all', '/');
    await open(page);
    const first = (await items(page).first().getAttribute('data-row')) ?? '';
    await expect.poll(() => items(page).count()).toBeGreaterThan(14); // those below the edge come a frame later
    const last = (await items(page).last().getAttribute('data-row')) ?? '';
    const second = (await items(page).nth(1).getAttribute('data-row')) ?? '';
    await expectHighlighted(page, first);
    await page.keyboard.press('ArrowDown');
    await expectHighlighted(page, second);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expectHighlighted(page, last);
    for (const [typed, expected] of [
      ['新', /^(go|news|list|administrators|roles|permissions)\./],
      ['新闻', /^(go\.news|news\.)/],
      ['新闻管理', /^go\.news$/],
    ] as const) {
      await input(page).fill(typed);
      await expectHighlighted(page, expected);
      expect(await highlighted(page)).toBe(await items(page).first().getAttribute('data-row'));
    }
  });

  test('is what Enter runs, when records arrive late', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    const release = await holdRecords(page);
    await open(page);
    await page.keyboard.type('新闻管理');
    await page.keyboard.press('Enter');
    release();
    await expect(page).toHaveURL(`${admin.url}/news`);
    await expect(palette(page)).toBeHidden();
  });

  test('stays where one has put it, when records arrive below it', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    const release = await holdRecords(page);
    const asked = page.waitForRequest(
      (request) => request.url().endsWith('/rpc/news/list') && (request.postData() ?? '').includes('主网铸造'),
    );
    await open(page);
    await page.keyboard.type('go'); // commands only
    await page.keyboard.press('ArrowDown');
    const chosen = (await highlighted(page)) ?? '';
    await input(page).fill('主网铸造');
    await asked;
    await expect(items(page)).toHaveCount(0); // no command is called so
    release();
    await expect(items(page).first()).toHaveAttribute('data-row', /^news:/);
    await expectHighlighted(page, /^news:/);
    await input(page).fill('go');
    await expectHighlighted(page, ((await items(page).first().getAttribute('data-row')) ?? '').toString());
    expect(chosen).toMatch(/^go\./);
  });

  test('is never a record of an older question', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await open(page);
    await page.keyboard.type('主网铸造');
    await expect(items(page).first()).toHaveAttribute('data-row', /^news:/);
    await page.keyboard.press('ArrowDown');
    await input(page).fill('theme'); // typed over and answered at once
    await page.keyboard.press('Enter');
    await expect(input(page)).toHaveAttribute('placeholder', '选择主题…');
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('moves with the mouse only when the mouse moves', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await page.mouse.move(720, 300); // where rows are going to be
    await open(page);
    const first = (await items(page).first().getAttribute('data-row')) ?? '';
    await expectHighlighted(page, first);
    await page.keyboard.type('go');
    await expectHighlighted(page, (await items(page).first().getAttribute('data-row')) ?? '');
    const third = await items(page).nth(2).boundingBox();
    await page.mouse.move((third?.x ?? 0) + 40, (third?.y ?? 0) + 10, { steps: 4 });
    await expectHighlighted(page, (await items(page).nth(2).getAttribute('data-row')) ?? '');
  });
});

test.describe('a command is found', () => {
  for (const [query, id] of [
    ['delete news', 'news.delete'],
    ['删除新闻', 'news.delete'],
    ['scxw', 'news.delete'],
    ['shanchu', 'news.delete'],
    ['news.delete', 'news.delete'],
    ['remove news', 'news.delete'],
    ['permission set', 'go.permission'],
    ['权限设置', 'go.permission'],
    ['qxsz', 'go.permission'],
    ['深色', 'theme.set'],
    ['dark', 'theme.set'],
  ] as const) {
    test(`by "${query}"`, async ({ page, admin }) => {
      await admin.signIn('all', '/news');
      await open(page);
      await page.keyboard.type(query);
      await expect(row(page, id)).toBeVisible();
      const at = await items(page).evaluateAll(
        (all, wanted) => all.findIndex((one) => one.getAttribute('data-row') === wanted),
        id,
      );
      expect(at).toBeLessThan(3);
    });
  }

  test('only by whoever may run it', async ({ page, admin }) => {
    await admin.signIn('analyst', '/news');
    await open(page);
    for (const query of ['news.delete', '删除新闻', 'delete news']) {
      await input(page).fill(query);
      await expect(row(page, 'news.delete')).toHaveCount(0);
    }
    await input(page).fill('go.permission');
    await expect(row(page, 'go.permission')).toBeVisible();
  });

  test('and so is a record, below the commands, by part of its title; Enter opens it', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await open(page);
    await page.keyboard.type('YBTC 主网');
    const record = items(page).filter({ hasText: 'YBTC 主网铸造额' });
    await expect(record).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/news\?open=/);
    await expect(page.getByRole('dialog', { name: /YBTC 主网铸造额/ })).toBeVisible();
  });

  test('and stands first next time, when it was used', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await admin.palette('go.overview');
    await expect(page).toHaveURL(/\/overview$/);
    await open(page);
    await expect(items(page).first()).toHaveAttribute('data-row', 'go.overview');
    await expect(page.locator('[data-palette] [cmdk-group-heading]').first()).toHaveText('最近使用');
  });

  test('with what matched marked, in Chinese by its pinyin too', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await open(page);
    await expect(page.locator('#root')).toHaveAttribute('inert'); // a moment after it is painted
    await page.keyboard.type('scxw');
    await expect(row(page, 'news.delete').locator('mark')).toHaveText(['删除新闻']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.locator('#root')).not.toHaveAttribute('inert');
    await expect(page.locator('#root')).not.toHaveAttribute('aria-hidden');
  });
});

test.describe('a command that cannot run here', () => {
  test('is not offered, is found with its reason, is reached by the arrows, and refuses', async ({ page, admin }) => {
    await admin.signIn('all', '/overview');
    const sent: string[] = [];
    page.on('request', (request) => request.url().includes('/rpc/news/') && sent.push(request.url()));
    await open(page);
    await expect(row(page, 'news.delete')).toHaveCount(0);
    await page.keyboard.type('删除新闻');
    await expect(row(page, 'news.delete')).toContainText('请先选择记录');
    await expectHighlighted(page, 'news.delete');
    await expect(row(page, 'news.delete')).toHaveAccessibleName(/删除新闻.*请先选择记录/);
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-toast="blocked"]')).toHaveText(/请先选择记录/);
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    expect(sent.filter((url) => url.endsWith('/remove'))).toEqual([]);
  });

  test('stands below those that can', async ({ page, admin }) => {
    await admin.signIn('all', '/overview');
    await open(page);
    await page.keyboard.type('新闻');
    const order = await items(page).evaluateAll((all) => all.map((one) => one.getAttribute('data-row')));
    expect(order.indexOf('news.add')).toBeLessThan(order.indexOf('news.delete'));
  });
});

test.describe('the target', () => {
  test('is frozen at opening: rows that move, change or go under it do not change what Enter hits', async ({
    page,
    admin,
    db,
  }) => {
    await admin.signIn('all', '/news');
    const title = await openNews(admin, 1);
    const target = await page.evaluate(() => document.querySelector('[data-cursor]')?.id.slice(-36));
    await open(page);
    await expect(palette(page).getByText(title, { exact: true })).toBeVisible();

    // Somebody publishes meanwhile: every row moves down by one.
    const added = await db.query(
      `insert into news (id, title, description, image, time, link, shown, created_at, updated_at)
       select gen_random_uuid(), '插队的新闻', description, image, now() + interval '1 day', link, false, now(), now() from news limit 1 returning id`,
    );
    const refetched = page.waitForResponse('**/rpc/news/list');
    await page.evaluate(() => dispatchEvent(new Event('offline'))); // what makes the list ask again
    await refetched;
    await expect(page.locator('[role="row"]').nth(1)).toContainText('插队的新闻');
    await expect(palette(page).getByText(title, { exact: true })).toBeVisible();

    await page.keyboard.type('news.delete');
    await page.keyboard.press('Enter');
    await expect(palette(page).getByRole('listitem')).toHaveText([title]);
    const removed = page.waitForRequest('**/rpc/news/remove');
    await palette(page).getByRole('button', { name: '取消' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    expect((await removed).postData()).toContain(target);
    await expect(page.getByText('操作成功')).toBeVisible();
    await db.query('delete from news where id = $1', [added.rows[0].id]);
  });

  test('is dropped by Backspace on an empty line, not by one that is held', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    const title = await openNews(admin);
    await open(page);
    const chip = palette(page).getByText(title, { exact: true });
    await page.keyboard.type('ab');
    for (let press = 0; press < 5; press++) await page.keyboard.down('Backspace'); // empties the line and goes on
    await page.keyboard.up('Backspace');
    await expect(input(page)).toHaveValue('');
    await expect(chip).toBeVisible();
    await page.keyboard.press('Backspace');
    await expect(chip).toBeHidden();
    await page.keyboard.type('编辑新闻');
    await expect(row(page, 'news.edit')).toContainText('请先选择记录');
  });

  test('of several rows is their number', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin);
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+J');
    await open(page);
    await expect(palette(page).getByText('已选 2 项')).toBeVisible();
    await expect(row(page, 'news.edit')).toHaveCount(0); // works on one
  });
});

test.describe('going back', () => {
  test('Escape clears what was typed, then closes; focus goes back', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    const link = page.getByRole('navigation').getByRole('link', { name: '新闻管理' });
    await link.focus();
    await open(page);
    await page.keyboard.type('theme');
    await page.keyboard.press('Escape');
    await expect(input(page)).toHaveValue('');
    await expect(palette(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(palette(page)).toBeHidden();
    await expect(link).toBeFocused();
  });

  test('Escape and Backspace in a step go back to the list, with what was typed', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await open(page);
    for (const back of ['Escape', 'Backspace']) {
      await input(page).fill('theme.set');
      await page.keyboard.press('Enter');
      await expect(input(page)).toHaveAttribute('placeholder', '选择主题…');
      await expect(input(page)).toBeFocused();
      await page.keyboard.press(back);
      await expect(input(page)).toHaveValue('theme.set');
      await expect(input(page)).toBeFocused();
      await expectHighlighted(page, 'theme.set');
    }
  });

  test('Home and End move in the text, not in the list', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await open(page);
    await page.keyboard.type('go');
    const first = (await highlighted(page)) ?? '';
    await page.keyboard.press('Home');
    await expectHighlighted(page, first);
    expect(await input(page).evaluate((one: HTMLInputElement) => one.selectionStart)).toBe(0);
    await page.keyboard.press('End');
    await expectHighlighted(page, first);
    expect(await input(page).evaluate((one: HTMLInputElement) => one.selectionStart)).toBe(2);
  });
});

test.describe('what it asks', () => {
  test('a choice: options found by their words, the highlighted one taken', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await admin.palette('theme.set');
    await expect(items(page)).toHaveText(['浅色', '深色', '跟随系统', '高对比度']);
    await expectHighlighted(page, 'option:light');
    await page.keyboard.type('深');
    await expectHighlighted(page, 'option:dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(palette(page)).toBeHidden();
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  test('a review before what cannot be undone: every name, focus on Cancel, Enter there changes nothing', async ({
    page,
    admin,
  }) => {
    await admin.signIn('all', '/news');
    const title = await openNews(admin, 1);
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/rpc/news/remove')) sent++;
    });
    await admin.palette('news.delete');
    await expect(palette(page).getByRole('heading')).toHaveText('确定删除这 1 条新闻？');
    await expect(palette(page).getByRole('listitem')).toHaveText([title]);
    await expect(palette(page).getByRole('button', { name: '取消' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(palette(page)).toBeHidden();
    expect(sent).toBe(0);
    await expect(page.getByRole('row').filter({ hasText: title })).toBeVisible();
  });

  test('a form for what is longer, which the palette makes way for', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await admin.palette('news.add');
    await expect(page.getByRole('dialog', { name: '新增新闻' })).toBeVisible();
    await expect(palette(page)).toBeHidden();
    await expect(page.getByLabel('标题')).toBeFocused();
  });
});

test('all of it by mouse', async ({ page, admin }) => {
  await admin.signIn('all', '/');
  await page.getByRole('banner').getByRole('button', { name: '搜索或执行命令' }).click();
  await expect(palette(page)).toBeVisible();
  await row(page, 'go.news').click();
  await expect(page).toHaveURL(/\/news$/);
  await page.getByRole('banner').getByRole('button', { name: '搜索或执行命令' }).click();
  await page.mouse.click(20, 800); // beside it
  await expect(palette(page)).toBeHidden();
});

test('on a phone it is a sheet at the bottom edge, with rows a thumb can hit', async ({ browser, server }) => {
  const context = await browser.newContext({
    viewport: { width: 375, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: 'zh-CN',
  });
  const page = await context.newPage();
  const { Admin } = await import('./fixtures.ts');
  const admin = new Admin(page, server.url);
  await admin.signIn('all', '/');
  await page.getByRole('toolbar').getByRole('button', { name: '命令', exact: true }).tap();
  await expect(input(page)).toBeVisible();
  const panel = await page.locator('[data-palette]').boundingBox();
  expect(Math.round((panel?.y ?? 0) + (panel?.height ?? 0))).toBe(740);
  expect(panel?.width).toBe(375);
  expect((await items(page).first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await row(page, 'go.feedback').tap();
  await expect(page).toHaveURL(/\/feedback$/);
  await context.close();
});

test.describe('a link to a command', () => {
  test('lands on its form, on its screen, with what it says filled in; after sign-in when that comes first', async ({
    page,
    admin,
    db,
  }) => {
    const [news] = (await db.query(`select id, title from news order by time desc limit 1`)).rows;
    await page.goto(`${admin.url}/~news.edit?id=${news.id}&title=${encodeURIComponent('链接里的标题')}`);
    await page.waitForURL(`${admin.url}/login`);
    await page.getByLabel('邮箱').fill('editor@demo.local');
    await page.getByLabel('密码', { exact: true }).fill('demo-keys-open-doors');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${admin.url}/news`);
    const form = page.getByRole('dialog', { name: '编辑新闻' });
    await expect(form).toBeVisible();
    await expect(form.getByLabel('标题')).toHaveValue('链接里的标题');
    expect((await db.query(`select title from news where id = $1`, [news.id])).rows[0].title).toBe(news.title);
  });

  test('never does anything by itself: what has no form asks first', async ({ page, admin, db }) => {
    const [news] = (await db.query(`select id from news order by time desc limit 1`)).rows;
    await admin.signIn('all', '/');
    await page.goto(`${admin.url}/~news.delete?id=${news.id}`);
    await expect(page.getByRole('alertdialog', { name: '确定删除这 1 条新闻？' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    expect((await db.query(`select 1 from news where id = $1`, [news.id])).rowCount).toBe(1);
  });

  test('to what one may not do, or to nothing, says so', async ({ page, admin, db }) => {
    const [news] = (await db.query(`select id from news order by time desc limit 1`)).rows;
    await admin.signIn('analyst', '/');
    await page.goto(`${admin.url}/~news.delete?id=${news.id}`);
    await expect(page.locator('[data-toast="error"]')).toContainText('您没有');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await page.goto(`${admin.url}/~no.such.command`);
    await page.waitForURL(`${admin.url}/404`);
  });
});
