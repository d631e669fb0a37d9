import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import sharp, { type OverlayOptions } from 'sharp';
import { axeViolations } from '../../e2e/support/axe.ts';
import { menuScreens, openScreen, pressAll, scenes, slug } from '../../qa/kit/scenes.ts';
import type { WindowWithAdmin } from '../../qa/kit/page.ts';
import { signInDemo } from '../command/signed-in.ts';
import { accessScenes, stageRecords } from './access-scenes.ts';
import { waitUntilSettled } from './manual-pictures.ts';
import { measurePage } from './measure.ts';

type Colors = 'light' | 'dark' | 'forced';
interface Shot {
  width: number;
  colors: Colors;
}

export interface SurveyOptions {
  folder: string;
  locales: readonly string[];
  wants: (screen: string) => boolean;
  /** Each width once. */
  isQuick: boolean;
  /** Else only screens and records. */
  hasQuestions: boolean;
  /** Overlays, and screens outside the menu. */
  hasScenes: boolean;
}

const widths = [1440, 1024, 768, 375] as const;
const allColors: readonly Colors[] = ['light', 'dark', 'forced'];
/** More screens than the menu has. */
const otherScreens = ['/account', '/help'];
const shots: readonly Shot[] = widths.flatMap((width) => allColors.map((colors) => ({ width, colors })));
const quickShots: readonly Shot[] = [
  { width: 1440, colors: 'light' },
  { width: 1440, colors: 'forced' },
  { width: 1024, colors: 'dark' },
  { width: 768, colors: 'light' },
  { width: 375, colors: 'dark' },
];
/** A dialog has one width on every wide screen. */
const questionShots = shots.filter(({ width }) => width === 1440 || width === 375);
const quickQuestionShots: readonly Shot[] = [
  { width: 1440, colors: 'light' },
  { width: 1440, colors: 'forced' },
  { width: 375, colors: 'dark' },
];
const dialogSelector = '[role="dialog"]:not([data-peek]):visible, [role="alertdialog"]:visible';
const listRow = '[role="grid"] [role="row"][id]';
const maxTriedRows = 12;
/** They leave the screen or the session. */
const leavingCommands = /^(session|language|panel|account\.end|view\.)|\.viewAs$/;

/**
 * Every screen, an open record, and every question of its commands, in all widths and colors. Each state has a contact sheet.
 * findings.tsv has what can be measured.
 */
export async function survey(
  browser: Browser,
  url: string,
  { folder, locales, wants, isQuick, hasQuestions, hasScenes }: SurveyOptions,
): Promise<void> {
  await mkdir(join(folder, 'raw'), { recursive: true });
  for (const locale of locales) {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce', timezoneId: 'Asia/Shanghai' });
    await context.addInitScript('globalThis.__name = (value) => value'); // tsx names inner functions with it
    const page = await context.newPage();
    page.setDefaultTimeout(5000);
    await signInDemo(page, url);
    await stageRecords(page, url);
    const capture = (state: string, stateShots: readonly Shot[]) => captureState(page, folder, `${state}.${locale}`, stateShots);
    if (hasScenes) await captureScenes(page, url, capture);
    for (const path of hasScenes ? [] : [...menuScreens, ...otherScreens].filter((path) => wants(slug(path)))) {
      await resetPage(page, path);
      if (!hasQuestions) {
        const screenShots = isQuick ? quickShots : shots;
        await capture(`${slug(path)}.screen`, screenShots);
        await resetPage(page, path);
        if (await openRecord(page)) await capture(`${slug(path)}.record`, screenShots);
        continue;
      }
      for (const [id, row] of await askingCommands(page, path)) {
        await resetPage(page, path);
        if (await openQuestion(page, id, row)) await capture(`${slug(path)}.${id}`, isQuick ? quickQuestionShots : questionShots);
      }
    }
    await context.close();
  }
}

async function resetPage(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ forcedColors: 'none' });
  await openScreen(page, path).catch(() => {});
}

async function openRecord(page: Page): Promise<boolean> {
  if ((await page.locator(listRow).count()) === 0) return false;
  await pressAll(page, 'j', 'Enter');
  return isReached(page, '[data-record]');
}

/** Each with the number of steps to the first row that it can run on. */
async function askingCommands(page: Page, path: string): Promise<Map<string, number>> {
  await page.keyboard.press('Escape');
  const rowCount = Math.min(maxTriedRows, await page.locator(listRow).count());
  const found = new Map<string, number>();
  for (let row = Math.min(1, rowCount); row <= rowCount; row += 1) {
    if (row > 0) await pressAll(page, 'j');
    const ids = await page.evaluate(async (place) => {
      const admin = (window as WindowWithAdmin).admin;
      const commands = (await admin?.list())?.filter((command) => command.place === place) ?? [];
      return commands.flatMap(({ id }) => (admin?.assess(id).state === 'ok' ? [id] : []));
    }, path);
    for (const id of ids) if (!found.has(id) && !leavingCommands.test(id)) found.set(id, row);
  }
  return found;
}

