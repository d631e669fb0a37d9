import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { press } from './keys.ts';
import { open } from './panel.tsx';

/** Open dialogs that are to be seen. */
export const dialogs = (): Element[] =>
  [...document.querySelectorAll('[role="dialog"],[role="alertdialog"]')].filter((one) => one.checkVisibility());

export const rows = (): Locator => page.css('[role="row"][aria-rowindex]:not([aria-rowindex="1"])');
export const cursor = (): Locator => page.css('[role="row"][data-cursor]');
export const checked = (): Locator => page.css('[role="row"][data-checked]');

/** 0 for the first row; null without a cursor. */
export function cursorAt(): number | null {
  const at = document.querySelector('[role="row"][data-cursor]')?.getAttribute('aria-rowindex');
  return at ? Number(at) - 2 : null;
}

/** Opens the news and steps down so often. */
export async function openNews(steps = 0): Promise<void> {
  await open('/news');
  await expect.element(rows().first()).toBeVisible();
  for (let step = 0; step < steps; step++) await press('j');
}

/** Steps down to a news that is shown; answers its title. */
export async function cursorOnShown(): Promise<string> {
  for (;;) {
    await press('j');
    if (cursor().getByText('展示', { exact: true }).elements().length > 0) break;
  }
  return cursor().css('[data-column="title"]').element().textContent ?? '';
}

/** Everything on the page that a key could have changed. */
export function stateOf() {
  const all = (selector: string) => document.querySelectorAll(selector).length;
  const seen = [...document.querySelectorAll('[role="dialog"],[role="alertdialog"],[role="menu"]')].filter((one) =>
    one.checkVisibility(),
  );
  return {
    place: location.pathname + location.search,
    language: document.documentElement.lang,
    dialogs: seen.length,
    toasts: all('[data-toast]'),
    cursor: document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex') ?? null,
    checked: all('[data-checked]'),
    focus: `${document.activeElement?.tagName} ${document.activeElement?.getAttribute('aria-label')}`,
    sidebar: document.querySelector('[data-command="sidebar.toggle"]')?.getAttribute('aria-expanded') ?? null,
  };
}
