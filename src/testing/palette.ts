import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { press } from './keys.ts';
import { getAttribute } from './locators.ts';

export const paletteDialog = () => page.getByRole('dialog', { name: '命令面板' });
export const paletteInput = () => page.css('[data-palette-input]');
export const paletteItems = () => page.css('[data-palette] [role="option"]');
export const paletteRow = (value: string) => page.css(`[data-palette] [data-row="${value}"]`);
export const paletteOrder = () =>
  paletteItems()
    .elements()
    .map((item) => item.getAttribute('data-row'));
export const rowIdAt = (index: number) => getAttribute(paletteItems().nth(index), 'data-row');

/** Throws unless the announced row is also the highlighted one. */
export function highlightedRow(): string | null {
  const id = document.querySelector('[data-palette-input]')?.getAttribute('aria-activedescendant');
  const selectedRows = document.querySelectorAll('[data-palette] [role="option"][aria-selected="true"]');
  if (selectedRows.length > 1) throw new Error('two rows are highlighted');
  const activeDescendantRow = id ? document.getElementById(id)?.getAttribute('data-row') : null;
  const selectedRow = selectedRows[0]?.getAttribute('data-row') ?? null;
  if (activeDescendantRow !== selectedRow) throw new Error(`told ${activeDescendantRow}, seen ${selectedRow}`);
  return activeDescendantRow ?? null;
}
export async function expectHighlighted(value: string | RegExp): Promise<void> {
  if (value instanceof RegExp) await expect.poll(highlightedRow).toMatch(value);
  else await expect.poll(highlightedRow).toBe(value);
}

export async function openPaletteHere(): Promise<void> {
  await press('Control+k');
  await expect.element(paletteInput()).toHaveFocus();
}
