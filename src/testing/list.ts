import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { press } from './keys.ts';
import { takeOpened, open } from './panel.tsx';

export const dialogs = (): Element[] =>
  [...document.querySelectorAll('[role="dialog"],[role="alertdialog"]')].filter((one) => one.checkVisibility());

export const rows = (): Locator => page.css('[role="row"][aria-rowindex]:not([aria-rowindex="1"])');
export const cursor = (): Locator => page.css('[role="row"][data-cursor]');
export const checked = (): Locator => page.css('[role="row"][data-checked]');

/** Stays on the page that `signIn` just opened. */
export async function openNews(steps = 0): Promise<void> {
  if (!takeOpened('/news')) await open('/news');
  await expect.element(rows().first()).toBeVisible();
  for (let step = 0; step < steps; step++) await press('j');
}

/** Returns its title. */
export async function cursorOnShown(): Promise<string> {
  for (;;) {
    await press('j');
    if (cursor().getByText('展示', { exact: true }).elements().length > 0) break;
  }
  return cursor().css('[data-column="title"]').element().textContent ?? '';
}
