import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { print, SetupError } from '../setup.mjs';
import { ensureInstalled, installPackages } from './debian.mjs';

// Tests take a third less time in the headless shell.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const [headlessShell, chineseFonts] = ['chromium-headless-shell', 'fonts-noto-cjk'];
const browserPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Pages live for seconds, so optimizing compilers cost time. */
export const testFlags = [...browserFlags, '--js-flags=--no-turbofan --no-maglev'];

/** CHROMIUM_PATH overrides the search. */
export async function findBrowser() {
  const installed = installedBrowser();
  if (installed) return installed;
  const { chromium } = await import('playwright');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}

function installedBrowser() {
  return process.env.CHROMIUM_PATH || findOnPath(names);
}

function findOnPath(programs) {
  const files = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => programs.map((name) => join(folder, name)));
  return [...files, ...browserPaths].find(isExecutable);
}

/** The headless shell lacks extensions and preferences. */
export async function ensureFullBrowser() {
  const findFullBrowser = () => findOnPath(names.filter((name) => name !== headlessShell));
  const isInstalled = () => findFullBrowser() !== undefined;
  if (!(await ensureInstalled(isInstalled, 'Chromium for the tests', ['chromium'])))
    throw new SetupError('These tests need Chromium or Google Chrome. Install one and run the tests again.');
  return findFullBrowser();
}

export async function launchBrowser({ uncapped = false } = {}) {
  const [{ chromium }, executablePath] = [await import('playwright'), await findBrowser()];
  const args = uncapped ? [...browserFlags, '--disable-frame-rate-limit', '--disable-gpu-vsync'] : browserFlags;
  return chromium.launch({ ...(executablePath ? { executablePath } : {}), args });
}

export async function prepareBrowser() {
  const isInstalled = installedBrowser() ?? existsSync(join(homedir(), '.cache', 'ms-playwright')); // Playwright's own may do
  const missingPackages = [...(isInstalled ? [] : [headlessShell]), ...(lacksChinese() ? [chineseFonts] : [])];
  if (missingPackages.length > 0) await installPackages('libraries for the tests', missingPackages);
}

export async function ensureBrowser() {
  let browser = await findBrowser();
  if (!browser) {
    if (!(await installPackages('a browser for the tests', [headlessShell])))
      await installPackages('Chromium for the tests', ['chromium']);
    browser = await findBrowser();
    if (!browser)
      throw new SetupError(
        'No Chromium found for the tests. Install chromium or Google Chrome, run npx playwright install chromium, or set CHROMIUM_PATH.',
      );
  }
  if (lacksChinese() && !(await installPackages('a Chinese font', [chineseFonts]))) {
    print('No Chinese font found, so screenshots will show boxes. Install one, for example fonts-noto-cjk.');
  }
  return browser;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function lacksChinese() {
  if (process.platform !== 'linux') return false;
  const list = spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' });
  return list.status === 0 ? list.stdout.trim() === '' : true;
}
