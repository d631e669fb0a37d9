import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type KeyInput } from 'puppeteer-core';
import { requireProgram } from '../../../scripts/suite/debian.mjs';
import type { OtherBrowser } from './browser.ts';

/** Debian's Firefox by WebDriver BiDi. Throws if unavailable. */
export async function startFirefox(): Promise<OtherBrowser> {
  await requireProgram('firefox-esr');
  const downloads = await mkdtemp(join(tmpdir(), 'panel-firefox-'));
  const browser = await launch({
    browser: 'firefox',
    executablePath: execFileSync('which', ['firefox-esr'], { encoding: 'utf8' }).trim(),
    headless: true,
    extraPrefsFirefox: {
      'browser.download.dir': downloads,
      'browser.download.folderList': 2,
      'intl.accept_languages': 'zh-CN',
    },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  return {
    version: await browser.version(),
    downloads,
    open: async (url) => void (await page.goto(url)),
    async press(keys) {
      const [key, ...modifiers] = keys.split('+').reverse() as KeyInput[];
      for (const modifier of modifiers) await page.keyboard.down(modifier);
      if (key) await page.keyboard.press(key);
      for (const modifier of modifiers) await page.keyboard.up(modifier);
    },
    type: (text) => page.keyboard.type(text),
    async choose(file) {
      const field = await page.waitForSelector('input[type=file]');
      await field?.uploadFile(file);
    },
    read: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
    async close() {
      await browser.close();
      await rm(downloads, { recursive: true, force: true });
    },
  };
}
