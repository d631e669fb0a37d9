import { defineConfig } from 'playwright/test';
import local from '../playwright.config.ts';

/**
 * End to end against a panel that runs somewhere: PANEL_URL, PANEL_EMAIL, PANEL_PASSWORD (e2e/README.md).
 * The specs are those of e2e/deployed, or of the folder that PANEL_SPECS names.
 */
const { globalSetup: _, testIgnore: __, ...rest } = local;
export default defineConfig({
  ...rest,
  testDir: process.env['PANEL_SPECS'] ?? 'deployed',
  workers: 1, // an account's digits are good once: its session is shared
  outputDir: '../.cache/deployed',
});
