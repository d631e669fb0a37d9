import { commands } from 'vitest/browser';

/** Real keys of the real browser, named as Playwright names them: 'Control+k', 'Shift+J', 'ArrowDown'. */
export const press = (key: string): Promise<void> => commands.press(key);

/** Types a text key by key. */
export const type = (text: string, delay = 0): Promise<void> => commands.typeText(text, delay);

/** Holds a key: from the second on it repeats by itself. */
export async function holdKey(key: string, repeats = 12): Promise<void> {
  await commands.keyDown(key, repeats + 1);
  await commands.keyUp(key);
}

const named: Record<string, string> = {
  mod: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  ctrl: 'Control',
  up: 'ArrowUp',
  down: 'ArrowDown',
  space: ' ',
};

/** 'mod+k' as Playwright presses it. */
const pressOf = (stroke: string): string =>
  stroke
    .split('+')
    .map((key) => named[key] ?? (key.length > 1 ? key.charAt(0).toUpperCase() + key.slice(1) : key))
    .join('+')
    .replace(/^Shift\+([a-z])$/, (_, key: string) => `Shift+${key.toUpperCase()}`);

/** Presses keys as commands name them: 'mod+k', 'g n', '#'. */
export async function pressKeys(keys: string): Promise<void> {
  for (const stroke of keys.split(' ')) await press(pressOf(stroke));
}
