import { rm } from 'node:fs/promises';
import type { Page, Route } from 'playwright/test';
import { Admin, expect, test } from '../fixtures.ts';
import { importedScripts, createNewerBuild, scriptPath, sharedScript, stylesheetPath } from '../support/build.ts';
import { findFreePort } from '../../chain/free-port.ts';
import { PanelServers } from '../support/server.ts';
import { build } from '../../testing/factories/build.ts';

test.use({ ownContext: true }); // needs its own context, because it breaks loading

const audit = scriptPath('src/views/audit/screen.tsx');
const alertElement = (page: Page) => page.getByRole('alert');
const retryButton = (page: Page) => page.getByRole('button', { name: '重试', exact: true });
const filter = (page: Page) => page.getByRole('textbox', { name: '搜索' });
const goToAudit = (page: Page) => page.getByRole('link', { name: '操作日志' }).first().click();
const fulfillNotFound = (route: Route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' });

const markPage = (page: Page) => page.evaluate(() => void Object.assign(window, { stillHere: true }));
const isSamePage = (page: Page) => page.evaluate(() => 'stillHere' in window);

/**
 * Once the page imported the broken response, it stays broken, as in browsers that remember
 * failures.
 */
async function breakFile(page: Page, file: string, fulfillRoute: (route: Route) => unknown): Promise<() => Promise<void>> {
  let state: 'broken' | 'mended' | 'remembered' = 'broken';
  await page.route(`**${file}`, (route) => {
    if (state === 'broken') return fulfillRoute(route);
    return state === 'remembered' && route.request().resourceType() === 'script' ? route.abort() : route.fallback();
  });
  return async () => void (state = (await readImports(page)).includes(file) ? 'remembered' : 'mended');
}

const readImports = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => (entry as PerformanceResourceTiming).initiatorType === 'script')
      .map(({ name }) => new URL(name).pathname),
  );

