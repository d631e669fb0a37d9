import type { Page } from 'playwright/test';
import { expect, test, type Admin } from '../fixtures.ts';

const paletteDialog = (page: Page) => page.getByRole('dialog', { name: '命令面板' });
const input = (page: Page) => page.locator('[data-palette-input]');
const items = (page: Page) => page.locator('[data-palette] [role="option"]');
const row = (page: Page, value: string) => page.locator(`[data-palette] [data-row="${value}"]`);
const recordPreview = (page: Page) => page.locator('[data-preview]');
const highlightedOption = (page: Page) => page.locator('[data-palette] [role="option"][aria-selected="true"]');

async function pasteText(admin: Admin, text: string): Promise<void> {
  const { page } = admin;
  await page.keyboard.press('Control+k');
  await expect(input(page)).toBeFocused();
  await input(page).fill(text);
}

async function holdRoute(page: Page, path: string): Promise<() => void> {
  let releaseRoute = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    releaseRoute = resolve;
  });
  await page.route(path, async (route) => {
    await releasePromise;
    await route.continue().catch(() => {});
  });
  return releaseRoute;
}

test.describe('a record in the palette', () => {
  test(
    'is found by a pasted identifier of any kind under its screen’s name, and Enter opens it',
    { tag: '@long' },
    async ({ page, admin, db }) => {
      const readFirstRow = async (sql: string) => (await db.query(sql)).rows[0];
      const deposit = await readFirstRow(`select id, txid, vout, user_address from deposits limit 1`);
      const airdrop = await readFirstRow(`select id, address from airdrops limit 1`);
      const feedback = await readFirstRow(`select id, email from feedback limit 1`);
      const entry = await readFirstRow(`select id, address from points limit 1`);
      const role = await readFirstRow(`select id, name from roles limit 1`);
      const analyst = await readFirstRow(`select id, email from administrators where email like 'analyst@%'`);
      const notice = await readFirstRow(`select id, content from notices limit 1`);
      await admin.signIn('all', '/');
      await pasteText(admin, '');
      for (const [pastedText, value, screen] of [
        [deposit.txid, `deposits:${deposit.id}`, '自托管存款'],
        [`https://mempool.example/tx/${deposit.txid}`, `deposits:${deposit.id}`, '自托管存款'],
        [`${airdrop.address}`.toUpperCase().replace('0X', '0x'), `airdrops:${airdrop.id}`, 'NFT 空投管理'],
        [entry.address, `balances:${entry.address}`, '积分管理'],
        [`${admin.url}/points?open=x#${entry.id}`, `points:${entry.id}`, '积分管理'],
        [feedback.email, `feedback:${feedback.id}`, '反馈管理'],
        [`Ann <${analyst.email}>`, `administrators:${analyst.id}`, '管理员'],
        [notice.content.slice(0, 8), `notices:${notice.id}`, '公告管理'],
        [role.id, `roles:${role.id}`, '角色管理'],
      ] as const) {
        await input(page).fill(pastedText);
        await expect(row(page, value), pastedText).toContainText(screen);
      }
      await expect(highlightedOption(page)).toHaveAttribute('data-row', `roles:${role.id}`);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`${admin.url}/permissions/role?open=${role.id}`);
      await expect(paletteDialog(page)).toBeHidden();
    },
  );

  test(
    'is found only on permitted screens, and results are announced to screen readers',
    { tag: '@long' },
    async ({ page, admin, db }) => {
      const [analyst] = (await db.query(`select id, email from administrators where email like 'analyst@%'`)).rows;
      const [feedback] = (await db.query(`select content from feedback limit 1`)).rows;
      const requestUrls: string[] = [];
      page.on(
        'request',
        (request) => request.url().includes('/rpc/') && requestUrls.push(`${request.url()} ${request.postData() ?? ''}`),
      );
      await admin.signIn('editor', '/news');
      await pasteText(admin, analyst.email);
      await expect(paletteDialog(page).getByText('没有匹配的命令')).toBeVisible();
      await input(page).fill(feedback.content.slice(0, 6));
      await expect(
        paletteDialog(page)
          .getByRole('status')
          .filter({ hasText: /^找到 \d+ 条记录$/ }),
      ).toHaveCount(1);
      expect(requestUrls.filter((readFirstRow) => readFirstRow.includes('/rpc/feedback/list'))).not.toEqual([]);
      expect(requestUrls.filter((readFirstRow) => /administrators\/|roles\/|deposits\/|points\//.test(readFirstRow))).toEqual([]);
    },
  );
});

test(
  'a record in the palette lists its own commands with one key, and Backspace goes back',
  { tag: '@long' },
  async ({ page, admin, db }) => {
    const [news] = (await db.query(`select id, title from news where shown order by time desc limit 1`)).rows;
    await admin.signIn('all', '/');
    await pasteText(admin, news.id);
    await expect(highlightedOption(page)).toHaveAttribute('data-row', `news:${news.id}`);
    await expect(recordPreview(page)).toContainText(news.title);
    await page.keyboard.press('Tab');
    await expect(paletteDialog(page).getByText(news.title, { exact: true })).toBeVisible();
    await expect(row(page, 'news.edit')).toBeVisible();
    await expect(row(page, 'news.show')).toContainText('已');
    await expect(row(page, 'news.add')).toHaveCount(0);
    await page.keyboard.press('Backspace');
    await expect(input(page)).toHaveValue(news.id);
    await expect(highlightedOption(page)).toHaveAttribute('data-row', `news:${news.id}`);
    await row(page, `news:${news.id}`).locator('[data-narrow]').click();
    await paletteDialog(page)
      .getByRole('button', { name: `移除：${news.title}` })
      .click();
    await expect(input(page)).toHaveValue(news.id);
    await expect(highlightedOption(page)).toHaveAttribute('data-row', `news:${news.id}`);
    await expect(input(page)).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('隐藏');
    await expect(highlightedOption(page)).toHaveAttribute('data-row', 'news.hide');
    await expect(recordPreview(page)).toContainText(news.title);
    await expect(recordPreview(page)).toContainText('可撤销');
    await page.keyboard.press('Enter');
    await expect(paletteDialog(page).getByRole('listitem')).toHaveText([news.title]);
    await page.keyboard.press('Enter');
    await expect(page.getByText('操作成功')).toBeVisible();
    expect((await db.query(`select shown from news where id = $1`, [news.id])).rows[0].shown).toBe(false);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await db.query(`select shown from news where id = $1`, [news.id])).rows[0].shown).toBe(true);
  },
);

