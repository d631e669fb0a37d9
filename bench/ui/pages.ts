import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import type { Browser, BrowserContext, Page } from 'playwright';
import { build, type Rolldown } from 'vite';
import { allNames as names } from '../../api/all-names.ts';
import { signInDemo } from '../../scripts/command/signed-in.ts';

/** What the peers' palettes offer: as many as the panel has commands, by the same names. */
const items = [...new Set(Object.values(names).map(({ en }) => en))];

/** A window in which somebody is signed in to the panel. */
export async function signedIn(on: Browser, url: string): Promise<BrowserContext> {
  const context = await on.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  // tsx gives every function its name by a helper, which the functions sent into the page need there.
  await context.addInitScript({ content: 'globalThis.__name = (value) => value' });
  const page = await context.newPage();
  await signInDemo(page, url);
  await page.close();
  return context;
}

/** The list of news with all its rows loaded; null: with its first page. */
export async function openPanel(context: BrowserContext, url: string, rows: number | null): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/news`);
  await page.locator('[role="row"]').nth(1).waitFor();
  await page.waitForFunction(() => 'admin' in window); // from here on keys are listened to
  if (rows !== null) await loadAll(page, rows);
  return page;
}

/** Ends at the end until there is no more. */
async function loadAll(page: Page, rows: number): Promise<void> {
  await page.keyboard.press('j');
  const last = () => page.evaluate(() => Number(document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex')) - 1);
  for (let before = 0, stuck = 0; (await last()) < rows && stuck < 200; before = await last()) {
    await page.keyboard.press('End');
    await page.waitForTimeout(20);
    stuck = (await last()) === before ? stuck + 1 : 0;
  }
  if ((await last()) !== rows) throw new Error(`${await last()} rows were loaded, not ${rows}`);
}

/** A peer of this folder, built as it would be shipped. */
export async function openPeer(context: BrowserContext, name: 'plain' | 'styled', rows: number): Promise<Page> {
  const [result] = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [tailwindcss()],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL(`peers/${name}.tsx`, import.meta.url)), formats: ['iife'], name: 'peer' },
    },
  })) as Rolldown.RolldownOutput[];
  const page = await context.newPage();
  await page.setContent('<!doctype html><title>peer</title>');
  await page.evaluate((given) => void Object.assign(window, given), { peerItems: items, peerRows: rows });
  for (const file of result?.output ?? [])
    if (file.type === 'chunk') await page.addScriptTag({ content: file.code });
    else await page.addStyleTag({ content: String(file.source) });
  return page;
}
