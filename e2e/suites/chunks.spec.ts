import { rm } from 'node:fs/promises';
import type { Page, Route } from 'playwright/test';
import { Admin, expect, test } from '../fixtures.ts';
import { importsOf, newerBuild, scriptOf, sharedScript, stylesheetOf } from '../support/build.ts';
import { freePort } from '../../chain/free-port.ts';
import { Panels } from '../support/server.ts';
import { build } from '../../testing/factories/build.ts';

test.use({ ownContext: true }); // needs its own context, because it breaks loading

const audit = scriptOf('src/views/audit/screen.tsx');
const alert = (page: Page) => page.getByRole('alert');
const retry = (page: Page) => page.getByRole('button', { name: '重试', exact: true });
const filter = (page: Page) => page.getByRole('textbox', { name: '搜索' });
const goToAudit = (page: Page) => page.getByRole('link', { name: '操作日志' }).first().click();
const missing = (route: Route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' });

const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { stillHere: true }));
const isSamePage = (page: Page) => page.evaluate(() => 'stillHere' in window);

/**
 * Once the page imported the broken response, it stays broken, as in browsers that remember
 * failures.
 */
async function breakFile(page: Page, file: string, answer: (route: Route) => unknown): Promise<() => Promise<void>> {
  let state: 'broken' | 'mended' | 'remembered' = 'broken';
  await page.route(`**${file}`, (route) => {
    if (state === 'broken') return answer(route);
    return state === 'remembered' && route.request().resourceType() === 'script' ? route.abort() : route.fallback();
  });
  return async () => void (state = (await importedBy(page)).includes(file) ? 'remembered' : 'mended');
}

const importedBy = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => (entry as PerformanceResourceTiming).initiatorType === 'script')
      .map(({ name }) => new URL(name).pathname),
  );

const causes: [string, string, (route: Route) => Promise<void>, boolean?][] = [
  ['deleted', '文件下载失败（missing）', missing, true],
  ['cut off', '文件下载失败（missing）', (route) => route.abort(), true],
  [
    'a page in its place',
    '文件已损坏（text/html）',
    (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Sign in to the network' }),
  ],
  [
    'cut short',
    '文件已损坏（SyntaxError）',
    (route) => route.fulfill({ contentType: 'text/javascript', body: 'export const Audit = (' }),
  ],
];
for (const [at, [what, words, answer, isInPlace = false]] of causes.entries()) {
  const kind = at === 0 ? {} : { tag: '@long' };
  test(`a screen whose script is ${what} shows an error with Retry in its place`, kind, async ({ page, admin, complaints }) => {
    await admin.signIn('all', '/notices');
    const mend = await breakFile(page, audit, answer);
    await goToAudit(page);
    await expect(alert(page)).toContainText('Loading chunk failed');
    await expect(alert(page)).toContainText(words);
    await expect(retry(page)).toBeFocused();
    await expect(page.getByRole('navigation').first()).toBeVisible();

    await mark(page);
    await mend();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(page).toHaveURL(/\/audit$/);
    expect(await isSamePage(page)).toBe(isInPlace); // many browsers cache a failed script, so only a reload helps
    const isOfType = (complaint: string) => complaint.includes('responded with a MIME type of "text/html"');
    expect(complaints.splice(0).filter((complaint) => isInPlace || !isOfType(complaint))).toEqual([]);
  });
}

test('a failed shared script shows the screen’s error with Retry', { tag: '@long' }, async ({ page, admin }) => {
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).pathname));
  await admin.signIn('all', '/notices');
  const [shared = ''] = importsOf('src/views/audit/screen.tsx').filter((file) => !asked.has(file));
  expect(shared).toMatch(/\.js$/);
  const mend = await breakFile(page, shared, missing);
  await goToAudit(page);
  await expect(alert(page)).toContainText('文件下载失败（missing）');
  await mark(page);
  await retry(page).click();
  await expect(retry(page)).not.toHaveAttribute('aria-busy');
  await mend();
  await retry(page).click();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(await isSamePage(page)).toBe(true);
});

