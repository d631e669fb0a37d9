import type { Page } from '@playwright/test';
import { openScreen, pressAll, scenes, type Look } from '../../qa/kit/scenes.ts';
import { waitUntilStill, type LayoutItem } from './layout.ts';

export interface ManualPicture {
  path: string;
  look: Look;
  act?: (page: Page) => Promise<unknown>;
}

const english = (theme: Look['theme']): Look => ({ locale: 'en-US', theme, width: 1440 });
const sceneActionOf = (name: string) => async (page: Page) => scenes[name]?.act?.(page);

/** Pictures of README and of the manual, as docs/screenshots/<name>.png with a layout beside it. */
export const manualPictures: Readonly<Record<string, ManualPicture>> = {
  news: { path: '/news', look: english('light'), act: (page) => pressAll(page, 'j', 'j', 'x', 'Shift+J') },
  palette: { path: '/news', look: english('dark'), act: sceneActionOf('palette-typing') },
  overview: { path: '/overview?compare=true', look: english('light') },
  form: { path: '/news', look: english('light'), act: (page) => pressAll(page, 'j', 'e') },
  keys: { path: '/news', look: english('dark'), act: sceneActionOf('keys') },
};

/** Returns the layout once it is at rest. */
export async function openPicture(page: Page, { path, act }: ManualPicture): Promise<LayoutItem[]> {
  await openScreen(page, path);
  await act?.(page);
  await waitUntilSettled(page);
  return waitUntilStill(page);
}

export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'));
  await page.evaluate(() => document.fonts.ready);
}
