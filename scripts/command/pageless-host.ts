import type { Host } from '../../src/commands/engine/host.ts';

/** What no host without a page can do. `rejectPageCommand` says what the person needs instead. */
export const createPagelessHost = (rejectPageCommand: () => never) =>
  ({
    list: null,
    here: () => '/',
    refresh: async () => {},
    release: () => {},
    reach: async () => null,
    showPictures: rejectPageCommand,
    openPalette: rejectPageCommand,
    openKeys: rejectPageCommand,
    switchLanguage: rejectPageCommand,
    setTheme: rejectPageCommand,
    setDensity: rejectPageCommand,
    toggleSidebar: rejectPageCommand,
    toggleSingleKeys: rejectPageCommand,
    showExact: rejectPageCommand,
    ownKeys: async () => rejectPageCommand(),
    print: rejectPageCommand,
    undo: async () => rejectPageCommand(),
    repeat: async () => rejectPageCommand(),
    retry: async () => rejectPageCommand(),
    // Only people are asked. Dispatch never asks a script.
    collect: rejectPageCommand,
    confirm: async () => rejectPageCommand(),
    confirmFactor: async () => rejectPageCommand(),
  }) satisfies Partial<Host>;
