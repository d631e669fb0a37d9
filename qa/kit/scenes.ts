// Every screen in every state, and every overlay. New screens are included.
import type { Locator, Page, Route } from '@playwright/test';
import { commandRights } from './commands.ts';
import type { WindowWithAdmin } from './page.ts';

export interface Look {
  locale: 'zh-CN' | 'en-US';
  theme: 'light' | 'dark' | 'contrast';
  width: number;
}

export type Take = (state: string) => Promise<void>;

export interface Scene {
  path: string;
  act?: (page: Page) => Promise<void>;
  /** Cleans up. */
  after?: (page: Page) => Promise<unknown>;
}

export const menuScreens: readonly string[] = Object.entries(commandRights).flatMap(([id, path]) =>
  id.startsWith('go.') ? [path] : [],
);

export const slug = (path: string): string => path.slice(1).replaceAll('/', '-') || 'home';

const dialog = (page: Page) => page.locator('[role="dialog"]:visible, [role="alertdialog"]:visible').first();
const isOwnCall = (url: URL): boolean => /^\/rpc\/(?!session\/|views\/)/.test(url.pathname);

/** Returns the expected states that did not appear. */
export async function tour(page: Page, path: string, takePicture: Take): Promise<string[]> {
  const missing: string[] = [];
  await openScreen(page, path);
  await takePicture('filled');
  const commands = await page.evaluate(async () => (await (window as WindowWithAdmin).admin?.list()) ?? []);
  const screenCommands = commands.filter(({ place }) => place === path);
  const idOf = (key: string) => screenCommands.find(({ keys }) => keys.includes(key))?.id;
  const grid = page.locator('[role="grid"]');
  const searchBox = page.locator('[role="search"] input[aria-keyshortcuts="/"]');
  const isPresent = {
    search: (await grid.count()) > 0 && (await searchBox.count()) > 0,
    rows: (await grid.locator('[role="row"]').count()) > 1,
    checks: (await grid.locator('input[type="checkbox"]').count()) > 0,
  };
  /** By key on the first row, where it may be blocked. */
  const captureDialog = async (state: string, id: string, key: string) => {
    await pressAll(page, 'j');
    const assessment = await page.evaluate((command) => (window as WindowWithAdmin).admin?.assess(command), id);
    if (assessment?.state === 'ok') {
      await pressAll(page, key);
      if (await isReached(dialog(page))) await takePicture(state);
      else missing.push(state);
    }
    await openScreen(page, path);
  };
  if (isPresent.rows && isPresent.checks) {
    await pressAll(page, 'j', 'x', 'Shift+J');
    await takePicture('selected');
    await openScreen(page, path);
  }
  const [addId, editId] = [idOf('c'), idOf('e')];
  if (isPresent.rows && screenCommands.some(({ id }) => id.endsWith('.open')))
    await captureDialog('record', 'list.open', 'Enter');
  if (addId) await captureDialog('form', addId, 'c');
  if (isPresent.rows && editId) await captureDialog('edit', editId, 'e');
  if (isPresent.search) {
    await pressAll(page, '/');
    await page.keyboard.type('zz0000zz'); // matches no name, address or hash
    await pressAll(page, 'Enter');
    if (await isReached(grid.first(), 'detached')) await takePicture('unmatched');
    else missing.push('unmatched');
  }
  await takeWithRoute(page, path, takePicture, 'loading', () => {});
  await takeWithRoute(page, path, takePicture, 'failed', (route) =>
    route.fulfill({ status: 500, json: { json: { code: 'INTERNAL' } }, headers: { 'x-request-id': '01JD0000SCREENSHOT' } }),
  );
  return missing;
}

const isReached = (locator: Locator, state: 'visible' | 'detached' = 'visible'): Promise<boolean> =>
  locator.waitFor({ state, timeout: 3000 }).then(
    () => true,
    () => false,
  );

/** A panel without data. */
export async function emptyTour(page: Page, path: string, takePicture: Take): Promise<void> {
  await openScreen(page, path);
  await takePicture('empty');
}

