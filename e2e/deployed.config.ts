import { defineConfig } from 'playwright/test';
import local from '../playwright.config.ts';

/**
 * End-to-end tests of a running panel: PANEL_URL, PANEL_EMAIL, PANEL_PASSWORD (e2e/README.md),
 * PANEL_SPECS for another folder.
 */
const { globalSetup: _, testIgnore: __, ...rest } = local;
export default defineConfig({
  ...rest,
  testDir: process.env['PANEL_SPECS'] ?? 'deployed',
  workers: 1, // a TOTP code works once, so tests share its session
  outputDir: '../.cache/deployed',
});
