import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { build, type Rolldown } from 'vite';
import { allNames } from '../../api/all-names.ts';
import { signInDemo } from '../../scripts/command/signed-in.ts';

export async function signedIn(browser: Browser, url: string): Promise<BrowserContext> {
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

export async function loadAll(page: Page, rows: number): Promise<void> {
  const last = () => page.evaluate(() => Number(document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex')) - 1);
  await page.keyboard.press('j');
  for (let before = 0, stuck = 0; (await last()) < rows && stuck < 200; before = await last()) {
    await page.keyboard.press('End');
    await page.waitForTimeout(20);
    stuck = (await last()) === before ? stuck + 1 : 0;
  }
  if ((await last()) !== rows) throw new Error(`The list loaded ${await last()} of ${rows} rows.`);
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
  await page.evaluate((given) => void Object.assign(window, given), { peerItems, peerRows: rows });
  for (const file of result?.output ?? []) if (file.type === 'chunk') await page.addScriptTag({ content: file.code });
  return page;
}
