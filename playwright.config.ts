import { defineConfig } from 'playwright/test';
import { root } from './scripts/setup.mjs';
import { testFlags } from './scripts/suite/browser.mjs';
import { isLongRun } from './scripts/suite/tier.ts';

/** From the folder of the project on: Playwright looks for a bare `deployed/**` in the whole path, which may lead through /srv/deployed/. */
const runElsewhere = new RegExp(`^${root.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}e2e/(deployed|outside)/`);

/** End to end against a real server on a real PostgreSQL, in a real Chromium. `npm test` finds or installs the browser. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: runElsewhere, // e2e/deployed.config.ts and suites/package.spec.ts run these
  globalSetup: './e2e/support/database.ts',
  // What `npm run test:all` has besides, and `npm run test:changed` of the features that it runs.
  ...(isLongRun || process.env['E2E_LONG'] ? {} : { grepInvert: /@long/ }),
  fullyParallel: false, // a file has one server and one database: its tests run one after another
  workers: 2,
  retries: 1, // one that needs its second try does not pass in silence: scripts/suite/test.mjs names it as one to mend
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['list'], ...(process.env['E2E_REPORT'] ? [['json', { outputFile: process.env['E2E_REPORT'] }] as const] : [])],
  outputDir: '.cache/e2e',
  use: {
    contextOptions: { reducedMotion: 'reduce' }, // what fades makes every press wait
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    trace: 'on-first-retry', // recording costs every test, and few need it
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
      args: [...testFlags, '--process-per-site'], // with e2e/fixtures.ts: the pages of a worker have one process
    },
  },
});