/** False if the command ran without a question. */
async function openQuestion(page: Page, id: string, row: number): Promise<boolean> {
  try {
    for (let step = 0; step < row; step += 1) await pressAll(page, 'j');
    await pressAll(page, 'Control+k');
    await page.locator('[data-palette-input]').fill(id);
    await page.locator(`[data-palette] [data-row="${id}"]`).waitFor();
    await pressAll(page, 'Enter');
    return await isReached(page, dialogSelector, 1200);
  } catch {
    return false;
  }
}

async function captureScenes(page: Page, url: string, capture: (state: string, shots: readonly Shot[]) => Promise<void>) {
  for (const [name, { path, act, after }] of Object.entries({ ...scenes, ...accessScenes(url) }))
    for (const width of widths) {
      await resetPage(page, '/account');
      await page.setViewportSize({ width, height: width < 768 ? 740 : 900 });
      try {
        await openScreen(page, path);
        await act?.(page);
        await capture(
          `scene.${name}.${width}`,
          shots.filter((shot) => shot.width === width),
        );
      } catch (error) {
        console.log(`scene ${name} at ${width}: ${String(error).split('\n', 1)[0]}`);
      }
      await after?.(page);
    }
}

const isReached = (page: Page, selector: string, timeout = 3000): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .waitFor({ timeout })
    .then(
      () => true,
      () => false,
    );

async function captureState(page: Page, folder: string, name: string, stateShots: readonly Shot[]): Promise<void> {
  const pictures: { shot: Shot; data: Buffer }[] = [];
  await waitUntilSettled(page);
  for (const shot of stateShots) {
    await applyShot(page, shot);
    const isMeasured = stateShots.find(({ width }) => width === shot.width) === shot; // colors do not change the layout
    const findings = isMeasured ? await page.evaluate(measurePage) : [];
    if (shot.colors === 'dark' && shot.width >= 1024)
      findings.push(...(await axeViolations(page, { only: ['color-contrast', 'button-name', 'link-name', 'label'] })));
    const lines = findings.map((finding) => [name, shot.width, shot.colors, finding.replaceAll(/\s+/g, ' ')].join('\t'));
    if (lines.length > 0) await appendFile(join(folder, 'findings.tsv'), `${lines.join('\n')}\n`);
    const data = await page.screenshot();
    await writeFile(join(folder, 'raw', `${name}.${shot.width}.${shot.colors}.png`), data);
    pictures.push({ shot, data });
  }
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
  await writeSheets(pictures, join(folder, name));
}

async function applyShot(page: Page, { width, colors }: Shot): Promise<void> {
  await page.setViewportSize({ width, height: width < 768 ? 740 : 900 });
  await page.emulateMedia({ forcedColors: colors === 'forced' ? 'active' : 'none' });
  await page.evaluate(
    (theme) => document.documentElement.setAttribute('data-theme', theme),
    colors === 'dark' ? 'dark' : 'light',
  );
  await page.waitForTimeout(250); // charts and columns are measured again
}

/** One sheet for wide screens, one for narrow ones, so that words can be read. */
async function writeSheets(pictures: readonly { shot: Shot; data: Buffer }[], path: string): Promise<void> {
  const wide = pictures.filter(({ shot: { width } }) => width >= 1024);
  const narrow = pictures.filter(({ shot: { width } }) => width < 1024);
  if (pictures.length === quickShots.length || pictures.length === quickQuestionShots.length)
    return writeSheet(pictures, 3, `${path}.png`);
  if (wide.length === 0 || narrow.length === 0) return writeSheet(pictures, 3, `${path}.png`);
  if (wide.length === 3) return writeSheet(pictures, 6, `${path}.png`);
  await writeSheet(wide, 3, `${path}.wide.png`);
  await writeSheet(narrow, 6, `${path}.narrow.png`);
}

async function writeSheet(pictures: readonly { shot: Shot; data: Buffer }[], columns: number, path: string): Promise<void> {
  const rows = Array.from({ length: Math.ceil(pictures.length / columns) }, (_, row) =>
    pictures.slice(row * columns, (row + 1) * columns),
  );
  const gap = 8;
  const height = 600;
  const parts: OverlayOptions[] = [];
  let sheetWidth = 0;
  for (const [row, rowPictures] of rows.entries()) {
    let left = 0;
    for (const { data } of rowPictures) {
      const { data: input, info } = await sharp(data).resize({ height }).toBuffer({ resolveWithObject: true });
      parts.push({ input, left, top: row * (height + gap) });
      left += info.width + gap;
    }
    sheetWidth = Math.max(sheetWidth, left);
  }
  await sharp({ create: { width: sheetWidth, height: rows.length * (height + gap), channels: 3, background: '#c0c' } })
    .composite(parts)
    .png({ palette: true })
    .toFile(path);
}
