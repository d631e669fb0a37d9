// npm run screenshots [-- --all folder [--only news,palette] [--look dark.1440]]: makes
// docs/screenshots/*.png with their layouts. --all makes every screen and overlay in four looks, with an index.html.
// --survey folder [--quick] [--questions | --scenes] [--only news] [--look zh-CN]: only contact sheets, see survey.ts.
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { startServer } from '../../server/testing/process.ts';
import { launchBrowser } from '../suite/browser.mjs';
import { emptyTour, openScreen, scenes, slug, tour, menuScreens, type Look, type Take } from '../../qa/kit/scenes.ts';
import type { LayoutItem } from './layout.ts';
import { manualPictures, openPicture, waitUntilSettled, type ManualPicture } from './manual-pictures.ts';
import { signInDemo } from '../command/signed-in.ts';
import { survey } from './survey.ts';

const { values: options } = parseArgs({
  options: {
    all: { type: 'string' },
    only: { type: 'string' },
    look: { type: 'string' },
    survey: { type: 'string' },
    questions: { type: 'boolean' },
    scenes: { type: 'boolean' },
    quick: { type: 'boolean' },
  },
});
/** Single sign-on without a provider behind it, so that its parts are on the screens. */
const providerEnv = {
  SSO_ISSUER: 'http://127.0.0.1:9',
  SSO_CLIENT_ID: 'panel',
  SSO_NAME: 'Acme',
  SSO_GROUPS_CLAIM: 'groups',
  SCIM: 'on',
};
const folder = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const maxBytes = 300_000;
/** Languages, themes and widths are covered without all eight combinations. */
const allLooks: readonly Look[] = [
  { locale: 'zh-CN', theme: 'light', width: 1440 },
  { locale: 'en-US', theme: 'dark', width: 1440 },
  { locale: 'zh-CN', theme: 'dark', width: 375 },
  { locale: 'en-US', theme: 'light', width: 375 },
];
const nameOf = ({ locale, theme, width }: Look): string => `${locale}.${theme}.${width}`;
const looks = allLooks.filter((look) => nameOf(look).includes(options.look ?? ''));
const contrastLook: Look = { locale: 'en-US', theme: 'contrast', width: 1440 };
const contrastScreens: readonly string[] = ['/', '/news', '/overview', '/selfCustody/deposit'];

const browser = await launchBrowser();
const { survey: surveyFolder } = options;
const writtenFiles = new Map<string, string[]>();
const failures: string[] = [];
try {
  if (surveyFolder) {
    const locales = ['zh-CN', 'en-US'].filter((locale) => locale.includes(options.look ?? ''));
    await withServer(providerEnv, (url) =>
      survey(browser, url, {
        folder: surveyFolder,
        locales,
        wants: isWanted,
        isQuick: options.quick ?? false,
        hasQuestions: options.questions ?? false,
        hasScenes: options.scenes ?? false,
      }),
    );
    await browser.close();
    process.exit();
  }
  await withServer({}, async (url) => {
    await mkdir(folder, { recursive: true });
    for (const [name, picture] of options.only || options.look ? [] : Object.entries(manualPictures))
      await withLook(url, picture.look, (page) => captureForManual(page, name, picture));
    if (!options.all) return;
    await mkdir(options.all, { recursive: true });
    for (const look of looks) await withLook(url, look, (page) => captureScenes(page, look));
    await Promise.all(
      looks.map((look) =>
        withLook(url, look, async (page) => {
          await captureTours(page, look, wantedViews());
          if (!isWanted('login')) return;
          await tryScene(page, look, 'login', async () => {
            await page.evaluate(() => localStorage.removeItem('Authorization'));
            await openScreen(page, '/login');
            await screenshotTaker(page, look)('login');
          });
        }),
      ),
    );
    if (looks.length < allLooks.length) return;
    const contrastViews = wantedViews().filter((name) => contrastScreens.includes(name));
    await withLook(url, contrastLook, (page) => captureTours(page, contrastLook, contrastViews));
  });
  if (options.all) {
    await withServer({ DEMO_NEWS: 'off' }, async (url) => {
      for (const look of looks)
        await withLook(url, look, async (page) => {
          for (const path of wantedViews())
            await tryScene(page, look, slug(path), () => emptyTour(page, path, screenshotTaker(page, look, slug(path))));
        });
    });
    await writeFile(join(options.all, 'index.html'), contactSheet());
    console.log(
      [`${writtenFiles.size} scenes, ${[...writtenFiles.values()].flat().length} pictures in ${options.all}`, ...failures].join(
        '\n',
      ),
    );
    if (failures.length > 0) process.exitCode = 1;
  }
} finally {
  await browser.close();
}

