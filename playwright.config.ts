import { defineConfig } from 'playwright/test';
import { root } from './scripts/setup.mjs';
import { testFlags } from './scripts/suite/browser.mjs';
import { isLongRun } from './scripts/suite/tier.ts';

/** Absolute, because a bare `deployed/**` matches the whole path, including folders above the project. */
const runElsewhere = new RegExp(`^${root.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}e2e/(deployed|outside)/`);

/** Real server, PostgreSQL and Chromium. `npm test` finds or installs the browser. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: runElsewhere, // run by e2e/deployed.config.ts and suites/package.spec.ts
  globalSetup: './e2e/support/database.ts',
  // Long tests run in `npm run test:all`, and for changed features in `npm run test:changed`.
  ...(isLongRun || process.env['E2E_LONG'] ? {} : { grepInvert: /@long/ }),
  fullyParallel: false, // a file has one server and database
  workers: 2,
  retries: 1, // scripts/suite/test.mjs reports tests that needed a retry
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
    trace: 'on-first-retry', // recording slows every test
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
      args: [...testFlags, '--process-per-site'], // needed by e2e/fixtures.ts: pages of a worker share a process
    },
  },
});
