import { commands } from 'vitest/browser';
import { strokesOf } from '../../e2e/kit/strokes.ts';

/** Real keys of the real browser, named as Playwright names them: 'Control+k', 'Shift+J', 'ArrowDown'. */
export const press = (key: string): Promise<void> => commands.press(key);

/** Types a text key by key. */
export const type = (text: string, delay = 0): Promise<void> => commands.typeText(text, delay);

/** Holds a key: from the second on it repeats by itself. */
export async function holdKey(key: string, repeats = 12): Promise<void> {
  await commands.keyDown(key, repeats + 1);
  await commands.keyUp(key);
}

/** Presses keys as commands name them: 'mod+k', 'g n', '#'. */
export async function pressKeys(keys: string): Promise<void> {
  for (const stroke of strokesOf(keys)) await press(stroke);
}
