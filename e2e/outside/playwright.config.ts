import { defineConfig } from '@playwright/test';
import { looks } from '@admin-panel/qa/pictures';

const { CHROMIUM_PATH, WORKERS = '4' } = process.env;

export default defineConfig({
  fullyParallel: true,
  workers: Number(WORKERS),
  timeout: 60_000,
  reporter: [['list'], ['json', { outputFile: 'report.json' }]],
  use: { locale: 'en-US', launchOptions: CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {} },
  projects: [
    { name: 'suite', testIgnore: 'example/**', testMatch: /(content|people|money|time)\.spec\.ts/ },
    { name: 'wrong', testMatch: 'wrong.spec.ts' },
    { name: 'pageless', testDir: 'example' },
    ...looks().map((lookProject) => ({ ...lookProject, testMatch: 'looks.spec.ts' })),
  ],
});
