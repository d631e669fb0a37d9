import { defineConfig } from '@playwright/test';

export default defineConfig({
  outputDir: 'results',
  reporter: [['list'], ['junit', { outputFile: 'junit.xml' }]],
  use: { locale: 'en-US' },
});
