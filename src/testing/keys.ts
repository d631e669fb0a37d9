import { commands } from 'vitest/browser';
import { strokesOf } from '../../qa/kit/strokes.ts';

/** Named as in Playwright: 'Control+k', 'Shift+J', 'ArrowDown'. */
export const press = (key: string): Promise<void> => commands.press(key);

export const typeText = (text: string, delayMs = 0): Promise<void> => commands.typeText(text, delayMs);

/** Repeats from the second press on. */
export async function holdKey(key: string, repeatCount = 12): Promise<void> {
  await commands.keyDown(key, repeatCount + 1);
  await commands.keyUp(key);
}

/** Keys as commands name them: 'mod+k', 'g n', '#'. */
export async function pressKeys(keys: string): Promise<void> {
  for (const stroke of strokesOf(keys)) await press(stroke);
}