async function withServer(env: Record<string, string>, callback: (url: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'screenshots-'));
  const server = startServer(dataDir, { SIGN_IN_PER_NETWORK: '1000', ...env });
  try {
    await callback((await server.ready).replace('127.0.0.1', 'localhost'));
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function withLook(url: string, { locale, theme, width }: Look, callback: (page: Page) => Promise<void>): Promise<void> {
  const isPhone = width < 768;
  const context = await browser.newContext({
    locale,
    viewport: { width, height: isPhone ? 740 : 900 },
    deviceScaleFactor: isPhone ? 2 : 1,
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Shanghai',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await signInDemo(page, url, { 'prefs.theme': theme });
  await callback(page);
  await context.close();
}

function isWanted(name: string): boolean {
  return options.only?.split(',').includes(name) ?? true;
}

function wantedViews(): string[] {
  return menuScreens.filter((path) => isWanted(slug(path)));
}

/** A failed picture is reported at the end. */
async function tryScene(page: Page, look: Look, sceneName: string, callback: () => Promise<void>): Promise<void> {
  try {
    await callback();
  } catch (error) {
    recordFailure(look, sceneName, String(error).split('\n', 1)[0]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
}

function recordFailure(look: Look, sceneName: string, problem = ''): void {
  failures.push(`${sceneName} ${JSON.stringify(look)}: ${problem}`);
}

async function captureScenes(page: Page, look: Look): Promise<void> {
  for (const [name, { path, act, after }] of Object.entries(scenes).filter(([one]) => isWanted(one))) {
    await tryScene(page, look, name, async () => {
      await openScreen(page, path);
      await act?.(page);
      await screenshotTaker(page, look)(name);
    });
    await after?.(page);
  }
}

async function captureTours(page: Page, look: Look, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await tryScene(page, look, slug(path), async () => {
      const missing = await tour(page, path, screenshotTaker(page, look, slug(path)));
      for (const state of missing) recordFailure(look, `${slug(path)}.${state}`, 'it did not come');
    });
}

/** `news.filled.zh-CN.light.1440.png`. */
function screenshotTaker(page: Page, look: Look, view?: string): Take {
  return async (state) => {
    const scene = view ? `${view}.${state}` : state;
    const name = nameOf(look);
    await waitUntilSettled(page);
    await page.screenshot({ path: join(options.all ?? '', `${scene}.${name}.png`) });
    writtenFiles.set(scene, [...(writtenFiles.get(scene) ?? []), name]);
  };
}

/** A palette of few colors needs a quarter of the bytes. */
async function captureForManual(page: Page, name: string, picture: ManualPicture): Promise<void> {
  const layout = await openPicture(page, picture);
  await writeFile(join(folder, `${name}.json`), layoutText(layout));
  const file = join(folder, `${name}.png`);
  await sharp(await page.screenshot())
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(file);
  const { size } = await stat(file);
  if (size > maxBytes) throw new Error(`${file} has ${size} bytes, more than ${maxBytes}`);
}

/** A line for each control, so that a change can be read. */
function layoutText(items: readonly LayoutItem[]): string {
  return `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`;
}

function contactSheet(): string {
  const rows = [...writtenFiles].map(([scene, names]) => {
    const cells = names.map(
      (name) => `<a href="${scene}.${name}.png"><img loading="lazy" alt="${scene}, ${name}" src="${scene}.${name}.png"></a>`,
    );
    return `<h2>${scene}</h2><p>${cells.join('')}</p>`;
  });
  const style = 'body{font:14px system-ui;margin:16px;background:#888}p{display:flex;gap:8px;overflow-x:auto}img{height:420px}';
  return `<!doctype html><meta charset="utf-8"><title>Screenshots</title><style>${style}</style>${rows.join('\n')}\n`;
}
