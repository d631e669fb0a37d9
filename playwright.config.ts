import { defineConfig } from 'playwright/test';
import { root } from './scripts/setup.mjs';
import { findBrowser, testFlags } from './scripts/suite/browser.mjs';
import { isLongRun } from './scripts/suite/tier.ts';

/** Absolute: a bare pattern also matches folders above the project. */
const runElsewhere = new RegExp(`^${root.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}e2e/(deployed|outside)/`);

const chromium = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: runElsewhere,
  globalSetup: './e2e/support/database.ts',
  ...(isLongRun || process.env['E2E_LONG'] ? {} : { grepInvert: /@long/ }),
  fullyParallel: false, // a file has one server and database
  workers: 2,
  retries: 1, // reported by scripts/suite/test.mjs
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['list'], ...(process.env['E2E_REPORT'] ? [['json', { outputFile: process.env['E2E_REPORT'] }] as const] : [])],
  outputDir: '.cache/e2e',
  use: {
    contextOptions: { reducedMotion: 'reduce' }, // animations would delay every press
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    trace: 'on-first-retry', // slows every test
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [...testFlags, '--process-per-site'], // for e2e/fixtures.ts
    },
  },
});
