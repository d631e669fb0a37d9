import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { build, type Rolldown } from 'vite';
import { allNames } from '../../api/all-names.ts';
import { signInDemo } from '../../scripts/command/signed-in.ts';

export async function openSignedInContext(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  // tsx wraps functions in a helper that names them. Functions evaluated in the page need this helper too.
  await context.addInitScript({ content: 'globalThis.__name = (value) => value' });
  const page = await context.newPage();
  await signInDemo(page, url);
  await page.close();
  return context;
}

export async function openPanel(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/news`);
  await page.locator('[role="row"]').nth(1).waitFor();
  await page.waitForFunction(() => 'admin' in window);
  return page;
}

export async function loadAllRows(page: Page, rows: number): Promise<void> {
  const readRowCount = () =>
    page.evaluate(() => Number(document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex')) - 1);
  await page.keyboard.press('j');
  for (
    let previousCount = 0, unchangedCount = 0;
    (await readRowCount()) < rows && unchangedCount < 200;
    previousCount = await readRowCount()
  ) {
    await page.keyboard.press('End');
    await page.waitForTimeout(20);
    unchangedCount = (await readRowCount()) === previousCount ? unchangedCount + 1 : 0;
  }
  if ((await readRowCount()) !== rows) throw new Error(`The list loaded ${await readRowCount()} of ${rows} rows.`);
}

export async function openPeer(context: BrowserContext, rows: number): Promise<Page> {
  const [result] = (await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('peer.tsx', import.meta.url)), formats: ['iife'], name: 'peer' },
    },
  })) as Rolldown.RolldownOutput[];
  const page = await context.newPage();
  await page.setContent('<!doctype html><title>peer</title>');
  const peerItems = [...new Set(Object.values(allNames).map(({ en }) => en))];
  await page.evaluate((windowValues) => void Object.assign(window, windowValues), { peerItems, peerRows: rows });
  for (const file of result?.output ?? []) if (file.type === 'chunk') await page.addScriptTag({ content: file.code });
  return page;
}