test(
  'the second action in the palette opens a record beside the page, and copies the link of a command',
  { tag: '@long' },
  async ({ page, admin, db, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [news] = (await db.query(`select id, title from news order by time desc limit 1`)).rows;
    await admin.signIn('all', '/overview');
    await pasteText(admin, news.id);
    await expect(highlightedOption(page)).toHaveAttribute('data-row', `news:${news.id}`);
    await expect(paletteDialog(page).getByText('在新标签页打开')).toBeVisible();
    const pagePromise = context.waitForEvent('page');
    await page.keyboard.press('Control+Enter');
    const otherPage = await pagePromise;
    await expect(otherPage.getByRole('dialog', { name: news.title })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/overview');
    await otherPage.close();

    await page.keyboard.press('Tab');
    await page.keyboard.type('news.edit');
    await expect(highlightedOption(page)).toHaveAttribute('data-row', 'news.edit');
    await expect(paletteDialog(page).getByText('复制命令链接')).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(paletteDialog(page)).toBeHidden();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${admin.url}/~news.edit?id=${news.id}`);
  },
);

test('the palette result chosen for a query is first for that query the next time', { tag: '@long' }, async ({ page, admin }) => {
  await admin.signIn('all', '/');
  await pasteText(admin, '新增');
  const firstRow = await items(page).first().getAttribute('data-row');
  const secondRow = (await items(page).nth(1).getAttribute('data-row')) ?? '';
  expect(secondRow).not.toBe(firstRow);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await admin.open('/');
  await pasteText(admin, '新增');
  await expect(items(page).first()).toHaveAttribute('data-row', secondRow);
});

test(
  'a palette step announces loading, searches the server while typing, and retries after a failure',
  { tag: '@long' },
  async ({ page, admin, store }) => {
    const user = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const txids = ['ab', 'cd'].map((hexPair) => hexPair.repeat(32));
    for (const txid of txids)
      await store.deposit({ userAddress: user, amount: 150_000_000n, txid, status: 'confirmed', mintStatus: 'done' });
    await admin.signIn('operator', '/');
    const recordedUrls: string[] = [];
    page.on('requestfailed', (request) => recordedUrls.push(request.postData() ?? ''));
    const releaseRoute = await holdRoute(page, '**/rpc/withdrawals/candidates');
    await admin.palette('withdrawals.add');
    await expect(paletteDialog(page).getByRole('status').filter({ hasText: '加载中…' })).toBeVisible();
    await page.keyboard.press('Enter');
    releaseRoute();
    await expect(items(page)).toHaveCount(2);

    const releaseAfterTyping = await holdRoute(page, '**/rpc/withdrawals/candidates');
    const candidatesRequest = page.waitForRequest((request) => (request.postData() ?? '').includes('"cdcd"'));
    await page.keyboard.type('cdcd');
    await candidatesRequest;
    await expect(items(page)).toHaveCount(0);
    await input(page).fill('abab');
    await expect.poll(() => recordedUrls.some((body) => body.includes('"cdcd"'))).toBe(true);
    releaseAfterTyping();
    await expect(items(page)).toHaveCount(1);
    await expect(highlightedOption(page)).toContainText(`1.50000000 BTC · ${user}`);

    await page.route('**/rpc/withdrawals/candidates', (route) => route.abort());
    await input(page).fill('cd');
    await expect(paletteDialog(page).getByRole('alert')).toBeVisible();
    await expect(highlightedOption(page)).toHaveText('重试');
    await page.unroute('**/rpc/withdrawals/candidates');
    await page.keyboard.press('Enter');
    await expect(highlightedOption(page)).toContainText(`${txids[1]}:0`);
    await page.keyboard.press('Enter');
    await expect(input(page)).toHaveAttribute('placeholder', /^选择收款地址/);
    await expect(paletteDialog(page).getByText(/1\.50000000 BTC · 0x70/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(input(page)).toHaveValue('cd');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(input(page)).toHaveValue('withdrawals.add');
  },
);

test.describe('Enter in the palette runs the row on screen', () => {
  test('when records arrive late and in any order', { tag: '@long' }, async ({ page, admin, db }) => {
    const [news] = (await db.query(`select id, title from news order by time desc limit 1`)).rows;
    const [analyst] = (await db.query(`select id from administrators order by created_at desc limit 1`)).rows;
    await db.query(`update administrators set description = $1 where id = $2`, [news.title.slice(0, 10), analyst.id]);
    await admin.signIn('all', '/');
    await db.query('begin');
    await db.query('lock table news in access exclusive mode');
    await pasteText(admin, news.title.slice(0, 10));
    // News rank above administrators but respond late, so they are added below.
    await expect(items(page)).toHaveCount(1);
    await expect(highlightedOption(page)).toHaveAttribute('data-row', `administrators:${analyst.id}`);
    await db.query('commit');
    await expect(row(page, `news:${news.id}`)).toBeVisible();
    await expect(highlightedOption(page)).toHaveAttribute('data-row', `administrators:${analyst.id}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/permissions/administrator\\?open=${analyst.id}`));
  });

  test('when a query and Enter are typed before anything is drawn', { tag: '@long' }, async ({ page, admin }) => {
    await admin.signIn('all', '/');
    await pasteText(admin, 'go');
    await page.keyboard.press('ArrowDown');
    await expect(highlightedOption(page)).toHaveAttribute('data-row', /^go\./);
    // One browser task, so that nothing is painted between the letters and Enter.
    await input(page).evaluate((line: HTMLInputElement) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(line, 'theme.set');
      line.dispatchEvent(new Event('input', { bubbles: true }));
      line.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }));
    });
    await expect(input(page)).toHaveAttribute('placeholder', '选择主题…');
    expect(new URL(page.url()).pathname).toBe('/');
  });
});
