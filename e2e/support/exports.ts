import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';

/** In the palette's step for the file format. */
export async function pickCsv(page: Page): Promise<void> {
  await expect(page.getByRole('option', { name: /XLSX/ })).toBeVisible();
  await page.keyboard.type('csv');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
}
