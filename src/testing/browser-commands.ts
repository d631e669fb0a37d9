import type {} from '@vitest/browser-playwright';
import type { BrowserCommand } from 'vitest/node';

const pressKey: BrowserCommand<[key: string]> = ({ page }, key) => page.keyboard.press(key);

const typeText: BrowserCommand<[text: string, delay: number]> = ({ page }, text, delayMs) =>
  page.keyboard.type(text, { delay: delayMs });

const keyDown: BrowserCommand<[key: string, times: number]> = async ({ page }, key, repeatCount) => {
  for (let time = 0; time < repeatCount; time++) await page.keyboard.down(key);
};

const keyUp: BrowserCommand<[key: string]> = ({ page }, key) => page.keyboard.up(key);

const movePointer: BrowserCommand<[x: number, y: number, steps: number]> = async ({ page, frame }, x, y, steps) => {
  const box = await (await (await frame()).frameElement()).boundingBox();
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y, { steps });
};

const clickAt: BrowserCommand<[x: number, y: number]> = async ({ page, frame }, x, y) => {
  const box = await (await (await frame()).frameElement()).boundingBox();
  await page.mouse.click((box?.x ?? 0) + x, (box?.y ?? 0) + y);
};

type MediaOptions = {
  media?: 'screen' | 'print' | null;
  colorScheme?: 'light' | 'dark' | null;
  forcedColors?: 'active' | 'none' | null;
};

const emulateMedia: BrowserCommand<[media: MediaOptions]> = ({ page }, media) => page.emulateMedia(media);

export const browserCommands = { press: pressKey, typeText, keyDown, keyUp, movePointer, clickAt, emulateMedia };

declare module 'vitest/browser' {
  interface BrowserCommands {
    press: (key: string) => Promise<void>;
    typeText: (text: string, delayMs: number) => Promise<void>;
    keyDown: (key: string, repeatCount: number) => Promise<void>;
    keyUp: (key: string) => Promise<void>;
    movePointer: (x: number, y: number, steps: number) => Promise<void>;
    clickAt: (x: number, y: number) => Promise<void>;
    emulateMedia: (media: MediaOptions) => Promise<void>;
  }
}
