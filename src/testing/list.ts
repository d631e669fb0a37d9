import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { press } from './keys.ts';
import { consumeJustOpened, openPage } from './panel.tsx';

export const visibleDialogs = (): Element[] =>
  [...document.querySelectorAll('[role="dialog"],[role="alertdialog"]')].filter((element) => element.checkVisibility());

export const listRows = (): Locator => page.css('[role="row"][aria-rowindex]:not([aria-rowindex="1"])');
export const cursorRow = (): Locator => page.css('[role="row"][data-cursor]');
export const checkedRows = (): Locator => page.css('[role="row"][data-checked]');

/** Stays on the page that `signIn` just opened. */
export async function openNews(steps = 0): Promise<void> {
  if (!consumeJustOpened('/news')) await openPage('/news');
  await expect.element(listRows().first()).toBeVisible();
  for (let step = 0; step < steps; step++) await press('j');
}

/** Returns its title. */
export async function moveToShownRow(): Promise<string> {
  for (;;) {
    await press('j');
    if (cursorRow().getByText('展示', { exact: true }).elements().length > 0) break;
  }
  return cursorRow().css('[data-column="title"]').element().textContent ?? '';
}
