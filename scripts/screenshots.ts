// npm run screenshots [-- --all folder [--only news,form]]: docs/screenshots/*.png, made anew from the build, on a server and
// a database of its own. With --all also everything else one should look at before a release, in both languages, light and
// dark, wide and narrow.
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from 'playwright';
import sharp from 'sharp';
import { startServer } from '../server/platform/test-process.ts';
import { findBrowser } from './browser.mjs';
import { signInDemo } from './signed-in.ts';

const { values: options } = parseArgs({ options: { all: { type: 'string' }, only: { type: 'string' } } });
const folder = fileURLToPath(new URL('../docs/screenshots', import.meta.url));
const mostBytes = 300_000;

interface Look {
  locale: 'zh-CN' | 'en-US';
  theme: 'light' | 'dark';
  width: number;
}

/** What is on a picture: the screen, and what is done there first. */
const scenes: Record<string, { path: string; act?: (page: Page) => Promise<void>; signedOut?: true }> = {
  login: { path: '/login', signedOut: true },
  home: { path: '/' },
  news: { path: '/news', act: (page) => press(page, 'j', 'j', 'x', 'Shift+J') },
  palette: { path: '/news', act: (page) => press(page, 'j', 'j', 'Control+k') },
  'palette-typing': {
    path: '/news',
    act: async (page) => {
      await press(page, 'j', 'Control+k');
      await page.locator('[data-palette-input]').pressSequentially('custody');
      await page.locator('[data-palette] [data-row^="news:"]').first().waitFor();
    },
  },
  'palette-step': {
    path: '/news',
    act: async (page) => {
      await press(page, 'Control+k');
      await page.locator('[data-palette-input]').fill('theme.set');
      await press(page, 'Enter');
      await page.locator('[data-row="option:dark"]').waitFor();
    },
  },
  'palette-review': {
    path: '/news',
    act: async (page) => {
      await press(page, 'j', 'x', 'Shift+J', 'Control+k');
      await page.locator('[data-palette-input]').fill('news.delete');
      await press(page, 'Enter');
      await page.locator('[data-palette] h2').waitFor();
    },
  },
  record: {
    path: '/news',
    act: async (page) => {
      await press(page, 'j', 'j', 'Enter');
      await page.locator('[data-record] img').first().waitFor();
    },
  },
  form: {
    path: '/news',
    act: async (page) => {
      await press(page, 'j', 'e');
      await page.getByRole('dialog').locator('img').first().waitFor();
    },
  },
  'form-refused': {
    path: '/news',
    act: async (page) => {
      await press(page, 'c');
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  feed: {
    path: '/news',
    act: async (page) => {
      await press(page, 'i');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  confirm: { path: '/news', act: (page) => press(page, 'j', '#') },
  keys: { path: '/news', act: (page) => press(page, '?') },
  menu: { path: '/news', act: (page) => press(page, 'j', 'Shift+F10') },
  overview: { path: '/overview', act: async (page) => page.locator('[data-chart] canvas').waitFor() },
  'overview-compare': {
    path: '/overview?compare=true&unit=week&metric=mintYu',
    act: async (page) => {
      await page.locator('[data-chart] canvas').waitFor();
      await page.getByRole('application').focus();
      await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    },
  },
  'overview-table': {
    path: '/overview?compare=true&table=true&range=30',
    act: async (page) => page.locator('[data-chart-table]').waitFor(),
  },
  'not-found': { path: '/no/such/page' },
};

/** Those that the README shows. */
const shown: [name: string, scene: keyof typeof scenes, look: Look][] = [
  ['news', 'news', { locale: 'en-US', theme: 'light', width: 1440 }],
  ['palette', 'palette-typing', { locale: 'en-US', theme: 'dark', width: 1440 }],
  ['form', 'form', { locale: 'zh-CN', theme: 'light', width: 1440 }],
  ['keys', 'keys', { locale: 'zh-CN', theme: 'dark', width: 1440 }],
];

const dataDir = await mkdtemp(join(tmpdir(), 'screenshots-'));
const server = startServer(dataDir);
const executablePath = await findBrowser();
const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox', '--disable-gpu'] });
try {
  const url = (await server.ready).replace('127.0.0.1', 'localhost');
  await mkdir(folder, { recursive: true });
  for (const [name, scene, look] of shown) await picture(browser, url, scene, look, join(folder, `${name}.png`));
  if (options.all) {
    await mkdir(options.all, { recursive: true });
    for (const scene of options.only?.split(',') ?? Object.keys(scenes))
      for (const locale of ['zh-CN', 'en-US'] as const)
        for (const theme of ['light', 'dark'] as const)
          for (const width of [1440, 375])
            await picture(
              browser,
              url,
              scene,
              { locale, theme, width },
              join(options.all, `${scene}.${locale}.${theme}.${width}.png`),
            );
  }
} finally {
  await browser.close();
  server.child.kill('SIGTERM');
  await server.ended;
  await rm(dataDir, { recursive: true, force: true });
}

async function picture(on: Browser, url: string, name: string, { locale, theme, width }: Look, file: string): Promise<void> {
  const scene = scenes[name];
  if (!scene) throw new Error(`there is no scene ${name}`);
  const isPhone = width < 768;
  const context = await on.newContext({
    locale,
    viewport: { width, height: isPhone ? 740 : 900 },
    deviceScaleFactor: isPhone ? 2 : 1,
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Shanghai',
  });
  const page = await context.newPage();
  const stored = { 'prefs.theme': theme };
  if (scene.signedOut) {
    await page.goto(`${url}/healthz`);
    await page.evaluate((items) => void Object.assign(localStorage, items), stored);
  } else await signInDemo(page, url, stored);
  await page.goto(url + scene.path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (scene.path === '/news') await page.locator('[role="row"]:nth-child(2) [data-column="title"]').waitFor();
  await scene.act?.(page);
  // Not until the network is idle: the stream of events never is.
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await page.evaluate(() => document.fonts.ready);
  // Few colours and flat areas: a palette says the same in a quarter of the bytes.
  await sharp(await page.screenshot())
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(file);
  const { size } = await stat(file);
  if (size > mostBytes) throw new Error(`${file} has ${size} bytes, more than ${mostBytes}`);
  await context.close();
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForTimeout(400); // what was asked for has come and settled
}
