import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright/test';
import { ensureFullBrowser, testFlags } from '../../scripts/suite/browser.mjs';
import { demoPassword } from '../../server/seed/roles.ts';
import { expect, test } from '../fixtures.ts';

// Effects of browsers, their settings and extensions.
test.describe.configure({ timeout: 120_000 });

/** With a profile on disk, which some settings need. */
async function launchOwnBrowser(args: readonly string[], browserPreferences: object = {}): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), 'panel-browser-'));
  const folder = join(profile, 'Default');
  await mkdir(folder);
  await writeFile(join(folder, 'Preferences'), JSON.stringify(browserPreferences));
  return chromium.launchPersistentContext(profile, {
    executablePath: await ensureFullBrowser(), // the headless shell lacks extensions and preferences
    args: [...testFlags, ...args],
    locale: 'en-US',
    ...({ timezoneId: undefined } as object), // the computer's own
  });
}

/** Its script runs in the page before all others. */
async function createExtension(name: string, script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'panel-extension-'));
  const contentScript = { matches: ['http://localhost/*'], js: ['p.js'], run_at: 'document_start', world: 'MAIN' };
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ manifest_version: 3, name, version: '1', content_scripts: [contentScript] }),
  );
  await writeFile(join(folder, 'p.js'), script);
  return folder;
}

async function signInManually(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill('editor@demo.local');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Log In' }).click();
}

test(
  'extensions that throw during loading or inject missing files do not affect the panel',
  { tag: '@long' },
  async ({ server }) => {
    const extensionFolders = await Promise.all([
      createExtension('A', "Object.defineProperty(window, 'ethereum', { value: { isA: true } });"),
      createExtension(
        'B',
        `document.addEventListener('readystatechange', () => Object.defineProperty(window, 'ethereum', { get: () => ({}) }), { once: true });
       setTimeout(() => { throw new Error('of an extension'); });
       document.addEventListener('DOMContentLoaded', () => {
         const inline = document.createElement('script');
         inline.src = 'https://extension.invalid/missing.js';
         document.head.append(inline);
       });`,
      ),
    ]);
    const context = await launchOwnBrowser([
      `--disable-extensions-except=${extensionFolders.join()}`,
      `--load-extension=${extensionFolders.join()}`,
    ]);
    try {
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      await page.goto(`${server.url}/login`);
      await expect(page.getByLabel('Email')).toBeFocused();
      expect(await page.evaluate(() => Reflect.get(window, 'ethereum'))).toEqual({ isA: true });
      expect(errors.join()).toContain('of an extension');
      await expect(page.locator('#start')).toHaveCount(0);
      await signInManually(page, server.url);
      await expect(page.getByRole('navigation')).toBeVisible();
    } finally {
      await context.close();
    }
  },
);

test('a browser that blocks cookies gets a message before the password is sent', { tag: '@long' }, async ({ server }) => {
  const context = await launchOwnBrowser([], { profile: { default_content_setting_values: { cookies: 2 } } });
  try {
    const page = await context.newPage();
    const sentRequests: string[] = [];
    page.on('request', (request) => sentRequests.push(request.url()));
    await signInManually(page, server.url);
    await expect(page.getByRole('alert').filter({ hasText: 'Your browser blocks cookies' })).toBeVisible();
    await page.getByRole('button', { name: 'Connect wallet login' }).click();
    await expect(page.getByLabel('Email')).toHaveValue('editor@demo.local');
    expect(sentRequests.filter((url) => url.includes('/rpc/session/signIn'))).toEqual([]);
  } finally {
    await context.close();
  }
});

test('each tab keeps its language until it reloads', { tag: '@long' }, async ({ admin, page, context }) => {
  await admin.signIn('operator', '/overview');
  const otherPage = await context.newPage();
  await otherPage.goto(`${admin.url}/overview`);
  await expect(otherPage.getByRole('heading', { level: 1 })).toHaveText('数据概览');
  await otherPage.getByRole('button', { name: '切换为 English' }).click();
  await expect(otherPage.getByRole('heading', { level: 1 })).toHaveText('Data Overview');

  await page.bringToFront();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('自托管存款');
  await page.keyboard.press('c');
  const form = page.getByRole('dialog').filter({ has: page.locator('form') });
  await expect(form.getByRole('button', { name: '取消' })).toBeVisible();
  const pageText = await page.locator('body').innerText();
  expect(pageText).not.toMatch(/\b(form|common|list|deposits|value)\.[a-z]+[A-Z]?\w*/);
  expect(pageText).not.toContain('Cancel');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Self-custody deposit');
});

test('full storage keeps the session and the language of a tab', { tag: '@long' }, async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await page.evaluate(() => {
    localStorage.clear();
    for (let size = 5_000_000; size >= 1; size = Math.floor(size / 2))
      for (let attempt = 0; ; attempt++)
        try {
          localStorage.setItem(`full ${size} ${attempt}`, 'x'.repeat(size));
        } catch {
          break;
        }
  });
  await page.getByRole('button', { name: '切换为 English' }).click();
  await signInManually(page, server.url);
  await expect(page.getByRole('navigation')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Account editor@demo.local' })).toBeVisible();
});

test('a screen keeps one time zone when the computer’s zone changes', { tag: '@long' }, async ({ server }) => {
  const context = await launchOwnBrowser([]);
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const setTimeZone = (timezoneId: string) => cdp.send('Emulation.setTimezoneOverride', { timezoneId });
    await setTimeZone('Asia/Tokyo');
    await signInManually(page, server.url);
    await page.waitForURL(`${server.url}/`);
    await page.goto(`${server.url}/news`);
    const listTime = page.getByRole('row').nth(1).locator('time').first();
    const tokyoText = (await listTime.textContent()) ?? '';
    const readUtcOffset = async () => {
      const [iso, text] = await listTime.evaluate((time) => [time.getAttribute('datetime') ?? '', time.textContent ?? '']);
      return (Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(Date.parse(iso) / 60_000) * 60_000) / 3_600_000;
    };
    expect(await readUtcOffset()).toBe(9);
    await setTimeZone('Asia/Kolkata');
    await page.getByRole('row').nth(1).click();
    await expect(page.locator('[data-record] time').first()).toBeVisible();
    await expect.poll(readUtcOffset).toBe(5.5);
    expect(await page.locator('body').innerText()).not.toContain(tokyoText);
  } finally {
    await context.close();
  }
});