const failureCases: [string, string, (route: Route) => Promise<void>, boolean?][] = [
  ['deleted', '文件下载失败（missing）', fulfillNotFound, true],
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
for (const [index, [caseName, messageText, fulfillRoute, isRetriedInPlace = false]] of failureCases.entries()) {
  const kind = index === 0 ? {} : { tag: '@long' };
  test(
    `a screen whose script is ${caseName} shows an error with Retry in its place`,
    kind,
    async ({ page, admin, complaints }) => {
      await admin.signIn('all', '/notices');
      const restoreFile = await breakFile(page, audit, fulfillRoute);
      await goToAudit(page);
      await expect(alertElement(page)).toContainText('Loading chunk failed');
      await expect(alertElement(page)).toContainText(messageText);
      await expect(retryButton(page)).toBeFocused();
      await expect(page.getByRole('navigation').first()).toBeVisible();

      await markPage(page);
      await restoreFile();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      await expect(page).toHaveURL(/\/audit$/);
      expect(await isSamePage(page)).toBe(isRetriedInPlace); // many browsers cache a failed script, so only a reload helps
      const isMimeComplaint = (complaint: string) => complaint.includes('responded with a MIME type of "text/html"');
      expect(complaints.splice(0).filter((complaint) => isRetriedInPlace || !isMimeComplaint(complaint))).toEqual([]);
    },
  );
}

test('a failed shared script shows the screen’s error with Retry', { tag: '@long' }, async ({ page, admin }) => {
  const requestedFiles = new Set<string>();
  page.on('request', (request) => requestedFiles.add(new URL(request.url()).pathname));
  await admin.signIn('all', '/notices');
  const [sharedFile = ''] = importedScripts('src/views/audit/screen.tsx').filter((file) => !requestedFiles.has(file));
  expect(sharedFile).toMatch(/\.js$/);
  const restoreFile = await breakFile(page, sharedFile, fulfillNotFound);
  await goToAudit(page);
  await expect(alertElement(page)).toContainText('文件下载失败（missing）');
  await markPage(page);
  await retryButton(page).click();
  await expect(retryButton(page)).not.toHaveAttribute('aria-busy');
  await restoreFile();
  await retryButton(page).click();
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
    await expect(alertElement(page)).toContainText('文件已损坏（RangeError）');
    await markPage(page);
    await page.unroute(`**${audit}`);
    await retryButton(page).click();
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
    let releaseDictionary = () => {};
    const dictionaryReleased = new Promise<void>((resolve) => (releaseDictionary = resolve));
    await page.route('**', (route) => dictionaryReleased.then(() => route.fallback()));
    let restoreFile = async () => {};
    await new Promise<void>((resolve, reject) => {
      breakFile(page, audit, () => resolve())
        .then((restore) => ((restoreFile = restore), goToAudit(page)))
        .catch(reject);
    });
    await page.clock.fastForward(115_000);
    await expect(page.getByRole('main').getByText('加载中')).toBeAttached();
    await expect(alertElement(page)).toHaveCount(0);
    await page.clock.fastForward(5_000);
    await expect(alertElement(page)).toContainText('120 秒内未能下载完成（timeout）');
    await markPage(page);
    await restoreFile();
    await retryButton(page).click();
    releaseDictionary();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    expect(await isSamePage(page)).toBe(true);
  },
);

test(
  'a missing or hanging stylesheet is distinguished from its script and requested again',
  { tag: '@long' },
  async ({ page, admin }) => {
    const stylesheet = stylesheetPath('src/lib/ui/chart/plot.ts');
    await page.route(`**${stylesheet}`, fulfillNotFound);
    await admin.signIn('all', '/overview');
    const chunkAlert = alertElement(page).filter({ hasText: 'Loading CSS chunk failed' });
    await expect(chunkAlert.first()).toContainText('（missing）');

    await page.clock.install();
    await markPage(page);
    await page.unroute(`**${stylesheet}`);
    const hangingRoute = new Promise<Route>((resolve) => void page.route(`**${stylesheet}`, resolve));
    await retryButton(page).first().click();
    await hangingRoute;
    await page.clock.fastForward(120_000);
    await expect(chunkAlert.first()).toContainText('（timeout）');

    await page.unroute(`**${stylesheet}`);
    await retryButton(page).first().click();
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
  const recordScript = scriptPath('src/views/news/record.tsx');
  const restoreFile = await breakFile(page, recordScript, fulfillNotFound);
  await admin.open('/news');
  await markPage(page);
  await openFiltered(page, 'Chunk');
  await expect(alertElement(page)).toContainText('Loading chunk failed');
  await expect(filter(page)).toHaveValue('Chunk');
  await markPage(page);
  await restoreFile();
  await retryButton(page).click();
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
    const restoreFile = await breakFile(page, sharedScript('workbench'), fulfillNotFound);
    await page.goto(`${admin.url}/news`);
    await page.locator('[data-command="news.add"]').first().click();
    await expect(alertElement(page)).toContainText('Loading chunk failed');
    await markPage(page);
    await restoreFile();
    await retryButton(page).click();
    await page.locator('[data-toast]').filter({ hasText: 'Loading chunk failed' }).getByRole('button', { name: '重试' }).click();
    await expect(page.getByRole('dialog').getByLabel('标题')).toBeVisible();
    expect(await isSamePage(page)).toBe(true);
  },
);

for (const [inputMethod, openPalette] of [
  ['its key', (page: Page) => page.keyboard.press('Control+k')],
  ['its button', (page: Page) => page.locator('header [data-command="palette.open"]').click()],
] as const)
  test(
    `text typed after ${inputMethod} before the palette is loaded appears in it`,
    { tag: '@long' },
    async ({ page, admin }) => {
      await admin.signIn('all', '/notices');
      let releaseResponse = () => {};
      const heldResponse = new Promise<void>((resolve) => (releaseResponse = resolve));
      await page.route(`**${sharedScript('workbench')}`, async (route) => {
        await heldResponse;
        await route.fallback();
      });
      await page.goto(`${admin.url}/news`);
      await expect(page.locator('main [role="row"]').nth(1)).toBeVisible();
      await openPalette(page);
      await page.keyboard.type('news.ad');
      await expect(page.locator('[data-palette-input]')).toHaveCount(0);
      releaseResponse();
      await expect(page.locator('[data-palette-input]')).toHaveValue('news.ad');
      await page.keyboard.type('d');
      await page.locator('[data-row="news.add"]').waitFor();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog').getByLabel('标题')).toBeVisible();
    },
  );

test.describe('the first files', () => {
  test.afterEach(({ complaints }) => void complaints.splice(0));
  const entry = scriptPath('index.html');
  const start = (page: Page) => page.locator('#start');

  for (const [caseName, cause, fulfillRoute] of [
    ['deleted', 'missing', fulfillNotFound],
    ['a page in its place', 'text/html', (route: Route) => route.fulfill({ contentType: 'text/html', body: '<p>' })],
    ['cut short', 'SyntaxError', (route: Route) => route.fulfill({ contentType: 'text/javascript', body: 'import {' })],
  ] as const) {
    const kind = cause === 'missing' ? {} : { tag: '@long' };
    test(
      `a page whose first script is ${caseName} shows an error in both languages with a way to continue`,
      kind,
      async ({ page, server }) => {
        await page.route(`**${entry}`, fulfillRoute);
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
      const dictionaryScript = scriptPath('src/lib/i18n/zh-CN/access/sign-in.ts');
      await page.route(`**${dictionaryScript}`, fulfillNotFound);
      await page.goto(`${server.url}/login`);
      await expect(start(page)).toContainText('Loading chunk failed (missing)');
      await page.unroute(`**${dictionaryScript}`);

      await page.route(`**${stylesheetPath('index.html')}`, fulfillNotFound);
      await page.goto(`${server.url}/login`);
      await expect(start(page)).toContainText('Loading CSS chunk failed (missing)');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('欢迎使用管理后台');
      await page.unroute(`**${stylesheetPath('index.html')}`);

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
      const newerBuildFolder = await createNewerBuild();
      const env = { PORT: String(await findFreePort()) };
      const panels = new PanelServers();
      let ownServer = await panels.start(server.databaseUrl, env);
      try {
        const admin = new Admin(page, ownServer.url);
        await admin.signIn('all', '/notices');
        await page.keyboard.press('c');
        const form = page.getByRole('dialog');
        await form.getByLabel('公告内容').fill('Typed under the old build');
        let loadCount = 0;
        page.on('load', () => loadCount++);

        await ownServer.stop();
        ownServer = await panels.start(server.databaseUrl, { ...env, PANEL_DIR: newerBuildFolder });
        const newerBuildBar = page.locator('[data-state="newer"]');
        await expect(newerBuildBar).toBeVisible();
        expect(loadCount).toBe(0);
        await expect(form.getByLabel('公告内容')).toHaveValue('Typed under the old build');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Enter');
        await expect(form).toHaveCount(0);
        await page.keyboard.press('Alt+r');
        await expect.poll(() => loadCount).toBe(1);
        await admin.ready();
        await expect(newerBuildBar).toHaveCount(0);
        await page.keyboard.press('c');
        await expect(form.getByLabel('公告内容')).toHaveValue('Typed under the old build');

        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: '丢弃并关闭' }).click();
        await expect(page.locator('[data-state-said]')).toBeAttached();
        await ownServer.stop();
        ownServer = await panels.start(server.databaseUrl, env);
        await goToAudit(page);
        await expect(page.getByRole('row').nth(1)).toBeVisible();
        await expect(page).toHaveURL(/\/audit$/);
        await expect.poll(() => loadCount).toBe(2);
        await expect(newerBuildBar).toHaveCount(0);
      } finally {
        await ownServer.stop();
        await panels.close();
        await rm(newerBuildFolder, { recursive: true });
      }
    },
  );

  test(
    'that does not help is not retried, and one that would lose typed text waits',
    { tag: '@long' },
    async ({ page, admin }) => {
      await admin.signIn('all', '/news');
      await addNews(admin, 'Newer');
      const recordScript = scriptPath('src/views/news/record.tsx');
      const fulfillGone = (route: Route) =>
        route.fulfill({ status: 404, headers: { 'x-build': 'anotherBuild' }, body: 'Not found' });
      await page.route(`**${audit}`, fulfillGone);
      let loadCount = 0;
      page.on('load', () => loadCount++);
      await goToAudit(page);
      await expect(alertElement(page)).toContainText('系统已更新（missing）。请重新加载页面以使用新版本。');
      expect(loadCount).toBe(1);
      await expect(page.locator('[data-state="newer"]')).toBeVisible();
      await admin.ready();
      await page.keyboard.press('Alt+r');
      await expect.poll(() => loadCount).toBe(2);
      await expect(alertElement(page)).toContainText('系统已更新');

      await page.evaluate(() => sessionStorage.clear());
      await page.route(`**${recordScript}`, fulfillGone);
      await admin.open('/news');
      loadCount = 0;
      await openFiltered(page, 'Newer');
      await expect(alertElement(page)).toContainText('系统已更新');
      await expect(filter(page)).toHaveValue('Newer');
      expect(loadCount).toBe(0);
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
    const requestPaths: string[] = [];
    page.on('request', (request) => requestPaths.push(new URL(request.url()).pathname));
    await admin.run('notices.add', { params: build.noticeFields({ content: title }) });
    requestPaths.length = 0;
    await page.reload();
    await expect(page.getByRole('row').filter({ hasText: title })).toBeVisible();
    const listRequests = requestPaths.filter((path) => path === '/rpc/notices/list');
    expect(listRequests).toHaveLength(1);
    const scriptRequests = requestPaths.filter((path) => path.endsWith('.js'));
    expect(scriptRequests).toEqual([...new Set(scriptRequests)]); // each once, as a script
    expect(requestPaths.indexOf('/rpc/notices/list')).toBeLessThan(
      requestPaths.findIndex((path) => /\/panel-[\w-]+\.js$/.test(path)),
    );
  },
);