test(
  'a script that fails on start needs a new page, which Retry loads',
  { tag: '@long' },
  async ({ page, admin, complaints }) => {
    await admin.signIn('all', '/notices');
    const body = 'throw new RangeError("broken");export{};';
    await page.route(`**${audit}`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
    await goToAudit(page);
    await expect(alert(page)).toContainText('文件已损坏（RangeError）');
    await mark(page);
    await page.unroute(`**${audit}`);
    await retry(page).click();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    expect(await isSamePage(page)).toBe(false);
    complaints.splice(0);
  },
);

test(
  'a script without response fails after exactly 120,000 ms, and Retry requests it again',
  { tag: '@long' },
  async ({ page, admin }) => {
    await admin.signIn('all', '/notices');
    await page.clock.install();
    // Two minutes without events count as silence, so the test holds back later responses.
    let speak = () => {};
    const spoken = new Promise<void>((resolve) => (speak = resolve));
    await page.route('**', (route) => spoken.then(() => route.fallback()));
    let mend = async () => {};
    await new Promise<void>((resolve, reject) => {
      breakFile(page, audit, () => resolve())
        .then((done) => ((mend = done), goToAudit(page)))
        .catch(reject);
    });
    await page.clock.fastForward(115_000);
    await expect(page.getByRole('main').getByText('加载中')).toBeAttached();
    await expect(alert(page)).toHaveCount(0);
    await page.clock.fastForward(5_000);
    await expect(alert(page)).toContainText('120 秒内未能下载完成（timeout）');
    await mark(page);
    await mend();
    await retry(page).click();
    speak();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    expect(await isSamePage(page)).toBe(true);
  },
);

test(
  'a missing or hanging stylesheet is distinguished from its script and requested again',
  { tag: '@long' },
  async ({ page, admin }) => {
    const styles = stylesheetOf('src/lib/ui/chart/plot.ts');
    await page.route(`**${styles}`, missing);
    await admin.signIn('all', '/overview');
    const failed = alert(page).filter({ hasText: 'Loading CSS chunk failed' });
    await expect(failed.first()).toContainText('（missing）');

    await page.clock.install();
    await mark(page);
    await page.unroute(`**${styles}`);
    const hanging = new Promise<Route>((resolve) => void page.route(`**${styles}`, resolve));
    await retry(page).first().click();
    await hanging;
    await page.clock.fastForward(120_000);
    await expect(failed.first()).toContainText('（timeout）');

    await page.unroute(`**${styles}`);
    await retry(page).first().click();
    await expect(page.locator('canvas').first()).toBeVisible();
    expect(await isSamePage(page)).toBe(true);
  },
);

async function openFiltered(page: Page, title: string): Promise<void> {
  await filter(page).fill(title);
  await expect(page).toHaveURL(new RegExp(`q=${title}`));
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('row', { name: title }).click();
}

const addNews = (admin: Admin, title: string) =>
  admin.run('news.add', { params: build.newsFields({ title, time: new Date().toISOString() }) });

test('a drawer that fails to load leaves the list and its typed filter unchanged', { tag: '@long' }, async ({ page, admin }) => {
  await admin.signIn('all', '/news');
  await addNews(admin, 'Chunk');
  const record = scriptOf('src/views/news/record.tsx');
  const mend = await breakFile(page, record, missing);
  await admin.open('/news');
  await mark(page);
  await openFiltered(page, 'Chunk');
  await expect(alert(page)).toContainText('Loading chunk failed');
  await expect(filter(page)).toHaveValue('Chunk');
  await mark(page);
  await mend();
  await retry(page).click();
  await expect(page.locator('[data-record]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(filter(page)).toHaveValue('Chunk');
  expect(await isSamePage(page)).toBe(true);
});

test(
  'a palette or form that fails to load shows an error in its place, and Retry opens it',
  { tag: '@long' },
  async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    const mend = await breakFile(page, sharedScript('workbench'), missing);
    await page.goto(`${admin.url}/news`);
    await page.locator('[data-command="news.add"]').first().click();
    await expect(alert(page)).toContainText('Loading chunk failed');
    await mark(page);
    await mend();
    await retry(page).click();
    await page.locator('[data-toast]').filter({ hasText: 'Loading chunk failed' }).getByRole('button', { name: '重试' }).click();
    await expect(page.getByRole('dialog').getByLabel('标题')).toBeVisible();
    expect(await isSamePage(page)).toBe(true);
  },
);

for (const [how, open] of [
  ['its key', (page: Page) => page.keyboard.press('Control+k')],
  ['its button', (page: Page) => page.locator('header [data-command="palette.open"]').click()],
] as const)
  test(`text typed after ${how} before the palette is loaded appears in it`, { tag: '@long' }, async ({ page, admin }) => {
    await admin.signIn('all', '/notices');
    let come = () => {};
    const held = new Promise<void>((resolve) => (come = resolve));
    await page.route(`**${sharedScript('workbench')}`, async (route) => {
      await held;
      await route.fallback();
    });
    await page.goto(`${admin.url}/news`);
    await expect(page.locator('main [role="row"]').nth(1)).toBeVisible();
    await open(page);
    await page.keyboard.type('news.ad');
    await expect(page.locator('[data-palette-input]')).toHaveCount(0);
    come();
    await expect(page.locator('[data-palette-input]')).toHaveValue('news.ad');
    await page.keyboard.type('d');
    await page.locator('[data-row="news.add"]').waitFor();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByLabel('标题')).toBeVisible();
  });

test.describe('the first files', () => {
  test.afterEach(({ complaints }) => void complaints.splice(0));
  const entry = scriptOf('index.html');
  const start = (page: Page) => page.locator('#start');

  for (const [what, cause, answer] of [
    ['deleted', 'missing', missing],
    ['a page in its place', 'text/html', (route: Route) => route.fulfill({ contentType: 'text/html', body: '<p>' })],
    ['cut short', 'SyntaxError', (route: Route) => route.fulfill({ contentType: 'text/javascript', body: 'import {' })],
  ] as const) {
    const kind = cause === 'missing' ? {} : { tag: '@long' };
    test(
      `a page whose first script is ${what} shows an error in both languages with a way to continue`,
      kind,
      async ({ page, server }) => {
        await page.route(`**${entry}`, answer);
        await page.goto(`${server.url}/login?x=1`);
        await expect(start(page)).toContainText(`Loading chunk failed (${cause})`);
        await expect(start(page)).toContainText('页面未能启动');
        await page.unroute(`**${entry}`);
        await page.getByRole('link', { name: 'Reload' }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('欢迎使用管理后台');
        await expect(page).toHaveURL(/\/login\?x=1$/);
        await expect(start(page)).toHaveCount(0);
      },
    );
  }

  test('an unsupported browser gets a list of supported ones', { tag: '@long' }, async ({ page, server }) => {
    await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'any'));
    await page.goto(`${server.url}/login`);
    await expect(start(page).getByText('此浏览器版本过旧')).toBeVisible();
    await expect(start(page).getByText('This browser is too old')).toBeVisible();
    await expect(start(page).getByText('页面未能启动')).toBeHidden();
    await expect(page.locator('#root')).toBeEmpty();
  });

  test(
    'missing words, a missing stylesheet and a hanging script are each reported',
    { tag: '@long' },
    async ({ page, server }) => {
      const words = scriptOf('src/lib/i18n/zh-CN/access/sign-in.ts');
      await page.route(`**${words}`, missing);
      await page.goto(`${server.url}/login`);
      await expect(start(page)).toContainText('Loading chunk failed (missing)');
      await page.unroute(`**${words}`);

      await page.route(`**${stylesheetOf('index.html')}`, missing);
      await page.goto(`${server.url}/login`);
      await expect(start(page)).toContainText('Loading CSS chunk failed (missing)');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('欢迎使用管理后台');
      await page.unroute(`**${stylesheetOf('index.html')}`);

      await page.clock.install();
      await page.route(`**${entry}`, () => {});
      await page.goto(`${server.url}/login`, { waitUntil: 'commit' });
      await expect(start(page)).toBeAttached();
      await page.clock.fastForward(120_000);
      await expect(start(page)).toContainText('Loading chunk failed (timeout)');
    },
  );
});

