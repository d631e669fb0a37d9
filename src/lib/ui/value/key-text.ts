import type { TextKey } from '../../i18n/i18n.ts';

/** Display and spoken names. Other keys are shown and read unchanged. */
const keyNames: Record<string, { shown: string; mac?: string; word: TextKey; macWord?: TextKey }> = {
  mod: { shown: 'Ctrl', mac: '⌘', word: 'shell.key.mod', macWord: 'shell.key.command' },
  ctrl: { shown: 'Ctrl', mac: '⌃', word: 'shell.key.mod' },
  shift: { shown: 'Shift', mac: '⇧', word: 'shell.key.shift' },
  alt: { shown: 'Alt', mac: '⌥', word: 'shell.key.alt', macWord: 'shell.key.option' },
  enter: { shown: '↵', word: 'shell.key.enter' },
  escape: { shown: 'Esc', word: 'shell.key.escape' },
  backspace: { shown: '⌫', word: 'shell.key.backspace' },
  delete: { shown: 'Del', word: 'shell.key.delete' },
  tab: { shown: 'Tab', word: 'shell.key.tab' },
  space: { shown: 'Space', word: 'shell.key.space' },
  up: { shown: '↑', word: 'shell.key.up' },
  down: { shown: '↓', word: 'shell.key.down' },
  left: { shown: '←', word: 'shell.key.left' },
  right: { shown: '→', word: 'shell.key.right' },
  pageup: { shown: 'PgUp', word: 'shell.key.pageUp' },
  pagedown: { shown: 'PgDn', word: 'shell.key.pageDown' },
  home: { shown: 'Home', word: 'shell.key.home' },
  end: { shown: 'End', word: 'shell.key.end' },
  '/': { shown: '/', word: 'shell.key.slash' },
  '?': { shown: '?', word: 'shell.key.question' },
  '#': { shown: '#', word: 'shell.key.hash' },
  '.': { shown: '.', word: 'shell.key.dot' },
  '[': { shown: '[', word: 'shell.key.openBracket' },
  ']': { shown: ']', word: 'shell.key.closeBracket' },
};

/** 'mod+shift+k' and 'g n' → [['mod','shift','k']], [['g'],['n']]. A '+' at the end is the key itself. */
export function parseStrokes(keys: string): string[][] {
  return keys
    .trim()
    .split(/\s+/)
    .map((stroke) =>
      (stroke === '+' ? ['+'] : stroke.replace(/\+\+$/, '+plus').split('+')).map((key) => (key === 'plus' ? '+' : key)),
    );
}

/** One list per stroke: Ctrl K, ⌘ K, G then N. */
export function keyChips(keys: string, isMacOs: boolean): string[][] {
  return parseStrokes(keys).map((stroke) =>
    stroke.map((key) => {
      const name = keyNames[key.toLowerCase()];
      return name ? ((isMacOs ? name.mac : undefined) ?? name.shown) : key.length === 1 ? key.toUpperCase() : key;
    }),
  );
}

/** For screen readers: "Control plus K", "G, then N". */
export function spellOutKeys(
  keys: string,
  isMacOs: boolean,
  t: (key: TextKey, values?: Record<string, string>) => string,
): string {
  const keyName = (key: string) => {
    const name = keyNames[key.toLowerCase()];
    return name ? t((isMacOs ? name.macWord : undefined) ?? name.word) : key.toUpperCase();
  };
  return parseStrokes(keys)
    .map((stroke) => stroke.map(keyName).reduce((first, second) => t('shell.key.plus', { one: first, other: second })))
    .reduce((first, second) => t('shell.key.then', { one: first, other: second }));
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
