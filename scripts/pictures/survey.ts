import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import sharp, { type OverlayOptions } from 'sharp';
import { axeViolations } from '../../e2e/support/axe.ts';
import { menuScreens, openScreen, pressAll, slug } from '../../qa/kit/scenes.ts';
import type { WindowWithAdmin } from '../../qa/kit/page.ts';
import { signInDemo } from '../command/signed-in.ts';
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
const dialogSelector = '[role="dialog"]:not([data-peek]):visible, [role="alertdialog"]:visible';
/** They leave the screen or the session. */
const leavingCommands = /^(session|language|panel|account\.end|view\.)/;

/**
 * Every screen, an open record, and every question of its commands, in all widths and colors. Each state has a contact sheet.
 * findings.tsv has what can be measured.
 */
export async function survey(
  browser: Browser,
  url: string,
  { folder, locales, wants, isQuick, hasQuestions }: SurveyOptions,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const locale of locales) {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce', timezoneId: 'Asia/Shanghai' });
    await context.addInitScript('globalThis.__name = (value) => value'); // tsx names inner functions with it
    const page = await context.newPage();
    page.setDefaultTimeout(5000);
    await signInDemo(page, url);
    for (const path of [...menuScreens, ...otherScreens].filter((path) => wants(slug(path)))) {
      await resetPage(page, path);
      const capture = (state: string, stateShots = isQuick ? quickShots : shots) =>
        captureState(page, folder, `${slug(path)}.${state}.${locale}`, stateShots);
      if (!hasQuestions) {
        await capture('screen');
        await resetPage(page, path);
        if (await openRecord(page)) await capture('record');
        continue;
      }
      for (const id of await askingCommands(page, path)) {
        await resetPage(page, path);
        if (await openQuestion(page, id)) await capture(id, questionShots);
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
  if ((await page.locator('[role="grid"] [role="row"][id]').count()) === 0) return false;
  await pressAll(page, 'j', 'Enter');
  return isReached(page, '[data-record]');
}

async function askingCommands(page: Page, path: string): Promise<string[]> {
  await page.keyboard.press('Escape');
  if ((await page.locator('[role="grid"] [role="row"][id]').count()) > 0) await pressAll(page, 'j');
  const commands = await page.evaluate(async () => {
    const admin = (window as WindowWithAdmin).admin;
    return (await admin?.list())?.map((command) => ({ ...command, state: admin?.assess(command.id).state })) ?? [];
  });
  return commands
    .filter(({ place, state, id }) => place === path && state === 'ok' && !leavingCommands.test(id))
    .map(({ id }) => id);
}

/** False if the command ran without a question. */
async function openQuestion(page: Page, id: string): Promise<boolean> {
  try {
    if ((await page.locator('[role="grid"] [role="row"][id]').count()) > 0) await pressAll(page, 'j');
    await pressAll(page, 'Control+k');
    await page.locator('[data-palette-input]').fill(id);
    await page.locator(`[data-palette] [data-row="${id}"]`).waitFor();
    await pressAll(page, 'Enter');
    return await isReached(page, dialogSelector, 1200);
  } catch {
    return false;
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
    pictures.push({ shot, data: await page.screenshot() });
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
  if (pictures.length === quickShots.length) return writeSheet(pictures, 3, `${path}.png`);
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