test.describe('a newer build', () => {
  test(
    'is announced, loaded by one key with typed text kept, and loaded automatically where its files are needed',
    { tag: '@long' },
    async ({ page, server }) => {
      const newer = await newerBuild();
      const env = { PORT: String(await freePort()) };
      const panels = new Panels();
      let own = await panels.start(server.databaseUrl, env);
      try {
        const admin = new Admin(page, own.url);
        await admin.signIn('all', '/notices');
        await page.keyboard.press('c');
        const form = page.getByRole('dialog');
        await form.getByLabel('公告内容').fill('Typed under the old build');
        let loads = 0;
        page.on('load', () => loads++);

        await own.stop();
        own = await panels.start(server.databaseUrl, { ...env, PANEL_DIR: newer });
        const bar = page.locator('[data-state="newer"]');
        await expect(bar).toBeVisible();
        expect(loads).toBe(0);
        await expect(form.getByLabel('公告内容')).toHaveValue('Typed under the old build');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Enter');
        await expect(form).toHaveCount(0);
        await page.keyboard.press('Alt+r');
        await expect.poll(() => loads).toBe(1);
        await admin.ready();
        await expect(bar).toHaveCount(0);
        await page.keyboard.press('c');
        await expect(form.getByLabel('公告内容')).toHaveValue('Typed under the old build');

        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: '丢弃并关闭' }).click();
        await expect(page.locator('[data-state-said]')).toBeAttached();
        await own.stop();
        own = await panels.start(server.databaseUrl, env);
        await goToAudit(page);
        await expect(page.getByRole('row').nth(1)).toBeVisible();
        await expect(page).toHaveURL(/\/audit$/);
        await expect.poll(() => loads).toBe(2);
        await expect(bar).toHaveCount(0);
      } finally {
        await own.stop();
        await panels.close();
        await rm(newer, { recursive: true });
      }
    },
  );

  test(
    'that does not help is not retried, and one that would lose typed text waits',
    { tag: '@long' },
    async ({ page, admin }) => {
      await admin.signIn('all', '/news');
      await addNews(admin, 'Newer');
      const record = scriptOf('src/views/news/record.tsx');
      const gone = (route: Route) => route.fulfill({ status: 404, headers: { 'x-build': 'anotherBuild' }, body: 'Not found' });
      await page.route(`**${audit}`, gone);
      let loads = 0;
      page.on('load', () => loads++);
      await goToAudit(page);
      await expect(alert(page)).toContainText('系统已更新（missing）。请重新加载页面以使用新版本。');
      expect(loads).toBe(1);
      await expect(page.locator('[data-state="newer"]')).toBeVisible();
      await admin.ready();
      await page.keyboard.press('Alt+r');
      await expect.poll(() => loads).toBe(2);
      await expect(alert(page)).toContainText('系统已更新');

      await page.evaluate(() => sessionStorage.clear());
      await page.route(`**${record}`, gone);
      await admin.open('/news');
      loads = 0;
      await openFiltered(page, 'Newer');
      await expect(alert(page)).toContainText('系统已更新');
      await expect(filter(page)).toHaveValue('Newer');
      expect(loads).toBe(0);
    },
  );
});

test(
  'a list that was opened in an earlier visit requests its rows once, before its code is loaded, and shows current rows',
  { tag: '@long' },
  async ({ page, admin }) => {
    await admin.signIn('all', '/notices');
    await admin.ready();
    const title = `early ${Date.now()}`;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await admin.run('notices.add', { params: build.noticeFields({ content: title }) });
    asked.length = 0;
    await page.reload();
    await expect(page.getByRole('row').filter({ hasText: title })).toBeVisible();
    const lists = asked.filter((path) => path === '/rpc/notices/list');
    expect(lists).toHaveLength(1);
    const scripts = asked.filter((path) => path.endsWith('.js'));
    expect(scripts).toEqual([...new Set(scripts)]); // each once, as a script
    expect(asked.indexOf('/rpc/notices/list')).toBeLessThan(asked.findIndex((path) => /\/panel-[\w-]+\.js$/.test(path)));
  },
);
