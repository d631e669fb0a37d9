const keyNames: Record<string, string> = {
  mod: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  ctrl: 'Control',
  up: 'ArrowUp',
  down: 'ArrowDown',
  space: ' ',
};

export const strokesOf = (keys: string): string[] =>
  keys.split(' ').map((stroke) =>
    stroke
      .split('+')
      .map((key) => keyNames[key] ?? (key.length > 1 ? key.charAt(0).toUpperCase() + key.slice(1) : key))
      .join('+')
      .replace(/^Shift\+([a-z])$/, (_, key: string) => `Shift+${key.toUpperCase()}`),
  );
