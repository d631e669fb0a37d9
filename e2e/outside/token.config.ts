import { defineConfig } from '@playwright/test';

// Each report that could keep a secret, with everything in it.
export default defineConfig({
  outputDir: 'token-results',
  workers: 1,
  reporter: [
    ['list'],
    ['junit', { outputFile: 'token-junit.xml' }],
    ['json', { outputFile: 'token-report.json' }],
    ['html', { outputFolder: 'token-html', open: 'never' }],
  ],
  use: { locale: process.env['LOCALE'] ?? 'en-US', trace: 'on' },
  projects: [
    { name: 'token', testMatch: 'token.spec.ts' },
    { name: 'token-wrong', testMatch: 'token-wrong.spec.ts' },
    { name: 'token-ended', testMatch: 'token-ended.spec.ts' },
  ],
});
