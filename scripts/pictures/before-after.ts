// npm run before-after -- --before URL --after URL: docs/screenshots/lists/*.webp, the panel as it was (a server of the build of
// edb11e9, the one that was used for an hour and judged) beside the panel as it is, both running with their demo.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { signInDemo } from '../command/signed-in.ts';
import { launchBrowser } from '../suite/browser.mjs';
import { open, press } from '../../e2e/kit/scenes.ts';

interface Pair {
  /** Where it is; the old panel's address of the same, where that was another. */
  path: string;
  before?: string;
  size?: readonly [width: number, height: number];
  act?: (page: Page) => Promise<void>;
}

const today = Date.now();
const day = (ago: number) => new Date(today - ago * 86_400_000).toISOString().slice(0, 10);
const phone = [375, 740] as const;

const thirdRow = (page: Page) => page.getByRole('grid').locator('[role="row"]').nth(2);

/** The ten worst of that hour. */
const pairs: Readonly<Record<string, Pair>> = {
  filter: {
    path: '/statistics/dataView?country=DE&time=last-month',
    before: `/statistics/dataView?country=DE&from=${day(53)}T00:00:00.000Z&to=${day(23)}T00:00:00.000Z`,
  },
  values: {
    path: '/audit',
    act: async (page) => {
      await press(page, 'f', 'a', 'd');
    },
  },
  click: { path: '/news', act: (page) => thirdRow(page).click({ position: { x: 700, y: 16 } }) },
  menus: { path: '/selfCustody/deposit' },
  columns: { path: '/CRSMTrove/CRSMList' },
  words: { path: '/audit' },
  numbers: { path: '/overview' },
  phone: { path: '/selfCustody/deposit', size: phone },
  zoom: { path: '/news', size: [360, 225] },
  tree: { path: '/permissions/permission' },
};

const { values: options } = parseArgs({
  options: { before: { type: 'string' }, after: { type: 'string' }, only: { type: 'string' } },
});
const folder = fileURLToPath(new URL('../../docs/screenshots/lists', import.meta.url));
const mostBytes = 100_000;
const shownHeight = 540;
const gap = 16;

if (!options.before || !options.after) throw new Error('--before and --after name the two servers');
const [before, after] = [options.before, options.after];
await mkdir(folder, { recursive: true });
const browser = await launchBrowser();
try {
  for (const [name, pair] of Object.entries(pairs)) {
    if (options.only && !options.only.split(',').includes(name)) continue;
    const pictures = [await take(before, pair.before ?? pair.path, pair), await take(after, pair.path, pair)];
    await sideBySide(pictures, join(folder, `${name}.webp`));
  }
} finally {
  await browser.close();
}

async function take(url: string, path: string, { size: [width, height] = [1440, 900], act }: Pair): Promise<Buffer> {
  const isPhone = width === phone[0];
  const context = await browser.newContext({
    locale: 'zh-CN',
    viewport: { width, height },
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Shanghai',
    ...(isPhone && { hasTouch: true, isMobile: true }),
    deviceScaleFactor: width < 1000 ? 2 : 1,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await signInDemo(page, url);
  await open(page, path);
  await act?.(page);
  await page.waitForTimeout(600);
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

/** Both at the same height, side by side, few bytes each. */
async function sideBySide(pictures: readonly Buffer[], file: string): Promise<void> {
  const scaled = await Promise.all(
    pictures.map((one) => sharp(one).resize({ height: shownHeight }).toBuffer({ resolveWithObject: true })),
  );
  const width = scaled.reduce((sum, { info }) => sum + info.width, gap);
  let left = 0;
  const placed = scaled.map(({ data, info }) => {
    const at = { input: data, left, top: 0 };
    left += info.width + gap;
    return at;
  });
  await sharp({ create: { width, height: shownHeight, channels: 3, background: '#8b8d98' } })
    .composite(placed)
    .webp({ quality: 72, effort: 6 })
    .toFile(file);
  const { size: bytes } = await stat(file);
  if (bytes > mostBytes) throw new Error(`${file} has ${bytes} bytes, more than ${mostBytes}`);
}
