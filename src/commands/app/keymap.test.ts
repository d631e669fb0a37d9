import { expect, test, vi } from 'vitest';
import { registry } from './all.ts';
import { $keymap, $overrides, keysOf } from './keymap.ts';

test('a command’s keys follow the person’s settings, and reading them sets no timer', () => {
  const unlisten = $keymap.listen(() => {});
  vi.useFakeTimers();
  try {
    const [id = 'palette.open'] = registry.all.map((command) => command.id).filter((command) => keysOf(command).length > 0);
    const previousKeys = keysOf(id);
    $overrides.set({ [id]: ['alt+9'] });
    expect(keysOf(id)).toEqual(['alt+9']);
    $overrides.set({});
    expect(keysOf(id)).toEqual(previousKeys);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
    unlisten();
  }
});