async function takeWithRoute(page: Page, path: string, takePicture: Take, state: string, respond: (route: Route) => unknown) {
  await page.route(isOwnCall, respond);
  await page.goto(new URL(path, page.url()).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(700); // retries have failed by then
  if (state === 'failed') await page.waitForTimeout(1500);
  await takePicture(state);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** Overlays, and screens outside the menu. */
export const scenes: Record<string, Scene> = {
  'not-found': { path: '/no/such/page' },
  palette: { path: '/news', act: (page) => pressAll(page, 'j', 'j', 'Control+k') },
  'palette-typing': {
    path: '/news',
    act: async (page) => {
      await pressAll(page, 'j', 'Control+k');
      await page.locator('[data-palette-input]').pressSequentially('custody');
      await page.locator('[data-palette] [data-row^="news:"]').first().waitFor();
    },
  },
  'palette-step': {
    path: '/news',
    act: async (page) => {
      await runFromPalette(page, 'theme.set');
      await page.locator('[data-row="option:dark"]').waitFor();
    },
  },
  'palette-review': {
    path: '/news',
    act: async (page) => {
      await pressAll(page, 'j', 'x', 'Shift+J');
      await runFromPalette(page, 'news.delete');
      await page.locator('[data-palette] h2').waitFor();
    },
  },
  'form-refused': {
    path: '/news',
    act: async (page) => {
      await pressAll(page, 'c');
      await dialog(page).getByRole('textbox').first().waitFor();
      await confirmDialog(page);
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  feed: {
    path: '/news',
    act: async (page) => {
      await pressAll(page, 'i');
      await dialog(page).getByRole('option').first().waitFor();
    },
  },
  triage: { path: '/feedback?triage=on', act: (page) => page.locator('[data-triage] article').waitFor() },
  confirm: { path: '/news', act: (page) => pressAll(page, 'j', '#') },
  keys: { path: '/news', act: (page) => pressAll(page, '?') },
  'key-editor': {
    path: '/news',
    act: async (page) => {
      await runFromPalette(page, 'keys.edit');
      await dialog(page).waitFor();
    },
  },
  menu: { path: '/news', act: (page) => pressAll(page, 'j', 'Shift+F10') },
  'account-menu': { path: '/news', act: (page) => page.getByRole('banner').locator('[aria-haspopup="menu"]').last().click() },
  'the-bar': {
    path: '/news',
    act: async (page) => {
      const moreButton = page.locator('#commands [aria-haspopup="menu"]');
      if (await moreButton.isVisible()) await moreButton.click();
    },
  },
  'overview-compare': {
    path: '/overview?compare=true&unit=week&metric=mintYu',
    act: async (page) => {
      await page.getByRole('application').focus();
      await pressAll(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    },
  },
  'overview-table': {
    path: '/overview?compare=true&table=true&range=30',
    act: (page) => page.locator('[data-chart-table]').waitFor(),
  },
  toast: { path: '/news', act: hideAndUndo },
  history: {
    path: '/news',
    act: async (page) => {
      await hideAndUndo(page);
      await pressAll(page, 'g', 'z');
      await dialog(page).getByRole('row').first().waitFor();
    },
  },
  macro: {
    path: '/news',
    act: async (page) => {
      await hideAndUndo(page);
      await runFromPalette(page, 'macros.add');
      await dialog(page).getByRole('row').first().waitFor();
      await pressAll(page, 'x', 'm');
    },
  },
  recorder: {
    path: '/news',
    act: async (page) => {
      if ((await page.evaluate(() => (window as WindowWithAdmin).admin?.assess('qa.record')))?.state === 'hidden')
        await runFromPalette(page, 'qa.toggle');
      await runFromPalette(page, 'qa.record');
      await hideAndUndo(page);
      await runFromPalette(page, 'qa.stopRecording');
      await page.locator('[data-recorded]').waitFor();
    },
  },
  batch: {
    path: '/news',
    act: async (page) => {
      await page.route('**/rpc/news/hide', (route) => {
        const { items } = (route.request().postDataJSON() as { json: { items: { id: string }[] } }).json;
        return route.fulfill({ json: { json: { done: [], failed: items.map(({ id }) => ({ id, code: 'CONFLICT' })) } } });
      });
      await pressAll(page, 'j', 'x', 'Shift+J', 'h');
      await confirmDialog(page);
      await page.locator('[data-batch="finished"]').waitFor();
    },
    after: (page) => page.unrouteAll(),
  },
  offline: {
    path: '/news',
    act: async (page) => {
      await page.context().setOffline(true);
      await page.locator('[data-state="offline"]').waitFor();
    },
    after: (page) => page.context().setOffline(false),
  },
  newer: {
    path: '/news',
    act: async (page) => {
      await page.route('**/rpc/**', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'x-build': 'another' } });
      });
      await pressAll(page, 'r');
      await page.locator('[data-state="newer"]').waitFor();
    },
    after: (page) => page.unrouteAll(),
  },
};

/** Waits for the screen's requests. */
export async function openScreen(page: Page, path: string): Promise<void> {
  let pendingRequests = 0;
  const createCounter = (delta: number) => (request: { url(): string }) => {
    if (request.url().includes('/rpc/')) pendingRequests += delta;
  };
  const [onRequest, onRequestEnd] = [createCounter(1), createCounter(-1)];
  page.on('request', onRequest).on('requestfinished', onRequestEnd).on('requestfailed', onRequestEnd);
  await page.goto(new URL(path, page.url()).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => (window as WindowWithAdmin).admin !== undefined || /^\/(login|404)$/.test(location.pathname));
  // The event stream prevents network idle.
  for (let quietChecks = 0; quietChecks < 4; quietChecks = pendingRequests > 0 ? 0 : quietChecks + 1)
    await page.waitForTimeout(50);
  page.off('request', onRequest).off('requestfinished', onRequestEnd).off('requestfailed', onRequestEnd);
}

async function runFromPalette(page: Page, id: string): Promise<void> {
  await pressAll(page, 'Control+k');
  await page.locator('[data-palette-input]').fill(id);
  await page.locator(`[data-palette] [data-row="${id}"]`).waitFor();
  await pressAll(page, 'Enter');
}

/** Touch devices may not focus it. */
const confirmDialog = (page: Page) => dialog(page).getByRole('button').last().click();

async function hideAndUndo(page: Page): Promise<void> {
  await pressAll(page, 'j', 'h');
  await confirmDialog(page);
  await page.locator('[data-toast="success"]:has(kbd)').first().waitFor({ state: 'attached' });
  await pressAll(page, 'Control+z');
}

export async function pressAll(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(300); // data has settled
}
